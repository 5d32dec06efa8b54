/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a perf_event_attr from a file, of any age and byte order, to the one this perf knows. */
#ifndef PERF_UTIL_FORMAT_ATTR_IMPORT_H
#define PERF_UTIL_FORMAT_ATTR_IMPORT_H

#include <linux/perf_event.h>

#include "util/lib/types.h"

/*
 * Fill @attr from @size bytes; what they lack is 0. Returns the number of non-zero bytes after
 * those that this perf knows: a newer perf asked for something that is not understood here.
 */
u32 attr__import(struct perf_event_attr *attr, const u8 *bytes, size_t size, bool swap);

#endif
