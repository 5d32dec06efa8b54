/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many threads of a recording ran at the same moment, from its records of context switches
 * (perf record --latency). Whatever a thread causes shows that it runs: a switch to it, a sample, a
 * mapping, a fork; until a switch away from it or its end. Idle tasks do not count.
 */
#ifndef PERF_UTIL_STREAM_PARALLELISM_H
#define PERF_UTIL_STREAM_PARALLELISM_H

#include "util/lib/error.h"
#include "util/lib/types.h"

struct session;

struct parallelism_change {
	u64 time; /* ns, as in the records */
	u32 nr;   /* since then */
};

struct parallelism {
	struct parallelism_change *list; /* by time */
	size_t nr, cap;
};

/*
 * @session was scanned. 0, with @of to be given to parallelism__exit(); -ENODATA with @err:
 * switches were not recorded (if they were to be, and none came, none was); or what reading the
 * recording ends with.
 */
int parallelism__find(struct parallelism *of, const struct session *session, struct error *err);
void parallelism__exit(struct parallelism *of);

/* At @time: at least 1, since whoever asks has a sample from then. */
u32 parallelism__at(const struct parallelism *of, u64 time);

#endif
