// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The small programs in unwind tables: byte 0 says what machine they run on, the rest is one, which
 * must end whatever it is.
 */
#include "util/unwind/expression.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/lib/alloc.h"

/* Memory everywhere but at multiples of 7. */
static int load(void *ctx, u64 addr, unsigned size, u64 *value)
{
	(void)ctx;
	FUZZ_CHECK(size == 1 || size == 2 || size == 4 || size == 8);
	if (addr % 7 == 0)
		return -1;
	*value = addr * 0x9e3779b97f4a7c15ull >> (64 - 8 * size);
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const u64 regs[16] = { 0x7ffc0000, 1, 2, 3, 4, 5, 0x7ffc1000, 0x7ffc0800 };

	if (!size)
		return 0;
	const struct expression_context context = { .regs = regs,
		                                    .known = 0xffff,
		                                    .is64 = data[0] & 1,
		                                    .swap = data[0] & 2,
		                                    .load = load };
	u8 *code = xmalloc(size); /* exactly as large, so that its end is seen */
	u64 first = 8, second = 8;

	memcpy(code, data + 1, size - 1);
	int ret = expression__evaluate(&context, code, size - 1, data[0] & 4, &first);

	FUZZ_CHECK(ret <= 0);
	FUZZ_CHECK(expression__evaluate(&context, code, size - 1, data[0] & 4, &second) == ret);
	FUZZ_CHECK(ret || first == second);
	free(code);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const u8 linkage[] = {
		5, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22
	};
	static const u8 numbers[] = { 1,    0x08, 1,    0x0a, 2,    3,    0x0c, 4,
		                      5,    6,    7,    0x0e, 1,    2,    3,    4,
		                      5,    6,    7,    8,    0x10, 0x81, 1,    0x11,
		                      0x7f, 0x22, 0x1b, 0x1e, 0x1c, 0x21, 0x27, 0x26 };
	static const u8 stack[] = { 7,    0x31, 0x32, 0x12, 0x13, 0x14, 0x15, 1, 0x16, 0x17,
		                    0x06, 0x94, 4,    0x19, 0x1f, 0x20, 0x23, 1, 0x96 };
	static const u8 jumps[] = { 5, 0x30, 0x28, 3, 0, 0x2f, 1, 0, 0x96, 0x2f, 0xf7, 0xff };
	u8 each[2 + 256];

	add(linkage, sizeof(linkage));
	add(numbers, sizeof(numbers));
	add(stack, sizeof(stack));
	add(jumps, sizeof(jumps));
	/* Every operation, with two values before it and what may be its operands behind it. */
	for (unsigned op = 0; op < 256; op++) {
		memset(each, 1, sizeof(each));
		memcpy(each, (u8[]){ op & 7, 0x35, 0x32, op }, 4);
		add(each, 4 + op % 12);
	}
}
