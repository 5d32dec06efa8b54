/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes from frame pointers to copies of stacks while recording. Where --call-graph auto chose
 * frame pointers it goes on looking (call_graph_watch.h). When they
 * turn out to be wrong, events with copies of stacks take over: others, of the same names, for an
 * event has one layout. There is no gap: they start before the first ones stop, and what both
 * sampled is taken once (sift_sink.h).
 */
#ifndef PERF_UTIL_RECORD_RECORDING_CHANGE_H
#define PERF_UTIL_RECORD_RECORDING_CHANGE_H

#include "util/record/recording_auto.h"

/* Before the file begins, because it needs room for more events. */
void recording__start_looking(struct recording *recording);

/*
 * As ring_drain__run(), until they take over. 1: they did, or nobody looks, and the recording goes
 * on; 0: it has ended.
 */
int recording__run_looking(struct recording *recording, bool (*ended)(void *ctx), void *ctx);

#endif
