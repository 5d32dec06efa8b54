// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The unwinder: over small objects made here, and over the test's own stack with the real tables
 * of the C library, where the compiler's unwinder says what is right.
 */
#include "util/unwind/unwind.h"

#include <elf.h>
#include <errno.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "tests/unit/cfi_builder.h"
#include "tests/unit/elf_builder.h"
#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/format/sample.h"
#include "util/machine/dsos.h"

#define FRAMES 32

/* An object with tables, a stack and registers. */
struct scene {
	struct cfi_builder tables;
	struct builder stack;
	u16 machine;
	const char *uname;
	u8 build_id;             /* what the recording says about it: a first byte; 0: nothing */
	enum unwind_style style; /* native, unless the test says */
	struct unwind_sample in;
	u64 ips[FRAMES];
	u32 nr;
	struct chain_verdict verdict;
};

#define CODE  ELF_TEXT_VADDR
#define STACK 0x7ffc0000ull

static void locate(void *ctx, u64 addr, struct unwind_location *location)
{
	(void)ctx;
	*location = (struct unwind_location){ .dso = ID_NONE, .until = { UINT64_MAX, UINT64_MAX } };
	if (addr < CODE || addr >= CODE + ELF_TEXT_SIZE)
		return;
	location->dso = 0;
	location->addr = addr - CODE + ELF_TEXT_OFFSET;
}

static void scene__init(struct scene *s, const char *uname, u16 machine, u64 abi, bool is64)
{
	*s = (struct scene){ .machine = machine, .uname = uname };
	s->tables.eh = true;
	s->tables.is64 = is64;
	s->in.arch = unwind_arch__of(arch__find(uname), abi);
	s->in.locate = locate;
	s->in.stack_cut = true;
	s->in.regs.has_pc = true;
	s->in.regs.pc = CODE + 0x10;
	s->in.regs.values[s->in.arch->sp] = STACK;
	s->in.regs.known = 1ull << s->in.arch->sp;
}

static void scene__run(struct scene *s, u32 max)
{
	static const struct symbol_config config = { .symfs = "" };
	struct elf_builder e = { .is64 = s->tables.is64, .machine = s->machine };
	struct strtab strings;
	struct dsos dsos;

	e.extra_name = s->tables.eh ? ".eh_frame" : ".debug_frame";
	e.extra = s->tables.out;
	e.build_id_size = 20;
	elf_builder__build(&e);
	char *path = elf_builder__write(&e, "object");
	u8 id[20] = { s->build_id };

	strtab__init(&strings);
	dsos__init(&dsos, &strings);
	dsos__get(&dsos, path, DSO_USER, 1, s->build_id ? id : NULL, s->build_id ? 20 : 0);
	struct unwind_tables *tables = unwind_tables__new(&dsos, &config);
	struct unwinder *unwinder = unwinder__new(tables, s->style);

	s->in.stack = s->stack.data;
	s->in.stack_size = s->stack.len;
	s->nr = unwinder__run(unwinder, &s->in, s->ips, max, &s->verdict);
	unwinder__delete(unwinder);
	unwind_tables__delete(tables);
	dsos__exit(&dsos);
	strtab__exit(&strings);
	free(path);
	elf_builder__exit(&e); /* the tables, too */
	builder__exit(&s->stack);
}

static void scene__x86_64(struct scene *s)
{
	scene__init(s, "x86_64", EM_X86_64, PERF_SAMPLE_REGS_ABI_64, true);
	cfi_builder__common(&s->tables);
}

static const u8 outermost[] = { 0x07, 16 }; /* the return address is undefined */

/* Those that this perf was built with, and can load here. */
static bool has_style(const char *name, enum unwind_style *style)
{
	struct error err = ERROR_INIT;

	return !unwind_style__find(name, style, &err);
}

static const char *const libraries[] = { "libunwind", "libdw" };

static bool can(enum unwind_style style, const char *uname)
{
	struct error err = ERROR_INIT;

	return !unwind_style__check(style, arch__find(uname), &err);
}

/* A function at CODE that pushed nothing, its caller at CODE + 0x100 with 16 bytes of stack. */
static void two_functions(struct scene *s)
{
	static const u8 program[] = { 0x0e, 24 };

	cfi_builder__function(&s->tables, CODE, 0x100, NULL, 0);
	cfi_builder__function(&s->tables, CODE + 0x100, 0x100, program, sizeof(program));
	cfi_builder__function(&s->tables, CODE + 0x200, 0x100, outermost, sizeof(outermost));
	builder__u64(&s->stack, CODE + 0x120);
	builder__zero(&s->stack, 16);
	builder__u64(&s->stack, CODE + 0x200 + 1);
}

