// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which functions keep a frame, by tables as gcc and clang write them for the three machines that
 * samples are unwound of. The first instruction of a function is at 0, its body behind 0x10.
 */
#include "util/unwind/frame.h"

#include <elf.h>
#include <stdlib.h>

#include "tests/unit/cfi_builder.h"
#include "tests/unit/elf_builder.h"
#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/machine/dsos.h"

#define FUNCTION 0x1000

static enum frame_kind kind_at(u16 machine, u64 at, const u8 *program, size_t len)
{
	struct cfi_builder b = { .eh = true, .is64 = true };
	struct cfi_row row;
	struct cfi cfi;

	if (machine == EM_AARCH64 || machine == EM_RISCV) {
		b.ra_in_register = true;
		b.sp = machine == EM_AARCH64 ? 31 : 2;
		b.ra = machine == EM_AARCH64 ? 30 : 1;
	}
	cfi_builder__common(&b);
	cfi_builder__function(&b, FUNCTION, 0x100, program, len);
	const struct cfi_section section = cfi_builder__section(&b, machine);

	cfi__init(&cfi, &section);
	CHECK_EQ(cfi__row(&cfi, FUNCTION + at, &row, NULL), 0);
	enum frame_kind kind = frame_kind__of_row(&row, &cfi, arch__of_object(machine));

	cfi__exit(&cfi);
	builder__exit(&b.out);
	return kind;
}

#define KIND(machine, at, ...)                                                                     \
	kind_at(machine, at, (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }))

TEST(frame_of_x86_64)
{
	/* push %rbp; mov %rsp,%rbp */
	CHECK_EQ(KIND(EM_X86_64, 0x20, 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6), FRAME_KEPT);
	CHECK_EQ(KIND(EM_X86_64, 0, 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6), FRAME_NONE);
	CHECK_EQ(KIND(EM_X86_64, 2, 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6), FRAME_NONE);
	/* main with its stack aligned anew: the CFA lies at rbp - 8, rbp itself at rbp */
	CHECK_EQ(KIND(EM_X86_64, 0x20, 0x45, 0x0c, 10, 0, 0x4b, 0x10, 6, 2, 0x76, 0, 0x44, 0x0f, 3,
	              0x76, 0x78, 6),
	         FRAME_KEPT);
	CHECK_EQ(KIND(EM_X86_64, 8, 0x45, 0x0c, 10, 0, 0x4b, 0x10, 6, 2, 0x76, 0, 0x44, 0x0f, 3,
	              0x76, 0x78, 6),
	         FRAME_NONE);
	/* sub $24,%rsp; rbp as any other register */
	CHECK_EQ(KIND(EM_X86_64, 0x20, 0x44, 0x0e, 32), FRAME_NONE);
	CHECK_EQ(KIND(EM_X86_64, 0x20, 0x41, 0x0e, 16, 0x86, 2), FRAME_NONE);
	/* the entries of a PLT: an expression that begins with rsp */
	CHECK_EQ(KIND(EM_X86_64, 0x20, 0x0f, 2, 0x77, 8), FRAME_NONE);
	/* nothing calls _start */
	CHECK_EQ(KIND(EM_X86_64, 0x20, 0x07, 16), FRAME_KEPT);
}

TEST(frame_of_arm64)
{
	/* stp x29,x30,[sp,#-16]!; mov x29,sp: gcc stays with sp */
	CHECK_EQ(KIND(EM_AARCH64, 0x20, 0x44, 0x0e, 16, 0x9d, 2, 0x9e, 1), FRAME_KEPT);
	CHECK_EQ(KIND(EM_AARCH64, 0x20, 0x44, 0x0e, 0x50, 0x9d, 10, 0x9e, 9), FRAME_KEPT);
	/* clang, and gcc with alloca(): CFA from x29 */
	CHECK_EQ(KIND(EM_AARCH64, 0x20, 0x44, 0x0e, 16, 0x9d, 2, 0x9e, 1, 0x43, 0x0c, 29, 16),
	         FRAME_KEPT);
	/* str x30,[sp,#-16]! */
	CHECK_EQ(KIND(EM_AARCH64, 0x20, 0x44, 0x0e, 16, 0x9e, 2), FRAME_NONE);
	/* x29 is one of many, and not beside x30 */
	CHECK_EQ(KIND(EM_AARCH64, 0x20, 0x44, 0x0e, 0x40, 0x9d, 4, 0x9e, 8), FRAME_NONE);
	CHECK_EQ(KIND(EM_AARCH64, 0x20, 0x44, 0x0e, 16, 0x9d, 1, 0x9e, 2), FRAME_NONE);
	/* a leaf, and the begin of any function */
	CHECK_EQ(KIND(EM_AARCH64, 0x20, 0x00), FRAME_LINK);
	CHECK_EQ(KIND(EM_AARCH64, 0, 0x44, 0x0e, 16, 0x9d, 2, 0x9e, 1), FRAME_LINK);
	CHECK_EQ(KIND(EM_AARCH64, 0x20, 0x07, 30), FRAME_KEPT);
}

TEST(frame_of_riscv64)
{
	/* addi sp,sp,-32; sd ra,24(sp); sd s0,16(sp); addi s0,sp,32 */
	CHECK_EQ(KIND(EM_RISCV, 0x20, 0x42, 0x0e, 32, 0x44, 0x81, 1, 0x88, 2, 0x42, 0x0c, 8, 0),
	         FRAME_KEPT);
	CHECK_EQ(KIND(EM_RISCV, 6, 0x42, 0x0e, 32, 0x44, 0x81, 1, 0x88, 2, 0x42, 0x0c, 8, 0),
	         FRAME_NONE);
	/* both are stored, s0 as any other register */
	CHECK_EQ(KIND(EM_RISCV, 0x20, 0x42, 0x0e, 64, 0x44, 0x81, 1, 0x88, 2), FRAME_NONE);
	/* a leaf that keeps s0 alone */
	CHECK_EQ(KIND(EM_RISCV, 0x20, 0x42, 0x0e, 16, 0x44, 0x88, 1, 0x42, 0x0c, 8, 0), FRAME_NONE);
	CHECK_EQ(KIND(EM_RISCV, 0x20, 0x00), FRAME_NONE); /* nobody records ra */
	CHECK_EQ(KIND(EM_RISCV, 0x20, 0x07, 1), FRAME_KEPT);
}

TEST(frame_of_machines_whose_registers_are_not_known)
{
	CHECK_EQ(KIND(EM_S390, 0x20, 0x44, 0x0e, 32), FRAME_NOT_KNOWN);
}
