// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Architectures about which little is known so far. Recordings with frame-pointer chains need no
 * more; most registers are named r0, r1 ..., and copied stacks are not unwound.
 */
#include "arch/tables.h"

const struct arch arch_arm = {
	.unames = { "arm*" },
	.machine = EM_ARM,
	.pc = NO_COLUMN,
	.plt_header = 20,
	.plt_entry = 12,
	.mapping_symbols = true,
	.symbol_flags = 1, /* Thumb code */
	.cpudesc_key = "model name",
};

const struct arch arch_loongarch = {
	.unames = { "loongarch*" },
	.machine = EM_LOONGARCH,
	.is64 = true,
	.pc = NO_COLUMN,
	.cpudesc_key = "Model Name",
};

const struct arch arch_ppc64 = {
	.unames = { "ppc64*" },
	.machine = EM_PPC64,
	.is64 = true,
	.pc = NO_COLUMN,
	.cpudesc_key = "cpu",
};

/* As perf_regs.h orders them; the names are those that Linux's perf prints. */
static const char *const s390_registers[64] = {
	"R0",  "R1",  "R2",   "R3",   "R4",   "R5",   "R6",   "R7",   "R8",   "R9",  "R10", "R11",
	"R12", "R13", "R14",  "R15",  "FP0",  "FP1",  "FP2",  "FP3",  "FP4",  "FP5", "FP6", "FP7",
	"FP8", "FP9", "FP10", "FP11", "FP12", "FP13", "FP14", "FP15", "MASK", "PC",
};

const struct arch arch_s390 = {
	.unames = { "s390*" },
	.machine = EM_S390,
	.registers = s390_registers,
	.is64 = true,
	.pc = NO_COLUMN,
	.cpudesc_key = "vendor_id",
};
