/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The growing form of a profile: unique locations, chain nodes and rows with their indexes. Each
 * worker of profile__build() fills one of its own; they are then merged into the first.
 */
#ifndef PERF_UTIL_PROFILE_INTERN_H
#define PERF_UTIL_PROFILE_INTERN_H

#include "util/profile/idtable.h"
#include "util/profile/profile.h"

struct intern {
	struct loc *locs;
	struct node *nodes;
	struct row *rows;
	u32 nr_locs, nr_nodes, nr_rows;
	size_t cap_locs, cap_nodes, cap_rows;
	struct idtable loc_index, node_index, row_index;
	bool full; /* an id space of 32 bits was used up: what came later is in older ids */
};

void intern__init(struct intern *intern); /* makes the root node */
void intern__exit(struct intern *intern);

/* The id of an equal element, added if new. */
u32 intern__loc(struct intern *intern, const struct loc *loc);
u32 intern__node(struct intern *intern, u32 parent, u32 loc);

/* Add row's count and period to the equal row (all other fields), which is made if new. */
void intern__row(struct intern *intern, const struct row *row);

/* Add everything of @from, whose ids are translated, to @into. @from is emptied on the way. */
void intern__merge(struct intern *into, struct intern *from);

/* Hand the arrays over to @profile (which owns them then) and drop the indexes. */
void intern__finish(struct intern *intern, struct profile *profile);

#endif
