/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects that no linker gave addresses to: kernel modules, which the kernel puts to their places
 * and relocates itself. Here the same is done for what is read of them: their code gets the
 * addresses that it had, and the sections of DWARF what they refer to.
 *
 * The kernel's rule (layout_sections() since 2.5): from the address that /proc/modules tells, and
 * so recordings, sections with code in the order of the file, each aligned; but not those whose
 * names begin with ".init", which lie elsewhere and go when the module has started. (Sections that
 * it makes room in itself, .plt of arm64, come last.) Linux's perf goes by offsets in the file, and
 * is wrong behind .init.text.
 */
#ifndef PERF_UTIL_ELF_RELOCATABLE_H
#define PERF_UTIL_ELF_RELOCATABLE_H

#include "util/elf/elf_file.h"

/*
 * Set sh_addr of all sections of a module that was loaded at @start; 0: of what has no known place.
 * Other files, linked ones, stay as they are.
 */
void relocatable__set_addresses(struct elf_file *elf, u64 start);

/* False: it is in a module that was placed, in a section that was not. */
bool relocatable__has_address(const struct elf_file *elf, const struct elf_section *section);

/*
 * Relocate what lines and inlined functions are read from: the contents that elf_rawdata() gives
 * for sections of an ELF file (not an image) whose sizes were looked at before. Of other sections
 * no relocation is read. 0; -ENOEXEC: a relocation that is not known; -EBADMSG: damaged; -EFBIG: a
 * gigabyte of them.
 */
int relocatable__apply(struct elf_file *elf);

#endif
