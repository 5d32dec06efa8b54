// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/counter/shared_ids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

bool shared_ids__are_of(const char *release)
{
	unsigned major, minor;

	return sscanf(release, "%u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 2));
}

static bool has_samples(const struct evsel *evsel)
{
	return evsel->attr.type == PERF_TYPE_SOFTWARE && evsel->attr.sample_period &&
	       !evsel__is_clock(evsel) && !evsel__is_dummy(evsel) &&
	       evsel->attr.config != PERF_COUNT_SW_BPF_OUTPUT; /* of the one that was chosen */
}

static bool same_kind(const struct evsel *one, const struct evsel *other)
{
	return has_samples(one) && has_samples(other) && one->attr.config == other->attr.config;
}

/* What the scheduler does happens in the kernel. */
static bool happens_in_user_space(const struct evsel *evsel)
{
	switch (evsel->attr.config) {
	case PERF_COUNT_SW_CONTEXT_SWITCHES:
	case PERF_COUNT_SW_CPU_MIGRATIONS:
	case PERF_COUNT_SW_CGROUP_SWITCHES:
		return false;
	}
	return true;
}

/* Is all of the cgroup @inner in @outer, too? */
static bool is_within(const char *inner, const char *outer)
{
	size_t len = strlen(outer);

	while (len && outer[len - 1] == '/')
		len--;
	return !len || (!strncmp(inner, outer, len) && (!inner[len] || inner[len] == '/'));
}

/* Can both see the same fault? */
static bool meet(const struct evsel *one, const struct evsel *other)
{
	const struct perf_event_attr *a = &one->attr, *b = &other->attr;
	bool user = !a->exclude_user && !b->exclude_user && happens_in_user_space(one);
	bool kernel = !a->exclude_kernel && !b->exclude_kernel;

	if (!same_kind(one, other) || (!user && !kernel))
		return false;
	return !one->cgroup || !other->cgroup || is_within(one->cgroup, other->cgroup) ||
	       is_within(other->cgroup, one->cgroup);
}

static bool meets_another(const struct evlist *list, u32 idx)
{
	for (u32 i = 0; i < list->nr; i++)
		if (i != idx && meet(list->evsels[idx], list->evsels[i]))
			return true;
	return false;
}

static bool is_first_of_kind(const struct evlist *list, u32 idx)
{
	for (u32 i = 0; i < idx; i++)
		if (same_kind(list->evsels[idx], list->evsels[i]))
			return false;
	return has_samples(list->evsels[idx]);
}

/* Of the kind of the event @first; NULL: they are right. */
static char *names_of_kind(const struct evlist *list, const u64 *samples, u32 first)
{
	char *names = NULL;
	u32 left = 0, nr = 0;
	u64 sum = 0;

	for (u32 i = first; i < list->nr; i++)
		if (same_kind(list->evsels[first], list->evsels[i]) && meets_another(list, i)) {
			left++;
			sum += samples ? samples[i] : 0;
		}
	if (!left || (samples && sum < 2))
		return NULL;
	for (u32 i = first; i < list->nr; i++) {
		char *longer;

		if (!same_kind(list->evsels[first], list->evsels[i]) || !meets_another(list, i))
			continue;
		longer = xasprintf("%s%s'%s'", names ? names : "",
		                   !nr++        ? ""
		                   : --left > 1 ? ", "
		                                : " and ",
		                   list->evsels[i]->name);
		free(names);
		names = longer;
	}
	return names;
}

char *shared_ids__next(const struct evlist *list, const u64 *samples, u32 *from)
{
	char *names = NULL;

	for (; !names && *from < list->nr; ++*from)
		if (is_first_of_kind(list, *from))
			names = names_of_kind(list, samples, *from);
	return names;
}
