/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text made of parts by several threads, written in the order of the parts. Parts have the
 * numbers 0, 1, 2 ... Each thread makes one at a time, the parts that it takes in ascending order,
 * in a struct out of its own (fd -1):
 *
 *	while (take(&number)) {
 *		...
 *		out_parts__write(parts, number, &text);	as often as it likes
 *		...
 *		out_parts__end(parts, number, &text);
 *	}
 */
#ifndef PERF_UTIL_LIB_OUT_PARTS_H
#define PERF_UTIL_LIB_OUT_PARTS_H

#include <pthread.h>

#include "util/lib/out.h"

struct out_parts {
	struct out *out; /* used by whose turn it is */
	pthread_mutex_t lock;
	pthread_cond_t written;
	u64 nr_written;               /* parts; changed under the lock, by whose turn it is */
	struct waiting_part *waiting; /* at its number modulo nr_waiting; under the lock */
	u32 nr_waiting;
};

void out_parts__init(struct out_parts *parts, struct out *out, unsigned nr_threads);
void out_parts__exit(struct out_parts *parts); /* all parts have ended */

/* Write what is there of part @number and empty @text, if all parts before it are written. */
void out_parts__write(struct out_parts *parts, u64 number, struct out *text);

/* The part is complete: it is kept until its turn comes, for which this may have to wait. @text is
 * empty then. */
void out_parts__end(struct out_parts *parts, u64 number, struct out *text);

#endif
