// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/dwarf/package_index.h"

#include "util/lib/cursor.h"

#define COLUMNS_MAX 16

/*
 * A third of the slots are free, and steps depend on the id: a unit is found within a few. More are
 * damage, or made to cost time.
 */
#define STEPS_MAX 4096

/* What the number of a column means, in version 2 (GNU's) and 5. */
static const u8 meanings[2][9] = {
	{ 0, PART_INFO + 1, PART_TYPES + 1, PART_ABBREV + 1, PART_LINE + 1, PART_LOC + 1,
	  PART_STR_OFFSETS + 1, 0, 0 },
	{ 0, PART_INFO + 1, 0, PART_ABBREV + 1, PART_LINE + 1, PART_LOCLISTS + 1,
	  PART_STR_OFFSETS + 1, 0, PART_RNGLISTS + 1 },
};

static bool read_tables(struct package_index *index, struct cursor *c)
{
	u64 cells = (u64)index->nr * index->nr_columns;

	index->slots = cursor__bytes(c, 8ull * index->nr_slots);
	index->rows = cursor__bytes(c, 4ull * index->nr_slots);
	const u8 *columns = cursor__bytes(c, 4ull * index->nr_columns);

	index->offsets = cursor__bytes(c, 4 * cells);
	index->sizes = cursor__bytes(c, 4 * cells);
	for (u32 i = 0; !c->failed && i < index->nr_columns; i++) {
		u32 number = load_u32(columns + 4ull * i, c->swap);
		u8 part = number < 9 ? meanings[index->version == 5][number] : 0;

		if (part)
			index->column[part - 1] = i + 1;
	}
	return !c->failed;
}

bool package_index__read(struct package_index *index, const void *bytes, size_t size, bool swap)
{
	struct cursor c = cursor__make(bytes, size, swap);

	*index = (struct package_index){ .swap = swap };
	/* 32 bits in version 2; 16 and a padding of 16 in version 5. */
	u32 word = size < 4 ? 0 : load_u32(bytes, swap),
	    half = size < 4 ? 0 : load_u16(bytes, swap);

	index->version = half == 5 ? 5 : word;
	cursor__bytes(&c, 4);
	index->nr_columns = cursor__u32(&c);
	index->nr = cursor__u32(&c);
	index->nr_slots = cursor__u32(&c);
	if (!c.failed && (index->version == 2 || index->version == 5) &&
	    index->nr_columns <= COLUMNS_MAX && !(index->nr_slots & (index->nr_slots - 1)) &&
	    index->nr <= index->nr_slots && read_tables(index, &c))
		return true;
	*index = (struct package_index){ .swap = swap };
	return false;
}

bool package_index__find(const struct package_index *index, u64 id, u32 *row)
{
	u32 mask = index->nr_slots - 1, at = id & mask, step = ((id >> 32) & mask) | 1;

	for (u32 i = 0; i < index->nr_slots && i < STEPS_MAX; i++, at = (at + step) & mask) {
		u32 number = load_u32(index->rows + 4ull * at, index->swap);

		if (!number)
			return false;
		if (load_u64(index->slots + 8ull * at, index->swap) != id)
			continue;
		*row = number - 1;
		return *row < index->nr;
	}
	return false;
}

bool package_index__part(const struct package_index *index, u32 row, enum package_part part,
                         u32 *offset, u32 *size)
{
	u32 column = index->column[part];

	if (row >= index->nr || !column)
		return false;
	u64 cell = (u64)row * index->nr_columns + column - 1;

	*offset = load_u32(index->offsets + 4 * cell, index->swap);
	*size = load_u32(index->sizes + 4 * cell, index->swap);
	return *size;
}
