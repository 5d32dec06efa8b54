/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between recording_auto.c (the pilot, what it chooses) and recording_change.c (what comes later).
 */
#ifndef PERF_UTIL_RECORD_AUTO_CHAINS_LOCAL_H
#define PERF_UTIL_RECORD_AUTO_CHAINS_LOCAL_H

#include "util/format/event_ids.h"
#include "util/record/call_graph_watch.h"
#include "util/record/recording_local.h"

#define NR_CHOICES (1 + CALL_GRAPH_NR_SIZES)

/* The counters of an evsel, while it has others. */
struct counters {
	struct perf_event_attr attr;
	int *fds;
	u64 *ids;
	u32 nr_ids, ids_cap;
	u32 nr_cpus, nr_threads;
};

/* What the events can become: counters for each but the last, which tells of tasks and maps. */
struct choice {
	enum chain_mode mode;
	u32 stack_size;
	struct counters *counters; /* NULL: not opened, or put in */
};

struct auto_chains {
	u32 nr;                  /* events that change */
	u64 frequency;           /* theirs afterwards */
	struct counters *pilots; /* that have done their duty; but the rings are theirs */
	struct choice choices[NR_CHOICES];
	u64 since_ms;
	struct call_graph_watch *watch; /* NULL: nobody looks whether frame pointers stay right */
	u32 late;                       /* the choice that takes their place then; 0: none */
	bool holding;
	struct out held; /* records, until the file is started */
};

/*
 * Frame pointers were chosen: which choice would take their place? 0: none. Then, before the file
 * begins, looking starts, for which the file has room for more events.
 */
u32 recording__late_choice(const struct recording *recording);
void recording__start_looking(struct recording *recording);

/*
 * Of @len bytes from one ring: samples of the first @nr events that follow a sample of the event
 * that takes over from them, @first further on, by the same task, are left out. Returns what is
 * left.
 */
size_t recording__sift(const struct event_ids *events, u32 nr, u32 first, u8 *records, size_t len);

#endif
