/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of an event beside those that are installed in its evsel: --call-graph auto opens
 * several kinds at once, so that no task is missed when one of them is chosen.
 */
#ifndef PERF_UTIL_RECORD_SPARE_COUNTERS_H
#define PERF_UTIL_RECORD_SPARE_COUNTERS_H

#include "util/event/evsel.h"

struct counters {
	struct perf_event_attr attr;
	int *fds;
	u64 *ids;
	u32 nr_ids, ids_cap;
	u32 nr_cpus, nr_threads;
};

/* Put @counters into @evsel; what @evsel had is in @counters then. */
void counters__swap(struct counters *counters, struct evsel *evsel);

/* Close those of @nr events, and free the array; NULL is fine. */
void counters__close(struct counters *counters, u32 nr);

#endif
