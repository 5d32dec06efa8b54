// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/subtree.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

#define FEW 16 /* fewer than this part of all are put in order by sorting */

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

/* A node and its number @i, so far in the order of @chains. */
static inline void number_node(struct subtree *tree, const struct chains *chains, u32 id, u32 i,
                               u32 *scratch)
{
	const struct node *node = &chains->nodes[id];

	scratch[id] = i;
	tree->parent[i] = node->parent == NODE_ROOT ? 0 : scratch[node->parent];
	tree->loc[i] = node->loc;
}

static u32 *move(u32 *values, const u32 *number, u32 nr)
{
	u32 *moved = xrealloc(NULL, nr, sizeof(u32));

	for (u32 i = 0; i < nr; i++)
		moved[number[i]] = values[i];
	free(values);
	return moved;
}

/* To preorder; siblings keep their order. Returns the new numbers, by the old ones. */
static u32 *put_in_order(struct subtree *tree)
{
	u32 *number = xrealloc(NULL, tree->nr, sizeof(u32)), *next = xcalloc(tree->nr, sizeof(u32));
	u32 *size = xcalloc(tree->nr, sizeof(u32)); /* of a node and what is below it */

	for (u32 i = tree->nr - 1; i > 0; i--)
		size[tree->parent[i]] += ++size[i];
	size[0]++;
	number[0] = 0;
	next[0] = 1;
	for (u32 i = 1; i < tree->nr; i++) {
		u32 *place = &next[tree->parent[i]];

		number[i] = *place;
		next[i] = *place + 1;
		*place += size[i];
	}
	for (u32 i = 0; i < tree->nr; i++) {
		tree->parent[i] = number[tree->parent[i]];
		size[i] += number[i];
	}
	free(next);
	tree->parent = move(tree->parent, number, tree->nr);
	tree->loc = move(tree->loc, number, tree->nr);
	tree->end = move(size, number, tree->nr);
	return number;
}

static void add_rows(struct subtree *tree, const struct chains *chains, const u32 *rows, u64 nr,
                     const u32 *scratch, const u32 *number)
{
	for (u64 i = 0; i < nr; i++) {
		const struct row *row = &chains->profile->rows[rows[i]];
		u32 leaf = chains__node(chains, rows[i]);
		u32 node = leaf == NODE_ROOT ? 0 : number[scratch[leaf]];

		tree->node_of_row[i] = node;
		weight__add(&tree->sums[node], (struct weight){ row->period, row->count });
	}
	for (u32 i = tree->nr - 1; i > 0; i--)
		weight__add(&tree->sums[tree->parent[i]], tree->sums[i]);
}

void subtree__init(struct subtree *tree, const struct chains *chains, const u32 *rows, u64 nr,
                   u32 *scratch)
{
	u32 nr_nodes = count_nodes(chains, rows, nr, scratch), i = 0;
	bool few = nr_nodes && nr_nodes < chains->nr_nodes / FEW; /* sorting is cheaper */
	u32 *list = few ? list_nodes(chains, rows, nr, scratch, nr_nodes) : NULL;

	tree->nr = nr_nodes + 1;
	tree->parent = xrealloc(NULL, tree->nr, sizeof(u32));
	tree->loc = xrealloc(NULL, tree->nr, sizeof(u32));
	tree->sums = xcalloc(tree->nr, sizeof(*tree->sums));
	tree->node_of_row = xrealloc(NULL, nr, sizeof(u32));
	tree->parent[0] = 0;
	tree->loc[0] = ID_NONE;
	while (few && i < nr_nodes) {
		number_node(tree, chains, list[i], i + 1, scratch);
		i++;
	}
	for (u32 node = 1; i < nr_nodes; node++)
		if (scratch[node] != UNMET)
			number_node(tree, chains, node, ++i, scratch);
	u32 *number = put_in_order(tree);

	add_rows(tree, chains, rows, nr, scratch, number);
	free(number);
	for (i = 0; few && i < nr_nodes; i++)
		scratch[list[i]] = UNMET;
	if (!few && nr_nodes)
		memset(scratch, 0xff, chains->nr_nodes * sizeof(*scratch));
	free(list);
}

void subtree__exit(struct subtree *tree)
{
	free(tree->parent);
	free(tree->loc);
	free(tree->end);
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

static void sort_few(struct subtree *tree, const u32 *key_of_loc)
{
	u32 *key_of_node = xrealloc(NULL, tree->nr, sizeof(u32));

	for (u32 i = 1; i < tree->nr; i++) {
		key_of_node[i] = key_of_loc[tree->loc[i]];
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
		next[key_of_loc[tree->loc[i]] + 1]++;
	for (u32 i = 0; i < nr_keys; i++)
		next[i + 1] += next[i];
	for (u32 i = 1; i < tree->nr; i++)
		tree->by_key[next[key_of_loc[tree->loc[i]]]++] = i;
	free(next);
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
