// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/annotate/code_cycles.h"

#include <stdio.h>

#include "tests/unit/unit.h"
#include "ui/text/annotate_cycles.h"

static const u64 addrs[] = { 0x10, 0x14, 0x15, 0x18, 0x1c, 0x20 };

static struct function_cycles cycles_of(const struct branch_cycles *list, size_t nr)
{
	struct function_cycles function;

	function_cycles__fill(&function, addrs, ARRAY_SIZE(addrs), list, nr);
	return function;
}

static const char *row(const struct function_cycles *function, u32 insn, enum cycles_shown shown)
{
	static char text[64];
	struct out out = { .fd = -1 };

	annotate_cycles__insn(&out, &function->insns[insn], shown);
	snprintf(text, sizeof(text), "%s", out__take(&out));
	out__exit(&out);
	return text;
}

TEST(code_cycles_of_blocks_by_hand)
{
	/* 3 instructions in 4 and in 8 cycles, and the branch once more without a block. */
	static const struct branch_cycles list[] = {
		{ .start = 0x10, .end = 0x15, .count = 2, .cycles = 4 },
		{ .start = 0x10, .end = 0x15, .count = 1, .cycles = 8 },
		{ .start = BLOCK_UNKNOWN, .end = 0x15, .count = 1, .cycles = 100 },
		{ .start = 0x1c, .end = 0x20, .count = 1, .cycles = 1 },
	};
	struct function_cycles f = cycles_of(list, ARRAY_SIZE(list));
	struct out out = { .fd = -1 };

	CHECK(f.any);
	CHECK_EQ(f.nr_covered, 5);
	CHECK(f.ipc == (9 + 2) / 17.0);
	CHECK_STR(row(&f, 0, CYCLES_AVERAGE), " 0.56       ");
	CHECK_STR(row(&f, 2, CYCLES_AVERAGE), " 0.56    29 ");
	CHECK_STR(row(&f, 2, CYCLES_RANGE), " 0.56          29(4/100) ");
	CHECK_STR(row(&f, 3, CYCLES_AVERAGE), "            ");
	CHECK_STR(row(&f, 5, CYCLES_AVERAGE), " 2.00     1 ");
	annotate_cycles__heading(&out, &f, CYCLES_AVERAGE);
	CHECK_STR(out__take(&out), "  IPC Cycle (Average IPC: 0.65, IPC Coverage: 83.3%)");
	out__exit(&out);
	CHECK_EQ(annotate_cycles__width(&f, CYCLES_AVERAGE), 12);
	CHECK_EQ(annotate_cycles__width(&f, CYCLES_RANGE), 25);
	CHECK_EQ(annotate_cycles__width(&f, CYCLES_NONE), 0);
	function_cycles__exit(&f);
}

TEST(code_cycles_of_blocks_that_overlap)
{
	/* The longest of one end; what ends last has the instructions of both; one within another
	 * has none. */
	static const struct branch_cycles list[] = {
		{ .start = 0x10, .end = 0x15, .count = 1, .cycles = 1 },
		{ .start = 0x18, .end = 0x1c, .count = 1, .cycles = 7 },
		{ .start = 0x15, .end = 0x20, .count = 1, .cycles = 8 },
		{ .start = 0x18, .end = 0x20, .count = 1, .cycles = 1 },
	};
	struct function_cycles f = cycles_of(list, ARRAY_SIZE(list));

	CHECK_EQ(f.nr_covered, 6);
	CHECK(f.insns[0].ipc == 3 && f.insns[1].ipc == 3);
	CHECK(f.insns[2].ipc == 0.5 && f.insns[3].ipc == 0.5 && f.insns[5].ipc == 0.5);
	CHECK(f.ipc == (3 + 4) / 9.0);
	CHECK_STR(row(&f, 4, CYCLES_RANGE), " 0.50             7(7/7) ");
	CHECK_STR(row(&f, 5, CYCLES_RANGE), " 0.50             4(1/8) ");
	function_cycles__exit(&f);
}

TEST(code_cycles_of_blocks_that_are_none)
{
	/* From another function, backwards, into and out of the middle of instructions. */
	static const struct branch_cycles list[] = {
		{ .start = 0x8, .end = 0x14, .count = 1, .cycles = 5 },
		{ .start = 0x18, .end = 0x15, .count = 1, .cycles = 5 },
		{ .start = 0x16, .end = 0x1d, .count = 1, .cycles = 4 },
	};
	struct function_cycles f = cycles_of(list, ARRAY_SIZE(list));

	CHECK_EQ(f.nr_covered, 2);
	CHECK(!f.insns[1].ipc && !f.insns[2].ipc && f.insns[3].ipc == 0.5);
	CHECK_STR(row(&f, 1, CYCLES_AVERAGE), "          5 ");
	CHECK_STR(row(&f, 4, CYCLES_AVERAGE), " 0.50       ");
	function_cycles__exit(&f);
	f = cycles_of(list, 0);
	CHECK(!f.any && !f.nr_covered && !f.ipc);
	CHECK_EQ(annotate_cycles__width(&f, CYCLES_AVERAGE), 0);
	function_cycles__exit(&f);
	function_cycles__fill(&f, NULL, 0, list, ARRAY_SIZE(list));
	CHECK(f.any && !f.nr_covered);
	function_cycles__exit(&f);
}
