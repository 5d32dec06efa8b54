/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats tracepoint samples as text, by the print formats in the file (TRACING_DATA), compiled
 * once (trace_program.h). If perf was built without libtraceevent, or the file has no format, the
 * raw bytes are printed.
 */
#ifndef PERF_UTIL_TRACE_TRACE_TEXT_H
#define PERF_UTIL_TRACE_TRACE_TEXT_H

#include "util/lib/error.h"
#include "util/lib/out.h"
#include "util/lib/types.h"
#include "util/reader/reader.h"
#include "util/trace/trace_format.h"
#include "util/trace/trace_program.h"

struct trace_text;       /* private; not shared between threads */
struct trace_text_event; /* private: an event of it */

/*
 * NULL with @err when TRACING_DATA is missing or damaged, or this perf has no libtraceevent. The
 * names that @symbol gives must stay valid until the delete.
 */
struct trace_text *trace_text__new(const struct perf_data *data, trace_symbol_fn symbol, void *ctx,
                                   struct error *err);
void trace_text__delete(struct trace_text *text);

/*
 * The event of that number (attr.config), to be looked up once; NULL: the file has no format of it.
 * @text may be NULL.
 */
struct trace_text_event *trace_text__event(const struct trace_text *text, u64 id);

/* Append the text of a sample's RAW bytes. @text and @event may be NULL: the bytes in hex. */
void trace_text__print(struct trace_text *text, struct trace_text_event *event, struct out *out,
                       const void *raw, u32 size, u32 cpu);

struct trace_text_slow {
	const struct trace_event *event;
	const char *why;   /* what of its format no program expresses; NULL: it has a program */
	u64 nr;            /* samples that libtraceevent printed so far */
	bool unparsed;     /* it cannot parse the format either, and prints the raw fields ... */
	char function[64]; /* ... as it does not know this function; "": for another reason */
};

/* The @i-th event; false: there are no more. */
bool trace_text__slow(const struct trace_text *text, u32 i, struct trace_text_slow *slow);

#endif
