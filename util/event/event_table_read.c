// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the events and metrics of a table from its JSON. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/event/event_table.h"
#include "util/event/terms.h"
#include "util/lib/json_read.h"
#include "util/lib/text.h"

#define ENTRIES_MAX 200000 /* events or metrics of a table */

enum field {
	FIELD_NAME,
	FIELD_STD,
	FIELD_CONFIG,
	FIELD_EVENT,
	FIELD_UMASK,
	FIELD_CMASK,
	FIELD_INVERT,
	FIELD_EDGE,
	FIELD_ANY,
	FIELD_PORTS,
	FIELD_FILTER_CLASS,
	FIELD_PERIOD,
	FIELD_MSR,
	FIELD_MSR_VALUE,
	FIELD_FILTER,
	FIELD_SOURCE,
	FIELD_BRIEF,
	FIELD_DETAILS,
	FIELD_SCALE,
	FIELD_DEPRECATED,
	FIELD_METRIC,
	FIELD_FORMULA,
	FIELD_GROUPS,
	FIELD_CONSTRAINT,
	FIELD_COMMENT,
	FIELD_NR,
};

/* What the fields are called; those of numbers have a term of the event that they become. */
static const struct {
	const char *name, *term;
} fields[FIELD_NR] = {
	[FIELD_NAME] = { "EventName", NULL },
	[FIELD_STD] = { "ArchStdEvent", NULL },
	[FIELD_CONFIG] = { "ConfigCode", "config" },
	[FIELD_EVENT] = { "EventCode", "event" },
	[FIELD_UMASK] = { "UMask", "umask" },
	[FIELD_CMASK] = { "CounterMask", "cmask" },
	[FIELD_INVERT] = { "Invert", "inv" },
	[FIELD_EDGE] = { "EdgeDetect", "edge" },
	[FIELD_ANY] = { "AnyThread", "any" },
	[FIELD_PORTS] = { "PortMask", "ch_mask" },
	[FIELD_FILTER_CLASS] = { "FCMask", "fc_mask" },
	[FIELD_PERIOD] = { "SampleAfterValue", "period" },
	[FIELD_MSR] = { "MSRIndex", NULL },
	[FIELD_MSR_VALUE] = { "MSRValue", NULL },
	[FIELD_FILTER] = { "Filter", NULL },
	[FIELD_SOURCE] = { "Unit", NULL },
	[FIELD_BRIEF] = { "BriefDescription", NULL },
	[FIELD_DETAILS] = { "PublicDescription", NULL },
	[FIELD_SCALE] = { "ScaleUnit", NULL },
	[FIELD_DEPRECATED] = { "Deprecated", NULL },
	[FIELD_METRIC] = { "MetricName", NULL },
	[FIELD_FORMULA] = { "MetricExpr", NULL },
	[FIELD_GROUPS] = { "MetricGroup", NULL },
	[FIELD_CONSTRAINT] = { "MetricConstraint", NULL },
	[FIELD_COMMENT] = { "Comment", NULL },
};

struct entry {
	const char *fields[FIELD_NR]; /* NULL: absent */
	u32 line;
};

struct table_std {
	struct entry *entries;
	u32 nr;
	size_t cap;
};

struct loading {
	struct event_table *table;
	const char *path, *topic;
	struct json_reader reader;
	bool std;
};

static const char *keep(struct loading *l, const char *text)
{
	return arena__strndup(&l->table->arena, text, strlen(text));
}

