/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the stream form of perf.data, for pipes. What the file form has around the data (attrs,
 * ids, features, tracepoint formats) comes before them as records, because a pipe cannot be patched
 * afterwards. Documentation/perf.data-file-format.txt, "Streams".
 */
#ifndef PERF_UTIL_WRITER_PIPE_WRITE_H
#define PERF_UTIL_WRITER_PIPE_WRITE_H

#include "util/writer/writer.h"

/*
 * Write the beginning of a stream of @source->evlist, whose ids are known; then append data by
 * data_writer__append(). -E2BIG: more counters than one record can name. -EPIPE: nobody reads.
 */
int pipe_form__begin(struct data_writer *writer, const struct feature_source *source,
                     struct error *err);

#endif
