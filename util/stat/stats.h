/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mean and spread of a series without storing it. Welford's method: no loss of precision when the
 * values are large and close together. Zero-initialised is empty.
 */
#ifndef PERF_UTIL_STAT_STATS_H
#define PERF_UTIL_STAT_STATS_H

#include "util/lib/types.h"

struct stats {
	u64 nr;
	double mean, squares; /* sum of squared distances from the mean */
};

void stats__add(struct stats *stats, double value);

/* Standard deviation of the mean (not of one value); 0 for fewer than two values. */
double stats__deviation(const struct stats *stats);

/* The same in percent of the mean; 0 for a mean of 0. */
double stats__deviation_percent(const struct stats *stats);

#endif