TEST(unwind_to_the_outermost_frame)
{
	struct scene s;

	scene__x86_64(&s);
	two_functions(&s);
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 3);
	CHECK_EQ(s.ips[0], CODE + 0x10);
	CHECK_EQ(s.ips[1], CODE + 0x11f);
	CHECK_EQ(s.ips[2], CODE + 0x200);
	CHECK_EQ(s.verdict.end, CHAIN_COMPLETE);
	CHECK_EQ(s.verdict.dso, 0);
}

TEST(unwind_as_many_frames_as_asked_for)
{
	struct scene s;

	scene__x86_64(&s);
	two_functions(&s);
	scene__run(&s, 2);
	CHECK_EQ(s.nr, 2);
	CHECK_EQ(s.verdict.end, CHAIN_CUT_READER);
}

/* More frames would end where the copy does: both limits are too low. */
TEST(unwind_says_that_the_copy_ends_above_what_was_asked_for)
{
	for (int cut = 0; cut < 2; cut++) {
		struct scene s;

		scene__x86_64(&s);
		two_functions(&s);
		s.stack.len = 16;
		s.in.stack_cut = cut;
		scene__run(&s, 1);
		CHECK_EQ(s.nr, 1);
		CHECK_EQ(s.verdict.end, cut ? CHAIN_CUT_BOTH : CHAIN_CUT_READER);
	}
}

TEST(unwind_says_that_the_copy_was_too_small)
{
	for (u64 size = 8; size < 32; size++) { /* also inside a word */
		struct scene s;

		scene__x86_64(&s);
		two_functions(&s);
		s.stack.len = size;
		s.in.stack_cut = size % 3;
		scene__run(&s, FRAMES);
		CHECK_EQ(s.nr, 2);
		CHECK_EQ(s.verdict.end, size % 3 ? CHAIN_CUT_COPY : CHAIN_UNREADABLE);
	}
}

/* A copy that is shorter than wanted, and ends with a page: the kernel went no further. */
TEST(unwind_says_that_a_page_was_not_copied)
{
	for (u64 size = 16; size <= 24; size += 8) {
		struct scene s;

		scene__x86_64(&s);
		two_functions(&s);
		s.stack.len = size;
		s.in.stack_cut = false;
		s.in.regs.values[s.in.arch->sp] = STACK - 16;
		s.in.regs.values[6] = STACK;
		scene__run(&s, FRAMES);
		CHECK_EQ(s.nr, 2);
		CHECK_EQ(s.verdict.end, size == 16 ? CHAIN_CUT_PAGE : CHAIN_UNREADABLE);
	}
}

TEST(unwind_says_where_tables_are_missing)
{
	struct scene s;

	scene__x86_64(&s);
	cfi_builder__function(&s.tables, CODE, 0x100, NULL, 0);
	builder__u64(&s.stack, CODE + 0x120);
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 2);
	CHECK_EQ(s.verdict.end, CHAIN_NO_TABLES);
	CHECK_EQ(s.verdict.dso, 0);
}

/* From code without tables by the frame pointer, into more of it, and into a function that @ends.
 */
static void by_frame_pointer(struct scene *s, u64 into)
{
	scene__x86_64(s);
	cfi_builder__function(&s->tables, CODE + 0x400, 0x100, outermost, sizeof(outermost));
	builder__zero(&s->stack, 16);
	builder__u64(&s->stack, STACK + 48); /* the caller's frame pointer */
	builder__u64(&s->stack, CODE + 0x120);
	builder__zero(&s->stack, 16);
	builder__u64(&s->stack, 0);
	builder__u64(&s->stack, into);
	s->in.regs.values[6] = STACK + 16;
	s->in.regs.known |= 1 << 6;
}

TEST(unwind_follows_frame_pointers_through_code_without_tables)
{
	static const struct {
		u64 into;
		u32 nr;
		enum chain_end end;
	} cases[] = {
		{ CODE + 0x420, 3, CHAIN_COMPLETE },
		{ 0, 2, CHAIN_COMPLETE },
		{ CODE + 0x120, 1, CHAIN_NO_TABLES }, /* and then nowhere: none of it is true */
		{ 0x500000003, 1, CHAIN_NO_TABLES },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		struct scene s;

		by_frame_pointer(&s, cases[i].into);
		scene__run(&s, FRAMES);
		CHECK_EQ(s.nr, cases[i].nr);
		CHECK_EQ(s.ips[0], CODE + 0x10);
		CHECK_EQ(s.verdict.end, cases[i].end);
	}
}

