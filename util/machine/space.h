/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One address space over time: which map covered address A at time T; of two that overlap the later
 * wins. Private to util/machine/.
 *
 * A space refers to maps of the machine in order of their moments. Few maps are scanned. Many are
 * indexed by a segment tree over the elementary address ranges (those between neighbouring map
 * edges): a map hangs on the O(log n) nodes that make up its range, so the maps that cover A are
 * those on the path from A's leaf to the root, and each node's maps are ordered by moment. Nothing
 * is cut or copied, however maps overlap.
 */
#ifndef PERF_UTIL_MACHINE_SPACE_H
#define PERF_UTIL_MACHINE_SPACE_H

#include "util/lib/alloc.h"
#include "util/machine/machine.h"

#define MOMENT_NEVER ((struct moment){ UINT64_MAX, UINT64_MAX })

struct space {
	const u32 *ids; /* of maps, by moment */
	u32 nr;
	struct space_index *index; /* NULL: scan */
};

/* @maps is the machine's array; ids are set. The index comes from @arena. */
void space__build(struct space *space, const struct map_info *maps, struct arena *arena);

struct space_hit {
	u32 map;        /* ID_NONE: none */
	u64 start, end; /* around the address, where the answer is the same in [since, until) */
	struct moment since, until; /* until: the moment of the next map that covers the address */
};

void space__find(const struct space *space, const struct map_info *maps, u64 addr,
                 struct moment when, struct space_hit *hit);

static inline u64 map_info__end(const struct map_info *map)
{
	return map->len > UINT64_MAX - map->start ? UINT64_MAX : map->start + map->len;
}

#endif
