/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters of tracepoints (--filter): comparisons of fields, which the kernel makes before it counts
 * or records an event.
 *
 *	prev_pid != 0 && (next_comm == perf || next_comm ~ "make*")
 *
 * The text is checked against the fields of each tracepoint before the kernel sees it. The rule of
 * this check: what some kernel takes is never refused. So only fields that are not there and broken
 * syntax are mistakes by themselves; of all else the kernel judges, and its "invalid argument" is
 * explained afterwards (it keeps no text of its own about filters of perf events: the file `filter`
 * in tracefs is about that of another user). One exception: an array of a size that no number has,
 * which passes nothing whatever it holds. Syntax: Documentation/trace/events.rst of the kernel,
 * section 5; what it takes is also tried in tests/unit/event_filter_test.c.
 */
#ifndef PERF_UTIL_EVENT_EVENT_FILTER_H
#define PERF_UTIL_EVENT_EVENT_FILTER_H

#include "util/event/event_fields.h"
#include "util/event/evsel.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

/*
 * Check @text for @event ("sched:sched_switch"). 0: *@for_kernel is what to give to the kernel,
 * malloc'ed: the text with quotes around words that are compared with text. -EINVAL: it is wrong
 * for any kernel; @err has the place. @fields without a field: none are known, any name passes.
 */
int event_filter__check(const char *text, const char *event, const struct event_fields *fields,
                        char **for_kernel, struct error *err);

/*
 * Why did the kernel refuse @text? Fills @err. @takes asks it about other filters for the same
 * event, until it takes one. Returns -EINVAL.
 */
int event_filter__explain(const char *text, const char *event, const struct event_fields *fields,
                          bool (*takes)(void *ctx, const char *text), void *ctx, struct error *err);

/*
 * Give the events of @list from @first on the filter @text, each in its own form; a second one
 * narrows the first. It must hold for each: an error names those that lack a field. Then, and where
 * one is no tracepoint, the list is unchanged. 0 or -EINVAL with @err.
 */
int evlist__add_filter(struct evlist *list, u32 first, struct tracefs *tracefs, const char *text,
                       struct error *err);

#endif