TEST(unwind_by_frame_pointers_to_the_end_of_the_copy)
{
	struct scene s;

	by_frame_pointer(&s, CODE + 0x420);
	s.stack.len = 48;
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 2);
	CHECK_EQ(s.verdict.end, CHAIN_CUT_COPY);
}

TEST(unwind_does_not_believe_another_build_of_the_object)
{
	struct scene s;

	scene__x86_64(&s);
	two_functions(&s);
	s.build_id = 0xaa;
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 1);
	CHECK_EQ(s.verdict.end, CHAIN_NO_TABLES);
}

TEST(unwind_ends_where_nothing_is_mapped_or_nothing_called)
{
	static const struct {
		u64 word;
		u32 nr;
		enum chain_end end;
	} ends[] = { { 0x1234, 2, CHAIN_UNMAPPED }, { 0, 1, CHAIN_COMPLETE } };

	for (unsigned i = 0; i < ARRAY_SIZE(ends); i++) {
		struct scene s;

		scene__x86_64(&s);
		cfi_builder__function(&s.tables, CODE, 0x100, NULL, 0);
		builder__u64(&s.stack, ends[i].word);
		scene__run(&s, FRAMES);
		CHECK_EQ(s.nr, ends[i].nr);
		CHECK_EQ(s.verdict.end, ends[i].end);
	}
}

static void without_a_register(enum unwind_style style)
{
	static const u8 program[] = { 0x0d, 6 }; /* the CFA is relative to rbp */
	struct scene s;

	scene__x86_64(&s);
	s.style = style;
	cfi_builder__function(&s.tables, CODE, 0x100, program, sizeof(program));
	builder__u64(&s.stack, CODE + 0x120);
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 1);
	CHECK_EQ(s.verdict.end, CHAIN_NO_REGS);
}

TEST(unwind_without_a_register_that_the_rules_need)
{
	enum unwind_style style;

	without_a_register(UNWIND_NATIVE);
	for (unsigned i = 0; i < ARRAY_SIZE(libraries); i++)
		if (has_style(libraries[i], &style) && can(style, "x86_64"))
			without_a_register(style);
}

TEST(unwind_with_no_register_that_frames_need)
{
	struct scene s;

	scene__x86_64(&s); /* not where the stack is */
	two_functions(&s);
	s.in.regs.known = 0;
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 1);
	CHECK_EQ(s.verdict.end, CHAIN_NO_REGS);
	scene__x86_64(&s); /* not where it was interrupted */
	two_functions(&s);
	s.in.regs.has_pc = false;
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 0);
	CHECK_EQ(s.verdict.end, CHAIN_NO_REGS);
}

TEST(unwind_never_goes_down_or_round)
{
	static const u8 programs[][8] = {
		{ 0x0e, 0 },                   /* the caller's stack begins where this one does */
		{ 0x13, 0x01 },                /* CFA = rsp - 8 */
		{ 0x0f, 2, 0x77, 0x70 },       /* CFA = rsp - 16, by an expression */
		{ 0x0f, 3, 0x2f, 0xfd, 0xff }, /* an expression without end */
		{ 0x0b },                      /* no program */
	};

	for (unsigned i = 0; i < ARRAY_SIZE(programs); i++) {
		struct scene s;

		scene__x86_64(&s);
		cfi_builder__function(&s.tables, CODE, 0x100, NULL, 0);
		cfi_builder__function(&s.tables, CODE + 0x100, 0x100, programs[i],
		                      sizeof(programs[i]));
		for (unsigned j = 0; j < 100; j++)
			builder__u64(&s.stack, CODE + 0x120);
		scene__run(&s, FRAMES);
		CHECK_EQ(s.nr, 2);
		CHECK_EQ(s.verdict.end, CHAIN_UNREADABLE);
	}
}

