/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An evsel is one event as it was asked for (or as a file describes it): its attr, name and ids,
 * and, while recording or counting, its open counters. An evlist is the ordered list of them.
 */
#ifndef PERF_UTIL_EVENT_EVSEL_H
#define PERF_UTIL_EVENT_EVSEL_H

#include <linux/perf_event.h>

#include "util/lib/types.h"

/* Constants newer than the build machine's kernel headers. */
#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1u << 4)
#endif

struct evsel {
	struct perf_event_attr attr; /* native byte order; bytes the file lacked are 0 */
	u32 idx;	  /* position in the evlist; row.evsel */
	char *name;	  /* as typed and printed: "cycles:u", "sched:sched_switch" */
	u64 *ids;	  /* kernel ids of its counters (from the file, or after opening) */
	u32 nr_ids, ids_cap;
	u32 leader;	  /* idx of its group's leader; its own idx when it stands alone */
	u32 nr_members;	  /* for a leader: members including itself; else 1 */
	char *group_name; /* NULL: none given */
	char *unit;	  /* of the count, "" if none; `scale` turns raw counts into it */
	double scale;
	char *filter;	  /* --filter text for the kernel, or NULL */
	bool tracking;	  /* carries mmap/comm/task records for the others (dummy event) */
	bool user_period; /* the event text set a period or frequency of its own */
	s32 max_stack;	  /* term max-stack=, -1: not given */

	/* Open counters: fds[cpu_index * nr_threads + thread_index], -1 where not open. */
	int *fds;
	u32 nr_cpus, nr_threads;
};

struct evlist {
	struct evsel **evsels;
	u32 nr;
	size_t cap;
};

/* All strings are copied. */
struct evsel *evlist__add(struct evlist *list, const struct perf_event_attr *attr,
			  const char *name);
void evsel__set_name(struct evsel *evsel, const char *name);
void evsel__add_id(struct evsel *evsel, u64 id);
void evlist__exit(struct evlist *list); /* closes counters, frees everything */

static inline bool evsel__is_tracepoint(const struct evsel *evsel)
{
	return evsel->attr.type == PERF_TYPE_TRACEPOINT;
}

#endif
