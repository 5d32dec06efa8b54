/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples that came out of the rings and did not get into the file, as the disk was full; told
 * behind the data, for which older records give way (struct writer_last): LOST_SAMPLES with
 * RECORD_MISC_DISK_FULL, one for each event and CPU.
 */
#ifndef PERF_UTIL_RECORD_UNWRITTEN_H
#define PERF_UTIL_RECORD_UNWRITTEN_H

#include <pthread.h>

#include "util/format/event_ids.h"
#include "util/lib/out.h"
#include "util/synthesize/synthesize.h"
#include "util/writer/writer.h"

struct unwritten_sum {
	const struct evsel *evsel;
	u64 id, nr;
	s32 cpu; /* -1: samples do not tell */
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

/* What the samples among @records are of. For any thread. */
void unwritten__add(struct unwritten *unwritten, const u8 *records, size_t len);

/* Records about losses that did not get in themselves: they will, as they are. */
void unwritten__keep(struct unwritten *unwritten, const void *records, size_t len);

/* What a writer asks when its disk is full. */
struct writer_last unwritten__last(struct unwritten *unwritten);

#endif