/* What looks like code, like the stack, and like neither; a chain through it ends somewhere. */
static void garbage(enum unwind_style style, u64 seed)
{
	static const u8 framed[] = { 0x0c, 6, 16, 0x86, 2 }; /* CFA = rbp + 16; rbp below */
	static const u8 wide[] = { 0x0e, 0x80, 0x20 };       /* CFA = rsp + 4096 */
	const u64 size = 64 << 10;
	struct scene s;
	u64 x = seed;

	scene__x86_64(&s);
	s.style = style;
	cfi_builder__function(&s.tables, CODE, 0x100, NULL, 0);
	cfi_builder__function(&s.tables, CODE + 0x100, 0x100, framed, sizeof(framed));
	cfi_builder__function(&s.tables, CODE + 0x200, 0x80, wide, sizeof(wide));
	for (u64 i = 0; i < size / 8; i++) {
		x = x * 6364136223846793005 + 1442695040888963407;
		builder__u64(&s.stack, x >> 62 == 3   ? x
		                       : x >> 62 == 2 ? STACK + (x >> 20) % size
		                                      : CODE + 1 + (x >> 20) % 0x27f);
	}
	s.in.regs.values[6] = STACK + x % size;
	s.in.regs.known |= 1 << 6;
	scene__run(&s, FRAMES);
	CHECK(s.nr > 0 && s.nr <= FRAMES);
	CHECK_EQ(s.ips[0], CODE + 0x10);
	for (u32 i = 1; i + 1 < s.nr; i++)
		CHECK(s.ips[i] >= CODE && s.ips[i] < CODE + 0x280);
	CHECK(s.verdict.end < CHAIN_NOT_UNWOUND && s.verdict.end != CHAIN_NO_REGS);
	CHECK_EQ(s.verdict.end == CHAIN_CUT_READER, s.nr == FRAMES);
}

TEST(unwind_64_kib_of_garbage)
{
	for (u64 seed = 0; seed < 300; seed++)
		garbage(UNWIND_NATIVE, seed);
}

TEST(unwind_recursion_whose_frames_have_one_address)
{
	struct scene s;

	scene__x86_64(&s);
	cfi_builder__function(&s.tables, CODE, 0x100, NULL, 0);
	for (unsigned j = 0; j < 10; j++)
		builder__u64(&s.stack, CODE + 0x20);
	builder__u64(&s.stack, 0);
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 11);
	CHECK_EQ(s.verdict.end, CHAIN_COMPLETE);
}

TEST(unwind_where_a_register_was_taken_back_already)
{
	static const u8 returning[] = { 0x86, 2 };           /* rbp: at CFA - 16 */
	static const u8 framed[] = { 0x0c, 6, 16, 0x86, 2 }; /* CFA = rbp + 16 */
	struct scene s;

	scene__x86_64(&s);
	cfi_builder__function(&s.tables, CODE, 0x100, returning, sizeof(returning));
	cfi_builder__function(&s.tables, CODE + 0x100, 0x100, framed, sizeof(framed));
	builder__u64(&s.stack, CODE + 0x120);
	builder__zero(&s.stack, 16);
	builder__u64(&s.stack, 0x1111); /* where rbp points to */
	builder__u64(&s.stack, 0);
	s.in.regs.values[6] = STACK + 24;
	s.in.regs.known |= 1 << 6;
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 2);
	CHECK_EQ(s.verdict.end, CHAIN_COMPLETE);
}

TEST(unwind_blames_the_copy_for_registers_saved_beyond_it)
{
	static const u8 framed[] = { 0x0c, 6, 16 };  /* CFA = rbp + 16 */
	static const u8 saved[] = { 0x11, 6, 0x7e }; /* rbp at CFA + 16 */
	struct scene s;

	scene__x86_64(&s);
	cfi_builder__function(&s.tables, CODE, 0x100, saved, sizeof(saved));
	cfi_builder__function(&s.tables, CODE + 0x100, 0x100, framed, sizeof(framed));
	builder__u64(&s.stack, CODE + 0x120);
	s.in.regs.values[6] = STACK;
	s.in.regs.known |= 1 << 6;
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 2);
	CHECK_EQ(s.verdict.end, CHAIN_CUT_COPY);
}

