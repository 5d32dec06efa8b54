// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/health/chain_ends.h"

#include <stdlib.h>

#include "util/lib/alloc.h"

/* While they are collected: no chain was seen; chains were, with different reasons. */
#define NONE_SEEN ROW_END_NONE
#define SEVERAL   ROW_END_LATE

static void merge(struct row_end *into, struct row_end end)
{
	if (end.end == NONE_SEEN)
		return;
	if (into->end == NONE_SEEN)
		*into = end;
	else if (into->end != end.end || into->dso != end.dso)
		into->end = SEVERAL;
}

/* What is missing in the middle is no reason to end. */
static struct row_end reason_of(const struct row *row)
{
	struct row_end end = row->end;

	if (end.end == ROW_END_LATE)
		return row_end__none(); /* hidden */
	if (end.end == CHAIN_GAP || end.end == CHAIN_GAP_NOT_KNOWN)
		end.end = CHAIN_COMPLETE;
	if (end.end == CHAIN_COMPLETE)
		end.dso = ROW_END_NO_DSO;
	return end;
}

void chain_ends__init(struct chain_ends *ends, const struct profile *profile)
{
	struct row_end *of_node = xrealloc(NULL, profile->nr_nodes, sizeof(*of_node));
	bool *outermost = xcalloc(profile->nr_nodes, sizeof(*outermost));

	*ends = (struct chain_ends){ .nr_locs = profile->nr_locs };
	ends->of_loc = xrealloc(NULL, profile->nr_locs + 1, sizeof(*ends->of_loc));
	for (u32 i = 0; i < profile->nr_locs; i++)
		ends->of_loc[i] = row_end__none();
	for (u32 i = 0; i < profile->nr_nodes; i++)
		of_node[i] = row_end__none();
	for (u64 i = 0; i < profile->nr_rows; i++)
		merge(&of_node[profile->rows[i].node], reason_of(&profile->rows[i]));
	/* Callers come before those they call. */
	outermost[NODE_ROOT] = true;
	for (u32 i = 1; i < profile->nr_nodes; i++)
		outermost[i] = outermost[profile->nodes[i].parent] &&
		               profile->locs[profile->nodes[i].loc].dso == ID_NONE;
	for (u32 i = profile->nr_nodes; i-- > 1;) {
		const struct node *node = &profile->nodes[i];

		merge(&of_node[node->parent], of_node[i]);
		if (outermost[i])
			merge(&ends->of_loc[node->loc], of_node[i]);
	}
	free(of_node);
	free(outermost);
}

void chain_ends__exit(struct chain_ends *ends)
{
	free(ends->of_loc);
	*ends = (struct chain_ends){ .nr_locs = 0 };
}

const struct row_end *chain_ends__at(const struct chain_ends *ends, u32 loc)
{
	if (loc >= ends->nr_locs || ends->of_loc[loc].end >= NR_CHAIN_ENDS)
		return NULL;
	return &ends->of_loc[loc];
}
