/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by recording_auto.c (pilot and choice) and recording_change.c (a later change) only. */
#ifndef PERF_UTIL_RECORD_AUTO_CHAINS_LOCAL_H
#define PERF_UTIL_RECORD_AUTO_CHAINS_LOCAL_H

#include "util/format/event_ids.h"
#include "util/record/call_graph_watch.h"
#include "util/record/recording_local.h"

#define NR_CHOICES (1 + CALL_GRAPH_NR_SIZES)

/* The counters of an evsel while others are installed in it. */
struct counters {
	struct perf_event_attr attr;
	int *fds;
	u64 *ids;
	u32 nr_ids, ids_cap;
	u32 nr_cpus, nr_threads;
};

/* Put @counters into @evsel; what @evsel had is in @counters then. */
void counters__swap(struct counters *counters, struct evsel *evsel);

/* One form that the events can take, with counters for each event but the last (the dummy). */
struct choice {
	enum chain_mode mode;
	u32 stack_size;
	struct counters *counters; /* NULL: not opened, or installed in the evsels */
};

struct auto_chains {
	u32 nr;                  /* events that change */
	u64 frequency;           /* of these after the pilot */
	struct counters *pilots; /* finished, but kept open: they own the rings */
	struct choice choices[NR_CHOICES];
	u64 since_ms;
	struct call_graph_watch *watch; /* NULL: nobody looks whether frame pointers stay right */
	u32 late;                       /* the choice that takes their place then; 0: none */
	bool holding;
	struct out held; /* records held back until the file is started */
};

/*
 * After frame pointers were chosen: the index of the choice that would replace them; 0: none. Then
 * start looking, before the file begins, because the file needs room for more events.
 */
u32 recording__late_choice(const struct recording *recording);
void recording__start_looking(struct recording *recording);

/*
 * Remove duplicates from @len bytes of one ring: samples of the first @nr events that follow a
 * sample of the same task by the replacing event (index + @first). Returns the remaining length.
 */
size_t recording__sift(const struct event_ids *events, u32 nr, u32 first, u8 *records, size_t len);

#endif
