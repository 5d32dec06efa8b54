/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between recording.c (up to the first sample) and recording_file.c (files, one or several). */
#ifndef PERF_UTIL_RECORD_RECORDING_LOCAL_H
#define PERF_UTIL_RECORD_RECORDING_LOCAL_H

#include "util/record/recording.h"

/* A synth that writes to the file; recording->writer must be there. */
void recording__init_synth(struct recording *recording, struct synth *synth);

/* Writer, header, attrs; the moment of the clocks. 0 or a negative errno. */
int recording__start_file(struct recording *recording, struct error *err);

/*
 * The records about what exists now. @again: not for the first time, so the tasks of the workload
 * are already there. With --tail-synthesize they stand at the end of a file: then @at_end.
 */
int recording__synthesize_head(struct recording *recording, bool again, struct error *err);
int recording__synthesize_tail(struct recording *recording, struct error *err);

#endif
