/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of a sample by DWARF numbers, as unwinding needs them.
 */
#ifndef PERF_UTIL_UNWIND_REGISTERS_H
#define PERF_UTIL_UNWIND_REGISTERS_H

#include "arch/arch.h"
#include "util/format/sample.h"
#include "util/unwind/cfi.h"

/*
 * The table to unwind samples by: @abi (PERF_SAMPLE_REGS_ABI_*) is the sample's, @arch that of the
 * machine that took it. NULL: they cannot be unwound.
 */
const struct arch *unwind_arch__of(const struct arch *arch, u64 abi);

/* Registers by DWARF number, and the program counter. */
struct unwind_regs {
	u64 pc;
	u64 values[CFI_NR_REGS];
	u64 known; /* bit for each number whose value is known */
	bool has_pc;
};

/* Take the registers of a sample; @values has one for each bit of @mask. */
void unwind_regs__take(struct unwind_regs *regs, const struct arch *arch,
                       const struct u64_span *values, u64 mask, bool swap);

#endif
