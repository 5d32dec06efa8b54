// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/event_list.h"

#include <stdio.h>
#include <string.h>

#include "util/lib/json.h"

#define NAME_WIDTH 50

void event_list__begin(struct event_list *list)
{
	if (list->style == EVENT_LIST_JSON)
		out__char(list->out, '[');
	else if (list->style == EVENT_LIST_TEXT && list->spaced)
		out__str(list->out, "\nList of pre-defined events (to be used in -e or -M):\n\n");
}

void event_list__end(struct event_list *list)
{
	if (list->style == EVENT_LIST_JSON)
		out__str(list->out, list->nr ? "\n]\n" : "]\n");
	else if (list->style == EVENT_LIST_NAMES && list->nr)
		out__char(list->out, '\n');
}

/* --- text --- */

static void print_reason(struct event_list *list)
{
	if (*list->reason && list->descriptions)
		out__printf(list->out, "       [not counted here: %s]\n", list->reason);
	*list->reason = '\0';
}

static void print_detail(struct out *out, const char *label, const char *text)
{
	if (!text)
		return;
	out__str(out, label);
	out__name(out, text);
}

static void print_description(struct event_list *list, const struct catalog_entry *entry)
{
	const char *text =
	        list->long_descriptions && entry->description ? entry->description : entry->brief;

	if (!text || !list->descriptions)
		return;
	out__str(list->out, "       [");
	out__name(list->out, text);
	out__str(list->out, "]\n");
}

/* The mark stands on each row, its reason once behind all rows that share it. */
static void print_row(struct event_list *list, const struct catalog_entry *entry)
{
	struct out *out = list->out;
	int width = strlen(entry->name);

	if (strcmp(list->reason, entry->missing ? entry->missing : ""))
		print_reason(list);
	out__str(out, "  ");
	out__name(out, entry->name);
	if (entry->alias) {
		out__str(out, " OR ");
		out__name(out, entry->alias);
		width += strlen(" OR ") + strlen(entry->alias);
	}
	out__fill(out, ' ', NAME_WIDTH - width);
	out__printf(out, " [%s]", event_class__tag(entry->class));
	if (entry->missing) {
		out__str(out, " (not counted here)");
		snprintf(list->reason, sizeof(list->reason), "%s", entry->missing);
	}
	out__char(out, '\n');
	print_description(list, entry);
	if (entry->encoding) {
		print_detail(out, "       ", entry->encoding);
		print_detail(out, ", scale ", entry->scale);
		print_detail(out, ", unit ", entry->unit);
		out__char(out, '\n');
	}
}

void event_list__end_section(struct event_list *list, enum event_class class)
{
	if (list->style != EVENT_LIST_TEXT)
		return;
	print_reason(list);
	if (list->nr_in_section && list->spaced) {
		if (class == EVENT_CLASS_RAW)
			out__str(list->out, "   (see 'perf list --help' on how to encode it)\n");
		out__char(list->out, '\n');
	}
	list->nr_in_section = 0;
}

/* --- JSON --- */

static void print_member(struct out *out, bool first, const char *name, const char *value)
{
	if (!value)
		return;
	out__str(out, first ? "\n\t\t" : ",\n\t\t");
	json__string(out, name);
	out__str(out, ": ");
	json__string(out, value);
}

/* The names of newer versions of Linux's perf; Countable and Reason are ours. */
static void print_object(struct event_list *list, const struct catalog_entry *entry)
{
	struct out *out = list->out;

	out__str(out, list->nr ? ",\n\t{" : "\n\t{");
	print_member(out, true,
	             entry->class == EVENT_CLASS_METRIC        ? "MetricName"
	             : entry->class == EVENT_CLASS_METRICGROUP ? "MetricGroup"
	                                                       : "EventName",
	             entry->name);
	print_member(out, false, "EventAlias", entry->alias);
	print_member(out, false, "EventType", event_class__tag(entry->class));
	print_member(out, false, "Unit", entry->source);
	print_member(out, false, "Topic", entry->topic);
	print_member(out, false, "MetricGroup", entry->groups);
	print_member(out, false, "BriefDescription", entry->brief);
	print_member(out, false, "PublicDescription", entry->description);
	print_member(out, false, entry->class == EVENT_CLASS_METRIC ? "MetricExpr" : "Encoding",
	             entry->encoding);
	print_member(out, false, "ScaleFactor", entry->scale);
	print_member(out, false, "ScaleUnit", entry->unit);
	if (!entry->is_shape && entry->class != EVENT_CLASS_SDT &&
	    entry->class != EVENT_CLASS_METRICGROUP) /* perf probe makes it an event */
		out__printf(out, ",\n\t\t\"Countable\": %s", entry->missing ? "false" : "true");
	print_member(out, false, "Reason", entry->missing);
	out__str(out, "\n\t}");
}

void event_list__print(struct event_list *list, const struct catalog_entry *entry)
{
	switch (list->style) {
	case EVENT_LIST_TEXT:
		print_row(list, entry);
		break;
	case EVENT_LIST_NAMES:
		if (entry->is_shape)
			return;
		/* Of an event of a PMU the whole name: the bare one may be the kernel's own event.
		 */
		out__name(list->out, entry->class == EVENT_CLASS_PMU && entry->alias ? entry->alias
		                                                                     : entry->name);
		out__char(list->out, ' ');
		break;
	case EVENT_LIST_JSON:
		print_object(list, entry);
		break;
	}
	list->nr++;
	list->nr_in_section++;
}
