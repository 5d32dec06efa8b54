/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stable sort of (key, value) pairs. Input of a few ascending runs, such as records of a few ring
 * buffers, is merged; unordered input is sorted by digits. Neither has a bad case that hostile
 * input could trigger.
 */
#ifndef PERF_UTIL_LIB_SORT_H
#define PERF_UTIL_LIB_SORT_H

#include "util/lib/types.h"

struct keyed {
	u64 key, value;
};

/* Sort by key; equal keys keep their order. Needs memory for @nr more items while it runs. */
void keyed__sort(struct keyed *items, size_t nr);

#endif
