/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The print format of an event, compiled once to a straight list of steps: text, load, convert.
 * What it prints is what libtraceevent prints, which also parsed the format.
 */
#ifndef PERF_UTIL_TRACE_TRACE_PROGRAM_H
#define PERF_UTIL_TRACE_TRACE_PROGRAM_H

#include "util/lib/hash.h"
#include "util/lib/out.h"
#include "util/lib/types.h"

struct tep_event;

/* Names an address of the kernel: the name, and its start into *start; NULL: unknown. */
typedef const char *(*trace_symbol_fn)(void *ctx, u64 addr, u64 *start);

/* What the formats of a file have in common. */
struct trace_world {
	bool swap;              /* the file has the other byte order ... */
	unsigned long_size;     /* ... and words of 4 or 8 bytes */
	trace_symbol_fn symbol; /* NULL: no address has a name */
	void *ctx;
	struct u64map printk; /* addresses of texts in the kernel, to indexes of: */
	char **texts;
	size_t nr_texts, cap;
};

struct trace_program; /* private */

/*
 * NULL: it has what no step expresses (*why says what, a static text). @world must outlive the
 * program; @event need not.
 */
struct trace_program *trace_program__new(struct tep_event *event, const struct trace_world *world,
                                         const char **why);
void trace_program__delete(struct trace_program *program);

/* Bytes of a record that its loads reach. */
u32 trace_program__reach(const struct trace_program *program);

/*
 * Append the text for a record of @size bytes, with whatever characters its strings have. What lies
 * beyond the record is not read and counts as 0; so does what is divided by 0.
 */
void trace_program__run(const struct trace_program *program, struct out *out, const u8 *raw,
                        u32 size);

#endif
