// SPDX-License-Identifier: GPL-2.0-or-later
/* Headers of line tables: the names of files, and the MD5 of one. The texts are in the input, too.
 */
#include "tests/fuzz/fuzz.h"
#include "util/dwarf/line_headers.h"
#include "util/lib/alloc.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	Elf_Data bytes = { .d_buf = (void *)data, .d_size = size };
	u8 sum[MD5_SIZE];

	for (u32 swap = 0; swap < 2; swap++) {
		const struct line_headers headers = {
			.lines = &bytes, .strings = &bytes, .line_strings = &bytes, .swap = swap
		};

		line_headers__may_name(&headers, 0, "a.c");
		for (u64 index = 0; index < 3; index++)
			if (line_headers__sum(&headers, 0, index, sum))
				fuzz__touch(sum, sizeof(sum));
		/* No table has that many. */
		FUZZ_CHECK(!line_headers__sum(&headers, 0, UINT64_MAX, sum));
	}
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	/* A folder; two files with path in place, folder and MD5. */
	static const u8 two_files[] = {
		76,   0,    0,    0,    5,    0,    8,    0,    68,   0,    0,    0,    1,
		1,    1,    0xfb, 14,   3,    0,    1,    1,    1,    0x1f, 1,    0,    0,
		0,    0,    3,    1,    0x08, 2,    0x0b, 5,    0x1e, 2,    'a',  '.',  'c',
		0,    0,    0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a,
		0x1b, 0x1c, 0x1d, 0x1e, 0x1f, 'b',  0,    0,    0x20, 0x21, 0x22, 0x23, 0x24,
		0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0,    0,
	};
	/* 64 bits, opcodes, all that paths and folders can be written as. */
	static const u8 forms[] = {
		0xff, 0xff, 0xff, 0xff, 120,  0,    0,    0,    0,    0,    0,    0,    5,    0,
		8,    0,    90,   0,    0,    0,    0,    0,    0,    0,    1,    1,    1,    0xfb,
		14,   3,    0,    1,    2,    1,    0x0e, 2,    0x0f, 1,    1,    2,    3,    4,
		5,    6,    7,    8,    9,    9,    1,    0x1f, 2,    0x05, 3,    0x09, 4,    0x0a,
		5,    0x1e, 6,    0x25, 7,    0x27, 8,    0x06, 9,    0x07, 1,    1,    1,    1,
		1,    1,    1,    1,    1,    1,    0,    2,    0xaa, 0xbb, 1,    0xcc, 0x10, 0x11,
		0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f,
		1,    1,    2,    3,    1,    2,    3,    4,    1,    2,    3,    4,    5,    6,
		7,    8,    0,    0,    0,    0,    0,    0,    0,    0,
	};

	add(two_files, sizeof(two_files));
	add(forms, sizeof(forms));
}
