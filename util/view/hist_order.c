// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/hist_order.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

static int compare_u64(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

/* As far as the key alone says where its rows stand. */
static int order_values(const struct key_data *data, const struct sort_key *by, u64 a, u64 b)
{
	if (a == b || !by->key->order)
		return sort_key__compare(data, by, a, b);
	return by->key->order(data, by->key, a, b);
}

typedef int (*compare_fn)(const struct key_data *data, const struct sort_key *by, u64 a, u64 b);

static int compare_key(const struct hists *hists, const struct sort_key *by,
                       const struct hist_entry *a, const struct hist_entry *b, compare_fn compare)
{
	if (by->key->scope == KEY_OF_LOCATION ? a->key == b->key : a->group == b->group)
		return 0;
	u32 left = hist_entry__subject(hists, a, by->key);
	u32 right = hist_entry__subject(hists, b, by->key);

	return compare(&hists->data, by, sort_key__value(&hists->data, by, left),
	               sort_key__value(&hists->data, by, right));
}

/* As the keys are read from left to right; of what that leaves equal each key tells all it can. */
static int compare_keys(const struct hists *hists, const struct hist_entry *a,
                        const struct hist_entry *b)
{
	const struct sort_keys *keys = &hists->options.keys;
	int ret = 0;

	for (u32 i = 0; !ret && i < keys->nr; i++)
		ret = compare_key(hists, &keys->list[i], a, b, order_values);
	for (u32 i = 0; !ret && i < keys->nr; i++)
		ret = compare_key(hists, &keys->list[i], a, b, sort_key__compare);
	return ret;
}

static int compare_member(struct hists *hists, enum view_figure figure, const struct hist_entry *a,
                          const struct hist_entry *b, u32 member)
{
	return compare_u64(hists__figure(hists, hists__member(hists, b, member), figure),
	                   hists__figure(hists, hists__member(hists, a, member), figure));
}

/*
 * Of an event group as Linux's perf: in each event in turn; or in the one that was asked for, then
 * in the others behind the leader; in the leader alone if there is no such one, and of sums with
 * children.
 */
static int compare_figure(struct hists *hists, enum view_figure figure, const struct hist_entry *a,
                          const struct hist_entry *b)
{
	u32 nr = hists__nr_members(hists, hists->groups[a->group].evsel);
	u32 asked = hists->options.sort_member;
	int ret;

	if (figure == VIEW_CHILDREN || figure == VIEW_LATENCY || asked >= nr)
		return compare_member(hists, figure, a, b, 0);
	ret = compare_member(hists, figure, a, b, asked);
	for (u32 i = 1; !ret && i < nr; i++)
		ret = compare_member(hists, figure, a, b, i);
	return ret;
}

static int compare_field(struct hists *hists, const struct view_field *field,
                         const struct hist_entry *a, const struct hist_entry *b)
{
	if (field->figure == VIEW_KEY)
		return compare_key(hists, &hists->options.keys.list[field->key], a, b,
		                   order_values);
	return compare_figure(hists, field->figure, a, b);
}

/* By the order that was asked for; and then by all keys, so that it is always the same. */
static int compare_by_order(const void *left, const void *right, void *ctx)
{
	const struct hist_entry *a = left, *b = right;
	struct hists *hists = ctx;
	const struct view_fields *order = &hists->options.order;
	int ret = 0;

	if (a->group != b->group)
		ret = compare_u64(hists->groups[a->group].evsel, hists->groups[b->group].evsel);
	for (u32 i = 0; !ret && i < order->nr; i++)
		ret = compare_field(hists, &order->list[i], a, b);
	return ret ? ret : compare_keys(hists, a, b);
}

/* Event, then the value that leads, self, and the keys as text. */
static int compare_entries(const void *left, const void *right, void *ctx)
{
	const struct hist_entry *a = left, *b = right;
	const struct hists *hists = ctx;
	int ret = 0;

	if (a->group != b->group)
		ret = compare_u64(hists->groups[a->group].evsel, hists->groups[b->group].evsel);
	if (!ret && a->total_period != b->total_period)
		return a->total_period > b->total_period ? -1 : 1;
	if (!ret && a->period != b->period)
		return a->period > b->period ? -1 : 1;
	return ret ? ret : compare_keys(hists, a, b);
}

static int compare_threads(const void *left, const void *right, void *ctx)
{
	const struct hist_entry *entries = ctx;
	u32 a = *(const u32 *)left, b = *(const u32 *)right;
	int ret = compare_u64(entries[a].thread, entries[b].thread);

	return ret ? ret : compare_u64(a, b);
}

static int compare_depths(const void *left, const void *right, void *ctx)
{
	const struct hists *hists = ctx;
	u32 a = *(const u32 *)left, b = *(const u32 *)right;
	const struct hist_entry *x = &hists->entries[a], *y = &hists->entries[b];
	int ret = compare_u64(x->thread, y->thread);

	if (!ret)
		ret = hists->options.caller_order ? compare_u64(y->depth, x->depth)
		                                  : compare_u64(x->depth, y->depth);
	return ret ? ret : compare_u64(a, b);
}

/*
 * Of entries with equal totals those of one thread are ordered among themselves (in the places
 * they have): callers above callees. Others have nothing to do with each other.
 */
static void put_callers_first(struct hists *hists, u32 first, u32 nr)
{
	struct hist_entry *copy = xrealloc(NULL, nr, sizeof(*copy));
	u32 *targets = xrealloc(NULL, nr, sizeof(*targets));
	u32 *sources = xrealloc(NULL, nr, sizeof(*sources));

	for (u32 i = 0; i < nr; i++)
		targets[i] = sources[i] = first + i;
	qsort_r(targets, nr, sizeof(*targets), compare_threads, hists->entries);
	qsort_r(sources, nr, sizeof(*sources), compare_depths, hists);
	memcpy(copy, hists->entries + first, nr * sizeof(*copy));
	for (u32 i = 0; i < nr; i++)
		hists->entries[targets[i]] = copy[sources[i] - first];
	free(copy);
	free(targets);
	free(sources);
}

static void order_ties(struct hists *hists)
{
	for (u32 first = 0, end; first < hists->nr_entries; first = end) {
		const struct hist_entry *entry = &hists->entries[first];

		for (end = first + 1; end < hists->nr_entries; end++)
			if (hists->entries[end].total_period != entry->total_period ||
			    hists->groups[hists->entries[end].group].evsel !=
			            hists->groups[entry->group].evsel)
				break;
		if (end - first > 1)
			put_callers_first(hists, first, end - first);
	}
}

/* Is it the usual order, of events that stand alone? */
static bool leads_by_total(const struct hist_options *options)
{
	const struct view_fields *order = &options->order;
	u32 nr = options->children ? 2 : 1;

	if (!order->nr)
		return true;
	if (options->groups)
		return false;
	if (order->nr != options->keys.nr + nr || order->list[nr - 1].figure != VIEW_OVERHEAD ||
	    (options->children && order->list[0].figure != VIEW_CHILDREN))
		return false;
	for (u32 i = 0; i < options->keys.nr; i++)
		if (order->list[nr + i].figure != VIEW_KEY || order->list[nr + i].key != i)
			return false;
	return true;
}

void hist_order__sort(struct hists *hists)
{
	if (!hists->nr_entries)
		return;
	qsort_r(hists->entries, hists->nr_entries, sizeof(*hists->entries),
	        leads_by_total(&hists->options) ? compare_entries : compare_by_order, hists);
	if (hists->options.callers_first && leads_by_total(&hists->options))
		order_ties(hists);
	for (u32 i = 0; i < hists->nr_entries; i++) {
		u16 evsel = hists->groups[hists->entries[i].group].evsel;
		struct hist_event *event = &hists->events[evsel];

		if (!event->nr_entries++)
			event->first_entry = i;
	}
}
