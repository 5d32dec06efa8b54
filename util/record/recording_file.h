/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a recording. Usually one; with --switch-output one after another, each complete:
 * it begins with records about what exists, and its losses are those since the last file. The file
 * being written has the plain name; it gets its time stamp when it is finished.
 *
 * All return 0 or a negative errno with @err.
 */
#ifndef PERF_UTIL_RECORD_RECORDING_FILE_H
#define PERF_UTIL_RECORD_RECORDING_FILE_H

#include "util/record/recording_run.h"

/* Make the file, and delete the writer of the one before. Nothing is written yet. */
int recording__open_file(struct recording *recording, struct error *err);

/* Write header and attrs, and take the reference time of the clocks. */
int recording__start_file(struct recording *recording, struct error *err);

/* All records are in the file: look through it, put losses and features behind them. */
int recording__close_file(struct recording *recording, struct error *err);

/* Give it the name with the time of its end. */
int recording__stamp_file(struct recording *recording, struct error *err);

/* What has become of its name: found_at, gone. */
void recording__look_where_it_is(struct recording *recording);

#endif
