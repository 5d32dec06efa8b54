/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of `perf list`, as text for people, names for shells, or JSON. */
#ifndef PERF_UI_TEXT_EVENT_LIST_H
#define PERF_UI_TEXT_EVENT_LIST_H

#include "util/counter/catalog.h"
#include "util/lib/out.h"

enum event_list_style {
	EVENT_LIST_TEXT,
	EVENT_LIST_NAMES, /* separated by blanks */
	EVENT_LIST_JSON,
};

struct event_list {
	struct out *out;
	enum event_list_style style;
	bool spaced;       /* for a reader, not a pipe: a title, blank lines between the sections */
	bool descriptions; /* print what each event is, and why some cannot be counted */
	bool long_descriptions;
	u64 nr; /* printed so far */

	/* Private: */
	u64 nr_in_section;
	char reason[256]; /* of the rows before, not yet printed */
};

/* Before the first and after the last event. */
void event_list__begin(struct event_list *list);
void event_list__end(struct event_list *list);

void event_list__print(struct event_list *list, const struct catalog_entry *entry);

/* After the events of one class. */
void event_list__end_section(struct event_list *list, enum event_class class);

#endif
