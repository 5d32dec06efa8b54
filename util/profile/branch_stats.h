/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branches by kind, where the recording has kinds (record -j any,save_type): each branch that is
 * reduced to a row counts one. Each worker counts its own, and they are added up.
 */
#ifndef PERF_UTIL_PROFILE_BRANCH_STATS_H
#define PERF_UTIL_PROFILE_BRANCH_STATS_H

#include "util/format/sample.h"
#include "util/lib/types.h"

struct branch_stats {
	u64 nr_kinds[BRANCH_KINDS];     /* by branch_entry__kind(); [0]: not recorded */
	u64 nr_forward, nr_backward;    /* of the conditional ones */
	u64 nr_beyond_4k, nr_beyond_2m; /* into another page; into another huge page */
};

static inline void branch_stats__count(struct branch_stats *stats, u64 from, u64 to, u64 flags)
{
	unsigned kind = branch_entry__kind(flags);

	stats->nr_kinds[kind]++;
	if (!kind || !from || !to)
		return;
	if (kind == BRANCH_CONDITIONAL) {
		stats->nr_forward += to > from;
		stats->nr_backward += to <= from;
	}
	if (from >> 21 != to >> 21)
		stats->nr_beyond_2m++;
	else if (from >> 12 != to >> 12)
		stats->nr_beyond_4k++;
}

static inline void branch_stats__add(struct branch_stats *into, const struct branch_stats *from)
{
	for (unsigned i = 0; i < BRANCH_KINDS; i++)
		into->nr_kinds[i] += from->nr_kinds[i];
	into->nr_forward += from->nr_forward;
	into->nr_backward += from->nr_backward;
	into->nr_beyond_4k += from->nr_beyond_4k;
	into->nr_beyond_2m += from->nr_beyond_2m;
}

#endif
