// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/blocks.h"

#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/profile/key.h"

/* Rows of one block stand side by side. */
static int compare_places(const void *left, const void *right)
{
	const struct block *a = left, *b = right;

	if (a->evsel != b->evsel)
		return a->evsel > b->evsel ? 1 : -1;
	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	return (a->end > b->end) - (a->end < b->end);
}

static int compare_locs(const struct loc *locs, u32 left, u32 right)
{
	const struct loc *a = &locs[left], *b = &locs[right];

	if (a->dso != b->dso)
		return a->dso > b->dso ? 1 : -1;
	return (a->addr > b->addr) - (a->addr < b->addr);
}

/* Equal ones by their place, so that output repeats. */
static int compare_cycles(const void *left, const void *right, void *locs)
{
	const struct block *a = left, *b = right;

	if (a->evsel != b->evsel)
		return a->evsel > b->evsel ? 1 : -1;
	if (a->cycles != b->cycles)
		return a->cycles < b->cycles ? 1 : -1;
	if (a->count != b->count)
		return a->count > b->count ? 1 : -1;
	int order = compare_locs(locs, a->start, b->start);

	return order ? order : compare_locs(locs, a->end, b->end);
}

static bool is_block(const struct names *names, u32 start, u32 end)
{
	const struct profile *profile = names->profile;
	u32 sym = names->sym_of_loc[start];

	return sym == names->sym_of_loc[end] && sym__named(&names->syms[sym]) &&
	       profile->locs[start].addr <= profile->locs[end].addr;
}

static u32 join_equal(struct block *list, u32 nr)
{
	u32 last = 0;

	for (u32 i = 1; i < nr; i++) {
		if (compare_places(&list[last], &list[i])) {
			list[++last] = list[i];
			continue;
		}
		list[last].count += list[i].count;
		list[last].cycles += list[i].cycles;
	}
	return nr ? last + 1 : 0;
}

static u32 collect(struct blocks *blocks, const struct hist_filter *filter, bool relative)
{
	const struct profile *profile = filter->names->profile;
	u32 start_slot = key__slot(&key_block_start, profile),
	    cycles_slot = key__slot(&key_block_cycles, profile), nr = 0;

	for (u64 i = 0; i < profile->nr_rows; i++) {
		const struct row *row = &profile->rows[i];
		u64 cycles = profile__sample_value(profile, i, cycles_slot) * row->count;
		u32 start = profile__sample_value(profile, i, start_slot);
		bool shown = hist_filter__shows(filter, row);

		if (shown || !relative)
			blocks->events[row->evsel].cycles += cycles;
		if (shown && cycles && is_block(filter->names, start, row->leaf_loc))
			blocks->list[nr++] = (struct block){ .start = start,
				                             .end = row->leaf_loc,
				                             .evsel = row->evsel,
				                             .count = row->count,
				                             .cycles = cycles };
	}
	return nr;
}

void blocks__init(struct blocks *blocks, const struct hist_filter *filter, bool relative)
{
	const struct profile *profile = filter->names->profile;

	blocks->list = xcalloc(profile->nr_rows, sizeof(*blocks->list));
	blocks->events = xcalloc(filter->names->session->evlist->nr, sizeof(*blocks->events));
	u32 nr = collect(blocks, filter, relative);

	if (!nr)
		return;
	qsort(blocks->list, nr, sizeof(*blocks->list), compare_places);
	nr = join_equal(blocks->list, nr);
	qsort_r(blocks->list, nr, sizeof(*blocks->list), compare_cycles, profile->locs);
	for (u32 i = 0; i < nr; i++) {
		const struct block *block = &blocks->list[i];
		struct block_event *event = &blocks->events[block->evsel];

		if (!event->nr)
			event->first = i;
		event->nr++;
		event->averages += (double)(block->cycles / block->count);
	}
}

void blocks__exit(struct blocks *blocks)
{
	free(blocks->list);
	free(blocks->events);
}
