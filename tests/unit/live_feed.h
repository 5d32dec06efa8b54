/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A live profile that is fed through a pipe, in the time of its records: rounds of processes that
 * come, map two objects, work and go, 100 ms apart, with a look after each 20.
 */
#ifndef PERF_TESTS_LIVE_FEED_H
#define PERF_TESTS_LIVE_FEED_H

#include "tests/unit/builder.h"
#include "util/live/live_profile.h"

struct storm {
	bool zero;   /* begin again at each look */
	bool silent; /* processes without samples */
	bool shared; /* asked for rows that threads share, as a report has them */
	bool traced; /* samples of a tracepoint, each with a text of its own */
	/* Makes the program that works from this round on, if any. Returns its path, malloc'ed. */
	char *(*build)(u32 round);
};

struct live_feed {
	const struct storm *storm;
	struct live_profile live;
	struct session_symbols *symbols;
	struct profile_options profile;
	struct live_options options;
	struct builder b; /* of the round at work */
	int pipe;
	char *program; /* of .build */
	u64 time;
	u32 pid, nr_rounds;
};

/* @storm is borrowed. */
void live_feed__init(struct live_feed *feed, const struct storm *storm);
void live_feed__exit(struct live_feed *feed);

/* Each with five processes. */
void live_feed__rounds(struct live_feed *feed, u32 nr);

#endif
