// SPDX-License-Identifier: GPL-2.0-or-later
/* Call frame information: sections made here, and the rows of real libraries as libdw has them. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>
#endif

#include "tests/unit/cfi_builder.h"
#include "tests/unit/unit.h"
#include "util/lib/cursor.h"
#include "util/unwind/cfi.h"

/* The rows of one function at 0x1000, 0x100 long, with this program; x86-64 conventions. */
static int row_at(u64 at, const u8 *program, size_t len, struct cfi_row *row)
{
	struct cfi_builder b = { .eh = true, .is64 = true };
	struct cfi cfi;

	cfi_builder__common(&b);
	cfi_builder__function(&b, 0x1000, 0x100, program, len);
	const struct cfi_section section = cfi_builder__section(&b, EM_X86_64);

	cfi__init(&cfi, &section);
	int ret = cfi__row(&cfi, at, row, NULL);

	cfi__exit(&cfi);
	builder__exit(&b.out);
	return ret;
}

static const struct cfi_rule *rule_of(const struct cfi_row *row, u8 reg)
{
	for (u8 i = 0; i < row->nr; i++)
		if (row->rules[i].reg == reg)
			return &row->rules[i];
	return NULL;
}

TEST(cfi_rows_follow_the_program)
{
	/* push rbp; mov rbp,rsp; ...; pop rbp; ret */
	static const u8 program[] = {
		0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x02, 0x20, 0x0c, 7, 8
	};
	struct cfi_row row;

	CHECK_EQ(row_at(0x1000, program, sizeof(program), &row), 0);
	CHECK_EQ(row.cfa.kind, CFI_REGISTER);
	CHECK_EQ(row.cfa.reg, 7);
	CHECK_EQ(row.cfa.value, 8);
	CHECK_EQ(row.nr, 1); /* the return address */
	CHECK_EQ(row.rules[0].reg, 16);
	CHECK_EQ(row.rules[0].value, -8);
	CHECK_EQ(row_at(0x1001, program, sizeof(program), &row), 0);
	CHECK_EQ(row.cfa.value, 16);
	CHECK(rule_of(&row, 6) && rule_of(&row, 6)->value == -16);
	CHECK_EQ(row_at(0x1003, program, sizeof(program), &row), 0);
	CHECK_EQ(row.cfa.reg, 7);
	CHECK_EQ(row_at(0x1004, program, sizeof(program), &row), 0);
	CHECK_EQ(row.cfa.reg, 6);
	CHECK_EQ(row.cfa.value, 16);
	CHECK_EQ(row_at(0x1024, program, sizeof(program), &row), 0);
	CHECK_EQ(row.cfa.reg, 7);
	CHECK_EQ(row.cfa.value, 8);
	CHECK_EQ(row_at(0xfff, program, sizeof(program), &row), -ENOENT);
	CHECK_EQ(row_at(0x10ff, program, sizeof(program), &row), 0);
	CHECK_EQ(row_at(0x1100, program, sizeof(program), &row), -ENOENT);
}

/* A CIE of version 4 says itself how long addresses are, whatever the file is. */
TEST(cfi_addresses_are_as_long_as_their_cie_says)
{
	static const u64 starts[] = { 0x1000, 0x123400001000 };

	for (u32 wide = 0; wide < 2; wide++) {
		struct cfi_builder b = { .is64 = wide, .address_size = wide ? 8 : 4 };
		struct cfi_row row;
		struct cfi cfi;

		cfi_builder__common(&b);
		cfi_builder__function(&b, starts[wide], 0x100, NULL, 0);
		struct cfi_section section = cfi_builder__section(&b, EM_X86_64);

		section.is64 = !wide;
		cfi__init(&cfi, &section);
		CHECK_EQ(cfi__row(&cfi, starts[wide] + 0xff, &row, NULL), 0);
		CHECK_EQ(cfi__row(&cfi, starts[wide] + 0x100, &row, NULL), -ENOENT);
		cfi__exit(&cfi);
		builder__exit(&b.out);
	}
}

