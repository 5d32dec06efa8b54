/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figure beside a count: rates, utilization, instructions per cycle, miss ratios. It combines
 * the event's mean with that of a partner event in the same run; without a partner there is no
 * figure. The partner counts in the same modes (cycles:u for instructions:u). It is one of the same
 * group if possible, else the nearest before, else the first after.
 */
#ifndef PERF_UTIL_STAT_METRICS_H
#define PERF_UTIL_STAT_METRICS_H

#include "util/stat/counts.h"

struct stat_metric {
	double value;
	const char *format; /* of value, as Linux's perf aligns it: "%8.3f", "%7.2f%%" ... */
	const char *unit;   /* "CPUs utilized"; static, or owned by the metric_set */
	bool asked;         /* named by -M */
};

#define STAT_METRICS_MAX   34 /* beside one count; of those, at most this many ... */
#define STAT_METRICS_USUAL 2  /* ... without -M */

/*
 * Put the metrics of events[index] into @metrics; returns their number. @wall_ns is
 * the mean elapsed time of a run.
 */
u32 stat_metrics__of(const struct stat_event *events, u32 nr, u32 index, double wall_ns,
                     struct stat_metric metrics[STAT_METRICS_USUAL]);

#endif
