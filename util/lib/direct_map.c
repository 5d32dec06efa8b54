// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/direct_map.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

void direct_map__init(struct direct_map *map, u32 nr_places, size_t size)
{
	*map = (struct direct_map){ .nr_places = nr_places, .nr = 1 };
	map->numbers = xcalloc(nr_places, sizeof(*map->numbers));
	array__reserve(&map->entries, &map->cap, 1, size);
	memset(map->entries, 0, size);
}

void direct_map__exit(struct direct_map *map)
{
	free(map->numbers);
	free(map->entries);
	*map = (struct direct_map){ .nr = 0 };
}

void direct_map__clear(struct direct_map *map)
{
	memset(map->numbers, 0, map->nr_places * sizeof(*map->numbers));
	map->nr = 1;
}

void *direct_map__make(struct direct_map *map, u64 hash, size_t size)
{
	u16 *number = &map->numbers[hash & (map->nr_places - 1)];

	if (!*number) {
		array__reserve(&map->entries, &map->cap, map->nr + 1, size);
		*number = map->nr++;
	}
	return map->entries + *number * size;
}
