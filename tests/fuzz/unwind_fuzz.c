// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call frame information, expressions, and chains over any stack, by perf itself or a library. The
 * input: a byte that says which machine and who unwinds, one of flags, how many 16-byte units of it
 * are tables, registers, stack. With the flag KEPT the tables are not of the input but those of the
 * seeds, in a file that is made once: so most runs are spent on stacks and registers.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/cfi_builder.h"
#include "tests/unit/elf_builder.h"
#include "util/lib/alloc.h"
#include "util/lib/error.h"
#include "util/unwind/expression.h"
#include "util/unwind/unwind.h"

#define FRAMES    200
#define CODE      ELF_TEXT_VADDR
#define STACK     0x7ffc0000ull
#define HEAD      4
#define REGISTERS 17

enum { BIG = 1, EH = 2, CUT = 4, KEPT = 8 };

struct input {
	const u8 *tables, *regs, *stack;
	size_t tables_size, stack_size;
	const struct arch *arch;
	enum unwind_style style;
	u8 flags;
};

/* Libraries that are not here, or do not know the machine, leave it to perf itself. */
static enum unwind_style style_of(u8 number, const struct arch *arch)
{
	static const char *const names[] = { "native", "libdw", "libunwind", "native" };
	struct error err = ERROR_INIT;
	enum unwind_style style;

	if (unwind_style__find(names[number % ARRAY_SIZE(names)], &style, &err) ||
	    unwind_style__check(style, arch, &err))
		return UNWIND_NATIVE;
	return style;
}

static bool take(struct input *in, const u8 *data, size_t size)
{
	static const char *const machines[] = { "x86_64", "x86_64", "aarch64", "riscv64" };

	if (size < HEAD + REGISTERS * 8)
		return false;
	const struct arch *recorded_by = arch__find(machines[data[0] % 4]);

	in->arch = unwind_arch__of(recorded_by, data[0] % 4 == 1 ? PERF_SAMPLE_REGS_ABI_32
	                                                         : PERF_SAMPLE_REGS_ABI_64);
	in->style = style_of(data[0] / 4, recorded_by);
	in->flags = data[1];
	in->regs = data + HEAD;
	in->tables = in->regs + REGISTERS * 8;
	size -= HEAD + REGISTERS * 8;
	in->tables_size = in->flags & KEPT ? 0 : min_u64(16 * (data[2] | data[3] << 8), size);
	in->stack = in->tables + in->tables_size;
	in->stack_size = size - in->tables_size;
	return true;
}

static int load(void *ctx, u64 addr, unsigned size, u64 *value)
{
	(void)ctx;
	*value = addr * 0x9e3779b97f4a7c15ull >> (64 - 8 * size);
	return 0;
}

static void use_row(const struct cfi *cfi, const struct cfi_row *row)
{
	static const u64 regs[CFI_NR_REGS] = { STACK, CODE };
	const struct expression_context context = { .regs = regs,
		                                    .known = ~0ull >> (64 - CFI_NR_REGS),
		                                    .is64 = cfi->section.is64,
		                                    .swap = cfi->section.swap,
		                                    .load = load };

	FUZZ_CHECK(row->nr <= CFI_NR_REGS && row->ra_reg < CFI_NR_REGS);
	for (int i = -1; i < row->nr; i++) {
		const struct cfi_rule *rule = i < 0 ? &row->cfa : &row->rules[i];
		u64 value = STACK;

		FUZZ_CHECK(rule->reg < CFI_NR_REGS);
		if (rule->kind != CFI_EXPRESSION && rule->kind != CFI_VAL_EXPRESSION)
			continue;
		fuzz__touch(cfi->section.data + rule->value, rule->len);
		expression__evaluate(&context, cfi->section.data + rule->value, rule->len, true,
		                     &value);
	}
}

