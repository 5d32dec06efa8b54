// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chains of frame pointers on arm64: the caller of a leaf, which keeps no frame, is put in from the
 * link register, where the unwind tables say that it is there, and nowhere else.
 */
#include "util/stream/unwound.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/cfi_builder.h"
#include "tests/unit/elf_builder.h"
#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/format/sample.h"
#include "util/reader/features.h"
#include "util/reader/reader.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |             \
	 PERF_SAMPLE_REGS_USER)
#define TRAILER (PERF_SAMPLE_TID | PERF_SAMPLE_TIME)
#define PID     7
#define LINK    30 /* the link register */
#define LEAF    (ELF_TEXT_VADDR + 0x10)
#define MIDDLE  (ELF_TEXT_VADDR + 0x120) /* its call of the leaf returns here */
#define OUTER   (ELF_TEXT_VADDR + 0x220)
#define KERNEL  0xffffffc000001000u
#define USER    ((u64)PERF_CONTEXT_USER)
#define SIGNED  0x5a5a000000000000u

/* A leaf that leaves the return address in its register; what it is called by has stored its own.
 */
static char *make_object(bool swap)
{
	static const u8 none, stored[] = { 0x0e, 16, 0x80 | LINK, 2 };
	struct cfi_builder tables = {
		.eh = true, .is64 = true, .sp = 31, .ra = LINK, .ra_in_register = true
	};
	struct elf_builder e = {
		.is64 = true, .swap = swap, .machine = EM_AARCH64, .extra_name = ".eh_frame"
	};
	char *path;

	tables.out.swap = swap;
	cfi_builder__common(&tables);
	cfi_builder__function(&tables, ELF_TEXT_VADDR, 0x100, &none, 0);
	cfi_builder__function(&tables, ELF_TEXT_VADDR + 0x100, 0x100, stored, sizeof(stored));
	cfi_builder__function(&tables, ELF_TEXT_VADDR + 0x200, 0x100, stored, sizeof(stored));
	e.extra = tables.out;
	elf_builder__build(&e);
	path = elf_builder__write(&e, "object");
	elf_builder__exit(&e); /* the tables, too */
	return path;
}

struct recorded {
	const char *machine;
	bool swap;
	u64 link, chain[4];
	u32 nr;
};

static void put_sample(struct builder *b, const struct recorded *recorded)
{
	size_t at = builder__begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	builder__u64(b, LEAF);
	builder__u32(b, PID);
	builder__u32(b, PID);
	builder__u64(b, 20);
	builder__u64(b, recorded->nr);
	for (u32 i = 0; i < recorded->nr; i++)
		builder__u64(b, recorded->chain[i]);
	builder__u64(b, PERF_SAMPLE_REGS_ABI_64);
	builder__u64(b, recorded->link);
	builder__end(b, at);
}

static const char *make_file(const struct recorded *recorded)
{
	const struct built_sample told = { .pid = PID, .tid = PID, .time = 10 };
	struct perf_event_attr attr = built_attr(TYPE);
	struct file_builder f;
	char *object = make_object(recorded->swap);
	const char *path;

	attr.sample_regs_user = 1ull << LINK;
	file_builder__init(&f, recorded->swap);
	file_builder__event(&f, &attr, NULL, 0);
	builder__feature_string(file_builder__feature(&f, FEATURE_HOSTNAME), "arm");
	builder__feature_string(file_builder__feature(&f, FEATURE_ARCH), recorded->machine);
	builder__mmap2(&f.data, TRAILER, &told, PERF_RECORD_MISC_USER, ELF_TEXT_VADDR,
	               ELF_TEXT_SIZE, ELF_TEXT_OFFSET, object);
	put_sample(&f.data, recorded);
	path = file_builder__write(&f, "leaf.data");
	file_builder__exit(&f);
	free(object);
	return path;
}

/* The chain of the one sample after unwound__join(): @want, leaf first. */
static void check_sample(struct session *session, struct unwound *unwound,
                         struct resolver *resolver, const u64 *want, u32 nr)
{
	bool swap = perf_data__swapped(session->data);
	struct block_buffer buffer = { 0 };
	struct data_block block;
	u32 nr_samples = 0;

