/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of -M: which formulas of the table (event_table.h) are computed, the events they
 * need, and their values from what was counted.
 *
 * Events are counted in one group for each metric, so that their ratios hold; a metric whose events
 * are all in the group of another shares it. The group may be broken up (modifier W). What a
 * formula gets of an event is its raw count, summed over its sources; of duration_time, user_time
 * and system_time seconds.
 */
#ifndef PERF_UTIL_STAT_METRIC_SET_H
#define PERF_UTIL_STAT_METRIC_SET_H

#include "util/event/parse.h"
#include "util/lib/error.h"
#include "util/stat/metrics.h"

struct metric_set {
	/* Set by the caller. */
	bool no_group; /* --metric-no-group: events one by one, each once */
	bool no_merge; /* --metric-no-merge: no metric shares the events of another */
	bool system_wide;
	/* ... and when the list is whole: its length, before each cgroup got a copy of it. 0: there
	 * is one copy. */
	u32 stride;
	/* Of groups: metrics that cannot be counted here were left out, the first because ... */
	u32 nr_skipped;
	struct error skipped;
	/* private */
	struct metric_item *items;
	u32 nr;
	size_t cap;
	struct metric_event *events; /* that are in the list */
	u32 nr_events;
	size_t events_cap;
	u32 nr_groups;
	u32 stamp; /* of the last walk over the items */
};

/*
 * Add the metrics and groups of metrics that @text names ("ipc,Branches", "all"), and their events
 * to @list. 0 or a negative errno with @err; -ENOENT: there is no such metric. The set borrows the
 * table of @sources.
 */
int metric_set__add(struct metric_set *set, struct evlist *list, struct event_sources *sources,
                    const char *text, struct error *err);
void metric_set__exit(struct metric_set *set);

/*
 * The values that stand beside @events[index], at most @max. A metric stands beside the first of
 * its events, unless it cannot be computed: an event was not counted, or a divisor is 0. For one
 * thread at a time. @wall_ns is the mean elapsed time: duration_time of all groups.
 */
u32 metric_set__of(struct metric_set *set, const struct stat_event *events, u32 index,
                   double wall_ns, struct stat_metric *metrics, u32 max);

#endif
