/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figure beside a count: rates, utilization, instructions per cycle, miss ratios. It is made
 * of the event's own mean and that of a partner in the same run; without the partner there is
 * none. A partner counts in the same modes (cycles:u for instructions:u), is of the same group
 * if that has one, else the nearest before, else the first behind.
 */
#ifndef PERF_UTIL_STAT_METRICS_H
#define PERF_UTIL_STAT_METRICS_H

#include "util/stat/counts.h"

struct stat_metric {
	double value;
	const char *format; /* of value, as Linux's perf aligns it: "%8.3f", "%7.2f%%" ... */
	const char *unit;   /* "CPUs utilized"; static, or of the metric_set */
	bool asked;         /* -M names it */
};

#define STAT_METRICS_MAX   34 /* beside one count: */
#define STAT_METRICS_USUAL 2  /* at most so many that nobody asked for */

/*
 * The metrics of events[index] (a counted event) into @metrics; returns their number. @wall_ns is
 * the mean elapsed time of a run.
 */
u32 stat_metrics__of(const struct stat_event *events, u32 nr, u32 index, double wall_ns,
                     struct stat_metric metrics[STAT_METRICS_USUAL]);

#endif
