/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of -M: the chosen formulas, the events they need, and their values from the counts.
 *
 * The formulas are from the event table (event_table.h). Each metric has a group of events, so
 * that ratios are exact; a metric whose events are all in another metric's group shares that
 * group. The group may be broken up (modifier W). A formula gets the raw count of an event, summed
 * over its sources; duration_time, user_time and system_time are in seconds.
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
	/* Set by the caller once the list is complete: its length before --for-each-cgroup copied
	 * it. 0: there is one copy. */
	u32 stride;
	/* Metrics of groups that cannot be counted here and were left out; the first one's error.
	 */
	u32 nr_skipped;
	struct error skipped;
	/* private */
	struct metric_item *items;
	u32 nr;
	size_t cap;
	struct metric_event *events; /* those in the list */
	u32 nr_events;
	size_t events_cap;
	u32 nr_groups;
	u32 stamp; /* number of the last walk over the items */
};

/*
 * Add the metrics and metric groups named in @text ("ipc,Branches", "all"), and their events to
 * @list. 0 or a negative errno with @err; -ENOENT: there is no such metric. The set borrows the
 * table of @sources.
 */
int metric_set__add(struct metric_set *set, struct evlist *list, struct event_sources *sources,
                    const char *text, struct error *err);
void metric_set__exit(struct metric_set *set);

/*
 * Put the values shown beside @events[index], at most @max, into @metrics; returns their number. A
 * metric is shown beside the first of its events, unless it cannot be computed: an event was not
 * counted, or a divisor is 0. For one thread at a time. @wall_ns is the mean elapsed time:
 * duration_time of all groups.
 */
u32 metric_set__of(struct metric_set *set, const struct stat_event *events, u32 index,
                   double wall_ns, struct stat_metric *metrics, u32 max);

#endif
