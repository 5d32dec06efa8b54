// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/subtree.h"

#include <stdlib.h>

#include "util/lib/alloc.h"

struct node_list {
	u32 *nodes;
	size_t nr, cap;
};

static int compare_u32(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

/* All nodes on the way from a row to the root, marked in @scratch, in ascending order. */
static struct node_list reached_nodes(const struct chains *chains, const u32 *rows, u64 nr,
                                      u32 *scratch)
{
	struct node_list list = { .nodes = NULL };

	for (u64 i = 0; i < nr; i++) {
		u32 node = chains__node(chains, rows[i]);

		for (; node != NODE_ROOT && scratch[node] == ID_NONE;
		     node = chains->nodes[node].parent) {
			scratch[node] = 0;
			array__reserve(&list.nodes, &list.cap, list.nr + 1, sizeof(u32));
			list.nodes[list.nr++] = node;
		}
	}
	if (!list.nr)
		return list;
	if (list.nr < chains->nr_nodes / 16) {
		if (list.nr)
			qsort(list.nodes, list.nr, sizeof(u32), compare_u32);
		return list;
	}
	list.nr = 0; /* many: the marks in order are cheaper than a sort */
	for (u32 node = 1; node < chains->nr_nodes; node++)
		if (scratch[node] != ID_NONE)
			list.nodes[list.nr++] = node;
	return list;
}

static void link_children(struct subtree *tree)
{
	u32 *next = xrealloc(NULL, tree->nr + 1, sizeof(*next));

	for (u32 i = 1; i < tree->nr; i++)
		tree->first_child[tree->parent[i] + 1]++;
	for (u32 i = 0; i < tree->nr; i++)
		tree->first_child[i + 1] += tree->first_child[i];
	for (u32 i = 0; i < tree->nr; i++)
		next[i] = tree->first_child[i];
	for (u32 i = 1; i < tree->nr; i++)
		tree->children[next[tree->parent[i]]++] = i;
	free(next);
}

static void add_rows(struct subtree *tree, const struct chains *chains, const u32 *rows, u64 nr,
                     const u32 *scratch)
{
	for (u64 i = 0; i < nr; i++) {
		const struct row *row = &chains->profile->rows[rows[i]];
		u32 leaf = chains__node(chains, rows[i]);
		u32 node = leaf == NODE_ROOT ? 0 : scratch[leaf];

		tree->node_of_row[i] = node;
		weight__add(&tree->sums[node], (struct weight){ row->period, row->count });
	}
	for (u32 i = tree->nr - 1; i > 0; i--)
		weight__add(&tree->sums[tree->parent[i]], tree->sums[i]);
}

void subtree__init(struct subtree *tree, const struct chains *chains, const u32 *rows, u64 nr,
                   u32 *scratch)
{
	struct node_list list = reached_nodes(chains, rows, nr, scratch);

	tree->nr = list.nr + 1;
	tree->parent = xrealloc(NULL, tree->nr, sizeof(u32));
	tree->loc = xrealloc(NULL, tree->nr, sizeof(u32));
	tree->first_child = xcalloc((size_t)tree->nr + 1, sizeof(u32));
	tree->children = xrealloc(NULL, tree->nr, sizeof(u32));
	tree->sums = xcalloc(tree->nr, sizeof(*tree->sums));
	tree->node_of_row = xrealloc(NULL, nr, sizeof(u32));
	tree->parent[0] = 0;
	tree->loc[0] = ID_NONE;
	for (u32 i = 1; i < tree->nr; i++) {
		const struct node *node = &chains->nodes[list.nodes[i - 1]];

		scratch[list.nodes[i - 1]] = i;
		tree->parent[i] = node->parent == NODE_ROOT ? 0 : scratch[node->parent];
		tree->loc[i] = node->loc;
	}
	link_children(tree);
	add_rows(tree, chains, rows, nr, scratch);
	for (size_t i = 0; i < list.nr; i++)
		scratch[list.nodes[i]] = ID_NONE;
	free(list.nodes);
}

void subtree__exit(struct subtree *tree)
{
	free(tree->parent);
	free(tree->loc);
	free(tree->first_child);
	free(tree->children);
	free(tree->sums);
	free(tree->node_of_row);
	free(tree->by_key);
	*tree = (struct subtree){ .nr = 0 };
}

/* Few nodes and many keys: it is cheaper to compare than to count. */
static int compare_keys(const void *left, const void *right, void *ctx)
{
	const u32 *a = left, *b = right, *key_of_node = ctx;

	if (key_of_node[*a] != key_of_node[*b])
		return key_of_node[*a] > key_of_node[*b] ? 1 : -1;
	return compare_u32(a, b);
}

static void sort_by_key(struct subtree *tree, u32 *key_of_node, u32 nr_keys)
{
	u32 nr = tree->nr - 1;

	for (u32 i = 0; i < nr; i++)
		tree->by_key[i] = i + 1;
	if (nr < nr_keys / 16) {
		qsort_r(tree->by_key, nr, sizeof(u32), compare_keys, key_of_node);
		return;
	}
	u32 *next = xcalloc((size_t)nr_keys + 1, sizeof(*next));

	for (u32 i = 1; i < tree->nr; i++)
		next[key_of_node[i] + 1]++;
	for (u32 i = 0; i < nr_keys; i++)
		next[i + 1] += next[i];
	for (u32 i = 1; i < tree->nr; i++)
		tree->by_key[next[key_of_node[i]]++] = i;
	free(next);
}

void subtree__index(struct subtree *tree, const u32 *key_of_loc, u32 nr_keys)
{
	u32 *key_of_node = xrealloc(NULL, tree->nr, sizeof(u32));

	for (u32 i = 1; i < tree->nr; i++)
		key_of_node[i] = key_of_loc[tree->loc[i]];
	tree->by_key = xrealloc(NULL, tree->nr, sizeof(u32));
	sort_by_key(tree, key_of_node, nr_keys);
	free(key_of_node);
}

/* The first place in by_key whose node has at least @key. */
static u32 first_with(const struct subtree *tree, const u32 *key_of_loc, u64 key)
{
	u32 from = 0, to = tree->nr - 1;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (key_of_loc[tree->loc[tree->by_key[middle]]] < key)
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