TEST(cfi_states_are_remembered_and_registers_restored)
{
	static const u8 program[] = { 0x83, 3, 0x0a, 0x0e, 64, 0xc3, 0x41, 0x0b, 0x41, 0x07, 16 };
	struct cfi_row row;

	CHECK_EQ(row_at(0x1000, program, sizeof(program), &row), 0);
	CHECK_EQ(row.cfa.value, 64);
	CHECK(!rule_of(&row, 3));
	CHECK_EQ(row_at(0x1001, program, sizeof(program), &row), 0);
	CHECK_EQ(row.cfa.value, 8);
	CHECK(rule_of(&row, 3) && rule_of(&row, 3)->value == -24);
	CHECK_EQ(row_at(0x1002, program, sizeof(program), &row), 0);
	CHECK(rule_of(&row, 16) && rule_of(&row, 16)->kind == CFI_UNDEFINED);
}

TEST(cfi_programs_that_make_no_sense_are_refused)
{
	static const struct {
		u8 bytes[16];
		size_t len;
	} programs[] = {
		{ { 0x0b }, 1 },                                  /* nothing was remembered */
		{ { 0, 0, 0, 0x0e }, 4 },                         /* no operand */
		{ { 0x3d }, 1 },                                  /* no such instruction */
		{ { 0x0e, 0xff, 0xff, 0xff, 0xff, 0xff, 1 }, 7 }, /* an offset of 2^41 */
		{ { 0, 0x04, 1, 2 }, 4 },                         /* cut off inside a distance */
		{ { 0x0f, 100, 0x30 }, 3 },                       /* an expression beyond the end */
		{ { 0x0c, 60, 8 }, 3 },                           /* relative to no register */
		{ { 0x2d }, 1 },                                  /* not on this machine */
	};
	u8 bomb[40];
	struct cfi_row row;

	for (unsigned i = 0; i < ARRAY_SIZE(programs); i++)
		CHECK_EQ(row_at(0x1000, programs[i].bytes, programs[i].len, &row), -EBADMSG);
	memset(bomb, 0x0a, sizeof(bomb)); /* remembers for ever */
	CHECK_EQ(row_at(0x1000, bomb, sizeof(bomb), &row), -EBADMSG);
}

TEST(cfi_augmentations_that_are_too_long_are_refused)
{
	static const struct {
		const char *letters;
		u8 data[6];
		bool good;
	} common[] = {
		{ "zR", { 1, 0x00 }, true },
		{ "zR", { 0xff, 0xff, 0xff, 0xff, 0x7f }, false }, /* 2^35 bytes of data */
		{ "zR", { 0 }, false },                            /* no byte for R */
		{ "zPR", { 3, 0xff, 1, 0 }, false },               /* no such pointer */
		{ "zRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR", { 1, 0 }, false },
		{ "eh", { 0 }, false },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(common); i++) {
		struct cfi_builder b = { .eh = true, .is64 = true };
		u32 common_at = b.out.len;
		struct cfi cfi;

		builder__u32(&b.out, 0); /* its size, told below */
		builder__u32(&b.out, 0);
		builder__u8(&b.out, 1);
		builder__bytes(&b.out, common[i].letters, strlen(common[i].letters) + 1);
		builder__bytes(&b.out, "\1\x78\x10", 3);
		builder__bytes(&b.out, common[i].data, sizeof(common[i].data));
		b.out.data[common_at] = b.out.len - common_at - 4;
		builder__u32(&b.out, 4 + 16 + 1);
		builder__u32(&b.out, b.out.len - common_at);
		builder__u64(&b.out, 0x1000);
		builder__u64(&b.out, 0x10);
		builder__u8(&b.out, 0);
		const struct cfi_section section = cfi_builder__section(&b, EM_X86_64);

		cfi__init(&cfi, &section);
		CHECK_EQ(cfi.nr, common[i].good);
		cfi__exit(&cfi);
		builder__exit(&b.out);
	}
}

TEST(cfi_sections_without_terminator_and_with_one_in_the_middle)
{
	struct cfi_builder b = { .eh = true, .is64 = true };
	struct cfi_row row;
	struct cfi cfi;

	cfi_builder__common(&b);
	cfi_builder__function(&b, 0x2000, 0x10, NULL, 0);
	builder__u32(&b.out, 0);
	cfi_builder__function(&b, 0x1000, 0x10, NULL, 0);
	builder__u32(&b.out, 0x1000); /* longer than the section */
	const struct cfi_section section = cfi_builder__section(&b, EM_X86_64);

	cfi__init(&cfi, &section);
	CHECK_EQ(cfi.nr, 2);
	CHECK_EQ(cfi__row(&cfi, 0x1008, &row, NULL), 0);
	CHECK_EQ(cfi__row(&cfi, 0x2008, &row, NULL), 0);
	CHECK_EQ(cfi__row(&cfi, 0x1010, &row, NULL), -ENOENT);
	cfi__exit(&cfi);
	builder__exit(&b.out);
}

