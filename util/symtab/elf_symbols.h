/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds the symbols of one ELF image to a symtab: .symtab or .dynsym, and entries of the PLT as
 * "NAME@plt". Which file to take is decided in symtab_elf.c.
 */
#ifndef PERF_UTIL_SYMTAB_ELF_SYMBOLS_H
#define PERF_UTIL_SYMTAB_ELF_SYMBOLS_H

#include "util/elf/elf_file.h"
#include "util/symtab/symtab.h"

/*
 * Append the symbols of the table section of @type (SHT_SYMTAB or SHT_DYNSYM). Returns how many
 * were added; 0 where the file has no such table or the table is damaged.
 */
u32 elf_symbols__add(struct symtab *symtab, struct elf_file *elf, u32 type);

/*
 * Append a symbol for each entry of .plt and .plt.sec, named by the file's relocations: by that of
 * the word that the entry jumps through (x86-64), else by their order.
 */
void elf_symbols__add_plt(struct symtab *symtab, struct elf_file *elf);

/*
 * Set the segments for symtab__vaddr_of_offset(): code first, then data, then the rest of the page
 * behind their ends, where .bss begins.
 */
void elf_symbols__set_segments(struct symtab *symtab, const struct elf_file *elf);

#endif
