/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits samples that carry counts (PERF_SAMPLE_READ, modifier S) into samples of each event. Such
 * a sample carries what its event, or each member of its group, has counted since it was opened. It
 * stands for a sample of each of them, whose period is what was counted since the sample before;
 * the sample's own period means nothing. So these samples must be read in the order of time
 * (util/reader/ordered.h), unlike all others.
 *
 *	if (layout->has_counts)
 *		for (u64 i = 0; i < sample.read.nr; i++)
 *			if (last_reads__part(&reads, data, layout, &sample, i, &part))
 *				... a sample of part.evsel with part.period ...
 *
 * Counts add up per counter (id). If threads inherit the event, each has counters of its own under
 * the id of the first, unless the event belongs to a CPU (the ID_INDEX record says so).
 */
#ifndef PERF_UTIL_READER_READS_H
#define PERF_UTIL_READER_READS_H

#include "util/lib/hash.h"
#include "util/reader/reader.h"

struct sample;

/* The last count of each counter. Zero-initialise. */
struct last_reads {
	struct u64map index_of_counter; /* counter -> index of its count */
	u64 *counts;
	size_t cap;
	u32 nr;
};

struct read_part {
	const struct evsel *evsel; /* whose count it is; NULL: no event of the file has this id */
	u64 period;
};

/* Does the file have an event whose samples carry counts? */
bool perf_data__has_counts(const struct perf_data *data);

/*
 * Get the part for count @i (< sample->read.nr) of @sample, which was decoded with @layout. False
 * when nothing was counted since the last time: there is no sample of that event then. A count that
 * decreased (damage, a counter that was reset) starts anew: its period is the count itself.
 */
bool last_reads__part(struct last_reads *reads, const struct perf_data *data,
                      const struct sample_layout *layout, const struct sample *sample, u64 i,
                      struct read_part *part);

void last_reads__exit(struct last_reads *reads);

#endif