TEST(cfi_entries_in_any_order)
{
	static const char *const orders[] = { "0",    "0123456", "6543210", "3456012", "01526",
		                              "2013", "40",      "0261534", "1010232" };

	for (unsigned i = 0; i < ARRAY_SIZE(orders); i++) {
		struct cfi_builder b = { .eh = true, .is64 = true };
		struct cfi cfi;

		cfi_builder__common(&b);
		for (const char *c = orders[i]; *c; c++)
			cfi_builder__function(&b, 0x1000 + (*c - '0') * 0x100, 0x80, NULL, 0);
		const struct cfi_section section = cfi_builder__section(&b, EM_X86_64);

		cfi__init(&cfi, &section);
		CHECK_EQ(cfi.nr, strlen(orders[i]));
		for (u32 e = 1; e < cfi.nr; e++)
			CHECK(cfi.entries[e - 1].start < cfi.entries[e].start ||
			      (cfi.entries[e - 1].start == cfi.entries[e].start &&
			       cfi.entries[e - 1].offset < cfi.entries[e].offset));
		for (unsigned f = 0; f < 8; f++) {
			const struct cfi_entry *found = cfi__entry(&cfi, 0x1000 + f * 0x100 + 0x7f);

			CHECK_EQ(found ? found->start : 0,
			         strchr(orders[i], '0' + f) ? 0x1000 + f * 0x100 : 0);
		}
		cfi__exit(&cfi);
		builder__exit(&b.out);
	}
}

TEST(cfi_debug_frame_of_both_classes_and_byte_orders)
{
	for (unsigned i = 0; i < 4; i++) {
		struct cfi_builder b = { .is64 = i & 1, .out.swap = i & 2 };
		static const u8 program[] = { 0x41, 0x0e, 16 };
		struct cfi_row row;
		struct cfi cfi;

		cfi_builder__common(&b);
		cfi_builder__function(&b, 0x1000, 0x100, program, sizeof(program));
		cfi_builder__function(&b, 0, 0x100, program, sizeof(program)); /* dropped code */
		const struct cfi_section section = cfi_builder__section(&b, EM_NONE);

		cfi__init(&cfi, &section);
		CHECK_EQ(cfi.nr, 1);
		CHECK_EQ(cfi__row(&cfi, 0x1080, &row, NULL), 0);
		CHECK_EQ(row.cfa.value, 16);
		cfi__exit(&cfi);
		builder__exit(&b.out);
	}
}

TEST(cfi_numbers_of_variable_length)
{
	static const u8 bytes[] = { 0x7f, 0x80, 0x7f, 0xff, 0x7e, 0xff, 0xff, 0xff, 0xff,
		                    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x80 };
	struct cursor c = cursor__make(bytes, sizeof(bytes), false);

	CHECK_EQ(cursor__sleb(&c), -1);
	CHECK_EQ(cursor__sleb(&c), -128);
	CHECK_EQ(cursor__sleb(&c), -129);
	CHECK(cursor__uleb(&c) == UINT64_MAX);
	CHECK(!c.failed);
	cursor__uleb(&c);
	CHECK(c.failed);
}

#if defined(HAVE_LIBDW) && defined(__x86_64__)

static const u8 saved_registers[] = { 3, 6, 12, 13, 14, 15, 16 }; /* that functions must keep */

/*
 * What libdw says about a register: enum cfi_kind, or -1 for "the same". It calls undefined what
 * has no rule, too: @written says that there is one.
 */
static int kind_of(Dwarf_Frame *frame, int reg, bool written, s64 *value)
{
	Dwarf_Op mem[3], *ops;
	size_t nr;

	*value = 0;
	if (dwarf_frame_register(frame, reg, mem, &ops, &nr))
		return -2;
	if (!nr)
		return ops && written ? CFI_UNDEFINED : -1;
	if (ops[0].atom == DW_OP_call_frame_cfa &&
	    (nr == 1 || ops[1].atom == DW_OP_plus_uconst || ops[1].atom == DW_OP_stack_value)) {
		*value = nr > 1 && ops[1].atom == DW_OP_plus_uconst ? (s64)ops[1].number : 0;
		return ops[nr - 1].atom == DW_OP_stack_value ? CFI_VAL_OFFSET : CFI_OFFSET;
	}
	if (nr == 1 && ops[0].atom == DW_OP_regx) {
		*value = ops[0].number;
		return CFI_REGISTER;
	}
	return ops[nr - 1].atom == DW_OP_stack_value ? CFI_VAL_EXPRESSION : CFI_EXPRESSION;
}

