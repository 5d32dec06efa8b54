/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a chain that the kernel made, by following frame pointers, reach the start of its thread?
 * Judged by its outer frames of one mode, at most HEALTH_DEPTH, from the inside:
 *
 *	struct outer_frames outer = OUTER_FRAMES_INIT;
 *
 *	outer_frames__add(&outer, loc, kind, sampled);
 *	...
 *	end = outer_frames__end(&outer, flags);
 */
#ifndef PERF_UTIL_HEALTH_OUTER_FRAMES_H
#define PERF_UTIL_HEALTH_OUTER_FRAMES_H

#include "util/profile/health.h"
#include "util/stream/resolve.h"
#include "util/unwind/start_code.h"

struct outer_frames {
	bool complete; /* one of them starts a thread */
	bool forked;   /* set by who adds: what follows them is where the kernel sends new threads
	                * to */
	u32 where;     /* the dso of the outermost frame that lies in one */
	bool beyond;   /* there are others above it */
	bool nameless; /* nobody knows what that frame is in, or whether the kernel went on */
};

#define OUTER_FRAMES_INIT                                                                          \
	{                                                                                          \
		.where = ID_NONE                                                                   \
	}

/* What the function at @loc is. Not cached. */
enum start_kind outer_frames__kind(struct start_code *start, struct session_symbols *symbols,
                                   const struct loc *loc);

/* @sampled: the thread was interrupted there, in that mode. */
void outer_frames__add(struct outer_frames *outer, const struct loc *loc, enum start_kind kind,
                       bool sampled);

/* @flags: enum row_end_flags */
enum chain_end outer_frames__end(const struct outer_frames *outer, unsigned flags);

#endif
