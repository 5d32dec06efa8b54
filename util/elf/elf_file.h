/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Object files, read through libelf: headers, program and section tables, section contents. Both
 * classes and both byte orders are supported; the source is a file or memory. libelf gets checks
 * added: a count or a size that the file is too small for, or that no real file has, is rejected.
 * Nothing is mapped unless asked for (ELF_C_READ reads instead): a file that is truncated meanwhile
 * gives an error, never SIGBUS, and only the parts asked for become resident.
 *
 * An elf_file belongs to one thread; different ones may be used at the same time.
 */
#ifndef PERF_UTIL_ELF_ELF_FILE_H
#define PERF_UTIL_ELF_ELF_FILE_H

#include <gelf.h>

#include "util/lib/cursor.h"

struct elf_section {
	const char *name; /* "" when out of the name table; owned by the elf_file */
	GElf_Shdr header; /* as in the file, but see relocatable.h */
	Elf_Scn *scn;
	Elf_Data *data; /* set by elf_file__data() */
};

struct elf_file {
	Elf *handle;     /* for readers of DWARF and the like; valid until elf_file__close() */
	int fd;          /* -1: from memory */
	const u8 *image; /* from memory: borrowed, never written to */
	u8 *unpacked;    /* the image of a file that was packed (packed.h), or NULL */
	void *mapped;    /* see elf_file__map(); else NULL */
	u64 size;
	bool is64, swap;
	u16 type, machine;
	GElf_Phdr *programs;
	u32 nr_programs;
	struct elf_section *sections; /* after elf_file__sections(), section 0 included */
	u32 nr_sections;
	bool sections_read;
};

/*
 * Open a file and read its header and program headers; a packed file (.ko.xz, .ko.zst) is unpacked
 * first. Returns 0, -errno of open(2)/read(2), -ENOEXEC when it is not ELF, -EBADMSG when it is
 * damaged beyond use. Close after success only. A damaged section table leaves the programs usable,
 * and damaged program headers leave the sections usable (the damaged part has nr 0).
 */
int elf_file__open(struct elf_file *elf, const char *path);
int elf_file__open_memory(struct elf_file *elf, const void *image, size_t size);
void elf_file__close(struct elf_file *elf);

/*
 * Go on with a private mapping of the file that was just opened, for users who look at few bytes of
 * large sections. Truncating the file then ends perf by SIGBUS. False, with @elf as it was: it was
 * packed, or cannot be mapped.
 */
bool elf_file__map(struct elf_file *elf);

/*
 * Read the section headers, unless that was done. They are read on demand, because most files are
 * opened for their build-id only, which the program headers lead to. Returns their number; 0 when
 * there are none or the table is damaged.
 */
u32 elf_file__sections(struct elf_file *elf);

/* The first section of this name or of this type, or NULL. */
struct elf_section *elf_file__section(struct elf_file *elf, const char *name);
struct elf_section *elf_file__section_of_type(struct elf_file *elf, u32 type);

/* The virtual address at which the program starts; 0: none. */
u64 elf_file__entry(const struct elf_file *elf);

/* The loaded segment with the byte at @vaddr in the file, or NULL. */
const GElf_Phdr *elf_file__segment(const struct elf_file *elf, u64 vaddr);

/* Read @len bytes at @offset: 0, -EBADMSG when the file has fewer, or -errno. */
int elf_file__read(const struct elf_file *elf, u64 offset, void *buf, size_t len);

/*
 * Up to @max bytes of code at address @vaddr, *size of them: fewer where the file has no more. 0,
 * and the caller frees *code; -ENODATA: the file has nothing there; or as elf_file__read().
 */
int elf_file__code(const struct elf_file *elf, u64 vaddr, u64 max, u8 **code, u64 *size);

/* Does the file have the section's bytes, uncompressed? Not so for NOBITS. */
bool elf_file__holds(const struct elf_file *elf, const struct elf_section *section);

/*
 * The section's content in this machine's byte order, unpacked if it is compressed; owned by the
 * elf_file. NULL: it has no content (NOBITS, empty), does not fit into the file, cannot be unpacked
 * or is unreasonably large. Strings in it may lack their final zero.
 */
Elf_Data *elf_file__data(struct elf_file *elf, struct elf_section *section);

/*
 * The SHT_SYMTAB_SHNDX table of the symbol table in section @table (indexes beyond 16 bits), or
 * NULL.
 */
Elf_Data *elf_file__symbol_indexes(struct elf_file *elf, u32 table);

/*
 * Get symbol @i of a table's contents; all zero when there is no such symbol. Returns its section,
 * or NULL for absolute symbols and the like.
 */
const struct elf_section *elf_file__symbol(const struct elf_file *elf, Elf_Data *entries,
                                           Elf_Data *indexes, u32 i, GElf_Sym *symbol);

/* A note. The padding of the last one may be missing. */
struct elf_note {
	u32 type, name_size, desc_size;
	const u8 *name, *desc; /* not NUL-terminated; in the cursor's bytes */
};

/* Read the note at @c. False at the end, and (with c->failed set) if the rest is no note. */
bool elf_note__next(struct elf_note *note, struct cursor *c);

#endif
