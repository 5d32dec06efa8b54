// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/intern.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/profile/preorder.h"

static u32 append_node(struct intern *intern, u32 parent, u32 loc)
{
	u32 id = intern->nr_nodes++;

	array__reserve(&intern->nodes, &intern->cap_nodes, intern->nr_nodes, sizeof(struct node));
	array__reserve(&intern->firsts, &intern->cap_firsts, intern->nr_nodes,
	               sizeof(struct node_first));
	intern->nodes[id] = (struct node){ .parent = parent, .loc = loc };
	intern->firsts[id] = (struct node_first){ .child = NODE_ROOT, .row = ID_NONE };
	return id;
}

void intern__init(struct intern *intern, u32 nr_sample_keys, u64 places)
{
	*intern = (struct intern){ .node_index.first_id = 1,
		                   .nr_sample_keys = nr_sample_keys,
		                   .places = places };
	append_node(intern, NODE_ROOT, ID_NONE);
}

static void drop_indexes(struct intern *intern)
{
	idtable__exit(&intern->node_index);
	idtable__exit(&intern->row_index);
	free(intern->firsts);
	intern->firsts = NULL;
	intern->cap_firsts = 0;
}

void intern__exit(struct intern *intern)
{
	free(intern->locs);
	free(intern->nodes);
	free(intern->rows);
	free(intern->values_of_row);
	free(intern->sample_values);
	drop_indexes(intern);
	idtable__exit(&intern->loc_index);
	idtable__exit(&intern->value_index);
	*intern = (struct intern){ .full = intern->full };
}

/* ---- locations ---- */

static u64 loc_hash(const struct loc *loc)
{
	u64 hash = hash__add(loc->addr, (u64)loc->dso << 16 | loc->cpumode << 8 | loc->flags);

	return likely(!loc->branch) ? hash : hash__add(hash, loc->branch);
}

static bool loc_hash_of(const void *ctx, u32 id, u64 *hash)
{
	*hash = loc_hash(&((const struct intern *)ctx)->locs[id]);
	return true;
}

static bool loc_equal(const struct loc *a, const struct loc *b)
{
	return a->addr == b->addr && a->dso == b->dso && a->cpumode == b->cpumode &&
	       a->flags == b->flags && a->branch == b->branch;
}

u32 intern__loc(struct intern *intern, const struct loc *loc)
{
	struct idtable *index = &intern->loc_index;
	u64 hash = loc_hash(loc);
	u32 i;

	idtable__reserve(index, loc_hash_of, intern);
	for (i = idtable__start(index, hash); !idtable__free(index, i); i = idtable__next(index, i))
		if (idtable__match(index, i, hash) &&
		    loc_equal(&intern->locs[idtable__id(index, i)], loc))
			return idtable__id(index, i);
	if (unlikely(intern->nr_locs >= IDTABLE_MAX)) {
		intern->full = true;
		return 0;
	}
	u32 id = intern->nr_locs++;

	array__reserve(&intern->locs, &intern->cap_locs, intern->nr_locs, sizeof(*loc));
	intern->locs[id] = *loc;
	idtable__add(index, i, hash, id);
	return id;
}

/* ---- nodes ---- */

static u64 node_hash(u32 parent, u32 loc)
{
	return hash__u64((u64)parent << 32 | loc);
}

static bool node_hash_of(const void *ctx, u32 id, u64 *hash)
{
	const struct intern *intern = ctx;
	const struct node *node = &intern->nodes[id];

	if (intern->firsts[node->parent].child == id)
		return false;
	*hash = node_hash(node->parent, node->loc);
	return true;
}

/* Not the first child of @parent: the node, or ID_NONE. */
static u32 find_other(const struct intern *intern, u32 parent, u32 loc)
{
	const struct idtable *index = &intern->node_index;
	u64 hash = node_hash(parent, loc);

	if (!index->slots)
		return ID_NONE;
	for (u32 i = idtable__start(index, hash); !idtable__free(index, i);
	     i = idtable__next(index, i)) {
		u32 id = idtable__id(index, i);

		if (idtable__match(index, i, hash) && intern->nodes[id].parent == parent &&
		    intern->nodes[id].loc == loc)
			return id;
	}
	return ID_NONE;
}

