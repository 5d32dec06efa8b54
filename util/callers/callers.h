/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who calls a function and what it calls: each function of the call chains of one event with the
 * edges to its direct callers and callees, summed up over all chains.
 *
 * A row counts once for each function and for each edge of its chain, however often recursion
 * repeats it. So the callers of a function, with what has none, add up to its total unless it is
 * recursive; so do what it has itself and its callees. Inlined functions, where chains have them,
 * are functions like others: what they have is not their caller's own.
 */
#ifndef PERF_UTIL_CALLERS_CALLERS_H
#define PERF_UTIL_CALLERS_CALLERS_H

#include "util/view/hists.h"
#include "util/view/subtree.h"

struct call_edge {
	u32 caller, callee; /* indices of functions */
	struct weight sums;
	u32 last_row; /* private */
};

struct call_function {
	u32 loc; /* one of its locations */
	struct weight total, self;
	struct weight outermost;      /* of chains that begin with it: nothing called it */
	u32 first_caller, nr_callers; /* of by_callee: its callers, largest first */
	u32 first_callee, nr_callees; /* of by_caller */
	u32 last_row;                 /* private */
};

struct callers {
	struct call_function *functions; /* largest total first; equal ones by name */
	u32 nr_functions;
	struct call_edge *edges;
	u32 nr_edges;
	u32 *by_callee, *by_caller; /* indices of edges */
};

/* Of the rows of @evsel that are in @hists, whose names tell frames apart. */
void callers__init(struct callers *callers, const struct hists *hists, u32 evsel);
void callers__exit(struct callers *callers);

/*
 * The location of what row @id counts for here: what its sample does, in the chain or not, or what
 * was inlined there, down to the last.
 */
u32 callers__leaf(const struct hists *hists, u32 id);

#endif
