/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ELF files as bytes: headers, section and program tables, section contents. Both classes and
 * both byte orders, from a file or from memory. Every read is a bounded pread into memory of our
 * own: a file that is cut while we look at it gives an error, never SIGBUS; and only the bytes
 * asked for become resident. Nothing here believes a size that the file is too small for.
 */
#ifndef PERF_UTIL_SYMBOL_ELF_FILE_H
#define PERF_UTIL_SYMBOL_ELF_FILE_H

#include <elf.h>

#include "util/lib/cursor.h"
#include "util/lib/types.h"

struct elf_section {
	const char *name; /* "" when out of the name table; owned by the elf_file */
	u32 type, link, info;
	u64 flags, addr, offset, size, entsize;
};

struct elf_program {
	u32 type, flags;
	u64 offset, vaddr, filesz, memsz;
};

struct elf_file {
	int fd;          /* -1: from memory */
	const u8 *image; /* from memory: borrowed */
	u64 size;
	bool is64, swap;
	u16 type, machine;
	struct elf_section *sections;
	u32 nr_sections;
	struct elf_program *programs;
	u32 nr_programs;
	char *section_names;
};

/*
 * Open and read the header and both tables. Returns 0, -errno of open(2)/read(2), -ENOEXEC when
 * it is not ELF, -EBADMSG when its tables do not fit the file. Close after success only.
 * A damaged section table leaves the programs usable and the other way round (nr 0).
 */
int elf_file__open(struct elf_file *elf, const char *path);
int elf_file__open_memory(struct elf_file *elf, const void *image, size_t size);
void elf_file__close(struct elf_file *elf);

/* The first section of this name or of this type, or NULL. */
const struct elf_section *elf_file__section(const struct elf_file *elf, const char *name);
const struct elf_section *elf_file__section_of_type(const struct elf_file *elf, u32 type);

/* Read @len bytes at @offset: 0, -EBADMSG when the file has fewer, or -errno. */
int elf_file__read(const struct elf_file *elf, u64 offset, void *buf, size_t len);

/*
 * The section's bytes, malloc'ed with one zero byte behind them; NULL when the section has none
 * (NOBITS), does not fit into the file, or is compressed.
 */
void *elf_file__load(const struct elf_file *elf, const struct elf_section *section);

/* One entry of a symbol table section, in the machine's own terms. */
struct elf_symbol {
	u32 name;
	u8 info, other;
	u16 shndx;
	u64 value, size;
};

/* Size of an entry, and the decoder; @entry must have that many bytes. */
size_t elf_file__symbol_size(const struct elf_file *elf);
void elf_file__symbol(const struct elf_file *elf, const void *entry, struct elf_symbol *symbol);

#endif
