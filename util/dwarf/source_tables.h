/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source information of an object in flat tables, as a symbol index (object_index.h) keeps it. A
 * debug_info exports and imports them.
 */
#ifndef PERF_UTIL_DWARF_SOURCE_TABLES_H
#define PERF_UTIL_DWARF_SOURCE_TABLES_H

#include "util/dwarf/debug_info.h"
#include "util/dwarf/index_texts.h"

struct file_trail;

/* The code from here to the next row is of one line. Offsets are from the unit's base. */
struct line_row {
	u32 offset;
	u32 file_line; /* index into unit->files << LINE_BITS | line; 0: nothing known */
};

/* The code from here to the next segment is of one innermost function. */
struct inline_segment {
	u32 offset;
	u32 frame; /* index into info->frames; ID_NONE: none */
};

/* A function, inlined at one call or (without parent) not inlined. */
struct inline_frame {
	u32 parent; /* index into info->frames, a smaller one; ID_NONE: not inlined */
	u32 function;
	u32 call_file, call_line; /* in the parent */
};

/* A code range whose source is all known: a function, part of one, or a gap between two. */
struct source_extent {
	u64 start, end;
	u32 first_row, first_segment, first_file, nr_rows, nr_segments, nr_files;
};

/*
 * Part of an object's source. When the tables are from an index, only the extents are checked to be
 * sorted and disjoint; everything else is checked when it is used.
 */
struct source_tables {
	struct source_extent *extents; /* sorted, disjoint */
	struct line_row *rows;         /* offsets from the start of their extent */
	struct inline_segment *segments;
	u32 *files;                  /* texts; if an extent has any, its [0] is no file */
	struct inline_frame *frames; /* parents first */
	u32 nr_extents, nr_rows, nr_segments, nr_files, nr_frames;
	size_t cap_extents, cap_rows, cap_segments, cap_files, cap_frames;
};

/*
 * Fill @tables with all extents in which an address was asked for, now or in the runs that the
 * index came from. Texts are those of @info. Free them with source_tables__exit().
 */
void debug_info__export(const struct debug_info *info, struct source_tables *tables);
void source_tables__exit(struct source_tables *tables);

/*
 * Make a debug_info of @tables and @texts, from an index; both are used in place and must live
 * longer. @path: the file with the DWARF, for addresses outside of @tables; NULL: there is none.
 */
struct debug_info *debug_info__import(const struct source_tables *tables,
                                      const struct index_texts *texts, const char *path);

/* Set the load address of the kernel module that @info describes. */
void debug_info__move_module(struct debug_info *info, u64 start);

/* The path of the DWARF; NULL: none was found, or its file is forgotten. Owned by @info. */
const char *debug_info__path(const struct debug_info *info);

/* All files that were looked at for the DWARF. */
const struct file_trail *debug_info__trail(const struct debug_info *info);

/* Text ids are below this number. */
u32 debug_info__nr_texts(const struct debug_info *info);

/* Was an address asked for that no index covered? */
bool debug_info__was_asked(const struct debug_info *info);

#endif
