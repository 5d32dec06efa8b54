// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/machine/space.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/sort.h"

#define SCAN_MAX   24 /* up to so many maps a scan is as quick as the tree, and costs no memory */
#define FAN_BITS   3  /* of the tree: a wider one has shorter paths but hangs a map on more nodes */
#define FAN_OUT    (1u << FAN_BITS)
#define MAX_LEVELS 12
#define NEAR       32 /* moments looked at on either side of a guess */

struct space_index {
	u64 *edges; /* sorted, unique; leaf i is [edges[i], edges[i + 1]) */
	u32 nr_leaves, nr_nodes;
	u32 level_start[MAX_LEVELS]; /* number of the first node of a level; leaves are level 0 */
	u32 *first;                  /* by node: where its positions begin in `positions` */
	u32 *up;                /* by node: the nearest ancestor that has maps; ID_NONE: none */
	u32 *positions;         /* in space->ids, ascending (so by moment) within a node */
	struct moment *moments; /* by position: close together for the search */
};

/* Walks over the nodes that make up a range of leaves, level by level, from both ends. */
struct cover {
	u32 from, to; /* left to cover, in nodes of this level */
	unsigned level;
};

static inline bool cover__next(struct cover *c, const struct space_index *index, u32 *node)
{
	while (c->from < c->to) {
		u32 at;

		if (c->from % FAN_OUT)
			at = c->from++;
		else if (c->to % FAN_OUT)
			at = --c->to;
		else {
			c->from /= FAN_OUT;
			c->to /= FAN_OUT;
			c->level++;
			continue;
		}
		*node = index->level_start[c->level] + at;
		return true;
	}
	return false;
}

/* Fills index->edges; leaves[2 * position] and [.. + 1] get each map's first and end leaf. */
static void make_edges(struct space_index *index, const struct space *space,
                       const struct map_info *maps, u32 *leaves, struct arena *arena)
{
	size_t nr = (size_t)space->nr * 2;
	struct keyed *edges = xmalloc(nr * sizeof(*edges));
	u32 nr_edges = 0;

	for (u32 i = 0; i < space->nr; i++) {
		const struct map_info *map = &maps[space->ids[i]];

		edges[2 * i] = (struct keyed){ map->start, 2 * (u64)i };
		edges[2 * i + 1] = (struct keyed){ map_info__end(map), 2 * (u64)i + 1 };
	}
	keyed__sort(edges, nr);
	index->edges = arena__alloc(arena, nr * sizeof(*index->edges));
	for (size_t i = 0; i < nr; i++) {
		if (!nr_edges || index->edges[nr_edges - 1] != edges[i].key)
			index->edges[nr_edges++] = edges[i].key;
		leaves[edges[i].value] = nr_edges - 1;
	}
	index->nr_leaves = nr_edges - 1;
	free(edges);
}

static void number_nodes(struct space_index *index)
{
	u32 nr = index->nr_leaves;

	/* One level more than has several nodes: a range that is whole everywhere ends there. */
	for (unsigned level = 0; level < MAX_LEVELS; level++) {
		index->level_start[level] = index->nr_nodes;
		index->nr_nodes += nr;
		if (nr == 1)
			break;
		nr = (nr + FAN_OUT - 1) / FAN_OUT;
	}
}

/* up[] from the root down, which has the highest number. */
static void link_up(struct space_index *index, struct arena *arena)
{
	index->up = arena__alloc(arena, (size_t)index->nr_nodes * sizeof(*index->up));
	u32 level_end = index->nr_nodes;

	for (unsigned level = MAX_LEVELS; level--;) {
		u32 start = index->level_start[level];

		if (level && !start)
			continue;
		for (u32 node = level_end; node-- > start;) {
			u32 parent = level_end + (node - start) / FAN_OUT;

			if (level_end == index->nr_nodes)
				index->up[node] = ID_NONE;
			else
				index->up[node] = index->first[parent] < index->first[parent + 1]
				                          ? parent
				                          : index->up[parent];
		}
		level_end = start;
	}
}

/* Hang the maps on their nodes: count, make room, fill. */
static void hang_maps(struct space_index *index, u32 nr, const u32 *leaves, struct arena *arena)
{
	u32 nr_nodes = index->nr_nodes, total = 0, node;
	size_t size = ((size_t)nr_nodes + 1) * sizeof(*index->first);

	index->first = arena__alloc(arena, size);
	memset(index->first, 0, size);
	for (u32 i = 0; i < nr; i++)
		for (struct cover c = { leaves[2 * i], leaves[2 * i + 1], 0 };
		     cover__next(&c, index, &node);)
			index->first[node]++;
	for (node = 0; node <= nr_nodes; node++) {
		u32 count = index->first[node];

		index->first[node] = total;
		total += count;
	}
	index->positions = arena__alloc(arena, (size_t)total * sizeof(*index->positions));
	for (u32 i = 0; i < nr; i++)
		for (struct cover c = { leaves[2 * i], leaves[2 * i + 1], 0 };
		     cover__next(&c, index, &node);)
			index->positions[index->first[node]++] = i;
	/* Filling moved each start to the next node's: move them back. */
	memmove(index->first + 1, index->first, (size_t)nr_nodes * sizeof(*index->first));
	index->first[0] = 0;
}

