/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The growing form of a profile: unique locations, chain nodes and rows with their indexes. Each
 * worker of profile__build() fills its own; they are then merged into the first.
 */
#ifndef PERF_UTIL_PROFILE_INTERN_H
#define PERF_UTIL_PROFILE_INTERN_H

#include "util/profile/idtable.h"
#include "util/profile/profile.h"

/*
 * The first child and the first row of a node. Most nodes have no others, and these need no slot in
 * an index. Nodes made in sequence are adjacent, so a new branch costs no cache misses.
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
	/* With keys of samples, else NULL: see struct profile. */
	u32 *values_of_row;
	u64 *sample_values;
	u32 nr_sample_keys, nr_values;
	u64 places; /* bits: which of the values are locations */
	u32 nr_locs, nr_nodes, nr_rows;
	size_t cap_locs, cap_nodes, cap_firsts, cap_rows, cap_values_of_row, cap_values;
	struct idtable loc_index;
	struct idtable node_index, row_index; /* without those in firsts */
	struct idtable value_index;
	bool any_thread; /* as profile_options.any_thread: set before the first row */
	bool full;       /* a 32-bit id space is exhausted: later elements got existing ids */
};

/*
 * Makes the root node. @nr_sample_keys: how many values of samples rows are told apart by, too; of
 * the first 64 those in @places are locations.
 */
void intern__init(struct intern *intern, u32 nr_sample_keys, u64 places);
void intern__exit(struct intern *intern);

/* The id of an equal element, added if new. */
u32 intern__loc(struct intern *intern, const struct loc *loc);
u32 intern__node(struct intern *intern, u32 parent, u32 loc);

/*
 * The same for a chain of @nr locations below @parent, caller first: nodes[i] is the node of
 * locs[i]. All nodes after the first new one are new, too, and are not searched for.
 */
void intern__branch(struct intern *intern, u32 parent, const u32 *locs, u32 nr, u32 *nodes);

/* What @row counts goes to @known, which is the same but, perhaps, for the thread. */
static inline void row__add(struct row *known, const struct row *row)
{
	if (row->thread < known->thread)
		known->thread = row->thread;
	known->count += row->count;
	known->period += row->period;
}

/* Prefetch for a later intern__branch() of @parent whose first location is @loc. */
void intern__prefetch(const struct intern *intern, u32 parent, u32 loc);

/* The id of equal values of all sample keys, added if new. */
u32 intern__values(struct intern *intern, const u64 *values);

/*
 * Add row's count and period to the row equal in all other fields and in @values, an id of
 * intern__values() (0 without sample keys). It is made if new. Returns its id. With
 * any_thread threads may differ: the row has the smallest.
 */
u32 intern__row(struct intern *intern, const struct row *row, u32 values);

/*
 * No more nodes and rows will be interned: free their indexes, put nodes in preorder (preorder.h)
 * and rows in the order of their nodes. Their ids change.
 */
void intern__seal(struct intern *intern);

/*
 * Add everything of @from to @into, both sealed: equal locations are merged, nodes and rows are
 * appended. Empties @from.
 */
void intern__append(struct intern *into, struct intern *from);

/*
 * Make @profile, empty or an earlier copy, a copy of all but rows that count nothing. Only arrays
 * are copied, and ids are the same, but for those of rows.
 */
void intern__copy(const struct intern *intern, struct profile *profile);

/* Drop rows that count nothing, and what no other row needs: all ids change. */
void intern__drop_dead(struct intern *intern);

/* Hand the arrays over to @profile, which then owns them, and drop the indexes. */
void intern__finish(struct intern *intern, struct profile *profile);

#endif
