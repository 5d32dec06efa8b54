// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/code_loops.h"

#include <stdlib.h>

#include "util/lib/alloc.h"

#define DEPTH_MAX 8 /* columns; loops further in are not drawn */

/* The mark at @addr; ID_NONE: none. They ascend. */
static u32 mark_at(const struct annotate_marks *marks, u64 addr)
{
	u32 from = 0, to = marks->nr;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (marks->list[middle].addr < addr)
			from = middle + 1;
		else
			to = middle;
	}
	return from < marks->nr && marks->list[from].addr == addr ? from : ID_NONE;
}

/* ---- which jumps come to themselves again ---- */

/* The parts of the code all of whose instructions lead to each other (Tarjan). */
struct parts {
	const struct annotate_marks *marks;
	u32 *part;        /* by mark: its part; 0: not known yet */
	u32 *order, *low; /* when it was met, from 1 on; the first one met that it leads back to */
	u32 *path, *open; /* those on the way here; those without part */
	u8 *next;         /* of two successors, the one to be looked at */
	u32 nr_path, nr_open, nr_met, nr;
};

static u32 successor(const struct annotate_marks *marks, u32 at, u32 nr)
{
	const struct annotate_mark *mark = &marks->list[at];

	if (nr)
		return mark->target ? mark_at(marks, mark->target) : ID_NONE;
	return mark->ends || at + 1 == marks->nr ? ID_NONE : at + 1;
}

static void meet(struct parts *parts, u32 at)
{
	parts->order[at] = parts->low[at] = ++parts->nr_met;
	parts->path[parts->nr_path++] = parts->open[parts->nr_open++] = at;
}

/* All that @at leads to was seen. */
static void leave(struct parts *parts, u32 at)
{
	u32 from = --parts->nr_path ? parts->path[parts->nr_path - 1] : at;

	parts->low[from] = min_u64(parts->low[from], parts->low[at]);
	if (parts->low[at] != parts->order[at])
		return;
	parts->nr++;
	do
		parts->part[parts->open[--parts->nr_open]] = parts->nr;
	while (parts->open[parts->nr_open] != at);
}

static void look_on(struct parts *parts)
{
	u32 at = parts->path[parts->nr_path - 1];

	if (parts->next[at] == 2) {
		leave(parts, at);
		return;
	}
	u32 to = successor(parts->marks, at, parts->next[at]++);

	if (to != ID_NONE && !parts->order[to])
		meet(parts, to);
	else if (to != ID_NONE && !parts->part[to])
		parts->low[at] = min_u64(parts->low[at], parts->order[to]);
}

/* By mark, the number of its part: to be freed. */
static u32 *find_parts(const struct annotate_marks *marks)
{
	size_t nr = (size_t)marks->nr + 1;
	struct parts parts = { .marks = marks,
		               .part = xcalloc(nr, sizeof(u32)),
		               .order = xcalloc(nr, sizeof(u32)),
		               .low = xcalloc(nr, sizeof(u32)),
		               .path = xcalloc(nr, sizeof(u32)),
		               .open = xcalloc(nr, sizeof(u32)),
		               .next = xcalloc(nr, sizeof(u8)) };

	for (u32 i = 0; i < marks->nr; i++) {
		if (!parts.order[i])
			meet(&parts, i);
		while (parts.nr_path)
			look_on(&parts);
	}
	free(parts.order);
	free(parts.low);
	free(parts.path);
	free(parts.open);
	free(parts.next);
	return parts.part;
}

/* ---- brackets ---- */

static int compare_loops(const void *left, const void *right)
{
	const struct code_loop *a = left, *b = right;

	if (a->first != b->first)
		return a->first > b->first ? 1 : -1;
	return (a->last < b->last) - (a->last > b->last);
}

/*
 * Several jumps to one place are one loop, and those that cross are one: any two that are left nest
 * or are apart. Returns the number.
 */
static u32 join_crossing(struct code_loop *list, u32 nr)
{
	u32 *around = xcalloc((size_t)nr + 1, sizeof(*around)), depth = 0, kept = 0;

	for (u32 i = 0; i < nr; i++) {
		const struct code_loop loop = list[i];
		u32 outer;

		while (depth && list[around[depth - 1]].last < loop.first)
			depth--;
		if (depth && list[around[depth - 1]].first == loop.first) {
			list[i].depth = ID_NONE; /* gone */
			continue;
		}
		for (outer = depth; outer && list[around[outer - 1]].last < loop.last;)
			outer--;
		if (outer == depth) {
			around[depth++] = i;
			continue;
		}
		list[around[outer]].last = loop.last;
		list[i].depth = ID_NONE;
		while (depth > outer + 1)
			list[around[--depth]].depth = ID_NONE;
	}
	for (u32 i = 0; i < nr; i++)
		if (list[i].depth != ID_NONE)
			list[kept++] = list[i];
	free(around);
	return kept;
}

/* Right of all that reach into it: those that begin before and end behind its beginning. */
static void find_depths(struct code_loops *loops)
{
	u32 ends[DEPTH_MAX] = { 0 }, nr = 0; /* by depth: the last line of the loop there */

	for (u32 i = 0; i < loops->nr; i++) {
		struct code_loop *loop = &loops->list[i];
		u32 depth = DEPTH_MAX;

		while (depth && (!ends[depth - 1] || ends[depth - 1] < loop->first))
			depth--;
		if (depth == DEPTH_MAX)
			continue;
		loop->depth = depth;
		ends[depth] = loop->last;
		loops->list[nr++] = *loop;
		if (depth >= loops->depth)
			loops->depth = depth + 1;
	}
	loops->nr = nr;
}

void code_loops__init(struct code_loops *loops, const struct annotate_marks *marks,
                      const u32 *line_of)
{
	*loops =
	        (struct code_loops){ .list = xcalloc((size_t)marks->nr + 1, sizeof(*loops->list)) };
	u32 *part = find_parts(marks);

	for (u32 i = 0; i < marks->nr; i++) {
		const struct annotate_mark *mark = &marks->list[i];
		u32 to = mark->target && mark->target < mark->addr ? mark_at(marks, mark->target)
		                                                   : ID_NONE;

		if (to != ID_NONE && part[to] == part[i])
			loops->list[loops->nr++] = (struct code_loop){ line_of[to], line_of[i], 0 };
	}
	free(part);
	qsort(loops->list, loops->nr, sizeof(*loops->list), compare_loops);
	loops->nr = join_crossing(loops->list, loops->nr);
	find_depths(loops);
}

void code_loops__exit(struct code_loops *loops)
{
	free(loops->list);
	*loops = (struct code_loops){ .nr = 0 };
}

enum loop_part code_loops__at(const struct code_loops *loops, u32 line, u32 depth)
{
	for (u32 i = 0; i < loops->nr && loops->list[i].first <= line; i++) {
		const struct code_loop *loop = &loops->list[i];

		if (loop->depth != depth || line > loop->last)
			continue;
		return line == loop->first  ? LOOP_FIRST
		       : line == loop->last ? LOOP_LAST
		                            : LOOP_INSIDE;
	}
	return LOOP_NONE;
}
