// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/registers.h"

#include <elf.h>
#include <string.h>
#include <sys/utsname.h>

#ifndef EM_RISCV
#define EM_RISCV 243
#endif

#define X NO_COLUMN

/* Samples: ax bx cx dx si di bp sp ip flags cs ss ds es fs gs r8..r15. */
static const struct unwind_arch x86_64 = {
	.name = "x86_64",
	.machine = EM_X86_64,
	.is64 = true,
	.sp = 7,
	.fp = 6,
	.pc = 16,
	.pc_bit = 8,
	.pc_mask = UINT64_MAX,
	.columns = { 0,  3,  2, 1, 4, 5, 6, 7, X, X, X, X, X, X, X, X, 8, 9, 10, 11, 12, 13,
	             14, 15, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,  X,  X,  X,
	             X,  X,  X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,  X },
};

static const struct unwind_arch i386 = {
	.name = "i386",
	.machine = EM_386,
	.sp = 4,
	.fp = 5,
	.pc = 8,
	.pc_bit = 8,
	.pc_mask = UINT32_MAX,
	.columns = { 0, 3, 1, 2, 6, 7, 5, 4, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	             X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	             X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X },
};

/* Samples: x0..x30 sp pc. Addresses of programs have 48 bits, above is room for signatures. */
static const struct unwind_arch arm64 = {
	.name = "aarch64",
	.machine = EM_AARCH64,
	.is64 = true,
	.sp = 31,
	.fp = 29,
	.pc = 32,
	.pc_bit = 32,
	.pc_mask = (1ull << 48) - 1,
	.columns = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
	             16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
	             X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,
	             X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X },
};

/* Samples: pc, then x1..x31. */
static const struct unwind_arch riscv64 = {
	.name = "riscv64",
	.machine = EM_RISCV,
	.is64 = true,
	.sp = 2,
	.fp = 8,
	.record = -2,
	.pc = NO_COLUMN,
	.pc_bit = 0,
	.pc_mask = UINT64_MAX,
	.columns = { X,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
	             16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
	             X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,
	             X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X,  X },
};

const struct unwind_arch *unwind_arch__find(const char *machine, u64 abi)
{
	struct utsname here;

	if (!machine)
		machine = uname(&here) ? "" : here.machine;
	if (!strcmp(machine, "x86_64"))
		return abi == PERF_SAMPLE_REGS_ABI_64   ? &x86_64
		       : abi == PERF_SAMPLE_REGS_ABI_32 ? &i386
		                                        : NULL;
	if (machine[0] == 'i' && strlen(machine) == 4 && !strcmp(machine + 2, "86"))
		return abi == PERF_SAMPLE_REGS_ABI_32 ? &i386 : NULL;
	if (abi != PERF_SAMPLE_REGS_ABI_64)
		return NULL;
	if (!strcmp(machine, "aarch64") || !strcmp(machine, "arm64"))
		return &arm64;
	return !strcmp(machine, "riscv64") ? &riscv64 : NULL;
}

void unwind_regs__take(struct unwind_regs *regs, const struct unwind_arch *arch,
                       const struct u64_span *values, u64 mask, bool swap)
{
	u64 width = arch->is64 ? UINT64_MAX : UINT32_MAX;

	*regs = (struct unwind_regs){ .known = 0 };
	for (u64 i = 0; mask && i < values->nr; i++, mask &= mask - 1) {
		unsigned bit = __builtin_ctzll(mask);
		u64 value = u64_span__get(values, i, swap) & width;

		if (bit == arch->pc_bit) {
			regs->pc = value;
			regs->has_pc = true;
		} else if (arch->columns[bit] != NO_COLUMN) {
			regs->values[arch->columns[bit]] = value;
			regs->known |= 1ull << arch->columns[bit];
		}
	}
}
