/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the bytes of header features: a bounds-checked cursor over one section, and its strings. A
 * string is a u32 length, then that many bytes with a NUL among them.
 */
#ifndef PERF_UTIL_READER_FEATURE_CURSOR_H
#define PERF_UTIL_READER_FEATURE_CURSOR_H

#include "util/lib/cursor.h"
#include "util/reader/features.h"

/* A cursor over the section's bytes; `failed` at once when it is absent or unreadable. */
struct cursor perf_data__feature_cursor(const struct perf_data *data, unsigned feature);

/* The next string; "" on failure. */
static inline const char *cursor__feature_string(struct cursor *c)
{
	u32 len = cursor__u32(c);

	return cursor__str(c, len);
}

#endif
