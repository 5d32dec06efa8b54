// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recording_counters.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "util/counter/open_error.h"
#include "util/lib/alloc.h"

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

int recording__open_counters(struct recording *recording, struct error *err)
{
	struct evlist *list = &recording->wish.evlist;
	int ret = open_events(recording, err);

	for (u32 i = 0; !ret && i < list->nr; i++)
		ret = evsel__apply_filter(list->evsels[i], err);
	for (u32 i = 0; !ret && i < list->nr; i++) {
		ret = evsel__read_ids(list->evsels[i]);
		if (ret)
			error__set(err, ret, "cannot ask for the id of", list->evsels[i]->name,
			           NULL);
	}
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
