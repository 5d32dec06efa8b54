/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks over debug information as probes need it: functions by name, their inlined copies, the
 * scopes around an address, the rows of line tables. Depth is bounded.
 */
#ifndef PERF_UTIL_FETCH_UNITS_H
#define PERF_UTIL_FETCH_UNITS_H

#ifdef HAVE_LIBDW
#include <elfutils/libdw.h>

#include "util/dwarf/dwarf_files.h"

#define DEPTH_MAX 64

struct unit {
	Dwarf_Die die;  /* of the compilation unit */
	Dwarf_Die code; /* the one with the functions: of its split unit, if it is split */
	bool has_code;
	struct unit_by_address *by_address; /* private: for unit__function_at() */
};

struct units {
	struct dwarf_files *files;
	struct unit *units;
	u64 *starts; /* by unit: offset in .debug_info; UINT64_MAX: of the alternate file */
	u32 nr;
	size_t cap, cap_starts;
	u32 last; /* private: of the last address */
	bool stand_alone_known, stand_alone;
};

/*
 * False: there is no debug information at @path, which is of @program (borrowed), that can be used.
 * @module_start: where the code of a kernel module is thought to lie; 0: it is none.
 */
bool units__open(struct units *units, const char *path, const char *program, u64 module_start);
void units__close(struct units *units);

/* Are all inlined copies of a function in its own unit? See string_places.h. */
bool units__stand_alone(struct units *units);

/*
 * By unit: may it have a function of this name, as it is written in a definition? malloc'ed. NULL:
 * each may, as for patterns.
 */
u8 *units__with_name(struct units *units, const char *name);

/*
 * By unit: may its line table have a file whose path ends with @name? malloc'ed. NULL: each may.
 */
u8 *units__with_file(const struct units *units, const char *name);

/* The unit whose code covers @addr, or NULL. */
struct unit *units__at(struct units *units, u64 addr);

/* The unit of the code at @addr, if its functions are in a file that could not be read; or NULL. */
struct unit *units__unread_at(struct units *units, u64 addr);

/* The next such unit from *i on, of all; or NULL. */
struct unit *units__next_unread(struct units *units, u32 *i);

/* Call @fn for each function of the unit, in namespaces and classes, too. It returns true to stop.
 */
bool unit__each_function(const struct unit *unit, bool (*fn)(void *ctx, Dwarf_Die *die), void *ctx);

/* Of those inside of functions, too (lambdas of gcc). Costs a walk over all of the unit. */
bool unit__each_function_deep(const struct unit *unit, bool (*fn)(void *ctx, Dwarf_Die *die),
                              void *ctx);

/*
 * Call @fn for each variable outside of functions, static members of classes included. It returns
 * true to stop.
 */
bool unit__each_global(const struct unit *unit, bool (*fn)(void *ctx, Dwarf_Die *die), void *ctx);

/* Call @fn for each "using" of a name outside of functions. It returns true to stop. */
bool unit__each_using(const struct unit *unit, bool (*fn)(void *ctx, Dwarf_Die *die), void *ctx);

/* Call @fn for each inlined copy of the function @origin. */
void unit__each_copy(const struct unit *unit, Dwarf_Die *origin,
                     void (*fn)(void *ctx, Dwarf_Die *die), void *ctx);

/* The same without parts of a function that were inlined back into it: one for a call. */
void unit__each_call(const struct unit *unit, Dwarf_Die *origin,
                     void (*fn)(void *ctx, Dwarf_Die *die), void *ctx);

/* Is @die a copy, inlined or not, of the function @origin? */
bool die__is_copy_of(Dwarf_Die *die, const Dwarf_Die *origin);

/* The function that is not inlined and covers @addr. */
bool unit__function_at(const struct unit *unit, u64 addr, Dwarf_Die *function);

/* The innermost function there, inlined or not; at the first address of an inlined one its caller.
 */
bool unit__inner_function(const struct unit *unit, u64 addr, Dwarf_Die *function);

/*
 * The scopes at @addr inside of @function, outermost (the function itself) first: their number, up
 * to DEPTH_MAX.
 */
u32 function__scopes(Dwarf_Die *function, u64 addr, Dwarf_Die *scopes);

/*
 * The first DIE inside of @parent, and the one behind @die. False: there is none. DIEs only ever
 * lie behind each other, so that a file that refers to itself ends.
 */
bool die__child(Dwarf_Die *parent, Dwarf_Die *child);
bool die__next(Dwarf_Die *die);

/* Names as in the source, or NULL. */
const char *die__name(Dwarf_Die *die);
bool die__has_name(Dwarf_Die *die, const char *name);
const char *die__linkage_name(Dwarf_Die *die);

/* Does the function have this name: in the source, linkage, or with namespaces? Globs, too. */
bool function__is_called(Dwarf_Die *die, const char *name);

/* A constant attribute; false: the DIE does not have it. */
bool die__number(Dwarf_Die *die, unsigned name, u64 *number);

bool die__entry(Dwarf_Die *die, u64 *entry);
bool die__has_code(Dwarf_Die *die);

/* A function without code of its own, of which there may be copies. */
bool function__may_be_inlined(Dwarf_Die *die);

/* Where it was declared, or the call of an inlined copy. NULL and 0: unknown. */
const char *die__decl_file(Dwarf_Die *die);
u32 die__decl_line(Dwarf_Die *die);
const char *die__call_file(Dwarf_Die *die);
u32 die__call_line(Dwarf_Die *die);

/* A file's path as compiled, malloc'ed: absolute if the unit tells its folder. */
char *unit__full_path(const struct unit *unit, const char *path);

/* That of the file where a function was declared, by the folder of the unit which says so; or NULL.
 */
char *die__decl_path(Dwarf_Die *die);

/* A source file, which each unit may write in another way: by the folder where it was compiled. */
struct source_file {
	char *place;      /* the path without ".." */
	const char *last; /* what was asked for, a path of a line table, and whether that was it */
	bool last_is;
};

/* @path: malloc'ed, as of unit__full_path(); it is taken over. */
void source_file__init(struct source_file *file, char *path);
void source_file__exit(struct source_file *file);

/* Is it the one that @unit writes as @path? */
bool source_file__is(struct source_file *file, const struct unit *unit, const char *path);

/* The MD5 of the file that @unit's line table has (DWARF 5). False: it has none. */
bool unit__source_sum(const struct units *units, const struct unit *unit, struct source_file *file,
                      u8 *sum);

struct line_at {
	u64 addr;
	const char *file;
	u32 line;
	bool is_statement, is_end;
};

/* Call @fn for each row of the unit's line table, by ascending address. */
void unit__each_line(const struct unit *unit, void (*fn)(void *ctx, const struct line_at *line),
                     void *ctx);

/*
 * The line that stands for the code at @addr: of a function's entry its declaration, else that of
 * the first statement there. False: none starts there.
 */
bool unit__line_at(const struct unit *unit, u64 addr, struct line_at *line);
#endif

#endif
