/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who calls one function and what it calls: the figures of callers.h for that one alone, at the
 * cost of a few instructions for each node of the chains. For who walks along the edges, from a
 * function to the next.
 */
#ifndef PERF_UTIL_CALLERS_CALL_TREE_H
#define PERF_UTIL_CALLERS_CALL_TREE_H

#include "util/view/hists.h"
#include "util/view/subtree.h"

/* Private: what is added up once for all functions of one event. 24 bytes for each node. */
struct call_tree {
	const struct hists *hists;
	u32 *function_of_loc; /* the frame key: a number of a sym */
	struct weight *sums;  /* by node: of the rows at or below it */
	struct weight *self;  /* by function */
	/* Rows whose sample counts for another function than the leaf of their chain, which this
	 * one stands in place of. */
	u32 *others, nr_others;
	size_t cap_others;
	u8 *state;    /* by node: of the function that is looked for */
	u32 *slot_of; /* by function, of callers, then of callees */
};

struct neighbour {
	u32 loc; /* one of its locations */
	struct weight sums;
};

struct neighbours {
	struct weight total, self;
	struct weight outermost;             /* of chains that begin with it: nothing called it */
	struct neighbour *callers, *callees; /* largest first, equal ones by name */
	u32 nr_callers, nr_callees;
	size_t cap_callers, cap_callees; /* private */
};

/* Of the rows of @evsel that are in @hists, whose names tell frames apart; borrowed. */
void call_tree__init(struct call_tree *tree, const struct hists *hists, u32 evsel);
void call_tree__exit(struct call_tree *tree);

/* Those of the function at @loc; total.count is 0 where no chain has it. Exit them in any case. */
void call_tree__find(struct call_tree *tree, u32 loc, struct neighbours *neighbours);
void neighbours__exit(struct neighbours *neighbours);

#endif