static void PRINTF_LIKE(3, 4)
        blame(struct loading *l, const struct entry *entry, const char *fmt, ...)
{
	char cause[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(cause, sizeof(cause), fmt, args);
	va_end(args);
	event_table__add_problem(l->table, l->path, entry->line, "%s", cause);
}

/* --- events --- */

/* "0x1A6, 0x1A7": the first of numbers. */
static bool first_number(const char *text, u64 *number)
{
	size_t len;
	char copy[32];

	text += strspn(text, " ");
	len = strcspn(text, ", ");
	if (len >= sizeof(copy))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return parse_event_number(copy, number);
}

/* Intel's fixed counters have codes of their own in the tables; the kernel knows these. */
static void replace_fixed(u64 *event, u64 *umask)
{
	if (*event || *umask < 1 || *umask > 2)
		return;
	*event = *umask == 1 ? 0xc0 : 0x3c;
	*umask = 0;
}

/* The term that the extra register of some of Intel's events is set by; NULL: it is unknown. */
static const char *msr_term(u64 msr)
{
	return msr == 0x3f6                     ? "ldlat"
	       : msr == 0x3f7                   ? "frontend"
	       : (msr == 0x1a6 || msr == 0x1a7) ? "offcore_rsp"
	                                        : NULL;
}

static void add_term(char *terms, size_t size, const char *name, u64 value)
{
	size_t len = strlen(terms);

	snprintf(terms + len, size - len, "%s%s=%#llx", len ? "," : "", name,
	         (unsigned long long)value);
}

/* "event=0xc4,umask=0x20" of the entry's codes. False: one of them is no number. */
static bool make_terms(struct loading *l, const struct entry *entry, char *terms, size_t size)
{
	u64 numbers[FIELD_NR] = { 0 }, msr = 0, value = 0;

	*terms = '\0';
	for (enum field f = 0; f < FIELD_NR; f++)
		if (fields[f].term && entry->fields[f] &&
		    !first_number(entry->fields[f], &numbers[f])) {
			blame(l, entry, "%s is no number: '%s'", fields[f].name, entry->fields[f]);
			return false;
		}
	if (!entry->fields[FIELD_SOURCE] && !entry->fields[FIELD_CONFIG])
		replace_fixed(&numbers[FIELD_EVENT], &numbers[FIELD_UMASK]);
	for (enum field f = 0; f < FIELD_NR; f++)
		if (fields[f].term && (numbers[f] || (f == FIELD_EVENT && entry->fields[f] &&
		                                      !entry->fields[FIELD_CONFIG])))
			add_term(terms, size, fields[f].term, numbers[f]);
	if (entry->fields[FIELD_MSR] && first_number(entry->fields[FIELD_MSR], &msr) &&
	    entry->fields[FIELD_MSR_VALUE] &&
	    first_number(entry->fields[FIELD_MSR_VALUE], &value) && msr_term(msr))
		add_term(terms, size, msr_term(msr), value);
	if (entry->fields[FIELD_FILTER]) {
		size_t len = strlen(terms);

		snprintf(terms + len, size - len, "%s%s", len ? "," : "",
		         entry->fields[FIELD_FILTER]);
	}
	return true;
}

/* The event source of the kernel for the unit of a processor that the makers name. */
/* NULL: the PMU of the processor itself. */
static const char *source_of(struct loading *l, const char *unit)
{
	static const char *const rows[][2] = {
		{ "CBO", "uncore_cbox" },  { "SBO", "uncore_sbox" }, { "iMPH-U", "uncore_arb" },
		{ "CPU-M-CF", "cpum_cf" }, { "DFPMC", "amd_df" },    { "L3PMC", "amd_l3" },
		{ "UMCPMC", "amd_umc" },
	};
	char source[64];

	if (!unit || !*unit || !strcasecmp(unit, "core") || !strcasecmp(unit, "cpu"))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcasecmp(unit, rows[i][0]))
			return rows[i][1];
	if (strchr(unit, '_')) /* the kernel's own name: cpu_atom, hisi_sccl,ddrc */
		return unit;
	snprintf(source, sizeof(source), "uncore_%.*s", (int)strcspn(unit, " "), unit);
	for (char *c = source; *c; c++)
		*c = *c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c;
	return keep(l, source);
}