static void signal_handler(enum unwind_style style)
{
	/* The trampoline: CFA and return address are where the handler's argument says. */
	static const u8 program[] = { 0x0f, 3,  0x77, 0x10, 0x06,   /* CFA = *(rsp + 16) */
		                      0x10, 16, 2,    0x77, 0x18 }; /* rip at rsp + 24 */
	struct scene s;

	scene__x86_64(&s);
	s.style = style;
	cfi_builder__function(&s.tables, CODE, 0x100, NULL, 0);
	cfi_builder__function(&s.tables, CODE + 0x200, 0x80, outermost, sizeof(outermost));
	s.tables.signal = true;
	cfi_builder__common(&s.tables);
	cfi_builder__function(&s.tables, CODE + 0x100, 0x100, program, sizeof(program));
	builder__u64(&s.stack, CODE + 0x101);
	builder__zero(&s.stack, 16);
	builder__u64(&s.stack, STACK + 0x1000);
	builder__u64(&s.stack, CODE + 0x200); /* interrupted at its first instruction */
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 3);
	CHECK_EQ(s.ips[1], CODE + 0x101);
	CHECK_EQ(s.ips[2], CODE + 0x200);
	CHECK_EQ(s.verdict.end, CHAIN_COMPLETE);
}

/* The handler has a stack of its own; the interrupted function's is at @interrupted. */
static void signal_stack(enum unwind_style style, u64 interrupted, enum chain_end end)
{
	static const u8 program[] = { 0x0f, 3,  0x77, 0x10, 0x06,   /* CFA = *(rsp + 16) */
		                      0x10, 16, 2,    0x77, 0x18 }; /* rip at rsp + 24 */
	struct scene s;

	scene__x86_64(&s);
	s.style = style;
	cfi_builder__function(&s.tables, CODE, 0x100, NULL, 0);
	cfi_builder__function(&s.tables, CODE + 0x200, 0x80, NULL, 0);
	s.tables.signal = true;
	cfi_builder__common(&s.tables);
	cfi_builder__function(&s.tables, CODE + 0x100, 0x100, program, sizeof(program));
	builder__u64(&s.stack, CODE + 0x101);
	builder__zero(&s.stack, 16);
	builder__u64(&s.stack, interrupted);
	builder__u64(&s.stack, CODE + 0x200);
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 3);
	CHECK_EQ(s.ips[2], CODE + 0x200);
	CHECK_EQ(s.verdict.end, end);
}

static void signal_stacks(enum unwind_style style)
{
	signal_stack(style, STACK - 0x10000, CHAIN_OTHER_STACK);
	signal_stack(style, STACK + 0x10000, CHAIN_CUT_COPY); /* it may be the same */
	signal_stack(style, STACK + 0x10000000, CHAIN_OTHER_STACK);
}

TEST(unwind_out_of_a_signal_handler_with_a_stack_of_its_own)
{
	enum unwind_style style;

	signal_stacks(UNWIND_NATIVE);
	for (unsigned i = 0; i < ARRAY_SIZE(libraries); i++)
		if (has_style(libraries[i], &style) && can(style, "x86_64"))
			signal_stacks(style);
}

TEST(unwind_out_of_a_signal_handler)
{
	signal_handler(UNWIND_NATIVE);
}

static void i386(enum unwind_style style)
{
	struct scene s;

	scene__init(&s, "x86_64", EM_386, PERF_SAMPLE_REGS_ABI_32, false);
	s.style = style;
	s.tables.sp = 4;
	s.tables.ra = 8;
	s.tables.slot = 4;
	cfi_builder__common(&s.tables);
	cfi_builder__function(&s.tables, CODE, 0x100, NULL, 0);
	builder__u32(&s.stack, CODE + 0x20);
	builder__u32(&s.stack, 0);
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 2);
	CHECK_EQ(s.ips[1], CODE + 0x1f);
	CHECK_EQ(s.verdict.end, CHAIN_COMPLETE);
}

TEST(unwind_i386)
{
	i386(UNWIND_NATIVE);
}

/* A leaf that keeps the return address in its register, called by one that stored it, signed. */
static void link_register(enum unwind_style style, const char *uname, u16 machine, u8 sp, u8 ra,
                          u64 signature)
{
	static const u8 none;
	u8 program[] = { 0x0e, 16, 0x80 | ra, 2, 0x2d };
	struct scene s;

	scene__init(&s, uname, machine, PERF_SAMPLE_REGS_ABI_64, true);
	s.style = style;
	s.tables.sp = sp;
	s.tables.ra = ra;
	s.tables.ra_in_register = true;
	cfi_builder__common(&s.tables);
	cfi_builder__function(&s.tables, CODE, 0x100, &none, 0);
	cfi_builder__function(&s.tables, CODE + 0x100, 0x100, program,
	                      sizeof(program) - !signature);
	cfi_builder__function(&s.tables, CODE + 0x200, 0x100, (u8[]){ 0x07, ra }, 2);
	s.in.regs.values[ra] = CODE + 0x120;
	s.in.regs.known |= 1ull << ra;
	builder__u64(&s.stack, (CODE + 0x220) | signature);
	builder__u64(&s.stack, 0);
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 3);
	CHECK_EQ(s.ips[1], CODE + 0x11f);
	CHECK_EQ(s.ips[2], CODE + 0x21f);
	CHECK_EQ(s.verdict.end, CHAIN_COMPLETE);
}

