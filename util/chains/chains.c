// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/chains/chains.h"

#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/profile/preorder.h"

static u32 *get_node_of_row(struct chains *chains)
{
	u64 nr_rows = chains->profile->nr_rows;

	if (!chains->own_node_of_row) {
		chains->own_node_of_row = xrealloc(NULL, nr_rows, sizeof(*chains->own_node_of_row));
		for (u64 i = 0; i < nr_rows; i++)
			chains->own_node_of_row[i] = chains->profile->rows[i].node;
		chains->node_of_row = chains->own_node_of_row;
	}
	return chains->own_node_of_row;
}

static void put_in_order(struct chains *chains)
{
	if (preorder__is(chains->nodes, chains->nr_nodes))
		return;
	u32 *numbers = preorder__numbers(chains->nodes, chains->nr_nodes);
	struct node *nodes = preorder__apply(chains->nodes, chains->nr_nodes, numbers);
	u32 *node_of_row = get_node_of_row(chains);

	for (u64 i = 0; i < chains->profile->nr_rows; i++)
		node_of_row[i] = numbers[node_of_row[i]];
	free(numbers);
	free(chains->own_nodes);
	chains->nodes = chains->own_nodes = nodes;
}

void chains__init(struct chains *chains, const struct profile *profile)
{
	*chains = (struct chains){
		.nodes = profile->nodes,
		.nr_nodes = profile->nr_nodes,
		.profile = profile,
	};
	put_in_order(chains);
}

void chains__exit(struct chains *chains)
{
	free(chains->own_nodes);
	free(chains->own_node_of_row);
	free(chains->own_leaf_of_row);
}

void chains__replace(struct chains *chains, struct node *nodes, u32 nr_nodes, u32 *node_of_row)
{
	free(chains->own_nodes);
	free(chains->own_node_of_row);
	chains->nodes = chains->own_nodes = nodes;
	chains->nr_nodes = nr_nodes;
	chains->node_of_row = chains->own_node_of_row = node_of_row;
	put_in_order(chains);
}

void chains__drop_unnamed(struct chains *chains, const struct names *names)
{
	u64 nr_rows = chains->profile->nr_rows;
	struct node *nodes = xrealloc(NULL, chains->nr_nodes, sizeof(*nodes));
	u32 *node_of_row = xrealloc(NULL, nr_rows, sizeof(*node_of_row));
	/* By node: itself, or its nearest caller with a name. Parents come first. */
	u32 *stands_for = xrealloc(NULL, chains->nr_nodes, sizeof(*stands_for));

	nodes[NODE_ROOT] = chains->nodes[NODE_ROOT];
	stands_for[NODE_ROOT] = NODE_ROOT;
	for (u32 i = 1; i < chains->nr_nodes; i++) {
		u32 loc = chains->nodes[i].loc;

		nodes[i] = (struct node){ stands_for[chains->nodes[i].parent], loc };
		stands_for[i] =
		        sym__named(&names->syms[names->sym_of_loc[loc]]) ? i : nodes[i].parent;
	}
	for (u64 i = 0; i < nr_rows; i++)
		node_of_row[i] = stands_for[chains__node(chains, i)];
	chains__replace(chains, nodes, chains->nr_nodes, node_of_row);
	free(stands_for);
}

/* By node the outermost frame from the root to it that matches; NODE_ROOT: none. */
static u32 *find_outermost(const struct chains *chains, const struct names *names,
                           const regex_t *functions)
{
	u32 *outermost = xrealloc(NULL, chains->nr_nodes, sizeof(*outermost));
	bool *matches = names__match(names, functions);

	outermost[NODE_ROOT] = NODE_ROOT;
	for (u32 i = 1; i < chains->nr_nodes; i++) {
		const struct node *node = &chains->nodes[i];
		bool first = outermost[node->parent] == NODE_ROOT &&
		             matches[names->sym_of_loc[node->loc]];

		outermost[i] = first ? i : outermost[node->parent];
	}
	free(matches);
	return outermost;
}

void chains__ignore_callees(struct chains *chains, const struct names *names,
                            const regex_t *functions)
{
	u64 nr_rows = chains->profile->nr_rows;
	u32 *outermost = find_outermost(chains, names, functions);
	u32 *node_of_row = xrealloc(NULL, nr_rows, sizeof(*node_of_row));
	u32 *leaf_of_row = xrealloc(NULL, nr_rows, sizeof(*leaf_of_row));

	for (u64 i = 0; i < nr_rows; i++) {
		u32 node = chains__node(chains, i), cut = outermost[node];

		node_of_row[i] = cut == NODE_ROOT ? node : cut;
		leaf_of_row[i] =
		        cut == NODE_ROOT ? chains__leaf(chains, i) : chains->nodes[cut].loc;
	}
	free(outermost);
	free(chains->own_node_of_row);
	free(chains->own_leaf_of_row);
	chains->node_of_row = chains->own_node_of_row = node_of_row;
	chains->leaf_of_row = chains->own_leaf_of_row = leaf_of_row;
}
