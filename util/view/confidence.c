// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/confidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/view/view_private.h"

#define RECORDING_SHIFT 40 /* more slices than runs can have, so that none spans two recordings */

/* What judging one event of a table needs. */
struct judging {
	const struct view *view;
	const struct view_event *lines; /* of the table */
	const struct hist_entry *entries;
	u32 nr_entries;
	u32 slot; /* of the key of time */
	u32 evsel, member;
	bool *seen; /* by row of the profile; false, but while shares are filled */
	struct event_confidence *event;
	struct event_confidence *leader; /* where ranks go; NULL: another event ranks */
};

/* Rows that are compared, in the order of the table: numbers of entries, or of levels. */
struct siblings {
	u32 *list;
	u32 nr;
};

/* ---- what rows have in each slice ---- */

static u64 slice_of(const struct profile *profile, u32 row, u32 slot)
{
	u64 slice = profile__sample_value(profile, row, slot) / SHARES_SLICE;

	return (u64)profile__recording(profile, row) << RECORDING_SHIFT | slice;
}

static void add_row(const struct judging *j, struct shares *shares, u32 number, u32 id)
{
	const struct profile *profile = j->view->hists.profile;
	const struct row *row = &profile->rows[id];

	shares__add(shares, number, slice_of(profile, id, j->slot), row->period, row->count);
	j->seen[id] = true;
}

/* What @entry, one of the table, has in the event, as a part of @number. */
static void add_entry(const struct judging *j, struct shares *shares, u32 number,
                      const struct hist_entry *entry)
{
	const struct hists *hists = &j->view->hists;
	const struct hist_entry *of = hists__member(hists, entry, j->member);

	for (u64 i = of->first_row; i < of->first_row + of->nr_rows; i++)
		add_row(j, shares, number, hists->rows[i]);
}

/*
 * @rest: what filters keep out of the rows so far, but not out of what 100 % is.
 * Then @shares can be asked.
 */
static void settle(const struct judging *j, struct shares *shares, u32 rest)
{
	const struct hists *hists = &j->view->hists;
	u64 nr = hists->profile->nr_rows;

	for (u64 i = 0; !j->view->options.relative && i < nr; i++)
		if (!j->seen[i] && hists__event_of(hists, i) == j->evsel + j->member)
			add_row(j, shares, rest, i);
	memset(j->seen, 0, nr * sizeof(*j->seen));
	shares__settle(shares);
}

static void share_entries(const struct judging *j, struct shares *shares)
{
	shares__init(shares, j->nr_entries + 1);
	for (u32 i = 0; i < j->nr_entries; i++)
		if (!j->entries[i].hidden)
			add_entry(j, shares, i, &j->entries[i]);
	settle(j, shares, j->nr_entries);
	for (u32 i = 0; i < j->nr_entries; i++)
		j->event->entries[i].share = shares__of(shares, i);
}

static void share_levels(const struct judging *j, u32 depth, struct shares *shares)
{
	const struct view_event *lines = j->lines;
	const struct hist_entry *entries = j->view->hists.entries;

	shares__init(shares, lines->nr_levels + 1);
	for (u32 i = 0; i < lines->nr_levels; i++) {
		const struct level *level = &lines->levels[i];

		for (u32 n = 0; level->depth == depth && n < level->nr_entries; n++)
			add_entry(j, shares, i, &entries[lines->order[level->first_entry + n]]);
	}
	settle(j, shares, lines->nr_levels);
	for (u32 i = 0; i < lines->nr_levels; i++)
		if (lines->levels[i].depth == depth)
			j->event->levels[i].share = shares__of(shares, i);
}

/* ---- what stands below each other ---- */

static struct siblings all_entries(const struct judging *j)
{
	struct siblings siblings = { .list = xcalloc((size_t)j->nr_entries + 1, sizeof(u32)) };

	for (u32 i = 0; i < j->nr_entries; i++)
		if (!j->entries[i].hidden)
			siblings.list[siblings.nr++] = i;
	return siblings;
}

/* Those of levels [@first, @first + @nr): at the last level their entries. */
static struct siblings some_levels(const struct judging *j, u32 first, u32 nr)
{
	const struct view_event *lines = j->lines;
	struct siblings siblings = { .list = xcalloc((size_t)j->nr_entries + 1, sizeof(u32)) };

	for (u32 i = first; i < first + nr; i++) {
		const struct level *level = &lines->levels[i];

		if (level->depth + 1u < j->view->nr_levels) {
			siblings.list[siblings.nr++] = i;
			continue;
		}
		for (u32 n = 0; n < level->nr_entries; n++)
			siblings.list[siblings.nr++] = lines->order[level->first_entry + n] -
			                               (j->entries - j->view->hists.entries);
	}
	return siblings;
}

/* ---- judgements ---- */

static int compare_shares(const void *left, const void *right, void *ctx)
{
	const struct row_confidence *rows = ctx;
	u32 a = *(const u32 *)left, b = *(const u32 *)right;

	if (rows[a].share.share != rows[b].share.share)
		return rows[a].share.share > rows[b].share.share ? -1 : 1;
	return (a > b) - (a < b);
}

