/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads the symbols of an ELF object: from its file, its separate debug file, or the compressed
 * table inside it.
 */
#ifndef PERF_UTIL_SYMTAB_SYMTAB_ELF_H
#define PERF_UTIL_SYMTAB_SYMTAB_ELF_H

#include "util/symtab/object_file.h"
#include "util/symtab/symtab.h"

/* Fill an empty table. 0 or a negative errno with symtab->error filled; the table is empty then. */
int symtab__load_elf(struct symtab *symtab, const struct object_file_request *request);

/* Set symtab->error for a file @path that has no symbols: -ENODATA. */
void symtab__no_symbols(struct symtab *symtab, const char *path);

#endif
