/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sink at the end of a recording: appends records to a file, or a stream (writer.h), and a
 * FINISHED_ROUND where a round ends. One call of writev for each batch; nothing waits here.
 */
#ifndef PERF_UTIL_SINK_FILE_SINK_H
#define PERF_UTIL_SINK_FILE_SINK_H

#include "util/sink/record_sink.h"
#include "util/writer/writer.h"

struct file_sink {
	struct record_sink sink;
	struct data_writer *writer; /* borrowed */
	u64 *size;                  /* bytes of data in all files that share it, atomic; or NULL */
	u64 counted;                /* in it, of this file */
};

void file_sink__init(struct file_sink *file, struct data_writer *writer, u64 *size);

/* Go on in another file; what is in the one before is not counted any more. */
void file_sink__change(struct file_sink *file, struct data_writer *writer);

#endif
