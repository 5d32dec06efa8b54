// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/event_text.h"

#include "util/event/attr_fields.h"

struct line {
	struct out *out;
	bool first;
};

void event_text__field(struct out *out, bool *first)
{
	out__str(out, *first ? ": " : ", ");
	*first = false;
}

static void attr_field(void *ctx, const char *name, const char *value)
{
	struct line *line = ctx;

	event_text__field(line->out, &line->first);
	out__str(line->out, name);
	out__str(line->out, ": ");
	out__str(line->out, value);
}

static void print_group(struct out *out, const struct evlist *list, const struct evsel *evsel)
{
	u32 end = evsel->idx + evsel->nr_members;

	if (evsel->leader != evsel->idx)
		return;
	if (evsel->nr_members > 1) {
		out__name(out, evsel->group_name ? evsel->group_name : "");
		out__char(out, '{');
	}
	for (u32 i = evsel->idx; i < end && i < list->nr; i++) {
		if (i > evsel->idx)
			out__char(out, ',');
		out__name(out, list->evsels[i]->name);
	}
	out__str(out, evsel->nr_members > 1 ? "}\n" : "\n");
}

static void print_event(struct out *out, const struct evsel *evsel, const struct event_text *text)
{
	struct line line = { out, true };

	out__name(out, evsel->name);
	if (text->verbose) {
		attr__fields(&evsel->attr, attr_field, &line);
	} else if (text->freq) {
		event_text__field(out, &line.first);
		out__printf(out, "%s=%llu", evsel->attr.freq ? "sample_freq" : "sample_period",
		            (unsigned long long)evsel->attr.sample_period);
	}
	if (text->more)
		text->more(text->ctx, out, &line.first, evsel);
	out__char(out, '\n');
}

void event_text__list(struct out *out, const struct evlist *list, const struct event_text *text)
{
	for (u32 i = 0; i < list->nr; i++) {
		if (text->group)
			print_group(out, list, list->evsels[i]);
		else
			print_event(out, list->evsels[i], text);
	}
}
