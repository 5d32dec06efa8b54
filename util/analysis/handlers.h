/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Analyses of tracepoints: a table of events with a function and the fields each needs, bound to a
 * recording once, then fed with its samples in the order of time. (Documentation:
 * HOWTO-add-an-analysis.md)
 *
 *	static void on_switch(void *ctx, const struct trace_sample *s)
 *	{
 *		s64 next = trace_sample__s64(s, 1);
 *		...
 *	}
 *
 *	static const struct trace_handler handlers[] = {
 *		{ "sched:sched_switch", "prev_pid next_pid", on_switch },
 *		{ "sched:sched_waking", "pid ?target_cpu", on_waking, .optional = true },
 *		{ NULL },
 *	};
 *
 * Fields are looked up by name when the table is bound, for each event of the file by its own
 * format; for a sample they are loads (util/trace/trace_format.h). Functions run in one thread.
 * What they compute is theirs, behind ctx; they do not print.
 */
#ifndef PERF_UTIL_ANALYSIS_HANDLERS_H
#define PERF_UTIL_ANALYSIS_HANDLERS_H

#include "util/stream/stream.h"
#include "util/trace/trace_format.h"

#define TRACE_HANDLER_FIELDS 8

struct trace_sample {
	const struct stream_sample *s; /* its task, moment, CPU; ->sample->raw holds the fields */
	const struct trace_event *event;
	const struct trace_field *fields[TRACE_HANDLER_FIELDS]; /* in the order of the table */
	u32 index;                                              /* of the handler in the table */
};

struct trace_handler {
	const char *event;  /* "sched:sched_switch" */
	const char *fields; /* names with blanks between; ?name: may be missing, then it is NULL */
	void (*fn)(void *ctx, const struct trace_sample *s);
	bool optional; /* the analysis means something without this event */
};

struct handlers; /* private */

/*
 * @session was scanned. @table ends with a NULL event and is borrowed. NULL with @err: the
 * recording has none of the events, or lacks one that is not optional; all that are missing are
 * named, with @record_line ("perf kmem record") as what to do; or it lacks a field.
 */
struct handlers *handlers__bind(const struct session *session, const struct trace_handler *table,
                                const char *record_line, struct error *err);
void handlers__delete(struct handlers *handlers);

/*
 * Call the functions for all samples that pass @filter (NULL: all), in the order of time. @need:
 * STREAM_RAW, or STREAM_ALL_AND_CHAIN; @flags as of the stream (STREAM_TASKS for s->task). 0, or a
 * negative errno with @err when the file cannot be read to its end; what came before was fed.
 */
int handlers__run(struct handlers *handlers, const struct sample_filter *filter,
                  enum stream_need need, unsigned flags, void *ctx, struct error *err);

/* After the run: samples that were left out, as their bytes do not hold the fields they should. */
u64 handlers__nr_short(const struct handlers *handlers);
const struct read_problems *handlers__problems(const struct handlers *handlers);

/* Field @i of the sample as a number, 0 where it is an optional one that is missing. */
static inline u64 trace_sample__u64(const struct trace_sample *s, u32 i)
{
	const struct sample *sample = s->s->sample;

	return s->fields[i] ? trace__u64(s->fields[i], sample->raw, sample->raw_size) : 0;
}

static inline s64 trace_sample__s64(const struct trace_sample *s, u32 i)
{
	return (s64)trace_sample__u64(s, i);
}

#endif
