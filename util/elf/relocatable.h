/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relocates kernel modules, which no linker gave addresses to, as the kernel does. Code gets the
 * addresses that it had, and the DWARF sections are relocated to match.
 *
 * The kernel's layout (layout_sections() since 2.5): sections with code follow one another in the
 * order of the file, each aligned, from the module's address in /proc/modules, which recordings
 * have, too. Sections whose names begin with ".init" are not among them: they lie elsewhere and are
 * freed when the module has started. (Sections that the kernel fills itself, .plt of arm64, come
 * last.) Linux's perf uses offsets in the file, and is wrong behind .init.text.
 */
#ifndef PERF_UTIL_ELF_RELOCATABLE_H
#define PERF_UTIL_ELF_RELOCATABLE_H

#include "util/elf/elf_file.h"

/*
 * Set sh_addr of all sections of a module that was loaded at @start; 0 for sections whose address
 * is not known. Linked files stay as they are.
 */
void relocatable__set_addresses(struct elf_file *elf, u64 start);

/* Does the section have an address? In a module that was placed, not all have one. */
bool relocatable__has_address(const struct elf_file *elf, const struct elf_section *section);

/*
 * Relocate the DWARF sections that lines and inlined functions are read from, in the contents that
 * elf_rawdata() gives. @elf is a file (not an image) whose section sizes were checked. Relocations
 * of other sections are not read. 0; -ENOEXEC: an unknown relocation; -EBADMSG: damaged; -EFBIG:
 * more than a gigabyte of them.
 */
int relocatable__apply(struct elf_file *elf);

/* What code refers to that has no known address: functions of the kernel, data of the module. */
struct relocated_code;

/*
 * Relocate @size @bytes of code, read from address @start in @section of a module whose sections
 * have addresses. Bytes that refer to what has none stay as they are. Never NULL. @elf and @bytes
 * must live longer; unknown and damaged relocations are passed over.
 */
struct relocated_code *relocated_code__new(struct elf_file *elf, const struct elf_section *section,
                                           u64 start, u8 *bytes, u64 size);
void relocated_code__delete(struct relocated_code *code);

/*
 * The name of what has no known address, but the instruction at @addr of @size bytes refers to it,
 * and how far behind it; NULL: it refers to nothing, or to what its own bytes say. Owned by the
 * elf_file.
 */
const char *relocated_code__name(struct relocated_code *code, u64 addr, u32 size, s64 *offset);

#endif
