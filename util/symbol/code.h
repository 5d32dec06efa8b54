/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a function, from the object that was recorded: the same files that its symbols come
 * from. A file with another build-id is refused, because its code is other code. Kernel modules are
 * relocated; the code of BPF programs is in the recording.
 */
#ifndef PERF_UTIL_SYMBOL_CODE_H
#define PERF_UTIL_SYMBOL_CODE_H

#include "util/disasm/disasm.h"
#include "util/symbol/session_symbols.h"

struct code {
	u64 start, size; /* in the terms of the dso's symbol table */
	u8 *bytes;
	u64 nr_missing;   /* at the end: in no part of the file */
	char section[32]; /* ".text" */
	struct disasm_options machine;
	int fd; /* the open ELF file, whose addresses these are; borrowed; -1: there is none */
	struct relocated_code *relocated; /* of a kernel module; or NULL */
};

struct session;
struct code_files; /* the objects that are open */

/* All borrowed. */
struct code_files *code_files__new(struct session_symbols *symbols, const struct session *session);
void code_files__delete(struct code_files *files);

/*
 * Read the code of @dso from @start to @end. 0; else a negative errno with @err, whose advice says
 * which file would do: -ENODATA where no file can have the code (perf-PID.map). Exit @code after
 * success.
 */
int code_files__read(struct code_files *files, u32 dso, u64 start, u64 end, struct code *code,
                     struct error *err);
void code__exit(struct code *code);

/* Do two addresses of @dso, whose code was read, lie in one section? */
bool code_files__same_section(struct code_files *files, u32 dso, u64 a, u64 b);

/* Is @dso an object of 64 bits? @otherwise, if it cannot be opened. */
bool code_files__is64(struct code_files *files, u32 dso, bool otherwise);

#endif