static void read_tables(const struct input *in)
{
	u8 *copy = malloc(in->tables_size + 1); /* exactly as large, so that its end is seen */

	memcpy(copy, in->tables, in->tables_size);
	const struct cfi_section section = { .data = copy,
		                             .size = in->tables_size,
		                             .addr = CODE + 0x1000,
		                             .eh = in->flags & EH,
		                             .is64 = in->arch->is64,
		                             .swap = in->flags & BIG,
		                             .machine = in->arch->machine };
	struct cfi_row row;
	struct cfi cfi;

	cfi__init(&cfi, &section);
	for (u32 i = 0; i < cfi.nr; i++) {
		const struct cfi_entry *e = &cfi.entries[i], *found = NULL;

		FUZZ_CHECK(e->end > e->start && (!i || e->start >= e[-1].start));
		for (unsigned j = 0; j < 3; j++) {
			u64 at = j == 0   ? e->start
			         : j == 1 ? e->start + (e->end - e->start) / 2
			                  : e->end - 1;

			if (!cfi__row(&cfi, at, &row, &found))
				use_row(&cfi, &row);
			FUZZ_CHECK(!found || (found->start <= at && at < found->end));
		}
	}
	cfi__exit(&cfi);
	free(copy);
}

static void locate(void *ctx, u64 addr, struct unwind_location *location)
{
	(void)ctx;
	*location = (struct unwind_location){ .dso = ID_NONE, .until = { UINT64_MAX, UINT64_MAX } };
	if (addr < CODE || addr >= CODE + ELF_TEXT_SIZE)
		return;
	location->dso = 0;
	location->addr = addr - CODE + ELF_TEXT_OFFSET;
}

/* A file with tables, and who unwinds by them. */
struct object {
	struct strtab strings;
	struct dsos dsos;
	struct unwind_tables *tables;
	struct unwinder *unwinder;
	struct elf_builder elf;
};

static void open_object(struct object *object, const struct input *in,
                        const char *(*keep)(const void *data, size_t size))
{
	static const struct symbol_config config = { .symfs = "", .no_live_kernel = true };

	object->elf =
	        (struct elf_builder){ .is64 = in->arch->is64,
		                      .machine = in->arch->machine,
		                      .swap = in->flags & BIG,
		                      .extra_name = in->flags & EH ? ".eh_frame" : ".debug_frame" };
	builder__bytes(&object->elf.extra, in->tables, in->tables_size);
	elf_builder__build(&object->elf);
	strtab__init(&object->strings);
	dsos__init(&object->dsos, &object->strings);
	dsos__get(&object->dsos, keep(object->elf.image.data, object->elf.image.len), DSO_USER, 1,
	          NULL, 0);
	object->tables = unwind_tables__new(&object->dsos, &config);
	object->unwinder = unwinder__new(object->tables, in->style);
}

static void close_object(struct object *object)
{
	unwinder__delete(object->unwinder);
	unwind_tables__delete(object->tables);
	dsos__exit(&object->dsos);
	strtab__exit(&object->strings);
	elf_builder__exit(&object->elf);
}

static void unwind(const struct input *in, const struct object *object)
{
	struct unwind_sample sample = { .arch = in->arch,
		                        .stack = in->stack,
		                        .stack_size = in->stack_size,
		                        .stack_cut = in->flags & CUT,
		                        .swap = in->flags & BIG,
		                        .locate = locate };
	struct chain_verdict verdict;
	u64 ips[FRAMES];

	sample.regs.has_pc = true;
	sample.regs.pc = CODE + in->regs[0] * 4;
	for (unsigned i = 0; i < REGISTERS; i++)
		memcpy(&sample.regs.values[i], in->regs + 8 * i, 8);
	sample.regs.values[in->arch->sp] = STACK;
	sample.regs.known = 1ull << in->arch->sp | (u64)in->regs[1] << 3 | in->regs[2];
	for (unsigned size = 1; size <= 8; size *= 2) {
		u64 value = 0;

		if (!unwind_sample__load(&sample, STACK + in->regs[3], size, &value))
			FUZZ_CHECK(in->regs[3] + size <= in->stack_size &&
			           (size == 8 || value < 1ull << 8 * size));
	}
	for (unsigned i = 0; i < 2; i++) { /* the second time from memory */
		u32 nr = unwinder__run(object->unwinder, &sample, ips, FRAMES, &verdict);

		FUZZ_CHECK(nr > 0 && nr <= FRAMES);
		FUZZ_CHECK(ips[0] == sample.regs.pc);
		FUZZ_CHECK(verdict.end < NR_CHAIN_ENDS);
		FUZZ_CHECK((verdict.end != CHAIN_CUT_READER && verdict.end != CHAIN_CUT_BOTH) ||
		           nr == FRAMES);
	}
}

