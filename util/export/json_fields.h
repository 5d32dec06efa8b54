/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of a tracepoint's or a probe's sample as a JSON object. Numbers are numbers, addresses
 * texts in hex, arrays arrays, a string that a probe could not read is null. What the record is too
 * short for is left out.
 */
#ifndef PERF_UTIL_EXPORT_JSON_FIELDS_H
#define PERF_UTIL_EXPORT_JSON_FIELDS_H

#include "util/lib/out.h"
#include "util/trace/trace_format.h"

void json_fields__write(struct out *out, const struct trace_event *event, const u8 *raw, u32 size);

#endif
