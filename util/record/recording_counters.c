// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recording_counters.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "util/bpf_filter/evlist_filter.h"
#include "util/counter/open_error.h"
#include "util/lib/alloc.h"
#include "util/record/recording_auto.h"

void recording__add_default_event(struct recording *recording)
{
	struct evsel *evsel = evlist__add_named(&recording->wish.evlist, "cycles");
	const struct arch *arch = arch__here();

	evsel->precise_max = true;
	evsel->attr.precise_ip = 3;
	evsel->attr.exclude_guest = !arch->precise_has_guests || !arch->precise_has_guests();
	recording->found.default_event = true;
}

/* 6.1 shows the modifiers that the fallback of its default event ends with; so do we. */
static void name_default_event(struct evsel *evsel)
{
	static const char *const levels[] = { "", "p", "pp", "ppp" };
	char *name = xasprintf(
	        "%s:%s%s%s", evsel->attr.type == PERF_TYPE_SOFTWARE ? "cpu-clock" : "cycles",
	        evsel->attr.exclude_kernel ? "uh" : "", levels[evsel->attr.precise_ip],
	        evsel->attr.exclude_guest ? "H" : "");

	evsel__set_name(evsel, name);
	free(name);
}

/* A group that does not fit and need not be one (modifier W). :S wants the counts of a group. */
static bool break_up(struct recording *recording, const struct evsel *evsel)
{
	u32 first = evsel->leader;
	u32 nr = evsel->sample_read ? 0 : evlist__break_up(&recording->wish.evlist, evsel);

	for (u32 i = first; i < first + nr; i++)
		record_config__set_start(&recording->wish.config, recording->wish.evlist.evsels[i]);
	return nr;
}

static int open_events(struct recording *recording, struct error *err)
{
	struct evlist *list = &recording->wish.evlist;

	for (u32 i = 0; i < list->nr; i++) {
		struct evsel *evsel = list->evsels[i];
		u32 first = evsel->leader;
		int ret = evsel__open(&recording->found.opener, list, evsel, &recording->wish.cpus,
		                      &recording->wish.threads, err);

		if (ret && evsel__fall_back_to_clock(evsel, ret)) {
			recording->found.fell_back = true;
			if (recording->found
			            .default_event) /* as 6.1: the kernel takes it for clocks */
				evsel->attr.precise_ip = 3;
			i--;
			continue;
		}
		if (ret && open__not_supported(ret) && break_up(recording, evsel)) {
			if (err)
				*err = (struct error)ERROR_INIT;
			i = first - 1; /* once more, from its first event on */
			continue;
		}
		if (ret)
			return ret;
	}
	if (recording->found.default_event && recording->found.fell_back)
		name_default_event(list->evsels[0]);
	return 0;
}

/* ---- filters ---- */

/* The places in the map: each counter of a filtered event, and those that may take over from it. */
static int open_filters(struct recording *recording, struct error *err)
{
	const struct evlist *list = &recording->wish.evlist;
	u32 nr = 0, stages = recording->run->chooser ? 1 + NR_CHOICES : 1;

	for (u32 i = 0; i < list->nr; i++)
		if (evsel__has_sample_filter(list->evsels[i]))
			nr += list->evsels[i]->nr_cpus * list->evsels[i]->nr_threads * stages;
	int ret = bpf_filters__open(&recording->run->filters, nr, err);

	recording->run->filtering = !ret;
	return ret;
}

static int filter_samples(struct recording *recording, struct evsel *evsel, struct error *err)
{
	u32 nr = evsel->nr_cpus * evsel->nr_threads, id = 0;
	struct filter_expression expression;
	int ret = filter_expression__parse(&expression, evsel->filter, err);

	if (!ret && !recording->run->filtering)
		ret = open_filters(recording, err);
	for (u32 i = 0; !ret && i < nr; i++)
		if (evsel->fds[i] >= 0)
			ret = bpf_filters__attach(&recording->run->filters, &expression,
			                          evsel->fds[i], evsel->ids[id++], evsel->idx,
			                          evsel->name, err);
	return ret;
}

int recording__filter(struct recording *recording, struct evsel *evsel, struct error *err)
{
	int ret = evsel__read_ids(evsel);

	if (ret)
		return error__set(err, ret, "cannot ask for the id of", evsel->name, NULL);
	return evsel__has_sample_filter(evsel) ? filter_samples(recording, evsel, err)
	                                       : evsel__apply_filter(evsel, err);
}

int recording__open_counters(struct recording *recording, struct error *err)
{
	struct evlist *list = &recording->wish.evlist;
	int ret = open_events(recording, err);

	for (u32 i = 0; !ret && i < list->nr; i++)
		ret = recording__filter(recording, list->evsels[i], err);
	return ret;
}

/* ---- on and off ---- */

int recording__each_leader(struct recording *recording, u32 first, u32 nr,
                           int (*turn)(struct evsel *evsel), const char *what, struct error *err)
{
	for (u32 i = first; i < first + nr; i++) {
		struct evsel *evsel = recording->wish.evlist.evsels[i];
		int ret = evsel->leader == i ? turn(evsel) : 0;

		if (ret)
			return error__set(err, ret, what, evsel->name, NULL);
	}
	return 0;
}

int recording__enable(struct recording *recording, struct error *err)
{
	return recording__each_leader(recording, 0, recording->wish.evlist.nr, evsel__enable,
	                              "cannot start the event", err);
}

static int disable_samples(struct evsel *evsel)
{
	bool dummy =
	        evsel->attr.type == PERF_TYPE_SOFTWARE && evsel->attr.config == PERF_COUNT_SW_DUMMY;

	return evsel->tracking && dummy ? 0 : evsel__disable(evsel);
}

int recording__disable(struct recording *recording, struct error *err)
{
	return recording__each_leader(recording, 0, recording->wish.evlist.nr, disable_samples,
	                              "cannot stop the event", err);
}
