// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/hist_order.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/sort.h"

static int compare_u64(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

/* An entry on its way into the order: what is compared most stands here, beside its neighbours. */
struct order_item {
	u64 total_period, period;
	u32 entry; /* its number before */
	u32 evsel;
};

struct ordering {
	struct hists *hists;
	const struct hist_entry *entries; /* as they were before */
	u64 *values;                      /* of each entry's keys: found once, compared often */
};

static u64 *values_of(const struct ordering *ordering, u32 entry)
{
	return ordering->values + (size_t)entry * ordering->hists->options.keys.nr;
}

/* As far as the key alone says where its rows stand. */
static int order_values(const struct key_data *data, const struct sort_key *by, u64 a, u64 b)
{
	if (a == b || !by->key->order)
		return sort_key__compare(data, by, a, b);
	return by->key->order(data, by->key, a, b);
}

/* As the keys are read from left to right; of what that leaves equal each key tells all it can. */
static int compare_keys(const struct ordering *ordering, u32 a, u32 b)
{
	const struct sort_keys *keys = &ordering->hists->options.keys;
	const struct key_data *data = &ordering->hists->data;
	const u64 *left = values_of(ordering, a), *right = values_of(ordering, b);
	int ret = 0;

	for (u32 i = 0; !ret && i < keys->nr; i++)
		ret = order_values(data, &keys->list[i], left[i], right[i]);
	for (u32 i = 0; !ret && i < keys->nr; i++)
		ret = sort_key__compare(data, &keys->list[i], left[i], right[i]);
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

static int compare_field(const struct ordering *ordering, const struct view_field *field, u32 a,
                         u32 b)
{
	struct hists *hists = ordering->hists;

	if (field->figure == VIEW_KEY)
		return order_values(&hists->data, &hists->options.keys.list[field->key],
		                    values_of(ordering, a)[field->key],
		                    values_of(ordering, b)[field->key]);
	return compare_figure(hists, field->figure, &ordering->entries[a], &ordering->entries[b]);
}

/* By the order that was asked for; and then by all keys, so that it is always the same. */
static int compare_by_order(const void *left, const void *right, void *ctx)
{
	const struct order_item *a = left, *b = right;
	const struct ordering *ordering = ctx;
	const struct view_fields *order = &ordering->hists->options.order;
	int ret = compare_u64(a->evsel, b->evsel);

	for (u32 i = 0; !ret && i < order->nr; i++)
		ret = compare_field(ordering, &order->list[i], a->entry, b->entry);
	return ret ? ret : compare_keys(ordering, a->entry, b->entry);
}

/* Event, then the value that leads, self, and the keys as text. */
static int compare_items(const void *left, const void *right, void *ctx)
{
	const struct order_item *a = left, *b = right;

	if (a->evsel != b->evsel)
		return a->evsel < b->evsel ? -1 : 1;
	if (a->total_period != b->total_period)
		return a->total_period > b->total_period ? -1 : 1;
	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	return compare_keys(ctx, a->entry, b->entry);
}

/* Where an entry stands among those of its thread: callers above callees. */
static u64 depth_key(const struct hists *hists, const struct hist_entry *entry)
{
	return (u64)entry->thread << 16 |
	       (hists->options.caller_order ? (u16)~entry->depth : entry->depth);
}

/*
 * Of entries with equal totals those of one thread are ordered among themselves (in the places
 * they have): callers above callees. Others have nothing to do with each other.
 */
static void put_callers_first(struct hists *hists, u32 first, u32 nr)
{
	struct hist_entry *copy = xrealloc(NULL, nr, sizeof(*copy));
	struct keyed *targets = xrealloc(NULL, nr, sizeof(*targets));
	struct keyed *sources = xrealloc(NULL, nr, sizeof(*sources));

	memcpy(copy, hists->entries + first, nr * sizeof(*copy));
	for (u32 i = 0; i < nr; i++) {
		targets[i] = (struct keyed){ copy[i].thread, first + i };
		sources[i] = (struct keyed){ depth_key(hists, &copy[i]), i };
	}
	keyed__sort(targets, nr);
	keyed__sort(sources, nr);
	for (u32 i = 0; i < nr; i++)
		hists->entries[targets[i].value] = copy[sources[i].value];
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

static void find_values(const struct ordering *ordering)
{
	const struct hists *hists = ordering->hists;
	const struct sort_keys *keys = &hists->options.keys;

	for (u32 i = 0; i < hists->nr_entries; i++)
		for (u32 k = 0; k < keys->nr; k++) {
			const struct sort_key *by = &keys->list[k];

			values_of(ordering, i)[k] = sort_key__value(
			        &hists->data, by,
			        hist_entry__subject(hists, &hists->entries[i], by->key));
		}
}

static void sort_entries(struct hists *hists)
{
	u32 nr = hists->nr_entries;
	struct hist_entry *sorted = xrealloc(NULL, nr, sizeof(*sorted));
	struct order_item *items = xrealloc(NULL, nr, sizeof(*items));
	struct ordering ordering = {
		.hists = hists,
		.entries = hists->entries,
		.values = xrealloc(NULL, (size_t)nr * hists->options.keys.nr + 1, sizeof(u64)),
	};

	find_values(&ordering);
	for (u32 i = 0; i < nr; i++) {
		const struct hist_entry *entry = &hists->entries[i];

		items[i] = (struct order_item){ entry->total_period, entry->period, i,
			                        hists->groups[entry->group].evsel };
	}
	qsort_r(items, nr, sizeof(*items),
	        leads_by_total(&hists->options) ? compare_items : compare_by_order, &ordering);
	for (u32 i = 0; i < nr; i++)
		sorted[i] = hists->entries[items[i].entry];
	free(hists->entries);
	hists->entries = sorted;
	free(items);
	free(ordering.values);
}

void hist_order__sort(struct hists *hists)
{
	if (!hists->nr_entries)
		return;
	sort_entries(hists);
	if (hists->options.callers_first && leads_by_total(&hists->options))
		order_ties(hists);
	for (u32 i = 0; i < hists->nr_entries; i++) {
		u16 evsel = hists->groups[hists->entries[i].group].evsel;
		struct hist_event *event = &hists->events[evsel];

		if (!event->nr_entries++)
			event->first_entry = i;
	}
}
