/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All architecture tables, for arch.c, which looks them up, and the files that define them. */
#ifndef PERF_ARCH_TABLES_H
#define PERF_ARCH_TABLES_H

#include <elf.h>

#include "arch/arch.h"

#ifndef EM_RISCV
#define EM_RISCV 243
#endif
#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

extern const struct arch arch_x86_64, arch_i386, arch_arm64, arch_riscv64;
extern const struct arch arch_arm, arch_loongarch, arch_ppc64, arch_s390; /* few.c */

#endif