void space__build(struct space *space, const struct map_info *maps, struct arena *arena)
{
	if (space->nr <= SCAN_MAX)
		return;
	struct space_index *index = arena__alloc(arena, sizeof(*index));
	u32 *leaves = xmalloc((size_t)space->nr * 2 * sizeof(*leaves));

	memset(index, 0, sizeof(*index));
	make_edges(index, space, maps, leaves, arena);
	number_nodes(index);
	hang_maps(index, space->nr, leaves, arena);
	link_up(index, arena);
	free(leaves);
	index->moments = arena__alloc(arena, (size_t)space->nr * sizeof(*index->moments));
	for (u32 i = 0; i < space->nr; i++)
		index->moments[i] = maps[space->ids[i]].when;
	space->index = index;
}

static void narrow(struct space_hit *hit, const struct map_info *map, u64 addr)
{
	u64 start = map->start, end = map_info__end(map);

	if (end <= addr)
		hit->start = max_u64(hit->start, end);
	else if (start > addr)
		hit->end = min_u64(hit->end, start);
	else {
		hit->start = max_u64(hit->start, start);
		hit->end = min_u64(hit->end, end);
	}
}

static inline bool covers(const struct map_info *map, u64 addr)
{
	return map->start <= addr && addr < map_info__end(map);
}

static void scan(const struct space *space, const struct map_info *maps, u64 addr,
                 struct moment when, struct space_hit *hit)
{
	u32 now = space->nr, i;

	while (now && moment__before(when, maps[space->ids[now - 1]].when))
		now--;
	for (i = now; i && !covers(&maps[space->ids[i - 1]], addr);)
		i--;
	if (i) {
		hit->map = space->ids[i - 1];
		hit->since = maps[hit->map].when;
		narrow(hit, &maps[hit->map], addr);
	}
	/* Whatever came since must not change the answer within the limits that we give. */
	for (; i < space->nr; i++) {
		const struct map_info *map = &maps[space->ids[i]];

		narrow(hit, map, addr);
		if (covers(map, addr)) {
			hit->until = map->when;
			break;
		}
	}
}

/* Narrow [*low, *high) around @when by guessing: maps come at a rather steady rate. */
static void guess(const struct moment *moments, u32 *low, u32 *high, struct moment when)
{
	for (int tries = 0; tries < 3 && *high - *low > 4 * NEAR; tries++) {
		u64 from = moments[*low].time, to = moments[*high - 1].time;

		if (when.time <= from || when.time >= to)
			return;
		u32 at = *low + (double)(when.time - from) / (to - from) * (*high - *low);
		u32 before = at - *low > NEAR ? at - NEAR : *low;
		u32 behind = *high - at > NEAR ? at + NEAR : *high - 1;

		if (moment__before(when, moments[before])) {
			*high = before;
		} else {
			*low = before;
			if (moment__before(when, moments[behind]))
				*high = behind;
			else
				*low = behind;
		}
	}
}

/* The number of moments at or before @when. */
static u32 count_moments(const struct moment *moments, u32 nr, struct moment when)
{
	u32 low = 0, high = nr;

	guess(moments, &low, &high, when);
	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (moment__before(when, moments[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The number of positions of a node that are below @limit. */
static u32 count_below(const u32 *positions, u32 nr, u32 limit)
{
	u32 low = 0;

	while (nr) {
		u32 half = nr / 2;

		if (positions[low + half] >= limit) {
			nr = half;
		} else {
			low += half + 1;
			nr -= half + 1;
		}
	}
	return low;
}

static u32 find_leaf(const struct space_index *index, u64 addr)
{
	u32 low = 0, nr = index->nr_leaves;

	/* edges[0] <= addr < edges[nr_leaves] */
	while (nr > 1) {
		u32 half = nr / 2;

		if (index->edges[low + half] <= addr) {
			low += half;
			nr -= half;
		} else {
			nr = half;
		}
	}
	return low;
}

static void find_in_tree(const struct space *space, u64 addr, struct moment when,
                         struct space_hit *hit)
{
	const struct space_index *index = space->index;
	u32 now, best = ID_NONE, next = ID_NONE;

	if (addr < index->edges[0]) {
		hit->end = index->edges[0];
		return;
	}
	if (addr >= index->edges[index->nr_leaves]) {
		hit->start = index->edges[index->nr_leaves];
		return;
	}
	u32 leaf = find_leaf(index, addr);

	hit->start = index->edges[leaf];
	hit->end = index->edges[leaf + 1];
	now = count_moments(index->moments, space->nr, when);
	for (u32 node = leaf; node != ID_NONE; node = index->up[node]) {
		const u32 *positions = index->positions + index->first[node];
		u32 nr = index->first[node + 1] - index->first[node];
		u32 below = count_below(positions, nr, now);

		if (below && (best == ID_NONE || positions[below - 1] > best))
			best = positions[below - 1];
		if (below < nr && positions[below] < next)
			next = positions[below];
	}
	if (best != ID_NONE) {
		hit->map = space->ids[best];
		hit->since = index->moments[best];
	}
	if (next != ID_NONE)
		hit->until = index->moments[next];
}

void space__find(const struct space *space, const struct map_info *maps, u64 addr,
                 struct moment when, struct space_hit *hit)
{
	*hit = (struct space_hit){ .map = ID_NONE, .end = UINT64_MAX, .until = MOMENT_NEVER };
	if (space->index)
		find_in_tree(space, addr, when, hit);
	else
		scan(space, maps, addr, when, hit);
}
