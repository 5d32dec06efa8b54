/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was found out about an object's source, flat: the form in which an index keeps it
 * (object_index.h) and a debug_info takes it back.
 */
#ifndef PERF_UTIL_DWARF_SOURCE_TABLES_H
#define PERF_UTIL_DWARF_SOURCE_TABLES_H

#include "util/dwarf/debug_info.h"
#include "util/dwarf/index_texts.h"

struct file_trail;

/* From here to the next row (offsets from the unit's base) code is of one line. */
struct line_row {
	u32 offset;
	u32 file_line; /* index into unit->files << LINE_BITS | line; 0: nothing known */
};

/* From here to the next segment code is of one innermost function. */
struct inline_segment {
	u32 offset;
	u32 frame; /* of info->frames; ID_NONE: none */
};

/* A function, inlined at one call or (without parent) by itself. */
struct inline_frame {
	u32 parent; /* of info->frames, a smaller id; ID_NONE: not inlined */
	u32 function;
	u32 call_file, call_line; /* in the parent */
};

/* A stretch of code about which all is known: a function, part of one, or what lies between. */
struct source_extent {
	u64 start, end;
	u32 first_row, first_segment, first_file, nr_rows, nr_segments, nr_files;
};

/*
 * Some of an object's source, flat: what an index holds of it. Out of an index extents are sorted
 * and disjoint; all else may be anything, and is looked at when it is used.
 */
struct source_tables {
	struct source_extent *extents; /* sorted, disjoint */
	struct line_row *rows;         /* offsets from the start of their extent */
	struct inline_segment *segments;
	u32 *files;                  /* texts; [0] of each extent that has some is no file */
	struct inline_frame *frames; /* parents first */
	u32 nr_extents, nr_rows, nr_segments, nr_files, nr_frames;
	size_t cap_extents, cap_rows, cap_segments, cap_files, cap_frames;
};

/*
 * All extents about which something was asked, now or in the runs that the index came from. Texts
 * are those of @info. Until source_tables__exit().
 */
void debug_info__export(const struct debug_info *info, struct source_tables *tables);
void source_tables__exit(struct source_tables *tables);

/*
 * A debug_info that knows @tables, out of an index with @texts: both are used where they lie, and
 * must live longer. @path: where the DWARF is, for what is asked beyond; NULL: there is none.
 */
struct debug_info *debug_info__import(const struct source_tables *tables,
                                      const struct index_texts *texts, const char *path);

/* It is of a kernel module that lay at @start. */
void debug_info__move_module(struct debug_info *info, u64 start);

/* Where the DWARF was found; NULL: nowhere, or its file is forgotten. Owned by @info. */
const char *debug_info__path(const struct debug_info *info);

/* All that was looked at on the way to it. */
const struct file_trail *debug_info__trail(const struct debug_info *info);

/* Ids of texts are below this number. */
u32 debug_info__nr_texts(const struct debug_info *info);

/* Was something asked that no index told? */
bool debug_info__was_asked(const struct debug_info *info);

#endif
