// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/health.h"

#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/workers.h"
#include "util/machine/session.h"
#include "util/profile/profile.h"
#include "util/symbol/symbols.h"

void health__exit(struct health *health)
{
	free(health->entries);
	free(health->leaves);
	u64map__exit(&health->index);
	*health = (struct health){ .nr = 0 };
}

void health__add(struct health *health, const struct health_entry *entry)
{
	u64 key = (u64)entry->evsel << 48 | (u64)entry->end << 40 | entry->where;
	u32 *at = u64map__at(&health->index, key);

	if (*at != ID_NONE) {
		health->entries[*at].nr += entry->nr;
		return;
	}
	*at = health->nr++;
	array__reserve(&health->entries, &health->cap, health->nr, sizeof(*entry));
	health->entries[*at] = *entry;
}

int health__collect(struct health *health, const struct session *session,
                    const struct profile_options *options, struct symbols *symbols,
                    struct error *err)
{
	struct profile_options with = *options;
	struct profile profile;

	with.chains = true;
	with.objects = symbols__config(symbols);
	with.workers = workers__default();
	int ret = profile__build(&profile, session, &with, err);

	*health = (struct health){ .nr = 0 };
	if (ret)
		return ret;
	health__judge(&profile, session, symbols, NULL);
	*health = profile.health;
	profile.health = (struct health){ .nr = 0 };
	profile__exit(&profile);
	return 0;
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

static bool is_known(unsigned end)
{
	return end != CHAIN_NOT_KNOWN && end != CHAIN_GAP_NOT_KNOWN;
}

const struct health_entry *health__first_cause(const struct health *health)
{
	struct health_sums sums;
	const struct health_entry *first = NULL;
	unsigned end = CHAIN_COMPLETE;

	health__sum(health, -1, &sums);
	for (unsigned i = CHAIN_COMPLETE + 1; i < NR_CHAIN_ENDS; i++) {
		bool more = end == CHAIN_COMPLETE || is_known(i) > is_known(end) ||
		            (is_known(i) == is_known(end) && sums.by_end[i] > sums.by_end[end]);

		if (sums.by_end[i] && more)
			end = i;
	}
	for (u32 i = 0; i < health->nr; i++)
		if (health->entries[i].end == end && end != CHAIN_COMPLETE &&
		    (!first || health->entries[i].nr > first->nr))
			first = &health->entries[i];
	return first;
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
