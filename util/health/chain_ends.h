/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why chains end where nothing is mapped: the verdicts of health_judge.h, by the location of the
 * outermost frames.
 */
#ifndef PERF_UTIL_HEALTH_CHAIN_ENDS_H
#define PERF_UTIL_HEALTH_CHAIN_ENDS_H

#include "util/profile/profile.h"

struct chain_ends {
	struct row_end *of_loc; /* .end is ROW_END_NONE: not at an end, or for several reasons */
	u32 nr_locs;
};

/* @profile was judged; rows that the filter hid then do not count. */
void chain_ends__init(struct chain_ends *ends, const struct profile *profile);
void chain_ends__exit(struct chain_ends *ends);

/*
 * Of location @loc of the profile: all chains that end there with nothing mapped do so for the same
 * reason. NULL: no chain does, or not all for one.
 */
const struct row_end *chain_ends__at(const struct chain_ends *ends, u32 loc);

#endif
