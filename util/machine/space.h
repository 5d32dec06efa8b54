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
 *
 * A space grows at its end, and loses maps there when a late record makes the machine go back. Its
 * maps are in parts, one behind the other in time, each with a tree that never changes, and a few
 * at the end that are scanned. Several parts of about one size become one, so a map is indexed
 * O(log n) times in all and there are O(log n) parts.
 */
#ifndef PERF_UTIL_MACHINE_SPACE_H
#define PERF_UTIL_MACHINE_SPACE_H

#include "util/lib/alloc.h"
#include "util/machine/machine.h"

#define MOMENT_NEVER ((struct moment){ UINT64_MAX, UINT64_MAX })

struct space {
	u32 *ids; /* of maps, by moment */
	u32 nr, cap;
	struct space_parts *parts; /* NULL: all are scanned */
};

void space__exit(struct space *space); /* it is empty then */

/* @id's moment is not before that of any map in the space. */
void space__append(struct space *space, u32 id);

/* The opposite: the last one goes. */
void space__pop(struct space *space);

/*
 * Index what was appended where that is much; @maps is the machine's array. Returns the number of
 * maps that it took in hand.
 */
u32 space__index(struct space *space, const struct map_info *maps);

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
