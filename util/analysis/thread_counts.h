/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The final counts of each thread, from the READ records of `record -s`. A thread has a counter for
 * each event, or for each event and CPU; those of one event are added up.
 */
#ifndef PERF_UTIL_ANALYSIS_THREAD_COUNTS_H
#define PERF_UTIL_ANALYSIS_THREAD_COUNTS_H

#include "util/machine/session.h"

struct thread_row {
	s32 pid, tid;
};

struct thread_counts {
	struct thread_row *threads;  /* in the order in which they ended */
	const struct evsel **events; /* those that have counts, in the order of the first one */
	struct u64map by_thread, by_event; /* private */
	u64 *counts; /* of thread i and the file's event e: [i * nr_all + e] */
	u32 nr, nr_events, nr_all;
	size_t cap, counts_cap;
};

/* @session has been scanned. 0, or a negative errno with @err; what was found stands. */
int thread_counts__collect(struct thread_counts *counts, const struct session *session,
                           struct error *err);
void thread_counts__exit(struct thread_counts *counts);

static inline u64 thread_counts__at(const struct thread_counts *counts, u32 thread, u32 event)
{
	return counts->counts[(size_t)thread * counts->nr_all + counts->events[event]->idx];
}

#endif
