/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cycles of branches beside the code: how many instructions a cycle the basic blocks of a
 * function did (IPC), and how many cycles went by up to each branch.
 *
 * A branch of a stack tells the cycles since the one before it. What ran between them, from the
 * target of the one before to the branch, is a basic block, if both are in one function.
 */
#ifndef PERF_UTIL_ANNOTATE_CODE_CYCLES_H
#define PERF_UTIL_ANNOTATE_CODE_CYCLES_H

#include "util/annotate/annotation.h"

/* Does an event of @session have branch stacks? */
bool code_cycles__recorded(const struct session *session);

/* All branches of a recording that have cycles. */
struct code_cycles;

/*
 * Read @session, which is scanned, for its branches in the samples that pass @filter by CPU and
 * time, of all events. 0 with *@cycles, or a negative errno with @err. NULL may be deleted.
 */
int code_cycles__new(struct code_cycles **cycles, const struct session *session,
                     const struct sample_filter *filter, struct error *err);
void code_cycles__delete(struct code_cycles *cycles);

/* Equal branches, and the block that ends at them. */
struct branch_cycles {
	u64 start, end; /* the target of the one before, or BLOCK_UNKNOWN; the branch */
	u64 count;
	u32 cycles; /* of each */
	u32 dso;
};

#define BLOCK_UNKNOWN UINT64_MAX

struct insn_cycles {
	float ipc;         /* of the block that it belongs to; 0: of none that was seen */
	u32 least, most;   /* cycles of the branches here */
	u64 count, cycles; /* how many, and in how many cycles altogether */
};

/* Of a function, instruction by instruction. */
struct function_cycles {
	struct insn_cycles *insns;
	u32 nr;
	u32 nr_covered; /* those in a block */
	double ipc;     /* of all blocks that are shown */
	bool any;       /* there is a branch with cycles */
};

/*
 * From the instructions at @addrs, ascending, and the @nr_list branches in the function, by
 * ascending ends; their starts may be outside. Blocks with one end count as the longest of them.
 * An instruction in several blocks belongs to the one that ends last.
 */
void function_cycles__fill(struct function_cycles *function, const u64 *addrs, u32 nr,
                           const struct branch_cycles *list, size_t nr_list);

/* The same of @annotation, which is then rewound. 0, or a negative errno with @err. */
int function_cycles__init(struct function_cycles *function, struct code_cycles *cycles,
                          struct annotation *annotation, struct error *err);
void function_cycles__exit(struct function_cycles *function);

#endif
