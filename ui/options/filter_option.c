// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/filter_option.h"

#include <errno.h>
#include <stdio.h>

#include "util/bpf_filter/evlist_filter.h"

int filter_option__add(const char *option, struct evlist *list, u32 first,
                       struct event_sources *sources, const char *text, struct error *err)
{
	char what[64];

	snprintf(what, sizeof(what), "%s option should follow a -e tracepoint", option);
	if (first >= list->nr)
		return error__set(err, -EINVAL, what, "", "there is no -e before it");
	for (u32 i = first; i < list->nr; i++)
		if (!evsel__is_tracepoint(list->evsels[i]))
			return error__set(err, -EINVAL, what, list->evsels[i]->name,
			                  "it is none, and has no fields");
	if (!evlist__add_filter(list, first, &sources->tracefs, text, err))
		return 0;
	err->code = -EOPNOTSUPP; /* no usage: the option is right */
	return -EOPNOTSUPP;
}

int filter_option__add_to_samples(const char *option, struct evlist *list, u32 first,
                                  struct event_sources *sources, const char *text,
                                  struct error *err)
{
	char what[64];
	u32 nr_tracepoints = 0;

	for (u32 i = first; i < list->nr; i++)
		nr_tracepoints += evsel__is_tracepoint(list->evsels[i]);
	if (first < list->nr && nr_tracepoints)
		return filter_option__add(option, list, first, sources, text, err);
	if (first >= list->nr) {
		snprintf(what, sizeof(what), "%s option should follow a -e", option);
		return error__set(err, -EINVAL, what, "", "there is no -e before it");
	}
	if (!evlist__add_sample_filter(list, first, text, err))
		return 0;
	err->code = -EOPNOTSUPP; /* no usage: the option is right */
	return -EOPNOTSUPP;
}
