/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where threads start: by the names of functions (start.h), and in objects whose symbols do not
 * tell, libraries without their debug file, by other evidence:
 *  - The unwind tables say of outermost frames that they return nowhere.
 *  - The entry point of the file is known.
 *  - The C library keeps the names of what it exports. Without a name of its own, what
 *    __libc_start_main calls has called main, and what pthread_create, or a function that it
 *    calls, takes the address of is where threads begin (looked for in x86-64 code only).
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

/* What the code of a user program at @addr of a dso (as for session_symbols__find()) is. */
enum start_kind start_code__kind(struct start_code *start, u32 dso, u64 addr);

/* The machine (EM_*) that a dso's code is for; 0: its file cannot be read. */
u16 start_code__machine(struct start_code *start, u32 dso);

#endif
