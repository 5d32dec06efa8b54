// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/health.h"

#include <stdlib.h>

#include "util/lib/alloc.h"

void health__exit(struct health *health)
{
	free(health->entries);
	free(health->leaves);
	u64map__exit(&health->index);
	*health = (struct health){ .nr = 0 };
}

void health__add(struct health *health, const struct health_entry *entry)
{
	const struct health_entry *last = health->nr ? &health->entries[health->last] : NULL;

	if (!last || last->evsel != entry->evsel || last->end != entry->end ||
	    last->where != entry->where) {
		u64 key = (u64)entry->evsel << 48 | (u64)entry->end << 40 | entry->where;
		u32 *id = u64map__at(&health->index, key);

		if (*id == ID_NONE) {
			*id = health->nr++;
			array__reserve(&health->entries, &health->cap, health->nr, sizeof(*entry));
			health->entries[*id] = *entry;
			health->entries[*id].nr = 0;
		}
		health->last = *id;
	}
	health->entries[health->last].nr += entry->nr;
}

/* ---- asking ---- */

void health__sum(const struct health *health, int evsel, struct health_sums *sums)
{
	*sums = (struct health_sums){ .nr = 0 };
	for (u32 i = 0; i < health->nr; i++) {
		const struct health_entry *entry = &health->entries[i];

		if (entry->end >= NR_CHAIN_ENDS || (evsel >= 0 && entry->evsel != evsel))
			continue;
		sums->nr += entry->nr;
		sums->by_end[entry->end] += entry->nr;
	}
	sums->not_known = sums->by_end[CHAIN_NOT_KNOWN] + sums->by_end[CHAIN_GAP_NOT_KNOWN];
	sums->not_complete = sums->nr - sums->by_end[CHAIN_COMPLETE] - sums->not_known;
}

/* Ends that one advice helps, by one of them. */
static unsigned kind_of(unsigned end)
{
	return end == CHAIN_UNMAPPED || end == CHAIN_OTHER_STACK ? CHAIN_LEFT_STACK : end;
}

/* Of the entries of one kind: the largest, and the dso with most chains. */
static void find_largest(const struct health *health, unsigned kind, struct health_cause *cause)
{
	for (u32 i = 0; i < health->nr; i++) {
		const struct health_entry *entry = &health->entries[i];
		u64 nr = 0;

		if (kind_of(entry->end) != kind)
			continue;
		if (!cause->entry || entry->nr > cause->entry->nr)
			cause->entry = entry;
		for (u32 j = 0; entry->where != ID_NONE && j < health->nr; j++)
			if (kind_of(health->entries[j].end) == kind &&
			    health->entries[j].where == entry->where)
				nr += health->entries[j].nr;
		if (nr > cause->nr_where) {
			cause->nr_where = nr;
			cause->where = entry->where;
		}
	}
}

/* What is not known counts where it is ten times what is: of 3 % nobody would conclude 97 more. */
static u64 weight(u64 nr, unsigned end)
{
	return chain_end__is_unknown(end) ? nr : nr * 10;
}

bool health__first_cause(const struct health *health, struct health_cause *cause)
{
	u64 by_kind[NR_CHAIN_ENDS] = { 0 };
	unsigned first = CHAIN_COMPLETE;

	*cause = (struct health_cause){ .where = ID_NONE };
	for (u32 i = 0; i < health->nr; i++)
		by_kind[kind_of(health->entries[i].end)] += health->entries[i].nr;
	for (unsigned i = CHAIN_COMPLETE + 1; i < NR_CHAIN_ENDS; i++) {
		if (by_kind[i] && (first == CHAIN_COMPLETE ||
		                   weight(by_kind[i], i) > weight(by_kind[first], first)))
			first = i;
	}
	if (first == CHAIN_COMPLETE)
		return false;
	cause->nr = by_kind[first];
	find_largest(health, first, cause);
	return true;
}

struct health_leaves health__leaves(const struct health *health)
{
	struct health_leaves all = { .nr = 0 };

	for (u32 i = 0; i < health->nr_leaves; i++) {
		all.nr += health->leaves[i].nr;
		all.frameless += health->leaves[i].frameless;
		all.not_known += health->leaves[i].not_known;
	}
	return all;
}
