// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/format/event_ids.h"

#include <stdlib.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"

/* As many places as this for each id are worth it. */
#define NEAR_PLACES 8

/* After all are in by_id. */
static void list_near_ids(struct event_ids *events)
{
	const struct evlist *list = events->list;
	u64 first = UINT64_MAX, last = 0, nr = 0;

	for (u32 i = 0; i < list->nr; i++)
		for (u32 id = 0; id < list->evsels[i]->nr_ids; id++, nr++) {
			first = min_u64(first, list->evsels[i]->ids[id]);
			last = max_u64(last, list->evsels[i]->ids[id]);
		}
	if (!nr || last - first >= nr * NEAR_PLACES)
		return;
	events->first_id = first;
	events->nr_near = last - first + 1;
	events->near = xrealloc(NULL, events->nr_near, sizeof(u32));
	for (u64 id = 0; id < events->nr_near; id++)
		events->near[id] = u64map__get(&events->by_id, first + id);
}

void event_ids__init(struct event_ids *events, const struct evlist *list, bool swap)
{
	*events = (struct event_ids){ .list = list, .swap = swap };
	events->layouts = xcalloc(list->nr, sizeof(*events->layouts));
	for (u32 i = 0; i < list->nr; i++) {
		const struct evsel *evsel = list->evsels[i];

		sample_layout__init(&events->layouts[i], &evsel->attr);
		for (u32 id = 0; id < evsel->nr_ids; id++)
			*u64map__at(&events->by_id, evsel->ids[id]) = i;
	}
	list_near_ids(events);
	const struct sample_layout *first = &events->layouts[0];

	events->at = first->identifier ? first->identifier : first->id;
	events->from_end = first->t_identifier ? first->t_identifier : first->t_id;
}

void event_ids__exit(struct event_ids *events)
{
	u64map__exit(&events->by_id);
	free(events->near);
	free(events->layouts);
}

struct evsel *event_ids__of_id(const struct event_ids *events, u64 id)
{
	u32 idx;

	if (events->list->nr == 1)
		idx = 0;
	else if (likely(events->near))
		idx = id - events->first_id < events->nr_near ? events->near[id - events->first_id]
		                                              : ID_NONE;
	else
		idx = u64map__get(&events->by_id, id);
	return idx == ID_NONE ? NULL : events->list->evsels[idx];
}

struct evsel *event_ids__find(const struct event_ids *events, const struct record *record)
{
	bool sample = record->type == PERF_RECORD_SAMPLE;
	struct evsel *first = events->list->evsels[0];
	u8 at = sample ? events->at : events->from_end;

	if (events->list->nr == 1 || !at)
		return first;
	if (record->size < at + 8)
		return NULL;
	u64 id = load_u64(sample ? record->data + at : record->data + record->size - at,
	                  events->swap);

	if (!id && !sample)
		return first;
	return event_ids__of_id(events, id);
}
