/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of a sample as unwinding needs them: by the numbers of DWARF.
 */
#ifndef PERF_UTIL_UNWIND_REGISTERS_H
#define PERF_UTIL_UNWIND_REGISTERS_H

#include "arch/arch.h"
#include "util/format/sample.h"
#include "util/unwind/cfi.h"

/*
 * By which table samples are unwound: @abi (PERF_SAMPLE_REGS_ABI_*) that of the sample, @arch of
 * the machine that took it. NULL: they cannot be.
 */
const struct arch *unwind_arch__of(const struct arch *arch, u64 abi);

/* Registers by DWARF's number, and where the code is. */
struct unwind_regs {
	u64 pc;
	u64 values[CFI_NR_REGS];
	u64 known; /* bit for each number whose value is known */
	bool has_pc;
};

/* From the registers in a sample, of which there is one for each bit of @mask. */
void unwind_regs__take(struct unwind_regs *regs, const struct arch *arch,
                       const struct u64_span *values, u64 mask, bool swap);

#endif
