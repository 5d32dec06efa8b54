/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Make small ELF files for tests, in both classes and byte orders: one code segment, a symbol
 * table, optional PLT, notes and debug link. Nothing here is shared with the code under test, and
 * libelf is not used.
 *
 *	struct elf_builder e = { .is64 = true };
 *	elf_builder__symbol(&e, "main", STB_GLOBAL, STT_FUNC, 0x10, 16);
 *	elf_builder__build(&e);		(e.image; or: elf_builder__write() of test_file.h)
 *	elf_builder__exit(&e);
 */
#ifndef PERF_TESTS_ELF_BUILDER_H
#define PERF_TESTS_ELF_BUILDER_H

#include <elf.h>

#include "tests/unit/builder.h"

/* The code: at this offset of the file, mapped at this address. */
#define ELF_TEXT_OFFSET 0x1000u
#define ELF_TEXT_VADDR  0x401000u
#define ELF_TEXT_SIZE   0x2000u
#define ELF_PLT         0x1000u /* its PLT, from the start of the code */

struct elf_builder {
	bool is64, swap, dynsym; /* dynsym: the table is .dynsym, not .symtab */
	bool no_symbols;         /* no table at all */
	u32 dynamic_from;        /* symbols from this one on are in a separate .dynsym; 0: none */
	const char *text_name;   /* of the section with the code; NULL: ".text" */
	bool plt;                /* with dynsym: a PLT with an entry for each symbol, from 0 */
	bool packed;             /* symbols and strings are compressed sections */
	u64 packed_claim;        /* the uncompressed size they claim; 0: the true one */
	u32 fillers;       /* empty sections before the others; before the first symbol is added */
	u16 type, machine; /* 0: ET_DYN, x86-64 or i386 */
	u8 build_id[20];
	u8 build_id_size;      /* 0: no note */
	const char *debuglink; /* NULL: none */
	u32 debuglink_crc;
	struct builder symbols, strings; /* filled by elf_builder__symbol() */
	u32 nr_symbols;
	struct builder extra;   /* content of one more section ... */
	const char *extra_name; /* ... of this name; NULL: none */
	struct builder image;   /* the result */
};

/* @value is relative to the start of the code. */
void elf_builder__symbol(struct elf_builder *e, const char *name, u8 bind, u8 type, u64 value,
                         u64 size);
void elf_builder__build(struct elf_builder *e); /* fills e->image */

void elf_builder__exit(struct elf_builder *e);

#endif
