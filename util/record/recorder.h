/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moving records from the rings to the file while something is measured. Bytes go from the ring
 * to the file as they lie: nothing is decoded, counted or copied in between. A pass visits every
 * ring once and is one writev; FINISHED_ROUND follows each pass that found something, which tells
 * readers how far records can be put in order.
 *
 * Waiting costs nothing: one poll over the rings (which wake us when half full) and the command's
 * own descriptors, without a timeout.
 */
#ifndef PERF_UTIL_RECORD_RECORDER_H
#define PERF_UTIL_RECORD_RECORDER_H

#include "util/data/synthesize.h"
#include "util/data/writer.h"
#include "util/event/ring.h"
#include "util/lib/types.h"

#define RECORDER_MAX_EVENTS 4

struct recorder {
	struct rings *rings;        /* borrowed */
	struct data_writer *writer; /* borrowed */
	u64 nr_woken;               /* returns of poll */
	u32 nr_live;                /* counters whose task has not ended */
	struct pollfd *fds;         /* rings->fds, then the command's */
	u32 nr_events;
};

/* @events: descriptors of the command that recorder__run() also waits for (signals, timers). */
void recorder__init(struct recorder *recorder, struct rings *rings, struct data_writer *writer,
                    const int *events, u32 nr_events);
void recorder__exit(struct recorder *recorder);

/* One pass. Returns the bytes moved, or a negative errno of the file. */
s64 recorder__pass(struct recorder *recorder);

/*
 * Move and wait until @ended, called whenever one of the events is ready to be read, returns
 * true, or all measured tasks have ended. 0, or the file's negative errno.
 */
int recorder__run(struct recorder *recorder, bool (*ended)(void *ctx), void *ctx);

/* Passes until the rings are empty; the counters must have been disabled. */
int recorder__drain(struct recorder *recorder);

/*
 * What the kernel could not put into the rings, by counter (kernels from 6.0): one LOST_SAMPLES
 * record for each counter that lost something. Returns the sum.
 */
u64 recorder__put_lost(struct synth *synth, const struct evlist *list);

#endif
