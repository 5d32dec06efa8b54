/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hash functions with full mixing, and an open-addressing map u64 -> u32. Full mixing: each input
 * bit reaches each output bit; a plain multiply clusters addresses and costs an order of magnitude.
 */
#ifndef PERF_UTIL_LIB_HASH_H
#define PERF_UTIL_LIB_HASH_H

#include "util/lib/types.h"

/* The 64-bit finalizer of MurmurHash3 (public domain, Austin Appleby). */
static inline u64 hash__u64(u64 x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdull;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53ull;
	x ^= x >> 33;
	return x;
}

/* Mix @x into the running hash @h. */
static inline u64 hash__add(u64 h, u64 x)
{
	return hash__u64(h * 0x9e3779b97f4a7c15ull + x);
}

u64 hash__bytes(const void *data, size_t len);

/*
 * Map from u64 to u32. The value ID_NONE cannot be stored: it means "absent". Any key is fine.
 * Look-ups are safe from several threads while nobody writes.
 */
struct u64map {
	struct u64map_slot {
		u64 key;
		u32 value; /* ID_NONE: the slot is free */
	} * slots;
	size_t mask; /* number of slots - 1 */
	size_t used;
};

#define U64MAP_INIT                                                                                \
	{                                                                                          \
		.slots = NULL                                                                      \
	}

void u64map__exit(struct u64map *map);

/* The value of @key, or ID_NONE. */
u32 u64map__get(const struct u64map *map, u64 key);

/* The address of @key's value, added as ID_NONE if new; valid until the next call. */
u32 *u64map__at(struct u64map *map, u64 key);

#endif
