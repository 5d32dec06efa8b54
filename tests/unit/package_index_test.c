// SPDX-License-Identifier: GPL-2.0-or-later
/* Indexes of packages of split units, built here by the tables of the DWARF 5 standard (7.3.5.3).
 */
#include "tests/unit/unit.h"

#include "tests/unit/builder.h"
#include "util/dwarf/package_index.h"

#define FIRST  0x1111111100000003ull /* wants slot 3 */
#define SECOND 0x2222222200000007ull /* too, of 4: takes the next by step (2 & 3) | 1 */

/* Sections of the columns, and whether the third unit (of no slot) is there. */
static void build(struct builder *b, u32 version, const u32 *columns, u32 nr_columns)
{
	if (version == 5) {
		builder__u16(b, 5);
		builder__u16(b, 0);
	} else {
		builder__u32(b, version);
	}
	builder__u32(b, nr_columns);
	builder__u32(b, 2);
	builder__u32(b, 4);
	builder__u64(b, 0);
	builder__u64(b, 0);
	builder__u64(b, SECOND);
	builder__u64(b, FIRST);
	builder__u32(b, 0);
	builder__u32(b, 0);
	builder__u32(b, 2);
	builder__u32(b, 1);
	for (u32 i = 0; i < nr_columns; i++)
		builder__u32(b, columns[i]);
	for (u32 i = 0; i < 2 * nr_columns; i++)
		builder__u32(b, 100 * i);
	for (u32 i = 0; i < 2 * nr_columns; i++)
		builder__u32(b, i == 1 ? 0 : 10 + i);
}

static void check_part(const struct package_index *index, u32 row, enum package_part part,
                       u32 want_offset, u32 want_size)
{
	u32 offset = 0, size = 0;

	CHECK(package_index__part(index, row, part, &offset, &size));
	CHECK_EQ(offset, want_offset);
	CHECK_EQ(size, want_size);
}

static void check_index(u32 version, bool swap)
{
	static const u32 columns[] = { 1, 8, 5 }; /* of version 5: RNGLISTS, LOCLISTS; of 2: LOC */
	struct builder b = { .swap = swap };
	struct package_index index;
	u32 row = 9, offset, size;

	build(&b, version, columns, 3);
	CHECK(package_index__read(&index, b.data, b.len, swap));
	CHECK_EQ(index.nr, 2);
	CHECK_EQ(index.version, version);
	CHECK(package_index__find(&index, FIRST, &row));
	CHECK_EQ(row, 0);
	CHECK(package_index__find(&index, SECOND, &row));
	CHECK_EQ(row, 1);
	CHECK(!package_index__find(&index, FIRST + 1, &row));
	CHECK(!package_index__find(&index, SECOND + 8, &row));
	check_part(&index, 0, PART_INFO, 0, 10);
	check_part(&index, 1, PART_INFO, 300, 13);
	check_part(&index, 1, version == 5 ? PART_LOCLISTS : PART_LOC, 500, 15);
	CHECK(!package_index__part(&index, 1, version == 5 ? PART_LOC : PART_LOCLISTS, &offset,
	                           &size));
	if (version == 5) {
		check_part(&index, 1, PART_RNGLISTS, 400, 14);
		CHECK(!package_index__part(&index, 0, PART_RNGLISTS, &offset, &size)); /* empty */
	}
	CHECK(!package_index__part(&index, 2, PART_INFO, &offset, &size));
	for (size_t len = 0; len < b.len; len++) { /* each end that is too early */
		CHECK(!package_index__read(&index, b.data, len, swap));
		CHECK_EQ(index.nr, 0);
		CHECK(!package_index__find(&index, FIRST, &row));
	}
	builder__exit(&b);
}

TEST(package_index_finds_units)
{
	for (u32 swap = 0; swap < 2; swap++) {
		check_index(2, swap);
		check_index(5, swap);
	}
}

TEST(package_index_of_nonsense)
{
	static const u32 columns[] = { 1 };
	struct builder b = { .len = 0 };
	struct package_index index;
	u32 row;

	build(&b, 5, columns, 1);
	builder__set_u32(&b, 12, 3); /* slots: no power of 2 */
	CHECK(!package_index__read(&index, b.data, b.len, false));
	builder__set_u32(&b, 12, 0);
	CHECK(!package_index__read(&index, b.data, b.len, false)); /* fewer than units */
	builder__set_u32(&b, 12, 4);
	builder__set_u32(&b, 4, 1u << 30); /* columns */
	CHECK(!package_index__read(&index, b.data, b.len, false));
	builder__set_u32(&b, 4, 1);
	builder__set_u32(&b, 0, 3); /* a version that never was */
	CHECK(!package_index__read(&index, b.data, b.len, false));
	builder__set_u32(&b, 0, 5);
	builder__set_u32(&b, 16 + 32 + 12, 7); /* the row of FIRST */
	CHECK(package_index__read(&index, b.data, b.len, false));
	CHECK(!package_index__find(&index, FIRST, &row));
	for (u32 i = 0; i < 4; i++) /* no slot is free: the search ends all the same */
		builder__set_u32(&b, 16 + 32 + 4 * i, 1);
	CHECK(package_index__read(&index, b.data, b.len, false));
	CHECK(!package_index__find(&index, 5, &row));
	builder__exit(&b);
}
