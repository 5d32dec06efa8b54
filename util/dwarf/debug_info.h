/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source of an address: file, line and inlined functions, from the DWARF of one object. It reads
 * DWARF 2 to 5, with split units and dwz's alternate files. No other program is run.
 *
 * The compilation units are known by their address ranges. A unit is read once, when an address in
 * it is first asked for, and reduced to two sorted tables: code ranges by source line, and by
 * innermost inlined function. They hold integers and text ids only; the DWARF can be closed when
 * the units that matter were read.
 *
 * Addresses are those of the object's symbol table (ELF virtual addresses).
 *
 * A debug_info belongs to one thread at a time; different ones may be used at once.
 *
 * Damaged parts count as missing, and so does what exceeds a limit: debug sections of 1 GB each, 1
 * GB of relocations in all, 4095 source files and 4 million code ranges per unit, lines below 2^20,
 * DIEs nested 256 deep.
 *
 * Not read: split units compressed in the way of before 2015 (.zdebug). Their code has lines, from
 * the program itself, but no functions.
 */
#ifndef PERF_UTIL_DWARF_DEBUG_INFO_H
#define PERF_UTIL_DWARF_DEBUG_INFO_H

#include "util/lib/error.h"
#include "util/lib/types.h"

/* One function at an address. Ids are for debug_info__text(); ID_NONE: not known. */
struct source_frame {
	u32 function; /* linkage name, else source name. ID_NONE: use the symbol */
	u32 file;     /* full path, from the compiler's folder where it gave a relative one */
	u32 line;     /* 0: not known */
};

/* Limit of functions inlined into one another at one address; no compiler comes near. */
#define SOURCE_FRAMES_MAX 128

struct debug_info; /* private */

/*
 * Open the DWARF of the ELF file at @path. Never NULL: it is empty without DWARF, for @path NULL,
 * or when perf was built without libdw. Split units and an alternate file are looked for in a
 * package (@path.dwp) and at the paths that the compiler and dwz wrote.
 */
struct debug_info *debug_info__open(const char *path);

/* The same for a kernel module that was loaded at @start: addresses are run-time addresses. */
struct debug_info *debug_info__open_module(const char *path, u64 start);
void debug_info__delete(struct debug_info *info);

/* The DWARF is in a debug file of @program, beside which a package of split units may lie, too. */
void debug_info__set_program(struct debug_info *info, const char *program);

/* Is there no address with known source? */
bool debug_info__empty(const struct debug_info *info);

/* Read the units of these addresses, in any order. A unit is read once only. */
void debug_info__load(struct debug_info *info, const u64 *addrs, u32 nr);

/* Answer from what is known already, and look into no file for more. */
void debug_info__forget_file(struct debug_info *info);

/* Close the files; if a unit that was not read is needed, they are opened again. */
void debug_info__close_files(struct debug_info *info);

/*
 * The functions at @addr, innermost first. The first frame has the file and line of the code, each
 * other one those of the call to the frame before it. The last is the function that is not inlined.
 * Reads the unit if needed. Returns their number (at most @max are given); 0: nothing is known.
 */
u32 debug_info__frames(struct debug_info *info, u64 addr, struct source_frame *frames, u32 max);

/*
 * Were functions of units that were asked for not found, as their split debug information cannot be
 * read? Then @err names its file (the first, if there are several) and what would help.
 */
bool debug_info__unread(const struct debug_info *info, struct error *err);

/* Such units are to be read again next time: they are not exported (source_tables.h). */
void debug_info__drop_unread(struct debug_info *info);

/* Owned by @info. It may hold any bytes: print it with out__name(). */
const char *debug_info__text(const struct debug_info *info, u32 id);

#endif