static u32 find_node(const struct intern *intern, u32 parent, u32 loc)
{
	u32 first = intern->firsts[parent].child;

	if (first == NODE_ROOT)
		return ID_NONE;
	return intern->nodes[first].loc == loc ? first : find_other(intern, parent, loc);
}

static u32 add_node(struct intern *intern, u32 parent, u32 loc)
{
	u32 id = append_node(intern, parent, loc);

	if (intern->firsts[parent].child == NODE_ROOT)
		intern->firsts[parent].child = id;
	else
		idtable__insert(&intern->node_index, node_hash(parent, loc), id, node_hash_of,
		                intern);
	return id;
}

static bool has_room(struct intern *intern, u32 more)
{
	if (likely(intern->nr_nodes < IDTABLE_MAX - more))
		return true;
	intern->full = true;
	return false;
}

u32 intern__node(struct intern *intern, u32 parent, u32 loc)
{
	u32 id = find_node(intern, parent, loc);

	if (id != ID_NONE)
		return id;
	return has_room(intern, 1) ? add_node(intern, parent, loc) : parent;
}

void intern__branch(struct intern *intern, u32 parent, const u32 *locs, u32 nr, u32 *nodes)
{
	u32 n = 0, id;

	for (; n < nr; n++) {
		id = find_node(intern, parent, locs[n]);
		if (id == ID_NONE)
			break;
		nodes[n] = parent = id;
	}
	if (n == nr)
		return;
	bool room = has_room(intern, nr - n);

	for (; n < nr; n++) {
		if (room)
			parent = add_node(intern, parent, locs[n]);
		nodes[n] = parent;
	}
}

void intern__prefetch(const struct intern *intern, u32 parent, u32 loc)
{
	if (intern->node_index.slots && intern->firsts[parent].child != NODE_ROOT)
		idtable__prefetch(&intern->node_index, node_hash(parent, loc));
}

/* ---- values of samples ---- */

static u64 values_hash(const struct intern *intern, const u64 *values)
{
	u64 hash = 0;

	for (u32 i = 0; i < intern->nr_sample_keys; i++)
		hash = hash__add(hash, values[i]);
	return hash;
}

static const u64 *values_at(const struct intern *intern, u32 id)
{
	return &intern->sample_values[(size_t)id * intern->nr_sample_keys];
}

static bool values_hash_of(const void *ctx, u32 id, u64 *hash)
{
	*hash = values_hash(ctx, values_at(ctx, id));
	return true;
}

u32 intern__values(struct intern *intern, const u64 *values)
{
	struct idtable *index = &intern->value_index;
	size_t nr = intern->nr_sample_keys, size = nr * sizeof(*values);
	u64 hash = values_hash(intern, values);
	u32 i;

	idtable__reserve(index, values_hash_of, intern);
	for (i = idtable__start(index, hash); !idtable__free(index, i); i = idtable__next(index, i))
		if (idtable__match(index, i, hash) &&
		    !memcmp(values_at(intern, idtable__id(index, i)), values, size))
			return idtable__id(index, i);
	if (unlikely(intern->nr_values >= IDTABLE_MAX)) {
		intern->full = true;
		return 0;
	}
	u32 id = intern->nr_values++;

	array__reserve(&intern->sample_values, &intern->cap_values, intern->nr_values * nr,
	               sizeof(*values));
	memcpy(intern->sample_values + id * nr, values, size);
	idtable__add(index, i, hash, id);
	return id;
}

/* ---- rows ---- */

/* Everything of a row that lies before its sums is its key; the thread, as the last, may be not. */
#define ROW_KEY_SIZE offsetof(struct row, thread)
_Static_assert(ROW_KEY_SIZE == 20 && offsetof(struct row, count) == 24,
               "the key is hashed as five half words without padding");

