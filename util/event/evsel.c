// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/evsel.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/lib/alloc.h"

struct evsel *evlist__add(struct evlist *list, const struct perf_event_attr *attr, const char *name)
{
	struct evsel *evsel = xcalloc(1, sizeof(*evsel));

	evsel->attr = *attr;
	evsel->name = xstrdup(name);
	evsel->unit = xstrdup("");
	evsel->scale = 1.0;
	evsel->max_stack = evsel->inherit = evsel->overwrite = evsel->time = -1;
	evsel->idx = evsel->same_as = evsel->leader = list->nr;
	evsel->nr_members = 1;
	array__reserve(&list->evsels, &list->cap, list->nr + 1, sizeof(*list->evsels));
	list->evsels[list->nr++] = evsel;
	return evsel;
}

/* Of stacks. */
static bool has_copies(const struct evsel *evsel)
{
	return evsel->attr.sample_type & PERF_SAMPLE_STACK_USER;
}

/* What is the same however call chains are taken. */
static struct perf_event_attr without_chains(const struct evsel *evsel)
{
	struct perf_event_attr attr = evsel->attr;

	attr.sample_type &= ~(u64)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	attr.sample_regs_user = attr.sample_stack_user = 0;
	attr.exclude_callchain_user = 0;
	attr.disabled = attr.enable_on_exec = 0;
	return attr;
}

static bool is_rest_of(const struct evsel *evsel, const struct evsel *first)
{
	const struct perf_event_attr a = without_chains(first), b = without_chains(evsel);

	return has_copies(evsel) && !has_copies(first) &&
	       first->attr.sample_type & PERF_SAMPLE_CALLCHAIN && !memcmp(&a, &b, sizeof(a)) &&
	       !strcmp(first->name, evsel->name);
}

void evlist__join_halves(struct evlist *list)
{
	for (u32 i = 1; i < list->nr; i++)
		for (u32 first = 0; first < i && has_copies(list->evsels[i]); first++)
			if (is_rest_of(list->evsels[i], list->evsels[first]))
				list->evsels[i]->same_as = first;
}

void evsel__set_text(char **field, const char *text)
{
	char *copy = text ? xstrdup(text) : NULL;

	free(*field);
	*field = copy;
}

void evsel__set_name(struct evsel *evsel, const char *name)
{
	evsel__set_text(&evsel->name, name);
}

void evsel__add_id(struct evsel *evsel, u64 id)
{
	size_t cap = evsel->ids_cap;

	array__reserve(&evsel->ids, &cap, evsel->nr_ids + 1, sizeof(*evsel->ids));
	evsel->ids_cap = cap;
	evsel->ids[evsel->nr_ids++] = id;
}

void evsel__close(struct evsel *evsel)
{
	for (u64 i = 0; evsel->fds && i < (u64)evsel->nr_cpus * evsel->nr_threads; i++)
		if (evsel->fds[i] >= 0)
			close(evsel->fds[i]);
	free(evsel->fds);
	evsel->fds = NULL;
	evsel->nr_cpus = evsel->nr_threads = 0;
}

static void evsel__delete(struct evsel *evsel)
{
	evsel__close(evsel);
	if (evsel->cgroup)
		close(evsel->cgroup_fd);
	free(evsel->cgroup);
	free(evsel->name);
	free(evsel->unit);
	free(evsel->group_name);
	free(evsel->tracepoint);
	free(evsel->filter);
	free(evsel->call_graph);
	free(evsel->pmu);
	free(evsel->pmu_cpus);
	free(evsel->probe_path);
	free(evsel->ids);
	free(evsel);
}

void evlist__make_group(struct evlist *list, u32 first)
{
	bool stays = false;

	for (u32 i = first; i < list->nr; i++) {
		list->evsels[i]->leader = first;
		list->evsels[i]->nr_members = i > first ? 1 : list->nr - first;
		stays |= list->evsels[i]->probe_path != NULL;
	}
	/* The kernel hands a group on to new threads as a whole. */
	for (u32 i = first; stays && i < list->nr; i++)
		list->evsels[i]->inherit = 0;
}

void evlist__truncate(struct evlist *list, u32 nr)
{
	while (list->nr > nr)
		evsel__delete(list->evsels[--list->nr]);
}

/* The place @i of the list is free: what stands behind it moves there. */
static void close_gap(struct evlist *list, u32 i)
{
	u32 leader = list->evsels[i]->leader;

	BUG_ON(leader == i && list->evsels[i]->nr_members > 1);
	if (leader != i)
		list->evsels[leader]->nr_members--;
	evsel__delete(list->evsels[i]);
	list->nr--;
	memmove(&list->evsels[i], &list->evsels[i + 1], (list->nr - i) * sizeof(*list->evsels));
	for (u32 j = 0; j < list->nr; j++) {
		struct evsel *evsel = list->evsels[j];

		evsel->idx = j;
		evsel->leader -= evsel->leader > i;
		evsel->same_as -= evsel->same_as > i;
	}
	list->last -= list->last > i;
}

void evlist__drop_superseded(struct evlist *list)
{
	for (u32 i = list->nr; i > 0; i--)
		if (list->evsels[i - 1]->superseded)
			close_gap(list, i - 1);
}

void evlist__exit(struct evlist *list)
{
	evlist__truncate(list, 0);
	free(list->evsels);
	*list = (struct evlist){ .nr = 0 };
}

bool evsel__is_clock(const struct evsel *evsel)
{
	return evsel->attr.type == PERF_TYPE_SOFTWARE &&
	       (evsel->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
	        evsel->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

void evlist__set_units(struct evlist *list)
{
	for (u32 i = 0; i < list->nr; i++) {
		struct evsel *evsel = list->evsels[i];

		if (!evsel__is_clock(evsel) || evsel->unit[0])
			continue;
		evsel__set_text(&evsel->unit, "msec");
		evsel->scale = 1e-6;
	}
}
