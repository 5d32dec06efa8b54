/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record -D: when the events of a recording are enabled. "1000": from 1000 ms after the start;
 * "-1": when something else enables them; "10-20,30-40": in these spans of milliseconds, which
 * must be in order. "0" or no -D: from the start to the end.
 */
#ifndef PERF_UTIL_RECORD_DELAY_H
#define PERF_UTIL_RECORD_DELAY_H

#include "util/lib/error.h"
#include "util/lib/types.h"

struct delay_step {
	u64 at_ms; /* after the start */
	bool enable;
};

struct record_delay {
	bool never;               /* "-1": perf itself does not enable the events */
	struct delay_step *steps; /* in the order of time */
	u32 nr, next;             /* steps before next have been taken */
	size_t cap;
};

/* Parse @text; it replaces what was parsed before. 0 or -EINVAL. */
int record_delay__parse(struct record_delay *delay, const char *text, struct error *err);
void record_delay__exit(struct record_delay *delay);

/* Do the events start disabled? */
bool record_delay__delays(const struct record_delay *delay);

/* Take the step that is due at @ms; NULL: none is. Repeat until NULL. */
const struct delay_step *record_delay__take(struct record_delay *delay, u64 ms);

/* The step to wait for; NULL: none is left. */
const struct delay_step *record_delay__next(const struct record_delay *delay);

#endif
