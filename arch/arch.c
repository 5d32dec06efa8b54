// SPDX-License-Identifier: GPL-2.0-or-later
#include "arch/arch.h"

#include <fnmatch.h>

#include "arch/tables.h"
#include "util/lib/alloc.h"

static const struct arch *const all[] = {
	&arch_x86_64, &arch_i386,  &arch_arm64, &arch_riscv64,
	&arch_arm,    &arch_ppc64, &arch_s390,  &arch_loongarch,
};

static const struct arch unknown = { .pc = NO_COLUMN };

const struct arch *arch__here(void)
{
#if defined(__x86_64__)
	return &arch_x86_64;
#elif defined(__i386__)
	return &arch_i386;
#elif defined(__aarch64__)
	return &arch_arm64;
#elif defined(__riscv) && __riscv_xlen == 64
	return &arch_riscv64;
#elif defined(__arm__)
	return &arch_arm;
#elif defined(__powerpc64__)
	return &arch_ppc64;
#elif defined(__s390__)
	return &arch_s390;
#elif defined(__loongarch__)
	return &arch_loongarch;
#else
	return &unknown;
#endif
}

const struct arch *arch__find(const char *uname)
{
	if (!uname)
		return arch__here();
	for (u32 i = 0; i < ARRAY_SIZE(all); i++)
		for (u32 k = 0; k < ARRAY_SIZE(all[i]->unames) && all[i]->unames[k]; k++)
			if (!fnmatch(all[i]->unames[k], uname, 0))
				return all[i];
	return &unknown;
}

const struct arch *arch__of_object(unsigned e_machine)
{
	for (u32 i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i]->machine == e_machine)
			return all[i];
	return &unknown;
}
