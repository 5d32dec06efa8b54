// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/call_graph_choice.h"

#include <string.h>

#include "arch/arch.h"
#include "tests/unit/unit.h"

#define LEAF 0x401010

struct fixture {
	struct strtab strings;
	struct dsos dsos;
	struct unwind_tables *tables;
	struct call_graph_pilot *pilot;
};

static void fixture__init(struct fixture *f)
{
	static const struct symbol_config config = { .symfs = "" };

	strtab__init(&f->strings);
	dsos__init(&f->dsos, &f->strings);
	f->tables = unwind_tables__new(&f->dsos, &config);
	f->pilot = call_graph_pilot__new(&f->dsos, f->tables);
}

static void fixture__exit(struct fixture *f)
{
	call_graph_pilot__delete(f->pilot);
	unwind_tables__delete(f->tables);
	dsos__exit(&f->dsos);
	strtab__exit(&f->strings);
}

static void nothing_mapped(void *ctx, u64 addr, struct unwind_location *location)
{
	(void)ctx;
	(void)addr;
	*location = (struct unwind_location){ .dso = ID_NONE, .until = { UINT64_MAX, UINT64_MAX } };
}

/* @nr stacks; the chains end with 0. */
static bool add(struct fixture *f, const char *arch, u32 nr, const u64 *pointers,
                const u64 *unwound, enum chain_end end, u32 depth)
{
	u64 words[2][16] = { { PERF_CONTEXT_KERNEL, 0xffffffff81000000, PERF_CONTEXT_USER },
		             { PERF_CONTEXT_KERNEL, 0xffffffff81000000, PERF_CONTEXT_USER } };
	const u64 *chains[2] = { pointers, unwound };
	u32 nr_words[2] = { 3, 3 };
	bool kept = false;

	for (int i = 0; i < 2; i++)
		while (*chains[i])
			words[i][nr_words[i]++] = *chains[i]++;
	const struct call_graph_stack stack = {
		.arch = arch__find(arch),
		.pid = 7,
		.by_pointers = { (u8 *)words[0], nr_words[0] },
		.unwound = { (u8 *)words[1], nr_words[1] },
		.verdict = { .end = end, .dso = ID_NONE, .depth = depth },
		.locate = nothing_mapped
	};

	while (nr--)
		kept |= call_graph_pilot__add(f->pilot, &stack);
	return kept;
}

static const u64 right[] = { LEAF, 0x401100, 0x401200, 0 };
static const u64 unwound[] = { LEAF, 0x4010ff, 0x4011ff, 0 };
static const u64 lost[] = { LEAF, 0x401200, 0 };
static const u64 farther[] = { LEAF, 0x401100, 0x401200, 0x401300, 0 };

TEST(call_graph_takes_frame_pointers_that_are_right)
{
	struct call_graph_choice choice;
	struct fixture f;

	fixture__init(&f);
	CHECK(!add(&f, "x86_64", 96, right, unwound, CHAIN_COMPLETE, 100));
	add(&f, "x86_64", 4, lost, unwound, CHAIN_COMPLETE, 100);
	CHECK_EQ(call_graph_pilot__nr(f.pilot), 100);
	call_graph_pilot__choose(f.pilot, &choice);
	CHECK_EQ(choice.mode, CHAIN_FP);
	CHECK_EQ(choice.tally.pointers, 96);
	CHECK_EQ(choice.tally.unwound, 100);
	call_graph_choice__exit(&choice);
	add(&f, "x86_64", 4, lost, unwound, CHAIN_COMPLETE, 100);
	call_graph_pilot__choose(f.pilot, &choice);
	CHECK_EQ(choice.mode, CHAIN_DWARF);
	CHECK_EQ(choice.tally.nr, 104);
	call_graph_choice__exit(&choice);
	CHECK_EQ(choice.mode, CHAIN_AUTO);
	fixture__exit(&f);
}

TEST(call_graph_sizes_the_copy)
{
	static const struct {
		u32 depth, size;
		u32 nr_deeper; /* of 1000, which need all that there is */
	} rows[] = { { 200, 4096, 0 },    { 3000, 4096, 10 },  { 3500, 8192, 0 },
		     { 13000, 16384, 0 }, { 26000, 32768, 9 }, { 26300, 65528, 0 },
		     { 64000, 65528, 0 }, { 200, 65528, 11 } };

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct call_graph_choice choice;
		struct fixture f;

		fixture__init(&f);
		add(&f, "x86_64", 1000 - rows[i].nr_deeper, lost, unwound, CHAIN_COMPLETE,
		    rows[i].depth);
		add(&f, "x86_64", rows[i].nr_deeper, lost, unwound, CHAIN_CUT_COPY, 65528);
		call_graph_pilot__choose(f.pilot, &choice);
		CHECK_EQ(choice.mode, CHAIN_DWARF);
		CHECK_EQ(choice.stack_size, rows[i].size);
		call_graph_choice__exit(&choice);
		fixture__exit(&f);
	}
}

/* What lies beyond the end of unwinding must lead to the start of a thread. */
TEST(call_graph_believes_no_end_that_nobody_knows)
{
	struct fixture f;

	fixture__init(&f);
	CHECK(!add(&f, "x86_64", 1, farther, unwound, CHAIN_NO_TABLES, 100));
	fixture__exit(&f);
}

TEST(call_graph_knows_that_arm64_puts_in_the_caller_of_a_leaf)
{
	static const char *const archs[] = { "aarch64", "x86_64" };
	static const u64 with_leaf[] = { LEAF, 0x4010ff, 0x4011ff, 0x4012ff, 0 };
	static const u64 without[] = { LEAF, 0x401200, 0x401300, 0 };

	for (u32 i = 0; i < ARRAY_SIZE(archs); i++) {
		struct call_graph_choice choice;
		struct fixture f;

		fixture__init(&f);
		add(&f, archs[i], 100, without, with_leaf, CHAIN_COMPLETE, 100);
		call_graph_pilot__choose(f.pilot, &choice);
		CHECK_EQ(choice.mode, i ? CHAIN_DWARF : CHAIN_FP);
		call_graph_choice__exit(&choice);
		fixture__exit(&f);
	}
}

TEST(call_graph_without_stacks_chooses_copies)
{
	static const u64 none[] = { 0 };
	struct call_graph_choice choice;
	struct fixture f;

	fixture__init(&f);
	add(&f, "x86_64", 5, none, none, CHAIN_NO_REGS, 0);
	CHECK_EQ(call_graph_pilot__nr(f.pilot), 0);
	call_graph_pilot__choose(f.pilot, &choice);
	CHECK_EQ(choice.mode, CHAIN_DWARF);
	CHECK_EQ(choice.nr_programs, 0);
	call_graph_choice__exit(&choice);
	fixture__exit(&f);
}
