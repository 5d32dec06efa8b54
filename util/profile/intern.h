/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The growing form of a profile: unique locations, chain nodes and rows with their indexes. Each
 * worker of profile__build() fills one of its own; they are then put together in the first.
 */
#ifndef PERF_UTIL_PROFILE_INTERN_H
#define PERF_UTIL_PROFILE_INTERN_H

#include "util/profile/idtable.h"
#include "util/profile/profile.h"

/*
 * Most nodes have one child and, if any, one row: they are found here and need no place in an
 * index. Nodes made one after the other lie side by side, so a new branch costs no cache misses.
 */
struct node_first {
	u32 child; /* NODE_ROOT: none yet */
	u32 row;   /* ID_NONE: none yet */
};

struct intern {
	struct loc *locs;
	struct node *nodes;
	struct node_first *firsts; /* by node */
	struct row *rows;
	u32 nr_locs, nr_nodes, nr_rows;
	size_t cap_locs, cap_nodes, cap_firsts, cap_rows;
	struct idtable loc_index;
	struct idtable node_index, row_index; /* without those that are a first */
	bool full; /* an id space of 32 bits was used up: what came later is in older ids */
};

void intern__init(struct intern *intern); /* makes the root node */
void intern__exit(struct intern *intern);

/* The id of an equal element, added if new. */
u32 intern__loc(struct intern *intern, const struct loc *loc);
u32 intern__node(struct intern *intern, u32 parent, u32 loc);

/*
 * The same for a chain of @nr locations below @parent, caller first: nodes[i] is the node of
 * locs[i]. Behind the first new node all others are new, too, and not searched.
 */
void intern__branch(struct intern *intern, u32 parent, const u32 *locs, u32 nr, u32 *nodes);

/* intern__branch() of @parent will soon be asked for @loc first. */
void intern__prefetch(const struct intern *intern, u32 parent, u32 loc);

/*
 * Add row's count and period to the equal row (all other fields), which is made if new. Returns
 * its id.
 */
u32 intern__row(struct intern *intern, const struct row *row);

/* No nodes and rows will be interned any more: give the memory of their indexes back. */
void intern__seal(struct intern *intern);

/*
 * Add everything of @from to @into, both sealed: locations are made one, nodes and rows stand
 * behind those of @into. @from is emptied on the way.
 */
void intern__append(struct intern *into, struct intern *from);

/* Hand the arrays over to @profile (which owns them then) and drop the indexes. */
void intern__finish(struct intern *intern, struct profile *profile);

#endif