TEST(unwind_arm64_with_signed_return_addresses)
{
	link_register(UNWIND_NATIVE, "aarch64", EM_AARCH64, 31, 30, 0x5a5a000000000000);
}

TEST(unwind_riscv64)
{
	link_register(UNWIND_NATIVE, "riscv64", EM_RISCV, 2, 1, 0);
}

TEST(unwind_registers_of_samples)
{
	u64 values[] = { 0xa, 0xb, 0xc, 0x40, 0x50, 0x15 };
	struct u64_span span = { (const u8 *)values, ARRAY_SIZE(values) };
	const struct arch *arch = unwind_arch__of(arch__find("x86_64"), PERF_SAMPLE_REGS_ABI_64);
	struct unwind_regs regs;

	unwind_regs__take(&regs, arch, &span,
	                  1u << 0 | 1u << 1 | 1u << 2 | 1u << 7 | 1u << 8 | 1u << 23, false);
	CHECK(regs.has_pc && regs.pc == 0x50);
	CHECK_EQ(regs.values[0], 0xa);
	CHECK_EQ(regs.values[3], 0xb);
	CHECK_EQ(regs.values[2], 0xc);
	CHECK_EQ(regs.values[7], 0x40);
	CHECK_EQ(regs.values[15], 0x15);
	CHECK_EQ(regs.known, 1u << 0 | 1u << 2 | 1u << 3 | 1u << 7 | 1u << 15);
	CHECK(!unwind_arch__of(arch__find("x86_64"), PERF_SAMPLE_REGS_ABI_NONE));
	CHECK(!unwind_arch__of(arch__find("s390x"), PERF_SAMPLE_REGS_ABI_64));
	CHECK(unwind_arch__of(arch__find("i686"), PERF_SAMPLE_REGS_ABI_32));
}

/* ---- by libraries ---- */

static void check_library(enum unwind_style style)
{
	static const struct {
		u64 word; /* where the outermost function returns to */
		u32 max, nr;
		enum chain_end end;
	} cases[] = {
		{ CODE + 0x201, FRAMES, 3, CHAIN_COMPLETE },
		{ 0, FRAMES, 2, CHAIN_COMPLETE },
		{ CODE + 0x320, FRAMES, 3, CHAIN_NO_TABLES },
		{ 0x1234, FRAMES, 3, CHAIN_UNMAPPED },
		{ CODE + 0x201, 2, 2, CHAIN_CUT_READER },
		{ CODE + 0x201, 1, 1, CHAIN_CUT_READER },
	};
	struct scene s;

	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		scene__x86_64(&s);
		s.style = style;
		two_functions(&s);
		memcpy(s.stack.data + 24, &cases[i].word, 8);
		scene__run(&s, cases[i].max);
		CHECK_EQ(s.nr, cases[i].nr);
		CHECK_EQ(s.ips[0], CODE + 0x10);
		if (s.nr > 1)
			CHECK_EQ(s.ips[1], CODE + 0x11f);
		if (s.nr > 2)
			CHECK_EQ(s.ips[2], cases[i].word - 1);
		CHECK_EQ(s.verdict.end, cases[i].end);
		CHECK_EQ(s.verdict.dso, 0); /* also where it left for what is none */
	}
	for (u64 size = 8; size < 32; size++) {
		scene__x86_64(&s);
		s.style = style;
		two_functions(&s);
		s.stack.len = size;
		scene__run(&s, FRAMES);
		CHECK_EQ(s.nr, 2);
		CHECK_EQ(s.verdict.end, CHAIN_CUT_COPY);
	}
	scene__x86_64(&s);
	s.style = style;
	two_functions(&s);
	s.in.regs.pc = 0x1234;
	scene__run(&s, FRAMES);
	CHECK_EQ(s.nr, 1);
	CHECK_EQ(s.verdict.end, CHAIN_UNMAPPED);
}

