/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call chains of a profile as they are shown: as they were built, or with inlined functions as
 * frames of their own, or without frames that have no name, or
 * from some functions up. A profile stays as it was built; this
 * layer above it can be made again in another way. Unused it costs nothing; else it has its own
 * nodes, four bytes for each row, and eight for each location that it adds (names__add_loc()).
 */
#ifndef PERF_UTIL_CHAINS_CHAINS_H
#define PERF_UTIL_CHAINS_CHAINS_H

#include <regex.h>

#include "util/profile/names.h"

struct chains {
	const struct node *nodes; /* in preorder: util/profile/preorder.h */
	u32 nr_nodes;
	const u32 *node_of_row; /* NULL: as the rows say */
	const u32 *leaf_of_row; /* locations; NULL: as the rows say */
	const struct profile *profile;
	/* What is not the profile's. */
	struct node *own_nodes;
	u32 *own_node_of_row, *own_leaf_of_row;
};

/* Those of @profile, as they were built; their nodes may get other numbers. */
void chains__init(struct chains *chains, const struct profile *profile);
void chains__exit(struct chains *chains);

/* Take over @nodes and, by row, @node_of_row, both from the heap, in place of what is there. */
void chains__replace(struct chains *chains, struct node *nodes, u32 nr_nodes, u32 *node_of_row);

/* Leave out frames without a name: their callees become callees of their callers. */
void chains__drop_unnamed(struct chains *chains, const struct names *names);

/*
 * Let the outermost function of each chain whose name matches @functions be its leaf, which the
 * samples count for: its callees are left out.
 */
void chains__ignore_callees(struct chains *chains, const struct names *names,
                            const regex_t *functions);

/* The location that row @row counts for. */
static inline u32 chains__leaf(const struct chains *chains, u64 row)
{
	return chains->leaf_of_row ? chains->leaf_of_row[row] : chains->profile->rows[row].leaf_loc;
}

/* The leaf of the chain of row @row. */
static inline u32 chains__node(const struct chains *chains, u64 row)
{
	return chains->node_of_row ? chains->node_of_row[row] : chains->profile->rows[row].node;
}

#endif
