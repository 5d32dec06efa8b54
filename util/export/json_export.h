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
#include "util/machine/session.h"
#include "util/stream/read_problems.h"
#include "util/stream/sample_filter.h"
#include "util/symbol/session_symbols.h"
#include "util/unwind/unwind.h"

struct json_export_counts {
	u64 nr_samples;
	struct read_problems problems;
};

/*
 * Write all of it to @out. @session must have been scanned; samples that do not pass @filter by
 * time or task are left out; copied stacks are unwound by @style. 0 or a negative errno with @err;
 * a write error stays in
 * @out.
 */
int json_export__write(const struct session *session, struct session_symbols *symbols,
                       const struct sample_filter *filter, enum unwind_style style, struct out *out,
                       struct json_export_counts *counts, struct error *err);

/* The member "headers" of that: what the header of the file tells, as an object. */
void json_export__headers(const struct session *session, struct out *out);

#endif
