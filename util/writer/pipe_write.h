/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing the stream form of perf.data: what the file form keeps around the data (attrs, ids,
 * features, the formats of tracepoints) goes in front of them as records, because a pipe cannot
 * be patched afterwards. Documentation/perf.data-file-format.txt, "Streams".
 */
#ifndef PERF_UTIL_WRITER_PIPE_WRITE_H
#define PERF_UTIL_WRITER_PIPE_WRITE_H

#include "util/writer/writer.h"

/*
 * The beginning of a stream of @source->evlist, whose ids are known; data follow by
 * data_writer__append(). -E2BIG: more counters than one record can name. -EPIPE: nobody reads.
 */
int pipe_form__begin(struct data_writer *writer, const struct feature_source *source,
                     struct error *err);

#endif
