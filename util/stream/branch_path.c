// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/branch_path.h"

#include <stdlib.h>

#include "util/lib/alloc.h"

static struct branch_step step_at(const struct u64_span *branches, bool swap, u32 i)
{
	u64 flags = u64_span__get(branches, 3 * i + 2, swap);

	return (struct branch_step){ .from = u64_span__get(branches, 3 * i, swap),
		                     .to = u64_span__get(branches, 3 * i + 1, swap),
		                     .flags = flags,
		                     .cycles = branch_entry__cycles(flags) };
}

static bool alike(const struct branch_step *a, const struct branch_step *b)
{
	return a->from == b->from && a->to == b->to &&
	       branch_entry__but_cycles(a->flags) == branch_entry__but_cycles(b->flags);
}

/* How many rounds of @size branches follow the one that @steps begins with? */
static u32 nr_more(const struct branch_step *steps, u32 nr, u32 size)
{
	u32 i = size;

	while (i < nr && alike(&steps[i - size], &steps[i]))
		i++;
	return i / size - 1;
}

/* The round of @size branches that @steps begins with takes up the @more behind it. */
static void fold(struct branch_step *steps, u32 size, u32 more)
{
	u64 all = 0;

	for (u32 i = 0; i < size; i++) {
		u64 cycles = 0;

		for (u32 round = 0; round <= more; round++)
			cycles += steps[round * size + i].cycles;
		steps[i].cycles = cycles / (more + 1);
		all += cycles;
	}
	steps[size - 1].more = more;
	steps[size - 1].rounds_cycles = all;
}

static void fold_rounds(struct branch_path *path)
{
	struct branch_step *steps = path->steps;
	u32 kept = 0, i = 0;

	while (i < path->nr) {
		u32 left = path->nr - i, size = 1, more = 0;

		for (; size <= left / 2 && size <= BRANCH_ROUND_MAX && !more; size++)
			more = nr_more(&steps[i], left, size);
		if (more)
			fold(&steps[i], --size, more);
		else
			size = 1;
		memmove(&steps[kept], &steps[i], size * sizeof(*steps));
		kept += size;
		i += size * (more + 1);
	}
	path->nr = kept;
}

void branch_path__read(struct branch_path *path, const struct u64_span *branches, bool swap,
                       u32 max)
{
	u64 nr = branches->nr / 3;

	path->nr = nr < max ? nr : max;
	array__reserve(&path->steps, &path->cap, path->nr, sizeof(*path->steps));
	for (u32 i = 0; i < path->nr; i++)
		path->steps[i] = step_at(branches, swap, i);
	fold_rounds(path);
}

void branch_path__exit(struct branch_path *path)
{
	free(path->steps);
}
