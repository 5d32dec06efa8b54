/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells the sinks of a recording what exists: its counters, the kernel, tasks and their maps
 * (util/synthesize).
 */
#ifndef PERF_UTIL_RECORD_RECORDING_SYNTH_H
#define PERF_UTIL_RECORD_RECORDING_SYNTH_H

#include "util/record/recording_run.h"
#include "util/synthesize/synthesize.h"

/* Init a synth that tells the drain's sink. */
void recording__init_synth(struct recording *recording, struct synth *synth);

/*
 * Records about what exists now. @again: not for the first time, so the workload's tasks already
 * exist. With --tail-synthesize the records are at the end of a file.
 */
int recording__synthesize_head(struct recording *recording, bool again, struct error *err);
int recording__synthesize_tail(struct recording *recording, struct error *err);

/* The tasks we were told to watch, and what they have started since. */
void recording__put_watched(const struct recording *recording, struct synth *synth);

/* Whose counters the ids are that come now. */
int recording__tell_ids(struct recording *recording);

#endif
