/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What util/dwarf/debug_*.c share; nobody else includes this. */
#ifndef PERF_UTIL_DWARF_DEBUG_INFO_PRIVATE_H
#define PERF_UTIL_DWARF_DEBUG_INFO_PRIVATE_H

#include "util/dwarf/debug_info.h"
#include "util/dwarf/index_texts.h"
#include "util/dwarf/source_tables.h"
#include "util/elf/file_trail.h"
#include "util/lib/strtab.h"

#define LINE_BITS 20
#define LINE_MASK ((1u << LINE_BITS) - 1)
#define FILES_MAX 4096 /* of a unit; [0] is no file */

#define SEGMENTS_MAX (4u << 20) /* of a unit */

enum unit_state { UNIT_UNREAD, UNIT_READ };

struct debug_unit {
	u64 base;   /* its lowest address */
	u64 offset; /* of its DIE in .debug_info */
	enum unit_state state;
	struct line_row *rows;
	struct inline_segment *segments;
	u32 *files; /* texts */
	u32 nr_rows, nr_segments, nr_files;
	u8 *asked;   /* by segment, after [0] for what is before the first; NULL: none */
	bool unread; /* its functions are in a file that cannot be read: only its lines are there */
};

struct unit_range {
	u64 start, end;
	u32 unit;
};

struct debug_info {
	struct index_texts known_texts; /* those of the index: their ids come first */
	struct strtab texts;
	struct inline_frame *frames;
	struct debug_unit *units;
	struct unit_range *ranges; /* sorted, disjoint */
	u32 nr_frames, nr_units, nr_ranges;
	size_t cap_frames, cap_units, cap_ranges;
	struct dwarf_files *files; /* NULL: closed */
	char *path;                /* to open them again; NULL: never */
	char *program;             /* that the file is of; NULL: itself */
	struct file_stamp stamp;
	u64 module_start; /* of a kernel module; else 0 */
	bool listed;      /* the units are listed */
	/* From an index, searched before the units: by extent. Its frames come first in frames. */
	struct source_tables known;     /* borrowed; its frames are copied */
	struct debug_unit *known_units; /* parts of known: debug_info__known_unit() */
	struct unit_range *known_ranges;
	/*
	 * By range: was an address in the gap before it asked for? One more is for the gap behind
	 * the last.
	 */
	u8 *asked_gaps;
	u32 nr_asked; /* marks set in asked and asked_gaps; 0: nothing to keep */
	struct file_trail trail;
	u32 nr_unread;       /* units */
	struct error unread; /* the first of them: which file, and why if it is there */
};

/* ---- debug_info.c: for readers to fill */

void debug_info__add_range(struct debug_info *info, u64 start, u64 end, u32 unit);

/* The index of the last of @nr rows or segments that starts at or before @offset, or ID_NONE. */
u32 debug_info__last_at(const void *things, u32 nr, u64 offset);

/* The id of a text, which is copied. */
u32 debug_info__add_text(struct debug_info *info, const char *text);

/* ---- debug_extents.c */

/* Note that @addr in @unit (NULL: in none) was asked for. */
void debug_info__mark(struct debug_info *info, struct debug_unit *unit, u64 addr);

/* An extent from an index, as a unit; empty if it refers to missing entries. */
const struct debug_unit *debug_info__known_unit(const struct debug_info *info, u32 extent);

/* ---- debug_unit.c: with libdw only */

/* Fill the list of units and their ranges. */
void debug_unit__list(struct debug_info *info);

/* Read one unit's lines and functions. */
void debug_unit__read(struct debug_info *info, struct debug_unit *unit);

#endif
