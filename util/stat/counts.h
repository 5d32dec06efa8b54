/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counts of one event: summed over its CPUs and threads in one run, and over all runs.
 */
#ifndef PERF_UTIL_STAT_COUNTS_H
#define PERF_UTIL_STAT_COUNTS_H

#include "util/event/evsel.h"
#include "util/lib/error.h"
#include "util/stat/series.h"
#include "util/stat/stats.h"

/* attr.read_format that evsel__read_counts() understands. */
#define COUNTS_READ_FORMAT (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

/* One read of one counter. */
struct reading {
	u64 value, enabled, running; /* times in ns */
};

struct counts {
	double value; /* scaled up where the counter was multiplexed; in the event's raw unit */
	u64 enabled, running; /* ns, summed over CPUs and threads */
};

struct stat_event {
	struct evsel *evsel;
	bool supported;                       /* it could be opened */
	u32 nr_counters;                      /* summed in the latest run */
	struct counts run;                    /* the latest run */
	struct stats value, enabled, running; /* over the runs */
	bool keeps;                           /* keep the single values, too: */
	struct series runs;                   /* of the runs in which it was counted */
};

/*
 * Read and sum all open counters. @scale: scale up multiplexed counts. 0 or a
 * negative errno with @err.
 */
int evsel__read_counts(const struct evsel *evsel, bool scale, struct counts *counts,
                       struct error *err);

/*
 * Read the counter at @index of evsel->fds. 0 or a negative errno (no text). A pinned counter that
 * did not get hardware reads as never counted.
 */
int evsel__read_one(const struct evsel *evsel, u64 index, struct reading *reading);

/* Add @reading to @counts; @scale as above. */
void counts__add(struct counts *counts, const struct reading *reading, bool scale);

/* Add event->run to the statistics; the value leaves out runs in which it was never counted. */
void stat_event__add_run(struct stat_event *event);

/* Was it supported, and did it run at all? */
static inline bool stat_event__counted(const struct stat_event *event)
{
	return event->supported && event->running.mean > 0;
}

#endif
