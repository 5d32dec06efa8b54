/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A direct-mapped cache: a key belongs to one of its places, by its hash, and what comes there
 * replaces what was there. Entries are of any one type, one with all bytes zero must be equal to no
 * key.
 *
 * Entries lie together in the order in which their places were first used, for page faults cost
 * more than look-ups: a table of entries would be touched all over by a few hundred keys, each page
 * when it is read, and again when it is written. That second time is the worse, as it interrupts
 * the other processors that run threads of the process.
 */
#ifndef PERF_UTIL_LIB_DIRECT_MAP_H
#define PERF_UTIL_LIB_DIRECT_MAP_H

#include "util/lib/types.h"

struct direct_map {
	u16 *numbers;  /* of entries, by place; 0: of the one that is equal to no key */
	u32 nr_places; /* a power of two, at most 32768 */
	u32 nr;        /* entries, number 0 included */
	char *entries;
	size_t cap;
};

/* @size of the functions below is that of an entry, always the same. */
void direct_map__init(struct direct_map *map, u32 nr_places, size_t size);
void direct_map__exit(struct direct_map *map);
void direct_map__clear(struct direct_map *map);

/* What is at the place of @hash: to be read only, unless it is equal to the key. */
static inline void *direct_map__at(const struct direct_map *map, u64 hash, size_t size)
{
	return map->entries + map->numbers[hash & (map->nr_places - 1)] * size;
}

/* The same, to be written: pointers to entries are no longer valid. */
void *direct_map__make(struct direct_map *map, u64 hash, size_t size);

#endif
