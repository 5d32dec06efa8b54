/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The code of a session's objects, read from their files: what a function calls can be told from
 * it. */
#ifndef PERF_UTIL_UNWIND_DSO_CODE_H
#define PERF_UTIL_UNWIND_DSO_CODE_H

#include "util/symtab/object_file.h"

/* The file of one dso at a time, open. For one thread. */
struct code_file {
	const struct dsos *dsos;
	const struct symbol_config *config;
	struct object_files files; /* of `dso` */
	u32 dso;                   /* ID_NONE: none was asked for */
	bool open;
};

/* Both are borrowed. */
void code_file__init(struct code_file *file, const struct dsos *dsos,
                     const struct symbol_config *config);
void code_file__exit(struct code_file *file);

/* The file of a dso, until the next call; NULL: it cannot be opened. */
struct elf_file *code_file__elf(struct code_file *file, u32 dso);

/* Code in memory, and where it runs. */
struct dso_code {
	u8 *bytes;
	u64 len;
	u64 vaddr;
};

/* The code from @from to @to; empty if the file does not have it, or it is longer than 64 KiB. */
void dso_code__read(struct dso_code *code, const struct elf_file *elf, u64 from, u64 to);
void dso_code__exit(struct dso_code *code);

/* The address behind four bytes of distance at @at, where an instruction of x86-64 ends. */
u64 dso_code__relative(const struct dso_code *code, size_t at);

#endif
