/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters of samples (filter_expression.h) given to events of a list, which are no tracepoints: as
 * their `filter`, with `filter_fields`. bpf_filters.h applies them once they are open.
 */
#ifndef PERF_UTIL_BPF_FILTER_EVLIST_FILTER_H
#define PERF_UTIL_BPF_FILTER_EVLIST_FILTER_H

#include "util/event/evsel.h"
#include "util/lib/error.h"

/* Are the samples of @evsel filtered in this way? Tracepoints have filters of the kernel's own. */
bool evsel__has_sample_filter(const struct evsel *evsel);

/*
 * Give all events of @list from @first on the filter @text; a second one narrows the first. 0 or a
 * negative errno with @err: a mistake in @text, or an event without samples. Then the list is
 * unchanged.
 */
int evlist__add_sample_filter(struct evlist *list, u32 first, const char *text, struct error *err);

/*
 * Can no sample of @evsel pass its filter, as that compares what such events never have, or the CPU
 * with one beyond @last_cpu (-1: not known)? Then @why says what it is, and which events have it.
 */
bool evsel__filter_drops_all(const struct evsel *evsel, s32 last_cpu, struct error *why);

#endif
