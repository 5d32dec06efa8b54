// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Architectures of which little is known so far. Recordings with chains of frame pointers are read
 * without it; registers in them are called r0, r1 ..., and copied stacks are not unwound.
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

const struct arch arch_s390 = {
	.unames = { "s390*" },
	.machine = EM_S390,
	.is64 = true,
	.pc = NO_COLUMN,
	.cpudesc_key = "vendor_id",
};
