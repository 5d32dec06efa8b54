/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads the symbols of the kernel and its modules, from the first source there is. The order is
 * that of Linux's perf 6.1: --kallsyms, --vmlinux, a vmlinux of the recorded build-id in the usual
 * folders, the list in the build-id cache, this machine's /proc/kallsyms (only if the recording is
 * of this very kernel). Addresses of another kernel stay numbers.
 */
#ifndef PERF_UTIL_SYMTAB_KERNEL_H
#define PERF_UTIL_SYMTAB_KERNEL_H

#include "util/machine/dsos.h"
#include "util/symtab/symbol_config.h"
#include "util/symtab/symtab.h"

struct file_trail;

struct kernel_target {
	const struct dso *dso; /* DSO_KERNEL or DSO_MODULE */
	struct symtab *table;  /* empty */
	const u64 *wanted;     /* see kallsyms.h */
	u32 nr_wanted;
	struct file_trail *trail; /* notes what is looked at; or NULL */
};

/* Fill the tables of all targets; those without a source get an error. */
void kernel__load(const struct dsos *dsos, const struct symbol_config *config,
                  struct kernel_target *targets, u32 nr);

/*
 * May there be code of the recorded kernel or of one of its modules: a vmlinux, a core, files of
 * modules?
 * Cheap: no symbols are read.
 */
bool kernel__has_code(const struct dsos *dsos, const struct symbol_config *config);

#endif