/* "100%", "64Bytes" */
static double split_scale(const char *text, const char **unit)
{
	double scale = text__double(text, unit);

	if (*unit == text || !(scale > -1e300 && scale < 1e300))
		scale = 1;
	*unit += strspn(*unit, " ");
	return scale;
}

static void add_event(struct loading *l, const struct entry *entry)
{
	struct event_table *table = l->table;
	struct table_event event = {
		.name = entry->fields[FIELD_NAME],
		.source = source_of(l, entry->fields[FIELD_SOURCE]),
		.topic = l->topic,
		.brief = entry->fields[FIELD_BRIEF],
		.details = entry->fields[FIELD_DETAILS],
		.deprecated = entry->fields[FIELD_DEPRECATED] &&
		              strcmp(entry->fields[FIELD_DEPRECATED], "0") != 0,
	};
	char terms[512];

	if (!entry->fields[FIELD_EVENT] && !entry->fields[FIELD_CONFIG]) {
		blame(l, entry, "the event '%.100s' has neither EventCode nor ConfigCode",
		      event.name);
		return;
	}
	if (!make_terms(l, entry, terms, sizeof(terms)))
		return;
	event.terms = keep(l, terms);
	event.scale = entry->fields[FIELD_SCALE];
	if (event.scale)
		split_scale(event.scale, &event.unit);
	if (table->nr_events == ENTRIES_MAX) {
		blame(l, entry, "more than %d events", ENTRIES_MAX);
		return;
	}
	array__reserve(&table->events, &table->events_cap, table->nr_events + 1,
	               sizeof(*table->events));
	table->events[table->nr_events++] = event;
}

/* --- metrics --- */

static void add_metric(struct loading *l, const struct entry *entry)
{
	struct event_table *table = l->table;
	const char *unit = NULL;
	struct table_metric metric = {
		.name = entry->fields[FIELD_METRIC],
		.formula = entry->fields[FIELD_FORMULA],
		.groups = entry->fields[FIELD_GROUPS] ? entry->fields[FIELD_GROUPS] : "",
		.topic = l->topic,
		.brief = entry->fields[FIELD_BRIEF],
		.details = entry->fields[FIELD_DETAILS],
		.scale = 1,
		.apart = entry->fields[FIELD_CONSTRAINT] &&
		         !strncmp(entry->fields[FIELD_CONSTRAINT], "NO_GROUP_EVENTS",
		                  strlen("NO_GROUP_EVENTS")),
		.file = l->path,
		.line = entry->line,
		.order = table->nr_metrics,
	};

	if (!metric.formula) {
		blame(l, entry, "the metric '%.100s' has no MetricExpr", metric.name);
		return;
	}
	if (entry->fields[FIELD_SCALE]) {
		metric.scale = split_scale(entry->fields[FIELD_SCALE], &unit);
		metric.unit = unit;
	}
	if (table->nr_metrics == ENTRIES_MAX) {
		blame(l, entry, "more than %d metrics", ENTRIES_MAX);
		return;
	}
	array__reserve(&table->metrics, &table->metrics_cap, table->nr_metrics + 1,
	               sizeof(*table->metrics));
	table->metrics[table->nr_metrics++] = metric;
}

/* --- entries --- */

static void add_std(struct loading *l, const struct entry *entry)
{
	struct table_std *std = l->table->std;

	if (!std)
		std = l->table->std = xcalloc(1, sizeof(*std));
	if (std->nr == ENTRIES_MAX) {
		blame(l, entry, "more than %d events to refer to", ENTRIES_MAX);
		return;
	}
	array__reserve(&std->entries, &std->cap, std->nr + 1, sizeof(*std->entries));
	std->entries[std->nr++] = *entry;
}

