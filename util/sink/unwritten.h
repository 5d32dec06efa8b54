/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Count samples that were read from the rings but not written because the disk was full.
 *
 * They are reported after the data, as LOST_SAMPLES with RECORD_MISC_DISK_FULL, one for each event
 * and CPU. Data records at the end are dropped to make room (struct writer_last).
 */
#ifndef PERF_UTIL_SINK_UNWRITTEN_H
#define PERF_UTIL_SINK_UNWRITTEN_H

#include <pthread.h>

#include "util/format/event_ids.h"
#include "util/lib/out.h"
#include "util/sink/record_sink.h"
#include "util/synthesize/synthesize.h"
#include "util/writer/writer.h"

struct unwritten_sum {
	const struct evsel *evsel;
	u64 id, nr;
	s32 cpu; /* -1: samples do not carry it */
};

struct unwritten {
	const struct evlist *list; /* borrowed; has its ids before anything is added */
	const struct cpu_map *cpus;
	/* Private. */
	pthread_mutex_t lock;
	struct event_ids ids;
	bool has_ids;
	struct unwritten_sum *sums;
	u32 nr;
	size_t cap;
	struct out kept;
};

void unwritten__init(struct unwritten *unwritten, const struct evlist *list,
                     const struct cpu_map *cpus);
void unwritten__exit(struct unwritten *unwritten);

/* A sink that counts what the next one did not take because the disk was full. */
struct unwritten_sink {
	struct record_sink sink;
	struct unwritten *unwritten; /* borrowed; several sinks may share it */
};

void unwritten_sink__init(struct unwritten_sink *sink, struct unwritten *unwritten,
                          struct record_sink *next);

/* Count the samples among @records, by event and CPU. For any thread. */
void unwritten__add(struct unwritten *unwritten, const u8 *records, size_t len);

/* Keep records about losses that could not be written either: they are written later, unchanged. */
void unwritten__keep(struct unwritten *unwritten, const void *records, size_t len);

/* The callback for a writer whose disk is full. */
struct writer_last unwritten__last(struct unwritten *unwritten);

#endif
