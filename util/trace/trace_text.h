/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats tracepoint samples as text, by the print formats in the file (TRACING_DATA). If perf was
 * built without libtraceevent, or the file has no format, the raw bytes are printed.
 */
#ifndef PERF_UTIL_TRACE_TRACE_TEXT_H
#define PERF_UTIL_TRACE_TRACE_TEXT_H

#include "util/lib/error.h"
#include "util/lib/out.h"
#include "util/lib/types.h"
#include "util/reader/reader.h"

struct trace_text; /* private; not shared between threads */

/* Names an address of the kernel: the name, and its start into *start; NULL: unknown. */
typedef const char *(*trace_symbol_fn)(void *ctx, u64 addr, u64 *start);

/*
 * NULL with @err when TRACING_DATA is missing or damaged, or this perf has no libtraceevent. The
 * names that @symbol gives must stay valid until the delete.
 */
struct trace_text *trace_text__new(const struct perf_data *data, trace_symbol_fn symbol, void *ctx,
                                   struct error *err);
void trace_text__delete(struct trace_text *text);

/* Append the text of a sample's RAW bytes. @text may be NULL: the bytes in hex. */
void trace_text__print(struct trace_text *text, struct out *out, const void *raw, u32 size,
                       u32 cpu);

#endif
