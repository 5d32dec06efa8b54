/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A measurement in a file (perf stat record): the raw counts of each counter at the end of each
 * interval and at the end, in the layout that Linux's perf 6.1 writes
 * (Documentation/perf.data-file-format.txt, "Counts"). Read again by replay.h.
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
 * To @path, or (@stream_fd not -1; taken over) as a stream. @words is the command line for the
 * header. 0 or a negative errno with @err; stat_file__exit() in any case.
 */
int stat_file__open(struct stat_file *recording, const char *path, int stream_fd,
                    const struct feature_source *source, struct error *err);

/* The events of @m (borrowed) are open: the beginning of the file. */
int stat_file__begin(struct stat_file *recording, const struct measurement *m, struct error *err);

/* What the counters said last, @ns after the start. Failures show in stat_file__end(). */
void stat_file__round(struct stat_file *recording, bool final, u64 ns);

/* The features and the final header. */
int stat_file__end(struct stat_file *recording, struct error *err);

/* What has counts stays; without any, no file does. */
void stat_file__exit(struct stat_file *recording);

#endif
