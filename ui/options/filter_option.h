/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --filter of commands that open events, and --exclude-perf, which is a filter. */
#ifndef PERF_UI_OPTIONS_FILTER_OPTION_H
#define PERF_UI_OPTIONS_FILTER_OPTION_H

#include "util/event/event_filter.h"
#include "util/event/parse.h"
#include "util/lib/error.h"

/*
 * Filter the events of the last -e, which are those of @list from @first on. For callbacks of
 * options: a negative errno with @err. A filter that is wrong ends the command with EXIT_ERROR and
 * without its usage, as with Linux's perf; that there is no tracepoint before it is a mistake of
 * usage.
 */
int filter_option__add(const char *option, struct evlist *list, u32 first,
                       struct event_sources *sources, const char *text, struct error *err);

/*
 * For commands that sample: where none of these events is a tracepoint, the filter is one of
 * samples (util/bpf_filter/filter_expression.h), and a wrong one a mistake of usage, as with
 * Linux's perf.
 */
int filter_option__add_to_samples(const char *option, struct evlist *list, u32 first,
                                  struct event_sources *sources, const char *text,
                                  struct error *err);

#endif
