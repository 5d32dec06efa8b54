/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stable sort of (key, value) pairs: natural merge where the input is a few ascending runs, as
 * records of a few ring buffers are; by digits where it is in no order. Neither has a bad case
 * that hostile input could aim at.
 */
#ifndef PERF_UTIL_LIB_SORT_H
#define PERF_UTIL_LIB_SORT_H

#include "util/lib/types.h"

struct keyed {
	u64 key, value;
};

/* By key, equal keys in their present order. Needs nr more items of memory while it runs. */
void keyed__sort(struct keyed *items, size_t nr);

#endif
