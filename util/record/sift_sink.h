/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sink that removes what two counters have sampled both, when one of them takes the place of the
 * other (recording_auto.h, recording_change.h).
 *
 * The new counters start, then the old ones stop, and both write to the same rings. In between both
 * take samples, the new one first: the kernel calls the counter that was started last, and counters
 * of a task that runs again are started in the order in which they were made. So an old sample that
 * follows a new one of the same task and event in a ring is a duplicate.
 */
#ifndef PERF_UTIL_RECORD_SIFT_SINK_H
#define PERF_UTIL_RECORD_SIFT_SINK_H

#include "util/format/event_ids.h"
#include "util/lib/out.h"
#include "util/sink/record_sink.h"

struct sift {
	const struct event_ids *before, *after; /* borrowed: with the old counters; with the new */
	u32 nr;                                 /* the first @nr events change */
	u32 first; /* in @after: new counters are of event i + @first, or of i itself */
};

struct sift_sink {
	struct record_sink sink;
	struct sift sift;
	struct out ring; /* what came from one */
};

void sift_sink__init(struct sift_sink *sift, const struct sift *what, struct record_sink *next);
void sift_sink__exit(struct sift_sink *sift);

/*
 * Remove duplicates from @len bytes of one ring: samples of old counters that follow a sample of
 * the same event and task by a new one. Returns the remaining length.
 */
size_t sift__records(const struct sift *sift, u8 *records, size_t len);

#endif
