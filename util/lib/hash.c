// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/hash.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

static inline u64 add_word(u64 lane, const u8 *p)
{
	u64 word;

	memcpy(&word, p, 8);
	word ^= lane;
	return (word << 29 | word >> 35) * 0x9e3779b97f4a7c15ull;
}

/*
 * Four words at a time, each in a lane of its own: to mix every word fully would cost more than to
 * read it. A changed word always changes its lane (all steps can be undone), and a lane the hash.
 */
static u64 hash_lanes(const u8 *p, size_t nr, u64 seed)
{
	u64 a = seed, b = seed + 1, c = seed + 2, d = seed + 3;

	for (; nr; nr--, p += 32) {
		a = add_word(a, p);
		b = add_word(b, p + 8);
		c = add_word(c, p + 16);
		d = add_word(d, p + 24);
	}
	return hash__add(hash__add(hash__add(a, b), c), d);
}

u64 hash__bytes(const void *data, size_t len)
{
	const u8 *p = data;
	u64 h = len, word;

	if (len >= 64) {
		h = hash_lanes(p, len / 32, h);
		p += len / 32 * 32;
		len %= 32;
	}
	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&word, p, 8);
		h = hash__add(h, word);
	}
	word = 0;
	if (len) /* data may be NULL then */
		memcpy(&word, p, len);
	return hash__add(h, word);
}

void u64map__exit(struct u64map *map)
{
	free(map->slots);
	*map = (struct u64map)U64MAP_INIT;
}

static struct u64map_slot *find_slot(const struct u64map *map, u64 key)
{
	size_t i = hash__u64(key) & map->mask;

	while (map->slots[i].value != ID_NONE && map->slots[i].key != key)
		i = (i + 1) & map->mask;
	return &map->slots[i];
}

u32 u64map__get(const struct u64map *map, u64 key)
{
	return map->slots ? find_slot(map, key)->value : ID_NONE;
}

static void grow(struct u64map *map)
{
	struct u64map old = *map;
	size_t size = old.slots ? (old.mask + 1) * 2 : 64;

	map->slots = xrealloc(NULL, size, sizeof(*map->slots));
	map->mask = size - 1;
	map->used = 0;
	for (size_t i = 0; i < size; i++)
		map->slots[i].value = ID_NONE;
	for (size_t i = 0; old.slots && i <= old.mask; i++)
		if (old.slots[i].value != ID_NONE) {
			*find_slot(map, old.slots[i].key) = old.slots[i];
			map->used++;
		}
	free(old.slots);
}

u32 *u64map__at(struct u64map *map, u64 key)
{
	/* A slot that was handed out but never given a value is free again: used may overcount. */
	if (!map->slots || map->used * 3 >= (map->mask + 1) * 2)
		grow(map);
	struct u64map_slot *slot = find_slot(map, key);

	if (slot->value == ID_NONE) {
		slot->key = key;
		map->used++;
	}
	return &slot->value;
}
