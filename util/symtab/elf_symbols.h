/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbols of one ELF image, put into a symtab: .symtab or .dynsym, and the entries of the
 * procedure linkage table as "NAME@plt". Which file to take is decided in symtab_elf.c.
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
 * Append a symbol for each entry of .plt and .plt.sec, named by the relocations of the file: that
 * of the word an entry jumps through (x86-64), else the one of its place.
 */
void elf_symbols__add_plt(struct symtab *symtab, struct elf_file *elf);

/*
 * The segments, for symtab__vaddr_of_offset(): code first, then data, then what is mapped behind
 * their ends, up to a page, where .bss begins.
 */
void elf_symbols__set_segments(struct symtab *symtab, const struct elf_file *elf);

#endif
