/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of an unwinder, for those behind util/unwind/unwind.h: one table of functions each.
 * Nobody else includes this.
 */
#ifndef PERF_UTIL_UNWIND_ENGINE_H
#define PERF_UTIL_UNWIND_ENGINE_H

#include "util/unwind/unwind.h"

struct error;

struct unwind_engine {
	/*
	 * Load it into this process: 0, or a negative errno and @err. NULL: nothing is to be
	 * loaded.
	 */
	int (*load)(struct error *err);
	/* Make one for each thread; run is as unwinder__run(). */
	void *(*new)(struct unwind_tables *tables);
	void (*delete)(void *self);
	u32 (*run)(void *self, const struct unwind_sample *sample, u64 *ips, u32 max,
	           struct chain_verdict *verdict);
	bool only_native; /* it supports the architecture of this perf only */
};

#define PAGE_MIN  4096u       /* of all architectures: borders of larger ones are such, too */
#define STACK_MAX (64u << 20) /* what lies farther above the stack pointer is another stack */

extern const struct unwind_engine unwind_native, unwind_libunwind, unwind_libdw;

/* ---- shared by the unwinders of libraries */

/*
 * A chain that a library's callbacks are building. Libraries guess where tables are missing, so
 * they are stopped there: see row_error.
 */
struct unwind_chain {
	const struct unwind_sample *in;
	struct unwind_tables *tables;
	u64 *ips;
	u32 nr, max;
	u32 dso; /* that of the last frame that is in one; ID_NONE: none is */
	/* Of the last frame: */
	struct unwind_location location;
	u64 pc;         /* the address to look up in tables */
	u64 vaddr;      /* in the object's terms */
	bool handled;   /* it was interrupted by a signal whose handler is in the chain */
	bool in_object; /* it lies in an object whose file can be read */
	int row_error;  /* 0: row is that of the frame; else as from unwind_tables__row() */
	struct cfi_row row;
	int error; /* of the last load that failed; cleared by the step to the next frame */
	u64 depth; /* bytes of the copy that were needed */
};

void unwind_chain__init(struct unwind_chain *chain, struct unwind_tables *tables,
                        const struct unwind_sample *in, u64 *ips, u32 max);

/*
 * Add a frame; @exact: it was interrupted at @pc, else @pc is a return address. False: there is no
 * room.
 */
bool unwind_chain__add(struct unwind_chain *chain, u64 pc, bool exact);

/*
 * Load a word of the copied stack: 0, or a negative errno that the verdict will take into account.
 */
int unwind_chain__load(struct unwind_chain *chain, u64 addr, unsigned size, u64 *value);

/* How the chain ended; @outermost: the library says that this was the outermost frame. */
struct chain_verdict unwind_chain__verdict(const struct unwind_chain *chain, bool outermost);

#endif
