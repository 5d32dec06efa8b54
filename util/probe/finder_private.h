/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What util/probe/finder*.c share; nobody else includes this. */
#ifndef PERF_UTIL_PROBE_FINDER_PRIVATE_H
#define PERF_UTIL_PROBE_FINDER_PRIVATE_H

#include "util/fetch/units.h"
#include "util/probe/finder.h"

struct probe_finder {
	struct probe_target *target;
#ifdef HAVE_LIBDW
	struct units units;
	const void *only; /* where the DIE of the one function lies that is meant; NULL: all */
	const struct unit *in_unit; /* what is elsewhere does not matter; NULL: everywhere */
#endif
	bool has_dwarf;
	bool left_out; /* see probe_finder__left_out() */
};

#ifdef HAVE_LIBDW
/*
 * A mark for each unit that may have the function, or (NULL) code of the file: malloc'ed. NULL: all
 * may.
 */
u8 *finder__units_with(struct probe_finder *finder, const char *function, const char *file);
#endif

void spots__add(struct probe_spots *spots, u64 addr, const char *function, u64 entry);

/* Add a warning, once for all places. @text is taken. */
void spots__warn(struct probe_spots *spots, char *text);

/* Say why there is none: -ENOENT. */
int finder__no_dwarf(const struct probe_finder *finder, struct error *err);

/*
 * Something at @addr, or (0) a name, was not found, as @err says. Add it if that may be for want of
 * split debug information. Returns the error's code.
 */
int finder__blame_unread(struct probe_finder *finder, u64 addr, struct error *err);

/* ---- finder_missing.c: the advice of an error about a name that was not found */

/* @file: the one that the function was to be in, or NULL. */
void finder__advise_function(struct probe_finder *finder, const char *name, const char *file,
                             struct error *err);
/* @err, if the name is that of data, or of a function that the object only calls. */
bool finder__is_other(struct probe_finder *finder, const char *name, const char *place,
                      struct error *err);
void finder__advise_file(struct probe_finder *finder, const char *file, struct error *err);

#ifdef HAVE_LIBDW
/* unit__each_function(), or of one function that is meant all that it may be. */
bool finder__each_function(const struct probe_finder *finder, const struct unit *unit,
                           bool (*fn)(void *ctx, Dwarf_Die *die), void *ctx);

/* Does the definition's function, of this name, mean @die? */
bool finder__means(const struct probe_finder *finder, Dwarf_Die *die, const char *name);

/* Is the code at @addr a part that the compiler split from a function ("f.part.0"), by its symbol?
 */
bool finder__is_part(struct probe_finder *finder, u64 addr);

/* ---- finder_lines.c */

/*
 * Call @fn for each place of @unit where a line begins: its statements, the entries of functions
 * (their declarations) and of inlined copies (their calls). @only: of the functions this one; NULL:
 * all. @function is NULL for statements, and for calls from inlined functions.
 */
void unit__each_place(const struct unit *unit, Dwarf_Die *only,
                      void (*fn)(void *ctx, const struct line_at *line, Dwarf_Die *function),
                      void *ctx);

/*
 * Does another line (@other) of the same file stand for the address where @line begins? One of
 * another file does not matter, that is the caller's of an inlined function; nor does that which
 * declares what is inlined there.
 */
bool line__is_of_other(const struct unit *unit, const struct line_at *line, struct line_at *other);

/*
 * Call @fn for each row of the line table that is the inlined copy's own, statement or not. Of what
 * was inlined compilers often mark all statements at one address, the caller's.
 */
void copy__each_row(const struct unit *unit, Dwarf_Die *copy,
                    void (*fn)(void *ctx, const struct line_at *line), void *ctx);

/*
 * Note whether a search for functions of a name, or in a file, or both, wants a unit that cannot be
 * read. (Not that with a symbol in another one, unless it is a header's.)
 */
void finder__look_for_unread(struct probe_finder *finder, const char *function, const char *file);

/* Add the spots of a definition that has a line or a lazy pattern. */
int finder__find_lines(struct probe_finder *finder, const struct probe_definition *def,
                       struct probe_spots *spots, struct error *err);

/* The first function of that name and file, in the order of the debug information. */
bool finder__function(struct probe_finder *finder, const char *name, const char *file,
                      Dwarf_Die *function, struct unit **unit);

/* ---- finder_source.c */

/*
 * The last line that is the own of @function, of @unit, which a definition calls @name: behind it
 * the file's next function begins. UINT32_MAX: none does.
 */
u32 finder__last_line(struct probe_finder *finder, const struct unit *unit, Dwarf_Die *function,
                      const char *name);

/* ---- finder_args.c */

/* Fill in the values of all arguments at all spots. */
int finder__fetch(struct probe_finder *finder, const struct probe_definition *def,
                  struct probe_spots *spots, struct error *err);
#endif

#endif
