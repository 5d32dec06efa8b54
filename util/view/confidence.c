// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/confidence.h"

#include <math.h>
#include <stdlib.h>

#include "util/lib/alloc.h"

static void add_entry(struct shares *shares, const struct hists *hists, u32 slot, u32 number,
                      const struct hist_entry *entry)
{
	for (u64 i = entry->first_row; i < entry->first_row + entry->nr_rows; i++) {
		u32 id = hists->rows[i];
		const struct row *row = &hists->profile->rows[id];
		u64 time = profile__sample_value(hists->profile, id, slot);

		shares__add(shares, number, time / SHARES_SLICE, row->period, row->count);
	}
}

/* Entries stand in the order of the report: each is compared with the first of the rank above. */
static void rank(struct entry_confidence *entries, const struct hist_entry *of, u32 nr,
                 const struct shares *shares)
{
	u32 first = ID_NONE, place = 0;
	double needed;

	for (u32 i = 0; i < nr; i++) {
		if (of[i].hidden)
			continue;
		place++;
		bool apart = first == ID_NONE || shares__differ(shares, first, i, &needed);

		entries[i].rank = apart ? place : entries[first].rank;
		if (apart)
			first = i;
	}
}

static void judge_first(struct event_confidence *event, const struct entry_confidence *entries,
                        const struct hist_entry *of, u32 nr, const struct shares *shares)
{
	u32 before = ID_NONE, nr_first = 0;
	double sum = 0, needed;

	for (u32 i = 0; i < nr && nr_first < CONFIDENCE_FIRST; i++) {
		if (of[i].hidden)
			continue;
		nr_first++;
		event->design_effect += entries[i].share.share * entries[i].share.design_effect;
		sum += entries[i].share.share;
		if (before != ID_NONE) {
			shares__differ(shares, before, i, &needed);
			if (needed > event->needed)
				event->needed = needed;
		}
		before = i;
	}
	event->design_effect = sum > 0 ? event->design_effect / sum : 1;
}

static void judge_event(struct confidence *confidence, const struct hists *hists, u32 slot,
                        u32 evsel, bool shown_only)
{
	const struct hist_event *event = &hists->events[evsel];
	const struct hist_entry *entries = hists->entries + event->first_entry;
	struct entry_confidence *of_entries = confidence->entries + event->first_entry;
	struct event_confidence *of_event = &confidence->events[evsel];
	struct shares shares;

	shares__init(&shares, event->nr_entries);
	for (u32 i = 0; i < event->nr_entries; i++)
		if (!shown_only || !entries[i].hidden)
			add_entry(&shares, hists, slot, i, &entries[i]);
	shares__settle(&shares);
	for (u32 i = 0; i < event->nr_entries; i++)
		of_entries[i].share = shares__of(&shares, i);
	of_event->nr_samples = shares.count;
	of_event->sees_bursts = shares.nr_levels;
	rank(of_entries, entries, event->nr_entries, &shares);
	judge_first(of_event, of_entries, entries, event->nr_entries, &shares);
	shares__exit(&shares);
}

void confidence__init(struct confidence *confidence, const struct hists *hists,
                      const struct key *time_key, bool shown_only)
{
	u32 nr = hists->names->session->evlist->nr, slot = key__slot(time_key, hists->profile);

	confidence->entries = xcalloc((size_t)hists->nr_entries + 1, sizeof(*confidence->entries));
	confidence->events = xcalloc(nr, sizeof(*confidence->events));
	for (u32 i = 0; i < nr; i++)
		judge_event(confidence, hists, slot, i, shown_only);
}

void confidence__exit(struct confidence *confidence)
{
	free(confidence->entries);
	free(confidence->events);
}
