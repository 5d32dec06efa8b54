/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the functions in which threads start by their names (start.h), or by other evidence. The
 * latter is for objects whose symbols do not suffice (libraries without their debug file):
 *  - The unwind tables mark outermost frames: they return nowhere.
 *  - The entry point of the file is known.
 *  - The C library keeps the names of what it exports. A function without a name is the caller of
 *    main if __libc_start_main calls it. It is where threads begin if its address is taken by
 *    pthread_create, or by a function that this calls (looked for in x86-64 code only).
 */
#ifndef PERF_UTIL_UNWIND_START_CODE_H
#define PERF_UTIL_UNWIND_START_CODE_H

#include "util/symbol/session_symbols.h"
#include "util/unwind/start.h"
#include "util/unwind/tables.h"

struct start_code; /* private; for one thread */

/* All borrowed. */
struct start_code *start_code__new(const struct dsos *dsos, struct session_symbols *symbols,
                                   struct unwind_tables *tables);
void start_code__delete(struct start_code *start);

/* The kind of the user program's code at @addr of a dso (as for session_symbols__find()). */
enum start_kind start_code__kind(struct start_code *start, u32 dso, u64 addr);

/* The machine (EM_*) that a dso's code is for; 0: its file cannot be read. */
u16 start_code__machine(struct start_code *start, u32 dso);

#endif
