// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether the tables of architectures are found, and agree with themselves. */
#include "arch/arch.h"

#include <elf.h>
#include <string.h>

#include "tests/unit/unit.h"

/* A name as uname says it, and the table's e_machine. */
static const struct {
	const char *uname;
	u16 machine;
} known[] = {
	{ "x86_64", EM_X86_64 },   { "i386", EM_386 },      { "i686", EM_386 },
	{ "aarch64", EM_AARCH64 }, { "arm64", EM_AARCH64 }, { "riscv64", 243 },
	{ "armv7l", EM_ARM },      { "ppc64le", EM_PPC64 }, { "s390x", EM_S390 },
	{ "loongarch64", 258 },
};

TEST(arch_is_found_by_name_and_by_object)
{
	for (u32 i = 0; i < ARRAY_SIZE(known); i++) {
		CHECK_EQ(arch__find(known[i].uname)->machine, known[i].machine);
		CHECK_EQ(arch__of_object(known[i].machine)->machine, known[i].machine);
	}
	CHECK(arch__find(NULL) == arch__here());
	CHECK_EQ(arch__find("")->sp, 0);
	CHECK_EQ(arch__find("x86")->machine, EM_NONE);
	CHECK_EQ(arch__find("i?86")->machine, EM_386);
	CHECK_EQ(arch__of_object(EM_SPARC)->sp, 0);
	CHECK_EQ(arch__of_object(EM_NONE)->plt_entry, 0);
}

/* No two registers of samples are one in DWARF; the two that every frame needs are there. */
static void check_registers(const struct arch *arch)
{
	u64 seen = 0;

	for (u32 bit = 0; bit < 64; bit++) {
		if (bit == arch->pc_bit || arch->columns[bit] == NO_COLUMN)
			continue;
		CHECK(arch->columns[bit] < 64);
		CHECK(!(seen >> arch->columns[bit] & 1));
		seen |= 1ull << arch->columns[bit];
	}
	CHECK_EQ(arch->columns[arch->sp_bit], arch->sp);
	CHECK(arch->sp_bit != arch->pc_bit);
	CHECK(seen >> arch->fp & 1);
	CHECK(!arch->leaf_link || arch->columns[arch->leaf_link] == arch->leaf_link);
	CHECK(arch->pc_mask >= UINT32_MAX);
	for (u64 left = arch->dwarf_registers; left; left &= left - 1)
		CHECK(arch->registers && arch->registers[__builtin_ctzll(left)]);
	if (arch->dwarf_registers) {
		CHECK(arch->dwarf_registers >> arch->sp_bit & 1);
		CHECK(arch->dwarf_registers >> arch->pc_bit & 1);
	}
}

TEST(arch_tables_agree_with_themselves)
{
	for (u32 i = 0; i < ARRAY_SIZE(known); i++) {
		const struct arch *arch = arch__find(known[i].uname);

		CHECK_EQ(!arch->plt_header, !arch->plt_entry);
		CHECK(!arch->narrow || !arch->narrow->is64);
		if (arch->sp)
			check_registers(arch);
	}
}

TEST(arch_of_this_machine_is_known)
{
	CHECK(arch__here()->unames[0]);
	CHECK_EQ(arch__here()->is64, sizeof(void *) == 8);
	if (arch__here()->clock)
		CHECK(arch__here()->clock() <= arch__here()->clock());
}
