/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index of a package of split units (.dwp: .debug_cu_index, .debug_tu_index), of DWARF 5 and of
 * GNU's form for DWARF 4. A unit has an id, and of each section a part.
 *
 * The bytes are used in place. Damage never leads out of them; what it hides counts as missing.
 */
#ifndef PERF_UTIL_DWARF_PACKAGE_INDEX_H
#define PERF_UTIL_DWARF_PACKAGE_INDEX_H

#include "util/lib/types.h"

enum package_part {
	PART_INFO,
	PART_TYPES, /* of type units before DWARF 5 */
	PART_ABBREV,
	PART_LINE,
	PART_LOC,
	PART_LOCLISTS,
	PART_RNGLISTS,
	PART_STR_OFFSETS,
	PARTS_MAX,
};

struct package_index { /* private, but for nr and version; all 0: an empty one */
	const u8 *slots, *rows, *offsets, *sizes;
	u32 nr_columns, nr_slots;
	u8 column[PARTS_MAX]; /* + 1; 0: no unit has this part */
	bool swap;
	u32 nr; /* units: their rows are 0 ... nr - 1 */
	u32 version;
};

/* @swap: the bytes are not in this machine's order. False, with an empty index: it is none. */
bool package_index__read(struct package_index *index, const void *bytes, size_t size, bool swap);

/* The row of the unit with this id. */
bool package_index__find(const struct package_index *index, u64 id, u32 *row);

/* Where a unit's part lies in its section. False: it has none. */
bool package_index__part(const struct package_index *index, u32 row, enum package_part part,
                         u32 *offset, u32 *size);

#endif
