/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat record: write a measurement to a file, in the layout of Linux's perf 6.1.
 *
 * Documentation/perf.data-file-format.txt, "Counts", describes it. The file has the raw counts of
 * each counter at the end of each interval and at the end. replay.h reads it.
 */
#ifndef PERF_UTIL_STAT_STAT_FILE_H
#define PERF_UTIL_STAT_STAT_FILE_H

#include "util/stat/measure.h"
#include "util/synthesize/synthesize.h"
#include "util/writer/writer.h"

struct stat_file {
	struct data_writer *writer; /* NULL: nothing is recorded */
	struct synth synth;
	struct feature_source source;
	const struct measurement *m;
	const char *name; /* for messages */
	bool stream, begun, ended;
	u64 nr_rounds;
};

/*
 * Write to @path, or as a stream to @stream_fd (taken over) if that is not -1. @source describes
 * the machine for the header. 0 or a negative errno with @err; call stat_file__exit() in any
 * case.
 */
int stat_file__open(struct stat_file *recording, const char *path, int stream_fd,
                    const struct feature_source *source, struct error *err);

/* Write the beginning of the file; the events of @m (borrowed) must be open. */
int stat_file__begin(struct stat_file *recording, const struct measurement *m, struct error *err);

/* Write the latest readings, @ns after the start. stat_file__end() reports failures. */
void stat_file__round(struct stat_file *recording, bool final, u64 ns);

/* Write the features and the final header. */
int stat_file__end(struct stat_file *recording, struct error *err);

/* A file with counts is kept; a file without any is removed. */
void stat_file__exit(struct stat_file *recording);

#endif
