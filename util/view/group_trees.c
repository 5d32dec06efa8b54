// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/group_trees.h"

#include <pthread.h>
#include <stdlib.h>

#include "util/lib/alloc.h"

enum tree_state { TREE_NONE, TREE_BEGUN, TREE_MADE };

struct group_trees {
	const struct hists *hists;
	pthread_mutex_t lock; /* of states */
	pthread_cond_t made;
	u8 *states; /* enum tree_state */
	struct subtree *list;
};

struct group_trees *group_trees__new(const struct hists *hists)
{
	struct group_trees *trees = xcalloc(1, sizeof(*trees));

	trees->hists = hists;
	pthread_mutex_init(&trees->lock, NULL);
	pthread_cond_init(&trees->made, NULL);
	trees->states = xcalloc(hists->nr_groups, sizeof(*trees->states));
	trees->list = xcalloc(hists->nr_groups, sizeof(*trees->list));
	return trees;
}

void group_trees__delete(struct group_trees *trees)
{
	if (!trees)
		return;
	for (u32 i = 0; i < trees->hists->nr_groups; i++)
		subtree__exit(&trees->list[i]);
	pthread_cond_destroy(&trees->made);
	pthread_mutex_destroy(&trees->lock);
	free(trees->states);
	free(trees->list);
	free(trees);
}

/* Is it the caller who is to make it? Else it is there. */
static bool begin(struct group_trees *trees, u32 group)
{
	pthread_mutex_lock(&trees->lock);
	while (trees->states[group] == TREE_BEGUN)
		pthread_cond_wait(&trees->made, &trees->lock);
	bool first = trees->states[group] == TREE_NONE;

	if (first)
		trees->states[group] = TREE_BEGUN;
	pthread_mutex_unlock(&trees->lock);
	return first;
}

static void end(struct group_trees *trees, u32 group)
{
	pthread_mutex_lock(&trees->lock);
	trees->states[group] = TREE_MADE;
	pthread_cond_broadcast(&trees->made);
	pthread_mutex_unlock(&trees->lock);
}

const struct subtree *group_trees__at(struct group_trees *trees, u32 group, u32 **scratch)
{
	const struct hists *hists = trees->hists;
	const struct hist_group *of = &hists->groups[group];
	struct subtree *tree = &trees->list[group];

	if (begin(trees, group)) {
		subtree__init(tree, hists->chains, hists->rows + of->first_row, of->nr_rows,
		              subtree__scratch(scratch, hists->chains));
		subtree__index(tree, hists->key_of_loc, hists->nr_keys);
		end(trees, group);
	}
	return tree;
}
