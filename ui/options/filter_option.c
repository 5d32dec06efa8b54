// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/filter_option.h"

#include <errno.h>
#include <stdio.h>

#include "util/bpf_filter/evlist_filter.h"

/* @evsel is no tracepoint: refuse it. What to do depends on whether its -e has tracepoints, too. */
static int refuse(const char *option, const char *what, const struct evsel *evsel, bool mixed,
                  bool samples, struct error *err)
{
	if (!mixed)
		return error__set(err, -EINVAL, what, evsel->name, "it is none, and has no fields");
	error__set(err, -EINVAL, what, evsel->name, "it is none, and its -e has tracepoints, too");
	if (samples)
		return error__advise(err,
		                     "give each a -e and a %s of its own: filters of other "
		                     "events compare other things",
		                     option);
	return error__advise(err, "give the tracepoints a -e of their own, and %s after it",
	                     option);
}

static u32 nr_tracepoints(const struct evlist *list, u32 first)
{
	u32 nr = 0;

	for (u32 i = first; i < list->nr; i++)
		nr += evsel__is_tracepoint(list->evsels[i]);
	return nr;
}

/* @samples: events that are no tracepoints could be filtered alone. */
static int add(const char *option, struct evlist *list, u32 first, struct event_sources *sources,
               const char *text, bool samples, struct error *err)
{
	char what[64];

	snprintf(what, sizeof(what), "%s option should follow a -e tracepoint", option);
	if (first >= list->nr)
		return error__set(err, -EINVAL, what, "", "there is no -e before it");
	for (u32 i = first; i < list->nr; i++)
		if (!evsel__is_tracepoint(list->evsels[i]))
			return refuse(option, what, list->evsels[i], nr_tracepoints(list, first),
			              samples, err);
	if (!evlist__add_filter(list, first, &sources->tracefs, text, err))
		return 0;
	err->code = -EOPNOTSUPP; /* no usage: the option is right */
	return -EOPNOTSUPP;
}

int filter_option__add(const char *option, struct evlist *list, u32 first,
                       struct event_sources *sources, const char *text, struct error *err)
{
	return add(option, list, first, sources, text, false, err);
}

int filter_option__add_to_samples(const char *option, struct evlist *list, u32 first,
                                  struct event_sources *sources, const char *text,
                                  struct error *err)
{
	char what[64];

	if (first >= list->nr) {
		snprintf(what, sizeof(what), "%s option should follow a -e", option);
		return error__set(err, -EINVAL, what, "", "there is no -e before it");
	}
	if (nr_tracepoints(list, first))
		return add(option, list, first, sources, text, true, err);
	return evlist__add_sample_filter(list, first, text, err);
}
