/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Invented source lines and inlined functions in the form of an index, for tests and fuzzing. */
#ifndef PERF_TESTS_UNIT_INDEX_SOURCE_H
#define PERF_TESTS_UNIT_INDEX_SOURCE_H

#include "util/dwarf/debug_info_private.h"

/*
 * [0x1000, 0x1100): "inner" at line 77 of "/src/a.c" in "outer", in every second 16 bytes;
 * [0x2000, 0x3000): unknown. The caller owns the result.
 */
static inline struct debug_info *index_source__make(void)
{
	static const char bytes[] = "\0outer\0inner\0/src/a.c";
	static const u32 offsets[] = { 0, 1, 7, 13 },
	                 readable[] = { ID_NONE, ID_NONE, ID_NONE, ID_NONE };
	static struct source_extent extents[] = { { 0x1000, 0x1100, 0, 0, 0, 3, 3, 2 },
		                                  { .start = 0x2000, .end = 0x3000 } };
	static struct line_row rows[] = { { 0, 1 << LINE_BITS | 10 },
		                          { 16, 1 << LINE_BITS | 11 },
		                          { 32, 1 << LINE_BITS | 12 } };
	static struct inline_segment segments[] = { { 0, 0 }, { 16, 1 }, { 32, 0 } };
	static u32 files[] = { ID_NONE, 3 };
	static struct inline_frame frames[] = { { ID_NONE, 1, ID_NONE, 0 }, { 0, 2, 3, 77 } };
	const struct index_texts texts = { offsets, readable, bytes, 4, sizeof(bytes) };
	const struct source_tables tables = {
		.extents = extents,
		.rows = rows,
		.segments = segments,
		.files = files,
		.frames = frames,
		.nr_extents = 2,
		.nr_rows = 3,
		.nr_segments = 3,
		.nr_files = 2,
		.nr_frames = 2,
	};

	return debug_info__import(&tables, &texts, NULL);
}

#endif
