/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of the tree of chains that given rows reach, with sums per node.
 *
 * A node's sum covers the rows at or below it. Nodes are numbered in preorder: a node is followed
 * by all that lies below it, up to .end of it. Its first child is the next node, the next sibling
 * of a child is at that one's end. Internal to util/view/callchain.c.
 */
#ifndef PERF_UTIL_VIEW_SUBTREE_H
#define PERF_UTIL_VIEW_SUBTREE_H

#include "util/view/chains.h"

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

struct subtree {
	u32 nr;              /* nodes; [0] is the root */
	u32 *parent;         /* per node */
	u32 *loc;            /* per node */
	u32 *end;            /* per node: the first one that is not below it */
	struct weight *sums; /* per node: rows at or below it */
	u32 *node_of_row;    /* by position in the rows it was made from */
	u32 *by_key;         /* made by subtree__index(): nodes by key, callers first; or NULL */
};

/*
 * @scratch has an element per node of @chains, all ID_NONE before and after.
 */
void subtree__init(struct subtree *tree, const struct chains *chains, const u32 *rows, u64 nr,
                   u32 *scratch);
void subtree__exit(struct subtree *tree);

/* Prepare subtree__frames_of(). @key_of_loc gives keys below @nr_keys. */
void subtree__index(struct subtree *tree, const u32 *key_of_loc, u32 nr_keys);

/* Point *nodes to all nodes whose location has @key, callers first. Returns their number. */
u32 subtree__frames_of(const struct subtree *tree, const u32 *key_of_loc, u32 key,
                       const u32 **nodes);

#endif
