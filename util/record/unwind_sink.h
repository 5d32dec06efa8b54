/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sink of record --unwind-live: gives what it takes to the thread that unwinds (live_unwind.h),
 * and that gives it to the next sink, a round for each pass. Records that perf tells are used by
 * the thread and go on at once.
 */
#ifndef PERF_UTIL_RECORD_UNWIND_SINK_H
#define PERF_UTIL_RECORD_UNWIND_SINK_H

#include "util/record/live_unwind.h"
#include "util/sink/record_sink.h"

struct unwind_sink {
	struct record_sink sink;
	struct live_unwind *live;
	/* Private. */
	struct live_batch *batch; /* of this pass; NULL: nothing came yet */
	u64 slow_ms;              /* of the thread's writes; atomic */
};

/* Start the thread. See live_unwind__new(). 0 or a negative errno. */
int unwind_sink__init(struct unwind_sink *unwind, const struct evlist *list, u64 limit,
                      struct record_sink *next, struct error *err);
void unwind_sink__exit(struct unwind_sink *unwind); /* what was not settled is dropped */

#endif
