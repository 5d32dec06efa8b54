/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an unwinder is, for those that make up util/unwind/unwind.h: one table for each. Nobody
 * else includes this.
 */
#ifndef PERF_UTIL_UNWIND_ENGINE_H
#define PERF_UTIL_UNWIND_ENGINE_H

#include "util/unwind/unwind.h"

struct error;

struct unwind_engine {
	/* Make it ready in this process: 0, or a negative errno and @err. NULL: it always is. */
	int (*load)(struct error *err);
	/* One for each thread; then as unwinder__run(). */
	void *(*new)(struct unwind_tables *tables);
	void (*delete)(void *self);
	u32 (*run)(void *self, const struct unwind_sample *sample, u64 *ips, u32 max,
	           struct chain_verdict *verdict);
	bool only_native; /* it knows no other architecture than that of this perf */
};

#define STACK_MAX (64u << 20) /* what lies farther above the stack pointer is another stack */

extern const struct unwind_engine unwind_native, unwind_libunwind, unwind_libdw;

/* ---- what the unwinders of libraries have in common */

/*
 * A chain that a library's callbacks are making. Libraries guess where tables are missing, so they
 * are not asked to go on there: row_error tells.
 */
struct unwind_chain {
	const struct unwind_sample *in;
	struct unwind_tables *tables;
	u64 *ips;
	u32 nr, max;
	u32 dso; /* which the last frame in any is in; ID_NONE: none is */
	/* Of the last frame: */
	struct unwind_place place;
	u64 pc;         /* what tables are asked about */
	u64 vaddr;      /* in the object's terms */
	bool handled;   /* it was interrupted by a signal whose handler is in the chain */
	bool in_object; /* it lies in an object whose file can be read */
	int row_error;  /* 0: row is that of the frame; else as from unwind_tables__row() */
	struct cfi_row row;
	int error; /* of the last load that failed; who steps to the next frame clears it */
	u64 depth; /* of the copy: so many bytes were needed */
};

void unwind_chain__init(struct unwind_chain *chain, struct unwind_tables *tables,
                        const struct unwind_sample *in, u64 *ips, u32 max);

/* One more frame; @exact: it was interrupted at @pc, else it called. False: there is no room. */
bool unwind_chain__add(struct unwind_chain *chain, u64 pc, bool exact);

/* A word of the copied stack: 0, or a negative errno that the verdict will remember. */
int unwind_chain__load(struct unwind_chain *chain, u64 addr, unsigned size, u64 *value);

/* How the chain ended, where the library says that this was the outermost frame (@outermost). */
struct chain_verdict unwind_chain__verdict(const struct unwind_chain *chain, bool outermost);

#endif
