// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/registers.h"
#include "util/format/sample.h"

const struct arch *unwind_arch__of(const struct arch *arch, u64 abi)
{
	if (abi == PERF_SAMPLE_REGS_ABI_32 && arch->narrow)
		arch = arch->narrow;
	if (!arch->sp || abi != (arch->is64 ? PERF_SAMPLE_REGS_ABI_64 : PERF_SAMPLE_REGS_ABI_32))
		return NULL;
	return arch;
}

void unwind_regs__take(struct unwind_regs *regs, const struct arch *arch,
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
