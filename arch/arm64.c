// SPDX-License-Identifier: GPL-2.0-or-later
/* 64-bit ARM. Samples hold x0 .. x30, sp, pc; DWARF numbers them alike. */
#include "arch/tables.h"

#define X NO_COLUMN

static const char
        *const registers[64] = {
	        "x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",        "x7",  "x8",
	        "x9",  "x10", "x11", "x12", "x13", "x14", "x15",       "x16", "x17",
	        "x18", "x19", "x20", "x21", "x22", "x23", "x24",       "x25", "x26",
	        "x27", "x28", "x29", "lr",  "sp",  "pc",  [46] = "vg", /* the length of vectors */
        };

static const struct relocation_type relocations[] = {
	{ R_AARCH64_NONE, RELOCATE_NOTHING, 0 },
	{ R_AARCH64_ABS64, RELOCATE_SET, 8 },
	{ R_AARCH64_ABS32, RELOCATE_SET, 4 },
	{ R_AARCH64_ABS16, RELOCATE_SET, 2 },
};

static const struct relocation_type code_relocations[] = {
	{ R_AARCH64_CALL26, RELOCATE_BRANCH26, 4 },
	{ R_AARCH64_JUMP26, RELOCATE_BRANCH26, 4 },
	{ R_AARCH64_ADR_PREL_PG_HI21, RELOCATE_PART, 4 },
	{ R_AARCH64_ADD_ABS_LO12_NC, RELOCATE_PART, 4 },
	{ R_AARCH64_LDST8_ABS_LO12_NC, RELOCATE_PART, 4 },
	{ R_AARCH64_LDST16_ABS_LO12_NC, RELOCATE_PART, 4 },
	{ R_AARCH64_LDST32_ABS_LO12_NC, RELOCATE_PART, 4 },
	{ R_AARCH64_LDST64_ABS_LO12_NC, RELOCATE_PART, 4 },
	{ R_AARCH64_LDST128_ABS_LO12_NC, RELOCATE_PART, 4 },
};

const struct arch arch_arm64 = {
	.unames = { "aarch64*", "arm64" },
	.machine = EM_AARCH64,
	.is64 = true,
	.registers = registers,
	.dwarf_registers = 0x1ffffffff,
	.sp_bit = 31,
	.pc_bit = 32,
	.columns = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
	             11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
	             22, 23, 24, 25, 26, 27, 28, 29, 30, 31, [32 ... 63] = X },
	.sp = 31,
	.fp = 29,
	.pc = 32,
	.pc_mask = (1ull << 48) - 1, /* addresses of programs; above is room for signatures */
	.leaf_link = 30,
	.plt_header = 32,
	.plt_entry = 16,
	.mapping_symbols = true,
	.relocations = relocations,
	.nr_relocations = ARRAY_SIZE(relocations),
	.code_relocations = code_relocations,
	.nr_code_relocations = ARRAY_SIZE(code_relocations),
	.cpudesc_key = "model name",
	.table_folder = "arm64",
	.cpuid_file = "sys/devices/system/cpu/cpu0/regs/identification/midr_el1",
};
