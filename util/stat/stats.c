// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/stats.h"

#include <math.h>

void stats__add(struct stats *stats, double value)
{
	double distance = value - stats->mean;

	stats->nr++;
	stats->mean += distance / stats->nr;
	stats->squares += distance * (value - stats->mean);
}

double stats__deviation(const struct stats *stats)
{
	if (stats->nr < 2)
		return 0.0;
	return sqrt(stats->squares / (stats->nr - 1) / stats->nr);
}

double stats__deviation_percent(const struct stats *stats)
{
	return stats->mean ? 100.0 * stats__deviation(stats) / stats->mean : 0.0;
}
