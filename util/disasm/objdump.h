/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disassembles code by running a program that takes the options of GNU objdump (llvm-objdump, the
 * objdump of another architecture): --objdump=PATH. It is started without a shell.
 */
#ifndef PERF_UTIL_DISASM_OBJDUMP_H
#define PERF_UTIL_DISASM_OBJDUMP_H

#include "util/disasm/disasm.h"

struct objdump; /* a running program */

/*
 * Start @program (found in PATH) on the open ELF file @fd, for the code from @start to @end.
 * @style: for its option -M, or NULL. NULL with @err when it cannot be started.
 */
struct objdump *objdump__start(const char *program, int fd, u64 start, u64 end, const char *style,
                               struct error *err);

/* The next instruction, whose text has the names already. False: there is none. */
bool objdump__next(struct objdump *objdump, struct insn *insn);

/* 0, or -EIO with @err when the program failed. */
int objdump__end(struct objdump *objdump, struct error *err);

#endif
