// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/event_lockstep.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/lockstep.h"

#define PART_MIN 0.1 /* of all samples; threads that have less together are not worth a word */

struct moment_of {
	u32 thread;
	u64 period; /* ns */
	struct lockstep_sample sample;
};

struct moments {
	struct moment_of *list;
	size_t nr, cap;
};

static bool is_clock(const struct evsel *evsel)
{
	return evsel->attr.type == PERF_TYPE_SOFTWARE &&
	       (evsel->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
	        evsel->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

static void add_entry(struct moments *moments, const struct hists *hists, u32 number,
                      const struct hist_entry *entry, u32 slot)
{
	for (u64 i = entry->first_row; i < entry->first_row + entry->nr_rows; i++) {
		const struct row *row = &hists->profile->rows[hists->rows[i]];

		if (!row->count || !machine__thread(hists->names->session->host, row->thread)->tid)
			continue;
		array__reserve(&moments->list, &moments->cap, moments->nr + 1,
		               sizeof(*moments->list));
		moments->list[moments->nr++] = (struct moment_of){
			.thread = row->thread,
			.period = row->period / row->count,
			.sample.time = profile__sample_value(hists->profile, hists->rows[i], slot),
			.sample.row = number,
		};
	}
}

static int compare_moments(const void *left, const void *right)
{
	const struct moment_of *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread > b->thread ? 1 : -1;
	if (a->sample.time != b->sample.time)
		return a->sample.time > b->sample.time ? 1 : -1;
	return (a->sample.row > b->sample.row) - (a->sample.row < b->sample.row);
}

/* The samples of one thread: how many make a round, if they were taken with one period. */
static u32 find_round(const struct moment_of *moments, size_t nr, struct lockstep_sample *samples)
{
	for (size_t i = 0; i < nr; i++) {
		if (moments[i].period != moments[0].period)
			return 0;
		samples[i] = moments[i].sample;
	}
	return lockstep__find(samples, nr, moments[0].period);
}

/* @round is that of most samples, @nr_samples are those of all. */
static struct event_lockstep judge_threads(const struct moments *moments)
{
	struct lockstep_sample *samples = xcalloc(moments->nr + 1, sizeof(*samples));
	struct event_lockstep found = { .round = 0 };
	size_t most = 0, nr;

	for (size_t at = 0; at < moments->nr; at += nr) {
		for (nr = 1; at + nr < moments->nr &&
		             moments->list[at + nr].thread == moments->list[at].thread;)
			nr++;
		u32 round = find_round(moments->list + at, nr, samples);

		if (!round)
			continue;
		found.nr_samples += nr;
		if (nr > most)
			found.round = round;
		most = nr > most ? nr : most;
	}
	free(samples);
	return found;
}

struct event_lockstep event_lockstep__find(const struct hists *hists, u32 evsel, u32 member,
                                           u32 slot)
{
	const struct hist_event *table = &hists->events[evsel];
	struct event_lockstep found = { .round = 0 };
	struct moments moments = { .list = NULL };

	if (!is_clock(hists->names->session->evlist->evsels[evsel + member]))
		return found;
	for (u32 i = 0; i < table->nr_entries; i++) {
		const struct hist_entry *entry = &hists->entries[table->first_entry + i];

		add_entry(&moments, hists, i, hists__member(hists, entry, member), slot);
	}
	if (!moments.nr)
		return found;
	qsort(moments.list, moments.nr, sizeof(*moments.list), compare_moments);
	found = judge_threads(&moments);
	free(moments.list);
	return found.nr_samples < PART_MIN * moments.nr ? (struct event_lockstep){ 0 } : found;
}
