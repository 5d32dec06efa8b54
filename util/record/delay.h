/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the events of a recording run: -D. Without one, from the start to the end. "1000": from
 * 1000 ms after the start; "-1": not until something else enables them; "10-20,30-40": in these
 * spans of milliseconds, which must follow each other. "0" is no delay.
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
	bool never;               /* nobody but others enables the events */
	struct delay_step *steps; /* in the order of time */
	u32 nr, next;             /* steps that were taken are before next */
	size_t cap;
};

/* What was parsed before is forgotten. 0 or -EINVAL. */
int record_delay__parse(struct record_delay *delay, const char *text, struct error *err);
void record_delay__exit(struct record_delay *delay);

/* Do the events start disabled? */
bool record_delay__delays(const struct record_delay *delay);

/* The step that is due at @ms, taken; NULL: none is. Ask again until it is NULL. */
const struct delay_step *record_delay__take(struct record_delay *delay, u64 ms);

/* The step to wait for; NULL: none is left. */
const struct delay_step *record_delay__next(const struct record_delay *delay);

#endif
