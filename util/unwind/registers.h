/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers that unwinding needs, of each architecture whose samples can be unwound: how a
 * sample numbers them (the kernel's asm/perf_regs.h) and how DWARF does (the psABI of each).
 */
#ifndef PERF_UTIL_UNWIND_REGISTERS_H
#define PERF_UTIL_UNWIND_REGISTERS_H

#include <stdint.h>

#include "util/data/record.h"
#include "util/unwind/cfi.h"

#define NO_COLUMN 0xff

struct unwind_arch {
	const char *name;
	u16 machine; /* EM_* of its objects */
	bool is64;
	u8 sp;          /* DWARF's number of the stack pointer */
	u8 fp;          /* of the frame pointer, ... */
	int8_t record;  /* ... from which the last one and the return address are so many words */
	u8 pc;          /* of the instruction pointer; NO_COLUMN: has none */
	u8 pc_bit;      /* the bit of the instruction pointer in samples */
	u64 pc_mask;    /* what of a return address is an address, not its signature */
	u8 columns[64]; /* by the bit in samples: DWARF's number, or NO_COLUMN */
};

/*
 * @machine as uname says it (NULL: this machine), @abi that of the sample
 * (PERF_SAMPLE_REGS_ABI_*). NULL: its samples cannot be unwound.
 */
const struct unwind_arch *unwind_arch__find(const char *machine, u64 abi);

/* Registers by DWARF's number, and where the code is. */
struct unwind_regs {
	u64 pc;
	u64 values[CFI_NR_REGS];
	u64 known; /* bit for each number whose value is known */
	bool has_pc;
};

/* From the registers in a sample, of which there is one for each bit of @mask. */
void unwind_regs__take(struct unwind_regs *regs, const struct unwind_arch *arch,
                       const struct u64_span *values, u64 mask, bool swap);

#endif