	CHECK_EQ(perf_data__read_block(session->data, 0, &buffer, &block), 0);
	for (struct record r = { 0 }; data_block__next(&block, swap, &r);) {
		struct unwound_end end;
		struct sample sample;

		if (r.type != PERF_RECORD_SAMPLE)
			continue;
		const struct sample_layout *layout =
		        perf_data__layout(session->data, perf_data__find_evsel(session->data, &r));

		CHECK_EQ(sample__decode(layout, &r, swap, &sample), 0);
		struct moment when = session__moment(session, &r, sample.time);
		const struct task *task = resolver__task(resolver, PID, PID, when);

		CHECK(!unwound__join(unwound, &sample, layout, task, when, &end));
		CHECK_EQ(sample.chain.nr, nr);
		for (u32 i = 0; i < nr && i < sample.chain.nr; i++)
			CHECK_EQ(u64_span__get(&sample.chain, i, swap), want[i]);
		nr_samples++;
	}
	CHECK_EQ(nr_samples, 1);
	free(buffer.buf);
}

static void check_chain(const struct recorded *recorded, const u64 *want, u32 nr)
{
	static const struct symbol_config config = { .symfs = "" };
	struct session session;
	struct error err = ERROR_INIT;

	CHECK_EQ(session__open(&session, make_file(recorded), PERF_DATA_FORCE, &err), 0);
	CHECK_EQ(session__scan(&session, &err), 0);
	if (unit__has_failed())
		return;
	struct resolver *resolver = resolver__new(session.host, &session.dsos);
	struct unwound *unwound =
	        unwound__open(&session, &config, resolver, 127, UNWIND_NATIVE, NULL);

	CHECK(unwound);
	if (unwound)
		check_sample(&session, unwound, resolver, want, nr);
	unwound__delete(unwound);
	resolver__delete(resolver);
	session__close(&session);
}

static void check_both_orders(struct recorded recorded, const u64 *want, u32 nr)
{
	for (int swap = 0; swap < 2; swap++) {
		recorded.swap = swap;
		check_chain(&recorded, want, nr);
	}
}

TEST(leaf_caller_comes_from_the_link_register)
{
	struct recorded recorded = { .machine = "aarch64", .link = MIDDLE, .nr = 3 };
	const u64 chain[] = { USER, LEAF, OUTER };

	memcpy(recorded.chain, chain, sizeof(chain));
	check_both_orders(recorded, (u64[]){ USER, LEAF, MIDDLE - 1, OUTER }, 4);
	recorded.link |= SIGNED;
	check_both_orders(recorded, (u64[]){ USER, LEAF, MIDDLE - 1, OUTER }, 4);
	recorded.nr = 2; /* nothing above the leaf is known */
	check_both_orders(recorded, (u64[]){ USER, LEAF, MIDDLE - 1 }, 3);
}

TEST(leaf_caller_stands_behind_the_kernels_part)
{
	struct recorded recorded = {
		.machine = "arm64", .link = MIDDLE, .chain = { KERNEL, USER, LEAF, OUTER }, .nr = 4
	};

	check_both_orders(recorded, (u64[]){ KERNEL, USER, LEAF, MIDDLE - 1, OUTER }, 5);
	recorded.nr = 1; /* the kernel alone */
	check_both_orders(recorded, recorded.chain, 1);
	recorded.nr = 2; /* a marker without frames */
	check_both_orders(recorded, recorded.chain, 2);
	recorded.nr = 0;
	check_both_orders(recorded, recorded.chain, 0);
}

TEST(leaf_caller_is_not_told_twice)
{
	struct recorded recorded = { .machine = "aarch64",
		                     .link = MIDDLE,
		                     .chain = { USER, LEAF, MIDDLE, OUTER },
		                     .nr = 4 };

	check_both_orders(recorded, recorded.chain, 4);
}

TEST(leaf_caller_is_left_out_where_the_register_may_hold_anything)
{
	struct recorded recorded = {
		.machine = "aarch64", .link = MIDDLE, .chain = { USER, OUTER, KERNEL }, .nr = 2
	};

	check_both_orders(recorded, recorded.chain, 2); /* it has stored its own */
	recorded.chain[1] = 0x10;                       /* nothing is mapped there */
	check_both_orders(recorded, recorded.chain, 2);
	recorded.chain[1] = LEAF;
	recorded.machine = "x86_64"; /* has no such register */
	check_both_orders(recorded, recorded.chain, 2);
	recorded.machine = "riscv64"; /* its bit 30 is t5 */
	check_both_orders(recorded, recorded.chain, 2);
}
