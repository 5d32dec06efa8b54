// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/machine/space.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/sort.h"

#define SCAN_MAX   24 /* up to so many maps a scan is as quick as the tree, and costs no memory */
#define JOINED_MIN 3  /* so many parts, and what is new, become one */
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
	u32 *positions;         /* in the part, ascending (so by moment) within a node */
	struct moment *moments; /* by position: close together for the search */
};

/* Maps that follow each other in time. */
struct space_part {
	u32 first; /* in space->ids */
	u32 nr;    /* fewer than were indexed where some were taken off again */
	struct space_index *index;
};

struct space_parts {
	struct space_part *parts;
	u32 nr;
	size_t cap;
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
static void make_edges(struct space_index *index, const u32 *ids, u32 nr_ids,
                       const struct map_info *maps, u32 *leaves)
{
	size_t nr = (size_t)nr_ids * 2;
	struct keyed *edges = xmalloc(nr * sizeof(*edges));
	u32 nr_edges = 0;

	for (u32 i = 0; i < nr_ids; i++) {
		const struct map_info *map = &maps[ids[i]];

		edges[2 * i] = (struct keyed){ map->start, 2 * (u64)i };
		edges[2 * i + 1] = (struct keyed){ map_info__end(map), 2 * (u64)i + 1 };
	}
	keyed__sort(edges, nr);
	index->edges = xmalloc(nr * sizeof(*index->edges));
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
static void link_up(struct space_index *index)
{
	index->up = xmalloc((size_t)index->nr_nodes * sizeof(*index->up));
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
static void hang_maps(struct space_index *index, u32 nr, const u32 *leaves)
{
	u32 nr_nodes = index->nr_nodes, total = 0, node;

	index->first = xcalloc((size_t)nr_nodes + 1, sizeof(*index->first));
	for (u32 i = 0; i < nr; i++)
		for (struct cover c = { leaves[2 * i], leaves[2 * i + 1], 0 };
		     cover__next(&c, index, &node);)
			index->first[node]++;
	for (node = 0; node <= nr_nodes; node++) {
		u32 count = index->first[node];

		index->first[node] = total;
		total += count;
	}
	index->positions = xmalloc((size_t)total * sizeof(*index->positions));
	for (u32 i = 0; i < nr; i++)
		for (struct cover c = { leaves[2 * i], leaves[2 * i + 1], 0 };
		     cover__next(&c, index, &node);)
			index->positions[index->first[node]++] = i;
	/* Filling moved each start to the next node's: move them back. */
	memmove(index->first + 1, index->first, (size_t)nr_nodes * sizeof(*index->first));
	index->first[0] = 0;
}

static struct space_index *make_index(const u32 *ids, u32 nr, const struct map_info *maps)
{
	struct space_index *index = xcalloc(1, sizeof(*index));
	u32 *leaves = xmalloc((size_t)nr * 2 * sizeof(*leaves));

	make_edges(index, ids, nr, maps, leaves);
	number_nodes(index);
	hang_maps(index, nr, leaves);
	link_up(index);
	free(leaves);
	index->moments = xmalloc((size_t)nr * sizeof(*index->moments));
	for (u32 i = 0; i < nr; i++)
		index->moments[i] = maps[ids[i]].when;
	return index;
}

static void delete_index(struct space_index *index)
{
	free(index->edges);
	free(index->first);
	free(index->up);
	free(index->positions);
	free(index->moments);
	free(index);
}

/* ---- growing ---- */

static struct space_part *last_part(const struct space *space)
{
	const struct space_parts *parts = space->parts;

	return parts && parts->nr ? &parts->parts[parts->nr - 1] : NULL;
}

/* Where what is not indexed begins. */
static u32 tail_of(const struct space *space)
{
	const struct space_part *last = last_part(space);

	return last ? last->first + last->nr : 0;
}

static void drop_last_part(struct space *space)
{
	delete_index(last_part(space)->index);
	space->parts->nr--;
}

void space__exit(struct space *space)
{
	while (last_part(space))
		drop_last_part(space);
	if (space->parts)
		free(space->parts->parts);
	free(space->parts);
	free(space->ids);
	*space = (struct space){ .nr = 0 };
}

void space__append(struct space *space, u32 id)
{
	if (space->nr == space->cap) {
		space->cap = space->cap ? space->cap + space->cap / 2 + 2 : 4;
		space->ids = xrealloc(space->ids, space->cap, sizeof(*space->ids));
	}
	space->ids[space->nr++] = id;
}

void space__pop(struct space *space)
{
	struct space_part *last = last_part(space);

	space->nr--;
	if (last && last->first + last->nr > space->nr && !--last->nr)
		drop_last_part(space);
}

/* How many of the last parts are joined with one of @size: none until there are enough. */
static u32 nr_to_join(const struct space *space, u32 size)
{
	const struct space_parts *parts = space->parts;
	u32 nr = 0, all = parts ? parts->nr : 0;

	while (nr < all && parts->parts[all - 1 - nr].nr <= 2 * (u64)size)
		nr++;
	return nr >= JOINED_MIN ? nr : 0;
}

u32 space__index(struct space *space, const struct map_info *maps)
{
	u32 from = tail_of(space);

	if (space->nr - from <= SCAN_MAX)
		return 0;
	for (u32 nr; (nr = nr_to_join(space, space->nr - from));)
		for (; nr; nr--) {
			from = last_part(space)->first;
			drop_last_part(space);
		}
	if (!space->parts)
		space->parts = xcalloc(1, sizeof(*space->parts));
	struct space_parts *parts = space->parts;
	u32 nr = space->nr - from;

	array__reserve(&parts->parts, &parts->cap, parts->nr + 1, sizeof(*parts->parts));
	parts->parts[parts->nr++] = (struct space_part){
		.first = from, .nr = nr, .index = make_index(space->ids + from, nr, maps)
	};
	return nr;
}

/* ---- asking ---- */

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

/*
 * What is being looked for. Stretches of the space are visited from the one with @when on, first
 * towards the past until a map is found, then towards the future.
 */
struct search {
	const struct space *space;
	const struct map_info *maps;
	u64 addr;
	struct moment when;
	struct space_hit *hit;
	bool found, ended; /* the map at @when; the next one behind it */
};

static void found_map(struct search *s, u32 position)
{
	s->found = true;
	s->hit->map = s->space->ids[position];
	s->hit->since = s->maps[s->hit->map].when;
}

static void found_next(struct search *s, u32 position)
{
	s->ended = true;
	s->hit->until = s->maps[s->space->ids[position]].when;
}

/* The maps from @first on, which are not indexed. */
static void scan(struct search *s, u32 first)
{
	const u32 *ids = s->space->ids;
	u32 nr = s->space->nr, i = nr;

	while (i > first && moment__before(s->when, s->maps[ids[i - 1]].when))
		i--;
	while (i > first && !covers(&s->maps[ids[i - 1]], s->addr))
		i--;
	if (i > first) {
		found_map(s, i - 1);
		narrow(s->hit, &s->maps[s->hit->map], s->addr);
	}
	/* Whatever came since must not change the answer within the limits that we give. */
	for (; i < nr; i++) {
		const struct map_info *map = &s->maps[ids[i]];

		narrow(s->hit, map, s->addr);
		if (covers(map, s->addr)) {
			found_next(s, i);
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

/* What a part tells: of the maps at or before s->when, and of those behind. */
static void search_part(struct search *s, const struct space_part *part)
{
	const struct space_index *index = part->index;
	struct space_hit *hit = s->hit;
	u64 addr = s->addr;
	u32 best = ID_NONE, next = ID_NONE;

	if (addr < index->edges[0]) {
		hit->end = min_u64(hit->end, index->edges[0]);
		return;
	}
	if (addr >= index->edges[index->nr_leaves]) {
		hit->start = max_u64(hit->start, index->edges[index->nr_leaves]);
		return;
	}
	u32 leaf = find_leaf(index, addr);
	u32 now = count_moments(index->moments, part->nr, s->when);

	hit->start = max_u64(hit->start, index->edges[leaf]);
	hit->end = min_u64(hit->end, index->edges[leaf + 1]);
	for (u32 node = leaf; node != ID_NONE; node = index->up[node]) {
		const u32 *positions = index->positions + index->first[node];
		u32 nr = index->first[node + 1] - index->first[node];
		u32 below = count_below(positions, nr, now);

		if (below && (best == ID_NONE || positions[below - 1] > best))
			best = positions[below - 1];
		if (below < nr && positions[below] < next)
			next = positions[below];
	}
	if (best != ID_NONE && !s->found)
		found_map(s, part->first + best);
	if (next < part->nr && !s->ended)
		found_next(s, part->first + next);
}

/* The part in which s->when lies, or the one before it; the first if it is before all. */
static u32 part_at(const struct search *s)
{
	const struct space_parts *parts = s->space->parts;
	u32 at = parts->nr;

	while (--at && moment__before(s->when, parts->parts[at].index->moments[0]))
		;
	return at;
}

static void search_parts(struct search *s)
{
	const struct space_parts *parts = s->space->parts;
	u32 tail = tail_of(s->space), at = part_at(s), i = at;

	/* The tail is after all parts: does it reach back to @when? */
	if (tail < s->space->nr && !moment__before(s->when, s->maps[s->space->ids[tail]].when)) {
		scan(s, tail);
		for (i = parts->nr; i-- && !s->found;)
			search_part(s, &parts->parts[i]);
		return;
	}
	do
		search_part(s, &parts->parts[i]);
	while (i-- && !s->found);
	for (i = at + 1; i < parts->nr && !s->ended; i++)
		search_part(s, &parts->parts[i]);
	if (!s->ended)
		scan(s, tail);
}

void space__find(const struct space *space, const struct map_info *maps, u64 addr,
                 struct moment when, struct space_hit *hit)
{
	struct search search = {
		.space = space, .maps = maps, .addr = addr, .when = when, .hit = hit
	};

	*hit = (struct space_hit){ .map = ID_NONE, .end = UINT64_MAX, .until = MOMENT_NEVER };
	if (last_part(space))
		search_parts(&search);
	else
		scan(&search, 0);
}