/* ---- tables that make sense ---- */

static const u8 frame[] = { 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x0a, 0x0b, 0xc6 };
static const u8 plt[] = { 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22 };
static const u8 trampoline[] = { 0x0f, 3,    0x77, 0x10, 0x06, 0x10, 16,  2,
	                         0x77, 0x18, 0x16, 3,    2,    0x77, 0x20 };

static const struct {
	const u8 *bytes;
	size_t len;
} programs[] = { { frame, sizeof(frame) },
	         { plt, sizeof(plt) },
	         { trampoline, sizeof(trampoline) } };

/* Functions of which each second one has the @program, in units of 16 bytes. */
static void make_tables(struct cfi_builder *tables, u8 machine, u8 flags, u8 program)
{
	*tables = (struct cfi_builder){ .eh = flags & EH,
		                        .is64 = machine != 1,
		                        .out.swap = flags & BIG,
		                        .sp = (const u8[]){ 7, 4, 31, 2 }[machine],
		                        .ra = (const u8[]){ 16, 8, 30, 1 }[machine],
		                        .slot = (const u8[]){ 8, 4, 0, 0 }[machine],
		                        .ra_in_register = machine > 1 };
	for (unsigned i = 0; i < 2; i++) {
		tables->signal = i;
		cfi_builder__common(tables);
		cfi_builder__function(tables, CODE + i * 0x200, 0x100, programs[program].bytes,
		                      programs[program].len);
		cfi_builder__function(tables, CODE + i * 0x200 + 0x100, 0x100, NULL, 0);
	}
	while (tables->out.len % 16)
		builder__u8(&tables->out, 0);
}

/* In a file of its own, for good. */
static const char *keep_file(const void *data, size_t size)
{
	static char path[64];
	int fd = memfd_create("kept", MFD_CLOEXEC);

	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

static const struct object *kept_object(const struct input *in, u8 machine, u8 program)
{
	static struct object *kept[4][ARRAY_SIZE(programs)][UNWIND_LIBDW + 1][KEPT];
	struct object **object = &kept[machine][program][in->style][in->flags % KEPT];

	if (!*object) {
		struct input with = *in;
		struct cfi_builder tables;

		make_tables(&tables, machine, in->flags, program);
		with.tables = tables.out.data;
		with.tables_size = tables.out.len;
		*object = xcalloc(1, sizeof(**object));
		open_object(*object, &with, keep_file);
		builder__exit(&tables.out);
	}
	return *object;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct object object;
	struct input in;

	if (!take(&in, data, size))
		return 0;
	if (in.flags & KEPT) {
		unwind(&in, kept_object(&in, data[0] % 4, data[2] % ARRAY_SIZE(programs)));
		return 0;
	}
	read_tables(&in);
	open_object(&object, &in, fuzz__file);
	unwind(&in, &object);
	close_object(&object);
	return 0;
}

static void seed(void (*add)(const void *data, size_t size), u8 first, u8 flags, u8 program)
{
	struct builder out = { .swap = flags & BIG };
	struct cfi_builder tables;

	make_tables(&tables, first % 4, flags, program);
	builder__u8(&out, first);
	builder__u8(&out, flags);
	builder__u8(&out, flags & KEPT ? program : tables.out.len / 16);
	builder__u8(&out, 0);
	for (unsigned i = 0; i < REGISTERS; i++)
		builder__u64(&out, i ? STACK + i * 16 : 0xffff04);
	if (!(flags & KEPT))
		builder__bytes(&out, tables.out.data, tables.out.len);
	for (unsigned i = 0; i < 40; i++)
		builder__u64(&out, i % 3 ? CODE + i * 0x30 : STACK + i * 24);
	add(out.data, out.len);
	builder__exit(&out);
	builder__exit(&tables.out);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	for (u8 machine = 0; machine < 12; machine++) /* each by three unwinders */
		for (u8 i = 0; i < 8; i++) { /* few make a file: it takes longer than all else */
			u8 flags = i ? KEPT : 0;

			seed(add, machine, flags | EH | CUT, 0);
			seed(add, machine, flags | (machine % 4 == 0 ? EH : BIG), 1);
			seed(add, machine, flags | CUT, 2);
		}
}
