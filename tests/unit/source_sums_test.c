// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/dwarf/source_sums.h"

#include <string.h>

#include "tests/unit/unit.h"

/* A header of DWARF 5 in 32 bits: a folder, and two files with folder, MD5 and name. */
static const u8 header[] = {
	76,   0,    0,    0,    5,    0,    8,    0, /* length, version, sizes */
	68,   0,    0,    0,    1,    1,    1,    0xfb, 14,   3,    0,    1, /* up to two opcodes */
	1,    1,    0x1f, 1,    0,    0,    0,    0, /* folders: a path in .debug_line_str */
	3,    1,    0x08, 2,    0x0b, 5,    0x1e,    /* files: path in place, folder, MD5 */
	2,    'a',  '.',  'c',  0,    0,             /* */
	0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c,
	0x1d, 0x1e, 0x1f, 'b',  0,    0, /* */
	0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x2c,
	0x2d, 0x2e, 0x2f, 0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
};

TEST(source_sums_by_number)
{
	u8 sum[MD5_SIZE] = { 0 };

	CHECK(source_sums__find(header, sizeof(header), false, 0, sum));
	CHECK_EQ(sum[0], 0x10);
	CHECK_EQ(sum[15], 0x1f);
	CHECK(source_sums__find(header, sizeof(header), false, 1, sum));
	CHECK_EQ(sum[0], 0x20);
	CHECK_EQ(sum[15], 0x2f);
	CHECK(!source_sums__find(header, sizeof(header), false, 2, sum));
	CHECK(!source_sums__find(header, sizeof(header), true, 0, sum));
}

/* Cut anywhere, or with any byte changed, nothing behind it is read (make SAN=address). */
TEST(source_sums_in_damage)
{
	u8 copy[sizeof(header)], sum[MD5_SIZE];

	for (size_t len = 0; len < sizeof(header); len++) {
		memcpy(copy + sizeof(copy) - len, header, len);
		source_sums__find(copy + sizeof(copy) - len, len, false, 1, sum);
		if (len < 76)
			CHECK(!source_sums__find(copy + sizeof(copy) - len, len, false, 1, sum));
	}
	for (size_t i = 0; i < sizeof(header); i++)
		for (u32 value = 0; value < 256; value++) {
			memcpy(copy, header, sizeof(copy));
			copy[i] = value;
			source_sums__find(copy, sizeof(copy), false, UINT64_MAX, sum);
		}
	memcpy(copy, header, sizeof(copy));
	copy[4] = 4; /* another version */
	CHECK(!source_sums__find(copy, sizeof(copy), false, 0, sum));
}
