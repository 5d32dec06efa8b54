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
#ifndef PERF_UTIL_RECORD_CALL_GRAPH_CHOICE_H
#define PERF_UTIL_RECORD_CALL_GRAPH_CHOICE_H

#include "util/format/sample.h"
#include "util/machine/dsos.h"
#include "util/record/config.h"
#include "util/unwind/unwind.h"

/* Of all stacks, so many are enough to choose by. */
#define CALL_GRAPH_STACKS 30

/* The sizes of copies that there are. The last: what the pilot itself copies. */
#define CALL_GRAPH_NR_SIZES 5
extern const u32 call_graph_sizes[CALL_GRAPH_NR_SIZES];

/* Of the stacks of one program (a comm), or of all. */
struct call_graph_tally {
	u64 nr;       /* stacks */
	u64 pointers; /* frame pointers showed all callers */
	u64 unwound;  /* unwinding showed all callers */
	u32 depth; /* bytes of stack that 99 % of them needed; UINT32_MAX: more than was copied */
};

/* Of the functions around those on the stacks of a program. */
struct call_graph_object {
	char *name; /* as mapped */
	u32 program;
	u64 frames;    /* on the stacks */
	u64 functions; /* around these */
	u64 framed;    /* functions that keep a frame pointer */
};

struct call_graph_program {
	char *name;
	struct call_graph_tally tally;
};

struct call_graph_choice {
	enum chain_mode mode; /* CHAIN_FP or CHAIN_DWARF; CHAIN_AUTO: nothing was chosen */
	u32 stack_size;       /* of CHAIN_DWARF */
	struct call_graph_tally tally;
	u64 functions, framed;        /* of all objects */
	bool functions_speak_against; /* frame pointers that the stacks were right by */
	struct call_graph_program *programs;
	struct call_graph_object *objects; /* by program */
	u32 nr_programs, nr_objects;
};

struct call_graph_pilot; /* private */

/* All borrowed. */
struct call_graph_pilot *call_graph_pilot__new(const struct dsos *dsos,
                                               struct unwind_tables *tables);
void call_graph_pilot__delete(struct call_graph_pilot *pilot); /* NULL is fine */

/* Take a record that is not a sample: the names of tasks. */
void call_graph_pilot__take(struct call_graph_pilot *pilot, const struct record *record);

/* One sample, of a machine of this byte order. */
struct call_graph_stack {
	const struct arch *arch;
	s32 pid;
	struct u64_span by_pointers; /* its chain as recorded, with markers */
	struct u64_span unwound;     /* its chain as unwound */
	struct chain_verdict verdict;
	unwind_locate_fn *locate; /* finds what is mapped, now */
	void *ctx;
};

/* True: the chain by frame pointers shows more, and should be kept. */
bool call_graph_pilot__add(struct call_graph_pilot *pilot, const struct call_graph_stack *stack);

u64 call_graph_pilot__nr(const struct call_graph_pilot *pilot); /* of stacks */

/* Of them, unwinding showed all callers, frame pointers did not. */
u64 call_graph_pilot__nr_against(const struct call_graph_pilot *pilot);

/* What was seen, and what follows. To be freed with call_graph_choice__exit(). */
void call_graph_pilot__choose(const struct call_graph_pilot *pilot,
                              struct call_graph_choice *choice);
void call_graph_choice__exit(struct call_graph_choice *choice);

#endif
