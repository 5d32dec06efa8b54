// SPDX-License-Identifier: GPL-2.0-or-later
/* 64-bit RISC-V. Samples hold pc, x1 .. x31: pc takes the position of DWARF's x0 (always 0). */
#include "arch/tables.h"

#define X NO_COLUMN

static const char *const registers[64] = {
	"pc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
	"a1", "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
	"s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

/* By number: glibc names only some of them. */
static const struct relocation_type relocations[] = {
	{ 0, RELOCATE_NOTHING, 0 }, /* R_RISCV_NONE */
	{ 1, RELOCATE_SET, 4 },     /* R_RISCV_32 */
	{ 2, RELOCATE_SET, 8 },     /* R_RISCV_64 */
	{ 33, RELOCATE_ADD, 1 },    /* R_RISCV_ADD8 */
	{ 34, RELOCATE_ADD, 2 },    /* R_RISCV_ADD16 */
	{ 35, RELOCATE_ADD, 4 },    /* R_RISCV_ADD32 */
	{ 36, RELOCATE_ADD, 8 },    /* R_RISCV_ADD64 */
	{ 37, RELOCATE_SUB, 1 },    /* R_RISCV_SUB8 */
	{ 38, RELOCATE_SUB, 2 },    /* R_RISCV_SUB16 */
	{ 39, RELOCATE_SUB, 4 },    /* R_RISCV_SUB32 */
	{ 40, RELOCATE_SUB, 8 },    /* R_RISCV_SUB64 */
	{ 52, RELOCATE_SUB6, 1 },   /* R_RISCV_SUB6 */
	{ 53, RELOCATE_SET6, 1 },   /* R_RISCV_SET6 */
	{ 54, RELOCATE_SET, 1 },    /* R_RISCV_SET8 */
	{ 55, RELOCATE_SET, 2 },    /* R_RISCV_SET16 */
	{ 56, RELOCATE_SET, 4 },    /* R_RISCV_SET32 */
	{ 60, RELOCATE_SET, 0 },    /* R_RISCV_SET_ULEB128 */
	{ 61, RELOCATE_SUB, 0 },    /* R_RISCV_SUB_ULEB128 */
};

const struct arch arch_riscv64 = {
	.unames = { "riscv64" },
	.machine = EM_RISCV,
	.is64 = true,
	.registers = registers,
	.dwarf_registers = 0xffffffff,
	.sp_bit = 2,
	.pc_bit = 0,
	.columns = { X,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
	             11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
	             22, 23, 24, 25, 26, 27, 28, 29, 30, 31, [32 ... 63] = X },
	.sp = 2,
	.fp = 8,
	.record = -2,
	.pc = NO_COLUMN,
	.pc_mask = UINT64_MAX,
	.plt_header = 32,
	.plt_entry = 16,
	.mapping_symbols = true,
	.mapping_sets = true,
	.relocations = relocations,
	.nr_relocations = ARRAY_SIZE(relocations),
	.cpudesc_key = "uarch",
};