TEST(unwind_by_libraries)
{
	enum unwind_style style;

	for (unsigned i = 0; i < ARRAY_SIZE(libraries); i++)
		if (has_style(libraries[i], &style) && can(style, "x86_64"))
			check_library(style);
}

TEST(unwind_by_libraries_of_64_kib_of_garbage)
{
	enum unwind_style style;

	for (unsigned i = 0; i < ARRAY_SIZE(libraries); i++)
		for (u64 seed = 0; seed < 100; seed++)
			if (has_style(libraries[i], &style) && can(style, "x86_64"))
				garbage(style, seed);
}

TEST(unwind_by_libraries_out_of_a_signal_handler)
{
	enum unwind_style style;

	for (unsigned i = 0; i < ARRAY_SIZE(libraries); i++)
		if (has_style(libraries[i], &style) && can(style, "x86_64"))
			signal_handler(style);
}

/* Programs of 32 bits, and of other machines: libdw knows them, libunwind says that it does not. */
TEST(unwind_by_libraries_of_other_architectures)
{
	enum unwind_style style;
	struct scene s;

	if (has_style("libdw", &style)) {
		link_register(style, "aarch64", EM_AARCH64, 31, 30, 0);
		link_register(style, "riscv64", EM_RISCV, 2, 1, 0);
		i386(style);
	}
	if (has_style("libunwind", &style) && can(style, "x86_64")) {
		scene__init(&s, "x86_64", EM_386, PERF_SAMPLE_REGS_ABI_32, false);
		s.style = style;
		cfi_builder__common(&s.tables);
		scene__run(&s, FRAMES);
		CHECK_EQ(s.nr, 1);
		CHECK_EQ(s.verdict.end, CHAIN_NOT_UNWOUND);
		CHECK(!can(style, "aarch64"));
	}
}

/* libunwind (as Debian builds it) reads none. */
TEST(unwind_by_debug_frame)
{
	static const char *const names[] = { "native", "libdw", "libunwind" };
	enum unwind_style style;
	struct scene s;

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
		if (!has_style(names[i], &style) || !can(style, "x86_64"))
			continue;
		scene__init(&s, "x86_64", EM_X86_64, PERF_SAMPLE_REGS_ABI_64, true);
		s.style = style;
		s.tables.eh = false;
		cfi_builder__common(&s.tables);
		two_functions(&s);
		scene__run(&s, FRAMES);
		CHECK_EQ(s.nr, style == UNWIND_LIBUNWIND ? 1 : 3);
		CHECK_EQ(s.verdict.end,
		         style == UNWIND_LIBUNWIND ? CHAIN_NO_TABLES : CHAIN_COMPLETE);
	}
}

TEST(unwind_styles_that_are_not_there)
{
	struct error err = ERROR_INIT;
	enum unwind_style style = UNWIND_NATIVE;

	CHECK_EQ(unwind_style__find("libunwind2", &style, &err), -EINVAL);
	CHECK_STR(err.cause, "it is native, libunwind or libdw");
#ifndef HAVE_LIBUNWIND
	CHECK_EQ(unwind_style__find("libunwind", &style, &err), -ENOTSUP);
	CHECK_STR(err.cause, "this perf was built without that library");
	CHECK(strstr(err.advice, "libunwind-dev"));
#endif
#ifndef HAVE_LIBDW
	CHECK_EQ(unwind_style__find("libdw", &style, &err), -ENOTSUP);
#endif
	CHECK_EQ(style, UNWIND_NATIVE);
}

#if defined(__x86_64__) && defined(__GLIBC__)

/* ---- this process ---- */

struct own_maps {
	struct dsos dsos;
	struct unwind_location maps[64]; /* addr: bias; since.time, until.time: the range */
	unsigned nr;
};

static struct {
	void *theirs[FRAMES];
	int nr_theirs;
	struct unwind_sample in;
	u8 stack[64 << 10];
	u64 stack_end; /* of the address range */
	unsigned nr_calls;
} own;

static void read_maps(struct own_maps *maps)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512], path[400];
	unsigned long start, end, offset;

	while (f && fgets(line, sizeof(line), f) && maps->nr < ARRAY_SIZE(maps->maps)) {
		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %399s", &start, &end, &offset, path) != 4)
			continue;
		if (!strcmp(path, "[stack]"))
			own.stack_end = end;
		if (path[0] == '/' && strstr(line, " r-xp "))
			maps->maps[maps->nr++] = (struct unwind_location){
				.dso = dsos__get(&maps->dsos, path, DSO_USER, 1, NULL, 0),
				.addr = start - offset,
				.since.time = start,
				.until.time = end,
			};
	}
	if (f)
		fclose(f);
}