static u64 row_hash(const struct intern *intern, const struct row *row, u32 values)
{
	u64 words[2];
	u32 end;

	memcpy(words, row, sizeof(words));
	memcpy(&end, &row->end, sizeof(end));
	/* Odd multipliers keep the words apart; one finalizer mixes their sum. */
	return hash__u64(words[0] + words[1] * 0x9e3779b97f4a7c15ull +
	                 ((u64)(intern->any_thread ? 0 : row->thread) << 32 | end) *
	                         0xc2b2ae3d27d4eb4full +
	                 values * 0x165667b19e3779f9ull);
}

static bool row_hash_of(const void *ctx, u32 id, u64 *hash)
{
	const struct intern *intern = ctx;
	const struct row *row = &intern->rows[id];

	if (intern->firsts[row->node].row == id)
		return false;
	*hash = row_hash(intern, row, intern->values_of_row ? intern->values_of_row[id] : 0);
	return true;
}

/* Add to row @id if it is equal. */
static bool add_to_row(struct intern *intern, u32 id, const struct row *row, u32 values)
{
	struct row *known = &intern->rows[id];

	if (memcmp(known, row, ROW_KEY_SIZE) ||
	    (known->thread != row->thread && !intern->any_thread) ||
	    (unlikely(intern->values_of_row) && intern->values_of_row[id] != values))
		return false;
	row__add(known, row);
	return true;
}

/* Not the first row of its node: its id if there is one equal, or ID_NONE. */
static u32 add_to_other(struct intern *intern, const struct row *row, u32 values, u64 hash)
{
	const struct idtable *index = &intern->row_index;

	if (!index->slots)
		return ID_NONE;
	for (u32 i = idtable__start(index, hash); !idtable__free(index, i);
	     i = idtable__next(index, i))
		if (idtable__match(index, i, hash) &&
		    add_to_row(intern, idtable__id(index, i), row, values))
			return idtable__id(index, i);
	return ID_NONE;
}

static void note_values(struct intern *intern, u32 row, u32 values)
{
	array__reserve(&intern->values_of_row, &intern->cap_values_of_row, (size_t)row + 1,
	               sizeof(u32));
	intern->values_of_row[row] = values;
}

u32 intern__row(struct intern *intern, const struct row *row, u32 values)
{
	struct node_first *first = &intern->firsts[row->node];
	u64 hash = 0;
	u32 id;

	if (first->row != ID_NONE) {
		if (add_to_row(intern, first->row, row, values))
			return first->row;
		hash = row_hash(intern, row, values);
		id = add_to_other(intern, row, values, hash);
		if (id != ID_NONE)
			return id;
	}
	if (unlikely(intern->nr_rows >= IDTABLE_MAX)) {
		intern->full = true;
		return 0;
	}
	id = intern->nr_rows++;
	array__reserve(&intern->rows, &intern->cap_rows, intern->nr_rows, sizeof(*row));
	intern->rows[id] = *row;
	if (unlikely(intern->nr_sample_keys))
		note_values(intern, id, values);
	if (first->row == ID_NONE)
		first->row = id;
	else
		idtable__insert(&intern->row_index, hash, id, row_hash_of, intern);
	return id;
}

/* ---- all of it ---- */

/* Rows by their nodes: where each goes. */
static u32 *order_rows(const struct intern *intern)
{
	u32 *next = xcalloc((size_t)intern->nr_nodes + 1, sizeof(*next));
	u32 *places = xrealloc(NULL, intern->nr_rows, sizeof(*places));

	for (u32 i = 0; i < intern->nr_rows; i++)
		next[intern->rows[i].node + 1]++;
	for (u32 i = 0; i < intern->nr_nodes; i++)
		next[i + 1] += next[i];
	for (u32 i = 0; i < intern->nr_rows; i++)
		places[i] = next[intern->rows[i].node]++;
	free(next);
	return places;
}

