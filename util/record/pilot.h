/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Choose how to record call graphs of the running programs (record --call-graph auto).
 *
 * In the pilot each sample carries both: the kernel's chain by frame pointers, and registers with
 * the largest possible stack copy. Each stack is evidence:
 *
 *  - Do frame pointers show the same callers as the unwind tables, up to the start of the thread
 *    (or more, if code has no tables)? They do in programs built with them, and cost nothing.
 *  - How much of the copy did unwinding need?
 *
 * A pilot sees only the code that ran. So it also checks, by the unwind tables of the ELF files,
 * whether the functions around those on the stacks keep a frame pointer: in code built without
 * them some stacks are right by chance, but others will not be.
 *
 * The choice: frame pointers, if they are right for 95 % of the stacks, or for more stacks than
 * unwinding is (code made at run time), and the functions around do not contradict. Else copies of
 * the smallest size that is 1/4 larger than what 99 % of the stacks needed. All recorded programs
 * share one choice, because an event has one layout.
 *
 * For one thread at a time.
 */
#ifndef PERF_UTIL_RECORD_PILOT_H
#define PERF_UTIL_RECORD_PILOT_H

#include "util/format/sample.h"
#include "util/machine/dsos.h"
#include "util/record/config.h"
#include "util/unwind/unwind.h"

/* This many stacks are enough for a choice. */
#define PILOT_STACKS 30

/* The possible sizes of copies. The last is the pilot's own. */
#define PILOT_NR_SIZES 5
extern const u32 pilot_sizes[PILOT_NR_SIZES];

/* The stacks of one program (a comm), or of all. */
struct pilot_tally {
	u64 nr;       /* stacks */
	u64 pointers; /* frame pointers showed all callers */
	u64 unwound;  /* unwinding showed all callers */
	u32 depth; /* bytes of stack that 99 % of them needed; UINT32_MAX: more than was copied */
};

/* The functions around those on the stacks of a program, in one object. */
struct pilot_object {
	char *name; /* as mapped */
	u32 program;
	u64 frames;    /* on the stacks */
	u64 functions; /* around these */
	u64 framed;    /* functions that keep a frame pointer */
};

struct pilot_program {
	char *name;
	struct pilot_tally tally;
};

struct pilot_choice {
	enum chain_mode mode; /* CHAIN_FP or CHAIN_DWARF; CHAIN_AUTO: nothing was chosen */
	u32 stack_size;       /* of CHAIN_DWARF */
	struct pilot_tally tally;
	u64 functions, framed;        /* of all objects */
	bool functions_speak_against; /* the stacks were right, but too few functions are framed */
	struct pilot_program *programs;
	struct pilot_object *objects; /* by program */
	u32 nr_programs, nr_objects;
};

struct pilot; /* private */

/* All borrowed. */
struct pilot *pilot__new(const struct dsos *dsos, struct unwind_tables *tables);
void pilot__delete(struct pilot *pilot); /* NULL is fine */

/* Take a record that is not a sample: the names of tasks. */
void pilot__take(struct pilot *pilot, const struct record *record);

/* One sample, of a machine of this byte order. */
struct pilot_stack {
	const struct arch *arch;
	s32 pid;
	struct u64_span by_pointers; /* its chain as recorded, with markers */
	struct u64_span unwound;     /* its chain as unwound */
	struct chain_verdict verdict;
	unwind_place_fn *place; /* finds the current map of an address */
	void *ctx;
};

/* Add a stack. True: the chain by frame pointers shows more, and should be kept. */
bool pilot__add(struct pilot *pilot, const struct pilot_stack *stack);

u64 pilot__nr(const struct pilot *pilot); /* of stacks */

/* The number of stacks for which unwinding showed all callers, but frame pointers did not. */
u64 pilot__nr_against(const struct pilot *pilot);

/* Fill *choice with the evidence and the choice. Free it with pilot_choice__exit(). */
void pilot__choose(const struct pilot *pilot, struct pilot_choice *choice);
void pilot_choice__exit(struct pilot_choice *choice);

#endif
