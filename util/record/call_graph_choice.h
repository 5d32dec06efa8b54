/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How call graphs should be recorded of what runs here (record --call-graph auto). In a pilot each
 * sample carries both: the chain that the kernel made by frame pointers, and the registers with as
 * much of the stack as can be copied. Each stack then is evidence:
 *
 *  - Do frame pointers show the same callers as the unwind tables, up to the start of the thread
 *    (or more, where code has no tables)? They do in programs built for it, and cost nothing.
 *  - How much of the copy did unwinding need?
 *
 * A pilot sees only the code that ran. So the unwind tables of the ELF files are asked, too: do the
 * functions that lie around those on the stacks keep a frame pointer? Where the stacks happen to
 * be right in code that was not built for it, others will not be.
 *
 * The choice: frame pointers, if they are right for 95 % of the stacks, or for more than unwinding
 * is (code made at run time), and the code around does not speak against it. Else copies of the
 * smallest size that is 1/4 larger than what 99 % of the stacks needed. One for all programs that
 * are recorded, because an event has one layout.
 *
 * One thread at a time.
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
	u64 unwound;  /* so did unwinding */
	u32 depth;    /* bytes of stack that 99 % of them needed; UINT32_MAX: more than there was */
};

/* Of the functions around those on the stacks of a program. */
struct call_graph_object {
	char *name; /* as mapped */
	u32 program;
	u64 frames;    /* on the stacks */
	u64 functions; /* around them */
	u64 framed;    /* that keep a frame pointer */
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

/* A record that is no sample: who has which name. */
void call_graph_pilot__take(struct call_graph_pilot *pilot, const struct record *record);

/* One sample, of a machine of this byte order. */
struct call_graph_stack {
	const struct arch *arch;
	s32 pid;
	struct u64_span by_pointers; /* its chain as it was recorded, with markers; */
	struct u64_span unwound;     /* as it was unwound */
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
