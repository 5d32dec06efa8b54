/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A walk over the frames of a call chain, leaf first. Between its addresses a chain has markers
 * (PERF_CONTEXT_*), which tell whose addresses follow; no other loop knows them.
 *
 *	struct frame_walk walk = frame_walk__begin(&sample, swap);
 *	struct frame frame;
 *
 *	while (frame_walk__next(&walk, &frame))
 *		...
 *	problems.nr_unknown_context += walk.unknown;
 */
#ifndef PERF_UTIL_STREAM_FRAME_WALK_H
#define PERF_UTIL_STREAM_FRAME_WALK_H

#include "util/format/sample.h"

struct frame {
	u64 ip;
	u8 cpumode;    /* PERF_RECORD_MISC_*: whose address it is */
	bool returned; /* as recorded by the kernel it is a return address: it has a callee */
};

struct frame_walk {
	struct u64_span chain;
	u64 at; /* the word to look at next */
	bool swap;
	bool returned;
	bool unknown; /* it ended at a marker that is not known here */
	u8 cpumode;
};

/* The whole chain of @sample, as it is now; before the first marker a frame is where it is. */
static inline struct frame_walk frame_walk__begin(const struct sample *sample, bool swap)
{
	return (struct frame_walk){ .chain = sample->chain,
		                    .swap = swap,
		                    .cpumode = sample->cpumode };
}

/* False: there are no more frames, or what follows cannot be told. */
static inline bool frame_walk__next(struct frame_walk *walk, struct frame *frame)
{
	while (walk->at < walk->chain.nr) {
		u64 ip = u64_span__get(&walk->chain, walk->at++, walk->swap);

		if (likely(ip < PERF_CONTEXT_MAX)) {
			*frame = (struct frame){ ip, walk->cpumode, walk->returned };
			walk->returned = true;
			return true;
		}
		u8 cpumode = walk->cpumode; /* so that the walk itself can live in registers */

		walk->unknown = !sample__context(ip, &cpumode);
		if (walk->unknown)
			walk->at = walk->chain.nr;
		walk->cpumode = cpumode;
		walk->returned = false;
	}
	return false;
}

#endif
