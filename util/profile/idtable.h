/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index of an interned array: from a hash to the ids of elements that may be equal. The
 * elements stay in the owner's array, and the owner compares them:
 *
 *	idtable__reserve(t, hash_of, ctx);
 *	for (i = idtable__start(t, hash); !idtable__free(t, i); i = idtable__next(t, i))
 *		if (idtable__match(t, i, hash) && equal(&array[idtable__id(t, i)], key))
 *			return idtable__id(t, i);
 *	idtable__add(t, i, hash, new_id);
 *
 * Ids are added in rising order, from a first one on. An owner that finds some elements in a faster
 * way leaves them out of the table; it searches first, and idtable__insert() makes room.
 *
 * A slot has four bytes: the id in the low bits (those of the table's mask), part of the hash in
 * the others, so a new element costs one cache miss. To grow, the old table is freed first and the
 * new one built from the elements: the two never exist side by side.
 */
#ifndef PERF_UTIL_PROFILE_IDTABLE_H
#define PERF_UTIL_PROFILE_IDTABLE_H

#include "util/lib/types.h"

/* The hash of element @id, as the owner's searches compute it. False: it was left out. */
typedef bool (*idtable_hash_fn)(const void *ctx, u32 id, u64 *hash);

struct idtable {
	u32 *slots;
	u32 mask;              /* number of slots - 1; ids are below it */
	u32 first_id, next_id; /* ids lie in first_id .. next_id - 1 */
	u32 nr;
};

#define IDTABLE_MAX 0xa0000000u /* elements: below 2^32 with room for the load factor */

void idtable__exit(struct idtable *table);

/* Make room for one more element, @id. */
void idtable__grow(struct idtable *table, u32 id, idtable_hash_fn hash_of, const void *ctx);

static inline void idtable__reserve_id(struct idtable *table, u32 id, idtable_hash_fn hash_of,
                                       const void *ctx)
{
	if (unlikely(!table->slots || ((u64)table->nr + 1) * 4 > ((u64)table->mask + 1) * 3 ||
	             id >= table->mask))
		idtable__grow(table, id, hash_of, ctx);
}

/* The same for ids without gaps. */
static inline void idtable__reserve(struct idtable *table, idtable_hash_fn hash_of, const void *ctx)
{
	idtable__reserve_id(table, table->first_id + table->nr, hash_of, ctx);
}

static inline u32 idtable__start(const struct idtable *table, u64 hash)
{
	return (u32)hash & table->mask;
}

static inline u32 idtable__next(const struct idtable *table, u32 i)
{
	return (i + 1) & table->mask;
}

static inline bool idtable__free(const struct idtable *table, u32 i)
{
	return table->slots[i] == UINT32_MAX; /* an id never has all bits of the mask set */
}

static inline u32 idtable__id(const struct idtable *table, u32 i)
{
	return table->slots[i] & table->mask;
}

static inline bool idtable__match(const struct idtable *table, u32 i, u64 hash)
{
	return !((table->slots[i] ^ (u32)(hash >> 32)) & ~table->mask);
}

/* Fill the free slot @i that a search for @hash ended at. */
static inline void idtable__add(struct idtable *table, u32 i, u64 hash, u32 id)
{
	table->slots[i] = ((u32)(hash >> 32) & ~table->mask) | id;
	table->next_id = id + 1;
	table->nr++;
}

/* Add an element that a search did not find. */
static inline void idtable__insert(struct idtable *table, u64 hash, u32 id, idtable_hash_fn hash_of,
                                   const void *ctx)
{
	idtable__reserve_id(table, id, hash_of, ctx);
	u32 i = idtable__start(table, hash);

	while (!idtable__free(table, i))
		i = idtable__next(table, i);
	idtable__add(table, i, hash, id);
}

/* Prefetch the slot for a later search. */
static inline void idtable__prefetch(const struct idtable *table, u64 hash)
{
	__builtin_prefetch(&table->slots[idtable__start(table, hash)], 1);
}

#endif
