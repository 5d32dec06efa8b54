/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a name from the attr of an event without one (a file that was not closed has no names). The
 * name includes modifiers: "cycles", "cpu-clock:u", "L1-dcache-load-misses", "raw 0x1a8".
 */
#ifndef PERF_UTIL_EVENT_ATTR_NAME_H
#define PERF_UTIL_EVENT_ATTR_NAME_H

#include <linux/perf_event.h>

#include "util/lib/types.h"

#define ATTR_NAME_SIZE 128

/* Writes to @buf and returns it. */
const char *attr__name(const struct perf_event_attr *attr, char *buf, size_t size);

/* Does the cache in @config (of a PERF_TYPE_HW_CACHE event) have the operation in it? */
bool attr__has_cache_op(u64 config);

#endif