/* Into the rows of @leader: each is compared with the first of the rank above. */
static void rank(struct row_confidence *leader, const struct siblings *siblings,
                 const struct shares *shares)
{
	u32 first = ID_NONE;
	double needed;

	for (u32 place = 0; place < siblings->nr; place++) {
		u32 i = siblings->list[place];
		bool apart = first == ID_NONE || shares__differ(shares, first, i, &needed);

		leader[i].rank = apart ? place + 1 : leader[first].rank;
		if (apart)
			first = i;
	}
}

static void judge_first(struct event_confidence *event, const struct row_confidence *rows,
                        const struct siblings *siblings, const struct shares *shares)
{
	u32 nr = siblings->nr < CONFIDENCE_FIRST ? siblings->nr : CONFIDENCE_FIRST;
	double sum = 0, needed;

	for (u32 i = 0; i < nr; i++) {
		const struct share *share = &rows[siblings->list[i]].share;

		event->design_effect += share->share * share->design_effect;
		sum += share->share;
		if (!i)
			continue;
		shares__differ(shares, siblings->list[i - 1], siblings->list[i], &needed);
		if (needed > event->needed)
			event->needed = needed;
	}
	event->design_effect = sum > 0 ? event->design_effect / sum : 1;
}

/* @top: they are the first of the table. */
static void judge_siblings(const struct judging *j, struct siblings siblings, bool are_entries,
                           bool top, const struct shares *shares)
{
	struct row_confidence *rows = are_entries ? j->event->entries : j->event->levels;

	qsort_r(siblings.list, siblings.nr, sizeof(u32), compare_shares, rows);
	if (j->leader)
		rank(are_entries ? j->leader->entries : j->leader->levels, &siblings, shares);
	if (top)
		judge_first(j->event, rows, &siblings, shares);
	free(siblings.list);
}

static void judge_top(const struct judging *j, bool are_entries, const struct shares *shares)
{
	j->event->nr_samples = shares->count;
	j->event->sees_bursts = shares->nr_levels;
	judge_siblings(j, j->view->nr_levels ? some_levels(j, 0, j->lines->nr_top) : all_entries(j),
	               are_entries, true, shares);
}

static void judge_depth(const struct judging *j, u32 depth)
{
	bool last = depth + 1 >= j->view->nr_levels;
	struct shares shares;

	if (last)
		share_entries(j, &shares);
	else
		share_levels(j, depth, &shares);
	if (!depth)
		judge_top(j, last, &shares);
	for (u32 i = 0; depth && i < j->lines->nr_levels; i++) {
		const struct level *above = &j->lines->levels[i];

		if (above->depth + 1u == depth)
			judge_siblings(j, some_levels(j, above->first, above->nr), last, false,
			               &shares);
	}
	shares__exit(&shares);
}

/* All events of the table of @evsel. */
static void judge_table(struct confidence *confidence, struct view *view, u32 evsel, u32 slot)
{
	const struct hist_event *table = &view->hists.events[evsel];
	struct judging j = { .view = view,
		             .lines = view_event__at(view, evsel),
		             .entries = view->hists.entries + table->first_entry,
		             .nr_entries = table->nr_entries,
		             .slot = slot,
		             .evsel = evsel,
		             .seen = xcalloc(view->hists.profile->nr_rows + 1, sizeof(bool)) };

	for (j.member = 0; j.member < hists__nr_members(&view->hists, evsel); j.member++) {
		j.event = &confidence->events[evsel + j.member];
		j.event->entries = xcalloc((size_t)j.nr_entries + 1, sizeof(*j.event->entries));
		j.event->levels = xcalloc((size_t)j.lines->nr_levels + 1, sizeof(*j.event->levels));
		j.leader = j.member == hists__sort_member(&view->hists, evsel)
		                   ? &confidence->events[evsel]
		                   : NULL;
		j.event->lockstep = event_lockstep__find(&view->hists, evsel, j.member, slot);
		judge_depth(&j, 0);
		for (u32 depth = 1; depth < view->nr_levels; depth++)
			judge_depth(&j, depth);
	}
	free(j.seen);
}

void confidence__init(struct confidence *confidence, struct view *view, const struct key *time_key)
{
	const struct evlist *evlist = view->names->session->evlist;
	u32 slot = key__slot(time_key, view->hists.profile);

	confidence->nr_events = evlist->nr;
	confidence->events = xcalloc(evlist->nr, sizeof(*confidence->events));
	for (u32 i = 0; i < evlist->nr; i++)
		if (!view->options.hists.groups || evlist->evsels[i]->leader == i)
			judge_table(confidence, view, i, slot);
}

void confidence__exit(struct confidence *confidence)
{
	for (u32 i = 0; i < confidence->nr_events; i++) {
		free(confidence->events[i].entries);
		free(confidence->events[i].levels);
	}
	free(confidence->events);
}

const struct row_confidence *confidence__of(const struct confidence *confidence,
                                            const struct view *view, const struct view_row *row)
{
	const struct event_confidence *event = &confidence->events[row->evsel];
	const struct hist_event *table = &view->hists.events[row->evsel - row->member];

	return row->kind == VIEW_LEVEL ? &event->levels[row->level]
	                               : &event->entries[row->entry - table->first_entry];
}

u64 event_confidence__independent(const struct event_confidence *event)
{
	return llrint(event->nr_samples / event->design_effect);
}

double event_confidence__lacking(const struct event_confidence *event)
{
	double lacking = ceil(event->needed - event->nr_samples);

	return lacking > 0 ? lacking : 0;
}