static void move_rows(struct intern *intern, const u32 *places)
{
	struct row *rows = xrealloc(NULL, intern->nr_rows, sizeof(*rows));
	u32 *values = NULL;

	for (u32 i = 0; i < intern->nr_rows; i++)
		rows[places[i]] = intern->rows[i];
	free(intern->rows);
	intern->rows = rows;
	intern->cap_rows = intern->nr_rows;
	if (!intern->values_of_row)
		return;
	values = xrealloc(NULL, intern->nr_rows, sizeof(*values));
	for (u32 i = 0; i < intern->nr_rows; i++)
		values[places[i]] = intern->values_of_row[i];
	free(intern->values_of_row);
	intern->values_of_row = values;
	intern->cap_values_of_row = intern->nr_rows;
}

void intern__seal(struct intern *intern)
{
	drop_indexes(intern);
	if (intern->nr_nodes == 1)
		return;
	u32 *numbers = preorder__numbers(intern->nodes, intern->nr_nodes);
	struct node *nodes = preorder__apply(intern->nodes, intern->nr_nodes, numbers);

	free(intern->nodes);
	intern->nodes = nodes;
	intern->cap_nodes = intern->nr_nodes;
	for (u32 i = 0; i < intern->nr_rows; i++)
		intern->rows[i].node = numbers[intern->rows[i].node];
	free(numbers);
	u32 *places = order_rows(intern);

	move_rows(intern, places);
	free(places);
}

static void append_nodes(struct intern *into, const struct intern *from, const u32 *locs)
{
	u32 shift = into->nr_nodes - 1;

	array__reserve(&into->nodes, &into->cap_nodes, (size_t)into->nr_nodes + from->nr_nodes,
	               sizeof(*into->nodes));
	for (u32 i = 1; i < from->nr_nodes; i++) {
		const struct node *node = &from->nodes[i];

		into->nodes[into->nr_nodes++] = (struct node){
			.parent = node->parent == NODE_ROOT ? NODE_ROOT : node->parent + shift,
			.loc = locs[node->loc],
		};
	}
}

/* Locations among the values: as @into knows them. */
static void translate_values(struct intern *from, const u32 *locs)
{
	for (u32 slot = 0; from->places >> slot && slot < 64; slot++) {
		if (!(from->places >> slot & 1))
			continue;
		for (u32 i = 0; i < from->nr_values; i++) {
			u64 *value = &from->sample_values[(size_t)i * from->nr_sample_keys + slot];

			*value = locs[*value];
		}
	}
}

static void append_rows(struct intern *into, const struct intern *from, const u32 *locs, u32 shift)
{
	for (u32 i = 0; from->nr_sample_keys && i < from->nr_rows; i++)
		note_values(into, into->nr_rows + i,
		            intern__values(into, values_at(from, from->values_of_row[i])));
	array__reserve(&into->rows, &into->cap_rows, (size_t)into->nr_rows + from->nr_rows,
	               sizeof(*into->rows));
	for (u32 i = 0; i < from->nr_rows; i++) {
		struct row *row = &into->rows[into->nr_rows++];

		*row = from->rows[i];
		row->node += row->node == NODE_ROOT ? 0 : shift;
		row->leaf_loc = locs[row->leaf_loc];
	}
}

void intern__append(struct intern *into, struct intern *from)
{
	u32 shift = into->nr_nodes - 1;

	into->full |= from->full || (u64)into->nr_nodes + from->nr_nodes > IDTABLE_MAX ||
	              (u64)into->nr_rows + from->nr_rows > IDTABLE_MAX;
	if (!into->full) {
		u32 *locs = xrealloc(NULL, from->nr_locs, sizeof(*locs));

		for (u32 i = 0; i < from->nr_locs; i++)
			locs[i] = intern__loc(into, &from->locs[i]);
		translate_values(from, locs);
		append_nodes(into, from, locs);
		append_rows(into, from, locs, shift);
		free(locs);
	}
	intern__exit(from);
}

/* @from in the place of what *array was. */
static void *copied(void *array, const void *from, size_t nr, size_t size)
{
	array = xrealloc(array, nr, size);
	if (nr)
		memcpy(array, from, nr * size);
	return array;
}

