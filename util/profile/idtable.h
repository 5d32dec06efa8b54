/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index of an interned array: from a hash to the ids of elements that may be equal. The
 * elements themselves stay in their owner's array, who compares them:
 *
 *	for (u32 i = idtable__first(t, hash); (id = idtable__id(t, i)) != ID_NONE;
 *	     i = idtable__next(t, i))
 *		if (idtable__match(t, i, hash) && equal(&array[id], key))
 *			return id;
 *
 * Eight bytes a slot; 32 bits of the hash lie beside the id, so that a new element costs one
 * cache miss and growing does not touch the elements at all.
 */
#ifndef PERF_UTIL_PROFILE_IDTABLE_H
#define PERF_UTIL_PROFILE_IDTABLE_H

#include "util/lib/types.h"

struct idtable {
	struct idslot {
		u32 tag; /* of the hash */
		u32 id;  /* ID_NONE: free */
	} * slots;
	u32 mask; /* number of slots - 1 */
	u32 used;
};

#define IDTABLE_INIT                                                                               \
	{                                                                                          \
		.slots = NULL                                                                      \
	}

void idtable__exit(struct idtable *table);

/* Make room for one more, so that first/next/add work: call before each search that may add. */
void idtable__grow(struct idtable *table);

static inline void idtable__reserve(struct idtable *table)
{
	if (unlikely(!table->slots || (u64)table->used * 4 >= ((u64)table->mask + 1) * 3))
		idtable__grow(table);
}

static inline u32 idtable__first(const struct idtable *table, u64 hash)
{
	return (u32)hash & table->mask;
}

static inline u32 idtable__next(const struct idtable *table, u32 i)
{
	return (i + 1) & table->mask;
}

static inline u32 idtable__id(const struct idtable *table, u32 i)
{
	return table->slots[i].id;
}

static inline bool idtable__match(const struct idtable *table, u32 i, u64 hash)
{
	return table->slots[i].tag == (u32)hash;
}

/* Fill the free slot @i that a search ended at. */
static inline void idtable__add(struct idtable *table, u32 i, u64 hash, u32 id)
{
	table->slots[i] = (struct idslot){ .tag = (u32)hash, .id = id };
	table->used++;
}

#endif
