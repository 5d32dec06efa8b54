/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exports a recording as JSON, with the keys and layout of Linux's perf 6.1 (`perf data convert
 * --to-json`). perf-data(1) lists the keys. Samples come in the order of time, each with its frames
 * named.
 */
#ifndef PERF_UTIL_EXPORT_JSON_EXPORT_H
#define PERF_UTIL_EXPORT_JSON_EXPORT_H

#include "util/lib/error.h"
#include "util/lib/out.h"
#include "util/lib/time_range.h"
#include "util/machine/session.h"
#include "util/symbol/session_symbols.h"
#include "util/unwind/unwind.h"

struct json_export_counts {
	u64 nr_samples;
	u64 nr_broken;          /* samples whose content does not fit their size: left out */
	u64 nr_unknown_context; /* chains that end at an unknown marker */
	u64 nr_lost;            /* records that could not be read again */
};

/*
 * Write all of it to @out. @session must have been scanned; samples outside of @times are left out;
 * copied stacks are unwound by @style. 0 or a negative errno with @err; a write error stays in
 * @out.
 */
int json_export__write(const struct session *session, struct session_symbols *symbols,
                       const struct time_ranges *times, enum unwind_style style, struct out *out,
                       struct json_export_counts *counts, struct error *err);

#endif
