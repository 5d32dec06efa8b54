/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sink of record -z: packs the records from the rings into COMPRESSED ones (compress.h). Rounds
 * and what perf tells stay plain.
 */
#ifndef PERF_UTIL_SINK_PACK_SINK_H
#define PERF_UTIL_SINK_PACK_SINK_H

#include "util/lib/error.h"
#include "util/sink/record_sink.h"
#include "util/writer/compress.h"

struct pack_sink {
	struct record_sink sink;
	struct compressor compressor; /* counts what came in and went out */
	struct out packed;
};

/* 0 or a negative errno: see compressor__init(). */
int pack_sink__init(struct pack_sink *pack, int level, struct record_sink *next, struct error *err);
void pack_sink__exit(struct pack_sink *pack); /* also one that was only zeroed */

#endif
