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

static int compare_loops(const void *left, const void *right)
{
	const struct code_loop *a = left, *b = right;

	if (a->first != b->first)
		return a->first > b->first ? 1 : -1;
	return (a->last < b->last) - (a->last > b->last);
}

/* Several jumps to one place are one loop. Returns the number. */
static u32 join_equal(struct code_loop *list, u32 nr)
{
	u32 kept = 0;

	for (u32 i = 0; i < nr; i++)
		if (!kept || list[kept - 1].first != list[i].first)
			list[kept++] = list[i];
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
	for (u32 i = 0; i < marks->nr; i++) {
		const struct annotate_mark *mark = &marks->list[i];
		u32 to = mark->target && mark->target < mark->addr ? mark_at(marks, mark->target)
		                                                   : ID_NONE;

		if (to != ID_NONE)
			loops->list[loops->nr++] = (struct code_loop){ line_of[to], line_of[i], 0 };
	}
	qsort(loops->list, loops->nr, sizeof(*loops->list), compare_loops);
	loops->nr = join_equal(loops->list, loops->nr);
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
