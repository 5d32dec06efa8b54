/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the recorded kernel's code as it ran, modules included, with all that was patched into it
 * since boot: an ELF core file "kcore", beside which lies "kallsyms", the symbols of the same time.
 */
#ifndef PERF_UTIL_SYMTAB_KERNEL_CORE_H
#define PERF_UTIL_SYMTAB_KERNEL_CORE_H

#include "util/machine/dsos.h"
#include "util/symtab/symbol_config.h"

/*
 * The path of the core file, malloc'ed; NULL: there is none that can be read. It is the one beside
 * config->kallsyms (of `record --kcore`, too), else in the build-id cache a copy made by
 * `buildid-cache --kcore` in the same boot, else /proc/kcore if the recorded kernel still runs.
 */
char *kernel_core__find(const struct dsos *dsos, const struct symbol_config *config);

#endif