static void copy_values(const struct intern *intern, struct profile *profile)
{
	profile->nr_sample_keys = intern->nr_sample_keys;
	if (!intern->nr_sample_keys)
		return;
	profile->sample_values =
	        copied(profile->sample_values, intern->sample_values,
	               (size_t)intern->nr_values * intern->nr_sample_keys, sizeof(u64));
	profile->values_of_row = xrealloc(profile->values_of_row, intern->nr_rows, sizeof(u32));
	for (u32 i = 0, nr = 0; i < intern->nr_rows; i++)
		if (intern->rows[i].count)
			profile->values_of_row[nr++] = intern->values_of_row[i];
}

void intern__copy(const struct intern *intern, struct profile *profile)
{
	u32 nr = 0;

	profile->locs = copied(profile->locs, intern->locs, intern->nr_locs, sizeof(struct loc));
	profile->nodes =
	        copied(profile->nodes, intern->nodes, intern->nr_nodes, sizeof(struct node));
	profile->rows = xrealloc(profile->rows, intern->nr_rows, sizeof(struct row));
	for (u32 i = 0; i < intern->nr_rows; i++) {
		profile->rows[nr] = intern->rows[i];
		nr += intern->rows[i].count != 0;
	}
	copy_values(intern, profile);
	profile->nr_locs = intern->nr_locs;
	profile->nr_nodes = intern->nr_nodes;
	profile->nr_rows = nr;
}

/* Those of the rows that count, and their callers. */
static void mark_nodes(const struct intern *intern, u8 *used)
{
	for (u32 i = 0; i < intern->nr_rows; i++)
		used[intern->rows[i].node] |= intern->rows[i].count != 0;
	for (u32 i = intern->nr_nodes; i-- > 1;)
		used[intern->nodes[i].parent] |= used[i];
}

/* Intern the values of row @i of @old, locations among them by their new numbers. */
static u32 carry_values(struct intern *fresh, const struct intern *old, u32 i, u64 *values)
{
	memcpy(values, values_at(old, old->values_of_row[i]),
	       old->nr_sample_keys * sizeof(*values));
	for (u32 slot = 0; slot < old->nr_sample_keys && slot < 64; slot++)
		if (old->places >> slot & 1)
			values[slot] = intern__loc(fresh, &old->locs[values[slot]]);
	return intern__values(fresh, values);
}

void intern__drop_dead(struct intern *intern)
{
	u64 *values = xcalloc(intern->nr_sample_keys, sizeof(*values));
	struct intern fresh;
	u8 *used = xcalloc(intern->nr_nodes, 1);
	u32 *nodes = xcalloc(intern->nr_nodes, sizeof(*nodes));

	intern__init(&fresh, intern->nr_sample_keys, intern->places);
	fresh.any_thread = intern->any_thread;
	mark_nodes(intern, used);
	for (u32 i = 1; i < intern->nr_nodes; i++) {
		const struct node *node = &intern->nodes[i];

		if (used[i])
			nodes[i] = intern__node(&fresh, nodes[node->parent],
			                        intern__loc(&fresh, &intern->locs[node->loc]));
	}
	for (u32 i = 0; i < intern->nr_rows; i++) {
		struct row row = intern->rows[i];

		if (!row.count)
			continue;
		row.node = nodes[row.node];
		row.leaf_loc = intern__loc(&fresh, &intern->locs[row.leaf_loc]);
		intern__row(&fresh, &row,
		            intern->nr_sample_keys ? carry_values(&fresh, intern, i, values) : 0);
	}
	free(used);
	free(nodes);
	free(values);
	intern__exit(intern);
	*intern = fresh;
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
	profile->values_of_row = intern->values_of_row;
	profile->sample_values = intern->sample_values;
	profile->nr_sample_keys = intern->nr_sample_keys;
	intern->rows = NULL;
	intern->values_of_row = NULL;
	intern->sample_values = NULL;
	intern__exit(intern);
}
