// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/expression.h"

#include <errno.h>

#include "tests/unit/unit.h"

static int load(void *ctx, u64 addr, unsigned size, u64 *value)
{
	(void)ctx;
	if (addr != 0x5000)
		return -EFAULT;
	*value = size == 8 ? 0x1122334455667788 : 0x88;
	return 0;
}

static int evaluate(bool is64, const u8 *code, size_t len, u64 *value)
{
	static const u64 regs[17] = { [7] = 0x1000, [16] = 0x40100c };
	struct expression_context context = {
		.regs = regs, .known = 1ull << 7 | 1ull << 16, .is64 = is64, .load = load
	};

	return expression__evaluate(&context, code, len, true, value);
}

#define CHECK_VALUE(is64, start, want, ...)                                                        \
	do {                                                                                       \
		static const u8 code[] = { __VA_ARGS__ };                                          \
		u64 value = start;                                                                 \
		CHECK_EQ(evaluate(is64, code, sizeof(code), &value), 0);                           \
		CHECK_EQ(value, want);                                                             \
	} while (0)

#define CHECK_ERROR(want, ...)                                                                     \
	do {                                                                                       \
		static const u8 code[] = { __VA_ARGS__ };                                          \
		u64 value = 5;                                                                     \
		CHECK_EQ(evaluate(true, code, sizeof(code), &value), want);                        \
	} while (0)

TEST(expression_of_a_linkage_table)
{
	/* breg7 8; breg16 0; lit15; and; lit11; ge; lit3; shl; plus */
	CHECK_VALUE(true, 0, 0x1010, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22);
	CHECK_VALUE(true, 0, 0x1008, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3d, 0x2a, 0x33, 0x24, 0x22);
}

TEST(expression_arithmetic)
{
	CHECK_VALUE(true, 7, 7, 0x96);                             /* nop */
	CHECK_VALUE(true, 7, 12, 0x35, 0x22);                      /* + 5 */
	CHECK_VALUE(true, 7, 2, 0x35, 0x1c);                       /* - 5 */
	CHECK_VALUE(true, 7, -3, 0x3a, 0x1c);                      /* - 10 */
	CHECK_VALUE(true, -7, -3, 0x32, 0x1b);                     /* / 2 */
	CHECK_VALUE(true, INT64_MIN, INT64_MIN, 0x11, 0x7f, 0x1b); /* / -1 */
	CHECK_VALUE(true, -8, -2, 0x32, 0x26);                     /* arithmetic shift */
	CHECK_VALUE(true, 1, 0, 0x08, 200, 0x24);                  /* shifted out */
	CHECK_VALUE(true, -8, -1, 0x08, 64, 0x26);                 /* but for the sign */
	CHECK_VALUE(true, -5, 5, 0x19);                            /* abs */
	CHECK_VALUE(true, 3, 4, 0x23, 1);                          /* plus_uconst */
	CHECK_VALUE(true, 1, 2, 0x32, 0x33, 0x17, 0x13, 0x13, 0x1f, 0x13, 0x32); /* rot, drop */
	CHECK_VALUE(true, 1, -2, 0x0d, 0xfe, 0xff, 0xff, 0xff, 0x16,
	            0x13);                             /* const4s; swap; drop */
	CHECK_VALUE(false, 0xffffffff, 0, 0x31, 0x22); /* of 32 bits */
	CHECK_VALUE(false, 0xffffffff, 1, 0x30, 0x2d); /* -1 < 0 */
	CHECK_VALUE(true, 0xffffffff, 0, 0x30, 0x2d);
}

TEST(expression_memory_and_jumps)
{
	CHECK_VALUE(true, 0x5000, 0x1122334455667788, 0x06);
	CHECK_VALUE(true, 0x5000, 0x88, 0x94, 1);
	CHECK_VALUE(true, 9, 9, 0x31, 0x28, 1, 0, 0x35); /* bra over lit5 */
	CHECK_VALUE(true, 9, 5, 0x30, 0x28, 1, 0, 0x35);
	CHECK_ERROR(-EFAULT, 0x06);
	CHECK_ERROR(-EBADMSG, 0x94, 3);
}

TEST(expressions_that_make_no_sense_end)
{
	CHECK_ERROR(-EBADMSG, 0x2f, 0xfd, 0xff);       /* skip: to itself, for ever */
	CHECK_ERROR(-EBADMSG, 0x12, 0x2f, 0xfc, 0xff); /* dup for ever */
	CHECK_ERROR(-EBADMSG, 0x2f, 0xf0, 0xff);       /* to before the beginning */
	CHECK_ERROR(-EBADMSG, 0x2f, 0x01, 0x00);       /* behind the end */
	CHECK_ERROR(-EBADMSG, 0x13, 0x13);             /* nothing left */
	CHECK_ERROR(-EBADMSG, 0x13);                   /* no result */
	CHECK_ERROR(-EBADMSG, 0x30, 0x1b);             /* / 0 */
	CHECK_ERROR(-EBADMSG, 0x30, 0x1d);
	CHECK_ERROR(-EBADMSG, 0x0e, 1, 2);                /* cut off */
	CHECK_ERROR(-EBADMSG, 0x15, 70);                  /* pick */
	CHECK_ERROR(-EBADMSG, 0xe0);                      /* no operation */
	CHECK_ERROR(-EBADMSG, 0x92, 0xff, 0xff, 0x7f, 0); /* register 2097151 */
	CHECK_ERROR(-ENXIO, 0x73, 0);                     /* not in the sample */
}
