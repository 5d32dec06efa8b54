/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out, from the code of x86-64, that callers are missing between two neighbours of a chain.
 *
 * Where a function keeps no frame, a chain by frame pointers goes from it to the caller of the
 * innermost function that keeps one: the call in front of that return address leads to this
 * function. If it calls nothing that could be the first one, others without frames lie in between.
 */
#ifndef PERF_UTIL_UNWIND_CALLS_H
#define PERF_UTIL_UNWIND_CALLS_H

#include "util/unwind/tables.h"

struct calls; /* private; for one thread */

/* A place in a dso's code (as for session_symbols__find()). */
struct code_place {
	u32 dso;
	u64 addr;
};

/* All borrowed. */
struct calls *calls__new(const struct dsos *dsos, const struct symbol_config *config,
                         struct unwind_tables *tables);
void calls__delete(struct calls *calls);

/*
 * Has the function that was called in front of @back surely not called the one at @place itself?
 * False where that cannot be told: indirect calls, code that cannot be read.
 */
bool calls__are_missing(struct calls *calls, const struct code_place *back,
                        const struct code_place *place);

#endif