static void own_location(void *ctx, u64 addr, struct unwind_location *location)
{
	const struct own_maps *maps = ctx;

	*location = (struct unwind_location){ .dso = ID_NONE, .until = { UINT64_MAX, UINT64_MAX } };
	for (unsigned i = 0; i < maps->nr; i++) {
		const struct unwind_location *map = &maps->maps[i];

		if (addr < map->since.time || addr >= map->until.time)
			continue;
		location->dso = map->dso;
		location->addr = addr - map->addr;
	}
}

/* Take registers and stack, and what the compiler's unwinder says, at one moment. */
static __attribute__((noinline)) void take_own_stack(void)
{
	struct unwind_regs *regs = &own.in.regs;
	u64 *v = regs->values;

	own.nr_theirs = backtrace(own.theirs, FRAMES);
	__asm__ volatile("mov %%rsp, 56(%1); mov %%rbp, 48(%1); mov %%rbx, 24(%1);"
	                 "mov %%r12, 96(%1); mov %%r13, 104(%1); mov %%r14, 112(%1);"
	                 "mov %%r15, 120(%1); lea 0(%%rip), %0"
	                 : "=r"(regs->pc)
	                 : "r"(v)
	                 : "memory");
	regs->known = 0xf0c8;
	regs->has_pc = true;
	const volatile u8 *from = (const u8 *)v[7];

	own.in.stack_size = min_u64(own.stack_end - v[7], sizeof(own.stack));
	for (size_t i = 0; i < own.in.stack_size; i++)
		own.stack[i] = from[i];
}

/* Called by qsort(): C library code without frame pointers lies in between. */
static int compare(const void *a, const void *b)
{
	if (!own.nr_calls++)
		take_own_stack();
	return *(const int *)a - *(const int *)b;
}

#ifdef __SANITIZE_ADDRESS__
#define NO_OWN_STACK "the stack is not to be read beside AddressSanitizer"
#elif defined(__SANITIZE_THREAD__)
#define NO_OWN_STACK "backtrace() is ThreadSanitizer's here, with a frame of its own"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NO_OWN_STACK "the stack is not to be read beside AddressSanitizer"
#endif
#endif

static void own_stack(enum unwind_style style)
{
	static const struct symbol_config config = { .symfs = "" };
	int numbers[] = { 3, 2, 1 };
	struct own_maps maps = { .nr = 0 };
	struct strtab strings;
	struct chain_verdict verdict;
	u64 ips[FRAMES];

	strtab__init(&strings);
	dsos__init(&maps.dsos, &strings);
	read_maps(&maps);
	own.nr_calls = 0;
	qsort(numbers, 3, sizeof(numbers[0]), compare);
	own.in.arch = unwind_arch__of(arch__find("x86_64"), PERF_SAMPLE_REGS_ABI_64);
	own.in.stack = own.stack;
	own.in.stack_cut = true;
	own.in.locate = own_location;
	own.in.ctx = &maps;
	struct unwind_tables *tables = unwind_tables__new(&maps.dsos, &config);
	struct unwinder *unwinder = unwinder__new(tables, style);
	u32 nr = unwinder__run(unwinder, &own.in, ips, FRAMES, &verdict);

	CHECK_EQ(verdict.end, CHAIN_COMPLETE);
	CHECK(nr > 6);
	CHECK_EQ(nr, own.nr_theirs);
	for (u32 i = 1; i < nr && (int)i < own.nr_theirs; i++)
		CHECK_EQ(ips[i], (u64)own.theirs[i] - 1);
	unwinder__delete(unwinder);
	unwind_tables__delete(tables);
	dsos__exit(&maps.dsos);
	strtab__exit(&strings);
}

TEST(unwind_own_stack_as_the_compiler_does)
{
	enum unwind_style style;

#ifdef NO_OWN_STACK
	return unit__skip(NO_OWN_STACK);
#endif
	own_stack(UNWIND_NATIVE);
	for (unsigned i = 0; i < ARRAY_SIZE(libraries); i++)
		if (has_style(libraries[i], &style))
			own_stack(style);
}

#endif
