/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a reader of samples saw and could not use. Every command that reads says these
 * (ui/text/report_problems.h); each worker counts its own, and they are added up.
 */
#ifndef PERF_UTIL_STREAM_READ_PROBLEMS_H
#define PERF_UTIL_STREAM_READ_PROBLEMS_H

#include "util/lib/types.h"

struct read_problems {
	u64 nr_broken;          /* undecodable samples, and those of no known task */
	u64 nr_unknown_id;      /* samples of no known event */
	u64 nr_unknown_context; /* chains cut at an unknown PERF_CONTEXT_* marker */
	u64 nr_cut_frames;      /* beyond max_stack */
	u64 nr_clock_misses;    /* frames without a map, where one follows less than 1 ms later */
	u64 nr_lost;            /* records that were there once, and cannot be read again */
	u64 nr_late;            /* records later than a finished round allows */
};

static inline void read_problems__add(struct read_problems *into, const struct read_problems *from)
{
	into->nr_broken += from->nr_broken;
	into->nr_unknown_id += from->nr_unknown_id;
	into->nr_unknown_context += from->nr_unknown_context;
	into->nr_cut_frames += from->nr_cut_frames;
	into->nr_clock_misses += from->nr_clock_misses;
	into->nr_lost += from->nr_lost;
	into->nr_late += from->nr_late;
}

#endif
