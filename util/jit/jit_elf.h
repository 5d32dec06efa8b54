/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes an ELF file for one function of a JIT compiler, so that it can be named, unwound and
 * disassembled. The file has .text, .symtab, a build-id, and line numbers and .eh_frame where the
 * dump has them.
 */
#ifndef PERF_UTIL_JIT_JIT_ELF_H
#define PERF_UTIL_JIT_JIT_ELF_H

#include "util/elf/build_id.h"
#include "util/jit/jitdump.h"
#include "util/lib/out.h"

/* File offset and address of the code in the file (as in the files of Linux's perf). */
#define JIT_ELF_TEXT 0x80u

/* Append the file to @out (in memory, empty). *id gets its build-id: made from name and code. */
void jit_elf__make(struct out *out, u32 machine, const struct jitdump_code *code,
                   struct build_id *id);

/* ---- between jit_elf.c and jit_lines.c ---- */

struct jit_debug { /* the three sections; in memory */
	struct out line, info, abbrev;
};

/* DWARF 4 for the lines of @code; sections stay empty when it has none. */
void jit_debug__make(struct jit_debug *debug, const struct jitdump_code *code);
void jit_debug__exit(struct jit_debug *debug);

#endif
