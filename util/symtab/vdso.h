/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The vdso: the image that the kernel maps into each process, as an ELF file in memory. */
#ifndef PERF_UTIL_SYMTAB_VDSO_H
#define PERF_UTIL_SYMTAB_VDSO_H

#include "util/elf/elf_file.h"
#include "util/machine/dsos.h"
#include "util/symtab/symbol_config.h"
#include "util/symtab/symtab.h"

/*
 * Open the image of @dso: the build-id cache's, or our own when it is the same. 0 or -ESTALE. *path
 * (@path may be NULL) is set to the path of the file, malloc'ed; NULL for our own.
 */
int vdso__open(struct elf_file *elf, const struct symbol_config *config, const struct dso *dso,
               char **path);

/* Fill an empty table with its symbols, or set table->error. */
void vdso__load(struct symtab *table, const struct symbol_config *config, const struct dso *dso);

#endif