static void compare_cfa(Dwarf_Frame *frame, const struct cfi_row *row)
{
	Dwarf_Op *ops;
	size_t nr;

	CHECK_EQ(dwarf_frame_cfa(frame, &ops, &nr), 0);
	if (row->cfa.kind == CFI_REGISTER) {
		CHECK_EQ(nr, 1);
		CHECK_EQ(ops[0].atom, DW_OP_bregx);
		CHECK_EQ(ops[0].number, row->cfa.reg);
		CHECK_EQ(ops[0].number2, row->cfa.value);
	} else {
		CHECK(nr > 1);
	}
}

static void compare_row(Dwarf_CFI *theirs, const struct cfi *ours, u64 addr)
{
	Dwarf_Frame *frame;
	struct cfi_row row;
	int ra, ret = cfi__row(ours, addr, &row, NULL);

	if (dwarf_cfi_addrframe(theirs, addr, &frame)) {
		CHECK_EQ(ret, -ENOENT);
		return;
	}
	CHECK_EQ(ret, 0);
	bool signal;

	ra = dwarf_frame_info(frame, NULL, NULL, &signal);
	CHECK_EQ(ra, row.ra_reg);
	CHECK_EQ(signal, row.signal);
	compare_cfa(frame, &row);
	for (unsigned i = 0; i < ARRAY_SIZE(saved_registers); i++) {
		const struct cfi_rule *rule = rule_of(&row, saved_registers[i]);
		s64 value;

		CHECK_EQ(rule ? (int)rule->kind : -1,
		         kind_of(frame, saved_registers[i], rule, &value));
		if (rule && (rule->kind == CFI_OFFSET || rule->kind == CFI_REGISTER))
			CHECK_EQ(rule->value, value);
	}
	free(frame);
}

/* Returns how many rows were compared. */
static u32 compare_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	u32 nr = 0;

	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Dwarf_CFI *theirs = dwarf_getcfi_elf(elf);
	GElf_Shdr header;

	for (Elf_Scn *scn = NULL; theirs && (scn = elf_nextscn(elf, scn));) {
		size_t names;
		Elf_Data *data;
		struct cfi cfi;

		elf_getshdrstrndx(elf, &names);
		gelf_getshdr(scn, &header);
		if (strcmp(elf_strptr(elf, names, header.sh_name), ".eh_frame"))
			continue;
		data = elf_rawdata(scn, NULL);
		const struct cfi_section section = { .data = data->d_buf,
			                             .size = data->d_size,
			                             .addr = header.sh_addr,
			                             .eh = true,
			                             .is64 = true,
			                             .machine = EM_X86_64 };

		cfi__init(&cfi, &section);
		for (u32 i = 0; i < cfi.nr && !unit__has_failed(); i++) {
			const struct cfi_entry *e = &cfi.entries[i];
			u64 step = (e->end - e->start) / 5 + 1;

			for (u64 at = e->start; at < e->end; at += step, nr++)
				compare_row(theirs, &cfi, at);
		}
		cfi__exit(&cfi);
	}
	dwarf_cfi_end(theirs);
	elf_end(elf);
	close(fd);
	return nr;
}

static int remember_libc(struct dl_phdr_info *info, size_t size, void *ctx)
{
	(void)size;
	if (!strstr(info->dlpi_name, "/libc.so"))
		return 0;
	*(const char **)ctx = info->dlpi_name;
	return 1;
}

TEST(cfi_rows_of_libc_are_those_of_libdw)
{
	const char *libc = NULL;

	dl_iterate_phdr(remember_libc, &libc);
	if (!libc)
		return unit__skip("the C library is not a shared one");
	CHECK(compare_file(libc) > 1000);
}

TEST(cfi_rows_of_libcrypto_are_those_of_libdw)
{
	static const char path[] = "/usr/lib/x86_64-linux-gnu/libcrypto.so.3";

	if (access(path, R_OK))
		return unit__skip("there is no libcrypto.so.3");
	CHECK(compare_file(path) > 1000);
}

#endif
