/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbols of an ELF object: from the file itself, its separate debug file, or the compressed
 * table inside of it.
 */
#ifndef PERF_UTIL_SYMTAB_SYMTAB_ELF_H
#define PERF_UTIL_SYMTAB_SYMTAB_ELF_H

#include "util/symtab/object_file.h"
#include "util/symtab/symtab.h"

/* Fill an empty table. 0 or a negative errno with symtab->error filled; it is then empty. */
int symtab__load_elf(struct symtab *symtab, const struct object_file_request *request);

/* Fill the error of one whose file, @path, is there and has none: -ENODATA. */
void symtab__no_symbols(struct symtab *symtab, const char *path);

#endif
