// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/intern.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/hash.h"

/* Below 2^32 with room for the index's load factor. */
#define IDS_MAX 0xa0000000u

void intern__init(struct intern *intern)
{
	*intern = (struct intern){ .nr_nodes = 1 };
	array__reserve(&intern->nodes, &intern->cap_nodes, 1, sizeof(*intern->nodes));
	intern->nodes[NODE_ROOT] = (struct node){ .parent = NODE_ROOT, .loc = ID_NONE };
}

void intern__exit(struct intern *intern)
{
	free(intern->locs);
	free(intern->nodes);
	free(intern->rows);
	idtable__exit(&intern->loc_index);
	idtable__exit(&intern->node_index);
	idtable__exit(&intern->row_index);
	*intern = (struct intern){ .full = intern->full };
}

static bool loc_equal(const struct loc *a, const struct loc *b)
{
	return a->addr == b->addr && a->dso == b->dso && a->cpumode == b->cpumode &&
	       a->flags == b->flags;
}

u32 intern__loc(struct intern *intern, const struct loc *loc)
{
	u64 hash = hash__add(loc->addr, (u64)loc->dso << 16 | loc->cpumode << 8 | loc->flags);
	u32 id, i;

	idtable__reserve(&intern->loc_index);
	for (i = idtable__first(&intern->loc_index, hash);
	     (id = idtable__id(&intern->loc_index, i)) != ID_NONE;
	     i = idtable__next(&intern->loc_index, i))
		if (idtable__match(&intern->loc_index, i, hash) &&
		    loc_equal(&intern->locs[id], loc))
			return id;
	if (unlikely(intern->nr_locs >= IDS_MAX)) {
		intern->full = true;
		return 0;
	}
	id = intern->nr_locs++;
	array__reserve(&intern->locs, &intern->cap_locs, intern->nr_locs, sizeof(*loc));
	intern->locs[id] = *loc;
	idtable__add(&intern->loc_index, i, hash, id);
	return id;
}

u32 intern__node(struct intern *intern, u32 parent, u32 loc)
{
	u64 hash = hash__u64((u64)parent << 32 | loc);
	u32 id, i;

	idtable__reserve(&intern->node_index);
	for (i = idtable__first(&intern->node_index, hash);
	     (id = idtable__id(&intern->node_index, i)) != ID_NONE;
	     i = idtable__next(&intern->node_index, i))
		if (idtable__match(&intern->node_index, i, hash) &&
		    intern->nodes[id].parent == parent && intern->nodes[id].loc == loc)
			return id;
	if (unlikely(intern->nr_nodes >= IDS_MAX)) {
		intern->full = true;
		return parent;
	}
	id = intern->nr_nodes++;
	array__reserve(&intern->nodes, &intern->cap_nodes, intern->nr_nodes, sizeof(struct node));
	intern->nodes[id] = (struct node){ .parent = parent, .loc = loc };
	idtable__add(&intern->node_index, i, hash, id);
	return id;
}

/* Everything of a row that lies before its sums is its key. */
#define ROW_KEY_SIZE offsetof(struct row, count)
_Static_assert(ROW_KEY_SIZE == 24, "the key is hashed as three words without padding");

static u64 row_hash(const struct row *row)
{
	u64 words[3];

	memcpy(words, row, sizeof(words));
	return hash__u64(hash__u64(words[0]) + (words[1] ^ words[2] * 0x9e3779b97f4a7c15ull));
}

void intern__row(struct intern *intern, const struct row *row)
{
	u64 hash = row_hash(row);
	u32 id, i;

	idtable__reserve(&intern->row_index);
	for (i = idtable__first(&intern->row_index, hash);
	     (id = idtable__id(&intern->row_index, i)) != ID_NONE;
	     i = idtable__next(&intern->row_index, i)) {
		if (idtable__match(&intern->row_index, i, hash) &&
		    !memcmp(&intern->rows[id], row, ROW_KEY_SIZE)) {
			intern->rows[id].count += row->count;
			intern->rows[id].period += row->period;
			return;
		}
	}
	if (unlikely(intern->nr_rows >= IDS_MAX)) {
		intern->full = true;
		return;
	}
	id = intern->nr_rows++;
	array__reserve(&intern->rows, &intern->cap_rows, intern->nr_rows, sizeof(*row));
	intern->rows[id] = *row;
	idtable__add(&intern->row_index, i, hash, id);
}

void intern__merge(struct intern *into, struct intern *from)
{
	u32 *locs = xrealloc(NULL, from->nr_locs, sizeof(*locs));
	u32 *nodes = xrealloc(NULL, from->nr_nodes, sizeof(*nodes));

	/* The old indexes are of no use any more: give their memory back before growing. */
	idtable__exit(&from->loc_index);
	idtable__exit(&from->node_index);
	idtable__exit(&from->row_index);
	for (u32 i = 0; i < from->nr_locs; i++)
		locs[i] = intern__loc(into, &from->locs[i]);
	nodes[NODE_ROOT] = NODE_ROOT;
	for (u32 i = 1; i < from->nr_nodes; i++) /* parents come before their children */
		nodes[i] =
		        intern__node(into, nodes[from->nodes[i].parent], locs[from->nodes[i].loc]);
	for (u32 i = 0; i < from->nr_rows; i++) {
		struct row row = from->rows[i];

		row.node = nodes[row.node];
		row.leaf_loc = locs[row.leaf_loc];
		intern__row(into, &row);
	}
	into->full |= from->full;
	free(locs);
	free(nodes);
	intern__exit(from);
}

void intern__finish(struct intern *intern, struct profile *profile)
{
	profile->locs = xrealloc(intern->locs, intern->nr_locs, sizeof(*intern->locs));
	profile->nodes = xrealloc(intern->nodes, intern->nr_nodes, sizeof(*intern->nodes));
	profile->rows = xrealloc(intern->rows, intern->nr_rows, sizeof(*intern->rows));
	profile->nr_locs = intern->nr_locs;
	profile->nr_nodes = intern->nr_nodes;
	profile->nr_rows = intern->nr_rows;
	intern->locs = NULL;
	intern->nodes = NULL;
	intern->rows = NULL;
	intern__exit(intern);
}
