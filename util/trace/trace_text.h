/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of tracepoint samples, by the print formats that the file carries (TRACING_DATA). What
 * this perf was built without libtraceevent for, or what the file has no format of, comes out as
 * the raw bytes.
 */
#ifndef PERF_UTIL_TRACE_TRACE_TEXT_H
#define PERF_UTIL_TRACE_TRACE_TEXT_H

#include "util/lib/error.h"
#include "util/lib/out.h"
#include "util/lib/types.h"
#include "util/reader/reader.h"

struct trace_text; /* private; not shared between threads */

/* How an address of the kernel is named: the name, and its start into *start; NULL: unknown. */
typedef const char *(*trace_symbol_fn)(void *ctx, u64 addr, u64 *start);

/*
 * NULL with @err when the file has no TRACING_DATA, or broken one, or this perf has no
 * libtraceevent. The names that @symbol gives must stay valid until the delete.
 */
struct trace_text *trace_text__new(const struct perf_data *data, trace_symbol_fn symbol, void *ctx,
                                   struct error *err);
void trace_text__delete(struct trace_text *text);

/* Append the text of a sample's RAW bytes. @text may be NULL: the bytes in hex. */
void trace_text__print(struct trace_text *text, struct out *out, const void *raw, u32 size,
                       u32 cpu);

#endif
