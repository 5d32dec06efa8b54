/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From an address to source: file, line and the functions that were inlined there, of one object,
 * out of its DWARF (2 to 5, with split units and dwz's alternate files). No other program is run.
 *
 * The object's compilation units are known by their address ranges; a unit is read when the first
 * address in it is asked for, once, and reduced to two sorted tables: stretches of code by source
 * line, and by innermost inlined function. Everything is integers and ids of texts; DWARF itself
 * can be closed when the units that matter were read.
 *
 * Addresses are those of the object's symbol table (ELF virtual addresses).
 *
 * A debug_info belongs to one thread at a time; different ones may be used at once.
 *
 * Damage: what cannot be read is as if it were not there. Limits, beyond which that holds, too:
 * debug sections of 1 GB each, as much of relocations in all, 4095 source files and 4 million
 * stretches of code for a unit, lines below 2^20, DIEs nested 256 deep.
 *
 * Not read: packages of split units (.dwp), and split units packed with zstd or in the way of
 * before 2015 (.zdebug). Of their code lines are known, from the program itself, but no functions.
 */
#ifndef PERF_UTIL_DWARF_DEBUG_INFO_H
#define PERF_UTIL_DWARF_DEBUG_INFO_H

#include "util/lib/types.h"

/* One function at an address. Ids are for debug_info__text(); ID_NONE: not known. */
struct source_frame {
	u32 function; /* as linkers know it, else as in the source. ID_NONE: its symbol */
	u32 file;     /* full path as the compiler gave it */
	u32 line;     /* 0: not known */
};

/* Functions inlined into one another at one place; no compiler comes near. */
#define SOURCE_FRAMES_MAX 128

struct debug_info; /* private */

/*
 * Open the DWARF of the ELF file at @path. Never NULL: without DWARF, for @path NULL, or when
 * perf was built without libdw, nothing will be found in it. What the file refers to (split units,
 * an alternate file) is looked for where the compiler and dwz say.
 */
struct debug_info *debug_info__open(const char *path);

/* The same of a kernel module that lay at @start: its addresses are those of then. */
struct debug_info *debug_info__open_module(const char *path, u64 start);
void debug_info__delete(struct debug_info *info);

/* Is there any address that something can be said about? */
bool debug_info__empty(const struct debug_info *info);

/* Read the units of these addresses, in any order. Twice is free. */
void debug_info__load(struct debug_info *info, const u64 *addrs, u32 nr);

/* Tell what is known, and look into no file for more. */
void debug_info__forget_file(struct debug_info *info);

/* Give files and DWARF back; for a unit that was not read they are opened once more. */
void debug_info__close_files(struct debug_info *info);

/*
 * The functions at @addr, innermost first: the place in the first is that of the code, those of
 * the others are where the one before was called. The last is the function proper. Reads the unit
 * if it was not. Returns their number (at most @max are given); 0: nothing is known.
 */
u32 debug_info__frames(struct debug_info *info, u64 addr, struct source_frame *frames, u32 max);

/* Owned by @info. Of any bytes: to be printed with out__name(). */
const char *debug_info__text(const struct debug_info *info, u32 id);

#endif
