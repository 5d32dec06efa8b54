/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What util/symbol/debug_*.c share; nobody else includes this. */
#ifndef PERF_UTIL_SYMBOL_DEBUG_INFO_PRIVATE_H
#define PERF_UTIL_SYMBOL_DEBUG_INFO_PRIVATE_H

#include "util/lib/strtab.h"
#include "util/symbol/debug_info.h"

/* From here to the next row (offsets from the unit's base) code is of one line. */
struct line_row {
	u32 offset;
	u32 place; /* index into unit->files << LINE_BITS | line; 0: nothing known */
};

#define LINE_BITS 20
#define LINE_MASK ((1u << LINE_BITS) - 1)
#define FILES_MAX 4096 /* of a unit; [0] is no file */

/* From here to the next segment code is of one innermost function. */
struct inline_segment {
	u32 offset;
	u32 frame; /* of info->frames; ID_NONE: none */
};

#define SEGMENTS_MAX (4u << 20) /* of a unit */

/* A function, inlined at one place or (without parent) by itself. */
struct inline_frame {
	u32 parent; /* of info->frames, a smaller id; ID_NONE: not inlined */
	u32 function;
	u32 call_file, call_line; /* in the parent */
};

enum unit_state { UNIT_UNREAD, UNIT_READ };

struct debug_unit {
	u64 base;   /* its lowest address */
	u64 offset; /* of its DIE in .debug_info */
	enum unit_state state;
	struct line_row *rows;
	struct inline_segment *segments;
	u32 *files; /* texts */
	u32 nr_rows, nr_segments, nr_files;
};

struct unit_range {
	u64 start, end;
	u32 unit;
};

/* Is a file the one that was read? */
struct file_stamp {
	u64 dev, ino, size, mtime, mtime_ns;
};

struct debug_info {
	struct strtab texts;
	struct inline_frame *frames;
	struct debug_unit *units;
	struct unit_range *ranges; /* sorted, disjoint */
	u32 nr_frames, nr_units, nr_ranges;
	size_t cap_frames, cap_units, cap_ranges;
	struct dwarf_files *files; /* NULL: closed */
	char *path;                /* to open them again; NULL: do not */
	struct file_stamp stamp;
};

/* ---- debug_info.c: for readers to fill */

void debug_info__add_range(struct debug_info *info, u64 start, u64 end, u32 unit);
void debug_info__order_ranges(struct debug_info *info);

/* ---- debug_unit.c: with libdw only */

/* Fill the list of units and their ranges. */
void debug_unit__list(struct debug_info *info);

/* Read one unit's lines and functions. */
void debug_unit__read(struct debug_info *info, struct debug_unit *unit);

#endif
