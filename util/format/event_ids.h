/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the event that a record belongs to, and the layout of its samples. If sample types differ,
 * perf gives every event IDENTIFIER, whose offset is the same for all; if they are equal, the first
 * layout holds for all.
 */
#ifndef PERF_UTIL_FORMAT_EVENT_IDS_H
#define PERF_UTIL_FORMAT_EVENT_IDS_H

#include "util/format/sample.h"
#include "util/lib/hash.h"

struct event_ids {
	const struct evlist *list;     /* borrowed, with at least one event */
	struct sample_layout *layouts; /* by evsel idx */
	struct u64map by_id;           /* kernel id -> evsel idx */
	/* The same for ids that lie close together, as those of one perf record do; NULL: they do
	 * not. */
	u32 *near;
	u64 first_id, nr_near;
	u8 at;       /* offset of a sample's id; 0: samples carry none */
	u8 from_end; /* distance of a trailer's id from the record's end; 0: none */
	bool swap;
};

/* Start with the events of @list and the ids they have. */
void event_ids__init(struct event_ids *events, const struct evlist *list, bool swap);
void event_ids__exit(struct event_ids *events);

/* The event whose counter has this id, or the only event there is; NULL: none. */
struct evsel *event_ids__of_id(const struct event_ids *events, u64 id);

/*
 * By id, or the only event there is; NULL when the id is unknown. A trailer with id 0 (records
 * that perf made up itself) belongs to the first event.
 */
struct evsel *event_ids__find(const struct event_ids *events, const struct record *record);

static inline const struct sample_layout *event_ids__layout(const struct event_ids *events,
                                                            const struct evsel *evsel)
{
	return &events->layouts[evsel->idx];
}

#endif
