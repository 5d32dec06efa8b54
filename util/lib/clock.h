/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time for deadlines and spans of time. */
#ifndef PERF_UTIL_LIB_CLOCK_H
#define PERF_UTIL_LIB_CLOCK_H

#include <time.h>

#include "util/lib/types.h"

/* CLOCK_MONOTONIC in ns, and in ms. */
static inline u64 clock__now_ns(void)
{
	struct timespec ts = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static inline u64 clock__now_ms(void)
{
	return clock__now_ns() / 1000000;
}

#endif