/* What ArchStdEvent refers to, where the entry does not say it itself. */
static bool take_std(struct loading *l, struct entry *entry)
{
	const struct table_std *std = l->table->std;

	for (u32 i = 0; std && i < std->nr; i++) {
		const struct entry *from = &std->entries[i];

		if (strcasecmp(from->fields[FIELD_NAME], entry->fields[FIELD_STD]) != 0)
			continue;
		for (enum field f = 0; f < FIELD_NR; f++)
			if (!entry->fields[f])
				entry->fields[f] = from->fields[f];
		return true;
	}
	blame(l, entry, "ArchStdEvent '%.100s' is in none of the files next to mapfile.csv",
	      entry->fields[FIELD_STD]);
	return false;
}

static void add_entry(struct loading *l, struct entry *entry)
{
	if (entry->fields[FIELD_STD] && !take_std(l, entry))
		return;
	if (l->std) {
		if (entry->fields[FIELD_NAME])
			add_std(l, entry);
		return;
	}
	if (entry->fields[FIELD_NAME])
		add_event(l, entry);
	if (entry->fields[FIELD_METRIC])
		add_metric(l, entry);
	if (!entry->fields[FIELD_NAME] && !entry->fields[FIELD_METRIC] &&
	    !entry->fields[FIELD_COMMENT])
		blame(l, entry, "neither EventName nor MetricName");
}

static void take_member(struct loading *l, struct entry *entry, enum json_token token)
{
	enum field f = 0;

	while (f < FIELD_NR && strcmp(fields[f].name, l->reader.key) != 0)
		f++;
	if (f == FIELD_NR)
		return;
	if (token == JSON_STRING || token == JSON_NUMBER)
		entry->fields[f] = *l->reader.text ? keep(l, l->reader.text) : NULL;
	else if (token == JSON_TRUE)
		entry->fields[f] = "1";
}

/* The members of the object that began. False: the JSON is broken. */
static bool read_entry(struct loading *l)
{
	struct entry entry = { .line = l->reader.line };
	enum json_token token;

	while ((token = json_reader__next(&l->reader)) != JSON_OBJECT_END) {
		take_member(l, &entry, token);
		if (json_reader__skip(&l->reader, token) == JSON_ERROR)
			return false;
	}
	add_entry(l, &entry);
	return true;
}

/* An array of objects that began. */
static bool read_entries(struct loading *l)
{
	enum json_token token;

	while ((token = json_reader__next(&l->reader)) != JSON_ARRAY_END) {
		if (token == JSON_OBJECT) {
			if (!read_entry(l))
				return false;
			continue;
		}
		if (json_reader__skip(&l->reader, token) == JSON_ERROR)
			return false;
		event_table__add_problem(l->table, l->path, l->reader.line,
		                         "an entry is no object");
	}
	return true;
}

/* An array of entries; or, as Intel publishes them, an object with arrays of entries in it. */
static bool read_all(struct loading *l)
{
	enum json_token token = json_reader__next(&l->reader);

	if (token == JSON_ARRAY)
		return read_entries(l) && json_reader__next(&l->reader) == JSON_END;
	if (token != JSON_OBJECT)
		return false;
	while ((token = json_reader__next(&l->reader)) != JSON_OBJECT_END) {
		if (token == JSON_ARRAY ? !read_entries(l)
		                        : json_reader__skip(&l->reader, token) == JSON_ERROR)
			return false;
	}
	return json_reader__next(&l->reader) == JSON_END;
}

void event_table__read(struct event_table *table, const char *path, const char *topic,
                       const char *text, size_t len, bool std)
{
	struct loading l = { .table = table, .std = std };

	l.path = keep(&l, path);
	l.topic = keep(&l, topic);
	json_reader__init(&l.reader, text, len);
	if (!read_all(&l))
		event_table__add_problem(table, path, l.reader.line, "%s",
		                         l.reader.error ? l.reader.error
		                                        : "it is not an array of objects");
	json_reader__exit(&l.reader);
}

void event_table__exit_std(struct event_table *table)
{
	if (!table->std)
		return;
	free(table->std->entries);
	free(table->std);
	table->std = NULL;
}
