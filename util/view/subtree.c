// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/subtree.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

#define FEW 16 /* fewer than this part of all are put in order by sorting */

u32 *subtree__scratch(u32 **scratch, const struct chains *chains)
{
	if (!*scratch) {
		*scratch = xrealloc(NULL, (size_t)chains->nr_nodes + 1, sizeof(u32));
		memset(*scratch, 0xff, ((size_t)chains->nr_nodes + 1) * sizeof(u32));
	}
	return *scratch;
}

static int compare_u32(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

/* Nodes on the way from the rows to the root: not met yet, counted, listed; then their numbers. */
enum { UNMET = ID_NONE, COUNTED = 0, LISTED = 1 };

/* How many there are, each of them COUNTED in @scratch. */
static u32 count_nodes(const struct chains *chains, const u32 *rows, u64 nr, u32 *scratch)
{
	u32 count = 0;

	for (u64 i = 0; i < nr; i++) {
		u32 node = chains__node(chains, rows[i]);

		for (; node != NODE_ROOT && scratch[node] == UNMET;
		     node = chains->nodes[node].parent) {
			scratch[node] = COUNTED;
			count++;
		}
	}
	return count;
}

/* The nodes that are COUNTED, in ascending order. */
static u32 *list_nodes(const struct chains *chains, const u32 *rows, u64 nr, u32 *scratch,
                       u32 nr_nodes)
{
	u32 *list = xrealloc(NULL, nr_nodes, sizeof(*list)), at = 0;

	for (u64 i = 0; i < nr; i++) {
		u32 node = chains__node(chains, rows[i]);

		for (; node != NODE_ROOT && scratch[node] == COUNTED;
		     node = chains->nodes[node].parent) {
			scratch[node] = LISTED;
			list[at++] = node;
		}
	}
	qsort(list, nr_nodes, sizeof(u32), compare_u32);
	return list;
}

/* A node gets the next number. */
static inline void number_node(struct subtree *tree, const struct chains *chains, u32 id,
                               u32 *scratch)
{
	const struct node *node = &chains->nodes[id];

	tree->nodes[tree->nr] = (struct subtree_node){ .loc = node->loc };
	tree->parent[tree->nr] = node->parent == NODE_ROOT ? 0 : scratch[node->parent];
	scratch[id] = tree->nr++;
}

/* Nodes that are leaves of rows have .first 1, others 0: count them, and find the ends. */
static u32 count_leaves(struct subtree *tree)
{
	struct subtree_node *nodes = tree->nodes;
	u32 open = 0; /* the innermost of the nodes that end later */
	u32 nr_leaves = nodes[0].first;

	nodes[0].first = 0;
	for (u32 i = 1; i < tree->nr; i++) {
		u32 is_leaf = nodes[i].first;

		for (; open != tree->parent[i]; open = tree->parent[open]) {
			nodes[open].end = i;
			nodes[open].last = nr_leaves;
		}
		open = i;
		nodes[i].first = nr_leaves;
		nr_leaves += is_leaf;
	}
	for (;; open = tree->parent[open]) {
		nodes[open].end = tree->nr;
		nodes[open].last = nr_leaves;
		if (open == 0)
			return nr_leaves;
	}
}

static void sum_up(struct subtree *tree, const struct chains *chains, const u32 *rows, u64 nr,
                   u32 nr_leaves)
{
	tree->sums = xcalloc((size_t)nr_leaves + 1, sizeof(*tree->sums));
	tree->row_sums = xrealloc(NULL, nr + 1, sizeof(*tree->row_sums));
	tree->row_sums[0] = (struct weight){ 0, 0 };
	for (u64 i = 0; i < nr; i++) {
		const struct row *row = &chains->profile->rows[rows[i]];
		struct weight weight = { row->period, row->count };

		weight__add(&tree->sums[tree->nodes[tree->node_of_row[i]].first + 1], weight);
		weight__add(&weight, tree->row_sums[i]);
		tree->row_sums[i + 1] = weight;
	}
	for (u32 i = 0; i < nr_leaves; i++)
		weight__add(&tree->sums[i + 1], tree->sums[i]);
}

void subtree__init(struct subtree *tree, const struct chains *chains, const u32 *rows, u64 nr,
                   u32 *scratch)
{
	u32 nr_nodes = count_nodes(chains, rows, nr, scratch);
	bool few = nr_nodes && nr_nodes < chains->nr_nodes / FEW; /* sorting is cheaper */
	u32 *list = few ? list_nodes(chains, rows, nr, scratch, nr_nodes) : NULL;

	tree->nr = 1;
	tree->nodes = xrealloc(NULL, (size_t)nr_nodes + 1, sizeof(*tree->nodes));
	tree->parent = xrealloc(NULL, (size_t)nr_nodes + 1, sizeof(u32));
	tree->node_of_row = xrealloc(NULL, nr, sizeof(u32));
	tree->nodes[0] = (struct subtree_node){ .loc = ID_NONE };
	tree->parent[0] = 0;
	for (u32 i = 0; few && i < nr_nodes; i++)
		number_node(tree, chains, list[i], scratch);
	for (u32 node = 1; tree->nr <= nr_nodes; node++)
		if (scratch[node] != UNMET)
			number_node(tree, chains, node, scratch);
	for (u64 i = 0; i < nr; i++) {
		u32 leaf = chains__node(chains, rows[i]);

		tree->node_of_row[i] = leaf == NODE_ROOT ? 0 : scratch[leaf];
		tree->nodes[tree->node_of_row[i]].first = 1;
	}
	sum_up(tree, chains, rows, nr, count_leaves(tree));
	for (u32 i = 0; few && i < nr_nodes; i++)
		scratch[list[i]] = UNMET;
	if (!few && nr_nodes)
		memset(scratch, 0xff, chains->nr_nodes * sizeof(*scratch));
	free(list);
}

void subtree__exit(struct subtree *tree)
{
	free(tree->nodes);
	free(tree->parent);
	free(tree->sums);
	free(tree->row_sums);
	free(tree->node_of_row);
	free(tree->by_key);
	*tree = (struct subtree){ .nr = 0 };
}

u32 subtree__first_row(const struct subtree *tree, struct row_range rows, u32 node)
{
	const u32 *nodes = tree->node_of_row;
	u32 from = rows.from, to = from, step = 1;

	/* Most often it is the first or near to it. */
	while (to < rows.to && nodes[to] < node) {
		from = to + 1;
		to = rows.to - to > step ? to + step : rows.to;
		step *= 2;
	}
	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (nodes[middle] < node)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Few nodes and many keys: it is cheaper to compare than to count. */
static int compare_keys(const void *left, const void *right, void *ctx)
{
	const u32 *a = left, *b = right, *key_of_node = ctx;

	if (key_of_node[*a] != key_of_node[*b])
		return key_of_node[*a] > key_of_node[*b] ? 1 : -1;
	return compare_u32(a, b);
}

static void sort_few(struct subtree *tree, const u32 *key_of_loc)
{
	u32 *key_of_node = xrealloc(NULL, tree->nr, sizeof(u32));

	for (u32 i = 1; i < tree->nr; i++) {
		key_of_node[i] = key_of_loc[tree->nodes[i].loc];
		tree->by_key[i - 1] = i;
	}
	qsort_r(tree->by_key, tree->nr - 1, sizeof(u32), compare_keys, key_of_node);
	free(key_of_node);
}

void subtree__index(struct subtree *tree, const u32 *key_of_loc, u32 nr_keys)
{
	tree->by_key = xrealloc(NULL, tree->nr, sizeof(u32));
	if (tree->nr - 1 < nr_keys / FEW) {
		sort_few(tree, key_of_loc);
		return;
	}
	u32 *next = xcalloc((size_t)nr_keys + 1, sizeof(*next));

	for (u32 i = 1; i < tree->nr; i++)
		next[key_of_loc[tree->nodes[i].loc] + 1]++;
	for (u32 i = 0; i < nr_keys; i++)
		next[i + 1] += next[i];
	for (u32 i = 1; i < tree->nr; i++)
		tree->by_key[next[key_of_loc[tree->nodes[i].loc]]++] = i;
	free(next);
}

/* The first place in by_key whose node has at least @key. */
static u32 first_with(const struct subtree *tree, const u32 *key_of_loc, u64 key)
{
	u32 from = 0, to = tree->nr - 1;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (key_of_loc[tree->nodes[tree->by_key[middle]].loc] < key)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

u32 subtree__frames_of(const struct subtree *tree, const u32 *key_of_loc, u32 key,
                       const u32 **nodes)
{
	u32 from = first_with(tree, key_of_loc, key);

	*nodes = tree->by_key + from;
	return first_with(tree, key_of_loc, (u64)key + 1) - from;
}
