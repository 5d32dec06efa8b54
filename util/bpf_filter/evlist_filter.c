// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf_filter/evlist_filter.h"

#include <errno.h>
#include <stdlib.h>

#include "util/bpf_filter/filter_expression.h"
#include "util/lib/alloc.h"

bool evsel__has_sample_filter(const struct evsel *evsel)
{
	return evsel->filter && !evsel__is_tracepoint(evsel);
}

static int check(const struct evsel *evsel, struct error *err)
{
	const char *why = evsel__is_dummy(evsel) || evsel->tool ? "it has no samples"
	                  : evsel->probe_path ? "it is a probe that is no tracepoint: the kernel "
	                                        "takes no filter for it"
	                                      : NULL;

	return why ? error__set(err, -EOPNOTSUPP, "cannot filter", evsel->name, "%s", why) : 0;
}

static char *both(const char *filter, const char *text)
{
	return filter ? xasprintf("%s, %s", filter, text) : xstrdup(text);
}

int evlist__add_sample_filter(struct evlist *list, u32 first, const char *text, struct error *err)
{
	struct filter_expression expression;
	int ret = filter_expression__parse(&expression, text, err);

	for (u32 i = first; !ret && i < list->nr; i++) {
		char *whole = both(list->evsels[i]->filter, text);

		ret = check(list->evsels[i], err);
		if (!ret) /* it may have become too long */
			ret = filter_expression__parse(&expression, whole, err);
		free(whole);
	}
	for (u32 i = first; !ret && i < list->nr; i++) {
		struct evsel *evsel = list->evsels[i];
		char *whole = both(evsel->filter, text);

		filter_expression__parse(&expression, whole, NULL);
		evsel->filter_fields = expression.fields;
		free(evsel->filter);
		evsel->filter = whole;
	}
	return ret;
}
