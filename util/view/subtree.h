/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of the tree of chains that given rows reach, with sums per node.
 *
 * A node's sum covers the rows at or below it. Nodes are in preorder: a node is followed by all
 * that lies below it, up to .end of it. Its first child is the next node, the next sibling
 * of a child is at that one's end. So what lies below a node is a range of nodes, the rows at or
 * below it are a range of the rows in the order of nodes, and a sum is the difference of two
 * running sums: nothing has to be walked through or marked, and a subtree that was made does not
 * change. Internal to util/view/callchain.c.
 */
#ifndef PERF_UTIL_VIEW_SUBTREE_H
#define PERF_UTIL_VIEW_SUBTREE_H

#include "util/chains/chains.h"

struct weight {
	u64 period, count;
};

static inline void weight__add(struct weight *weight, struct weight other)
{
	weight->period += other.period;
	weight->count += other.count;
}

static inline void weight__sub(struct weight *weight, struct weight other)
{
	weight->period -= other.period;
	weight->count -= other.count;
}

struct subtree_node {
	u32 loc;
	u32 end;         /* the first one that is not below it */
	u32 first, last; /* how many of the nodes before it and before .end are leaves of rows */
};

struct subtree {
	struct subtree_node *nodes; /* [0] is the root */
	u32 *parent;                /* by node */
	u32 nr;
	struct weight *sums;     /* [i]: of the rows at the first i nodes that are leaves of rows */
	u32 *node_of_row;        /* by position in the rows it was made from */
	struct weight *row_sums; /* [i]: of the first i of these rows */
	u32 *by_key; /* made by subtree__index(): nodes by key, callers first; or NULL */
};

/* A range of the rows that a subtree was made from, whose nodes ascend. */
struct row_range {
	u32 from, to;
};

/* *scratch, made on first need, with an element per node of @chains, all ID_NONE. */
u32 *subtree__scratch(u32 **scratch, const struct chains *chains);

/* @rows: at most 2^32 - 1. @scratch is as it came from subtree__scratch(), before and after. */
void subtree__init(struct subtree *tree, const struct chains *chains, const u32 *rows, u64 nr,
                   u32 *scratch);
void subtree__exit(struct subtree *tree);

/* The weight of the rows at or below @node. */
static inline struct weight subtree__sum(const struct subtree *tree, u32 node)
{
	struct weight sum = tree->sums[tree->nodes[node].last];

	weight__sub(&sum, tree->sums[tree->nodes[node].first]);
	return sum;
}

static inline struct weight subtree__rows_sum(const struct subtree *tree, struct row_range rows)
{
	struct weight sum = tree->row_sums[rows.to];

	weight__sub(&sum, tree->row_sums[rows.from]);
	return sum;
}

/* The first of @rows at @node or behind it; their end if there is none. */
u32 subtree__first_row(const struct subtree *tree, struct row_range rows, u32 node);

/* Prepare subtree__frames_of(). @key_of_loc gives keys below @nr_keys. */
void subtree__index(struct subtree *tree, const u32 *key_of_loc, u32 nr_keys);

/* Point *nodes to all nodes whose location has @key, callers first. Returns their number. */
u32 subtree__frames_of(const struct subtree *tree, const u32 *key_of_loc, u32 key,
                       const u32 **nodes);

#endif
