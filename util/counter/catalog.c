// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/counter/catalog.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "util/event/attr_name.h"
#include "util/event/pmu.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

const char *event_class__tag(enum event_class class)
{
	static const char *const tags[] = {
		[EVENT_CLASS_HARDWARE] = "Hardware event",
		[EVENT_CLASS_SOFTWARE] = "Software event",
		[EVENT_CLASS_TOOL] = "Tool event",
		[EVENT_CLASS_CACHE] = "Hardware cache event",
		[EVENT_CLASS_PMU] = "Kernel PMU event",
		[EVENT_CLASS_RAW] = "Raw hardware event descriptor",
		[EVENT_CLASS_BREAKPOINT] = "Hardware breakpoint",
		[EVENT_CLASS_TRACEPOINT] = "Tracepoint event",
		[EVENT_CLASS_SDT] = "SDT event",
		[EVENT_CLASS_TABLE] = "Table event",
		[EVENT_CLASS_METRIC] = "Metric",
		[EVENT_CLASS_METRICGROUP] = "Metric group",
	};

	return tags[class];
}

void catalog__init(struct catalog *catalog, struct event_sources *sources)
{
	*catalog = (struct catalog){ .sources = sources };
	opener__init(&catalog->opener);
}

void catalog__exit(struct catalog *catalog)
{
	opener__exit(&catalog->opener);
}

/* --- built-in names --- */

/* 0 or what perf_event_open says to the least that can be asked. */
static int try_attr(struct catalog *catalog, const struct perf_event_attr *what)
{
	struct opener *opener = &catalog->opener;
	struct perf_event_attr attr = { .type = what->type,
		                        .config = what->config,
		                        .config1 = what->config1,
		                        .config2 = what->config2,
		                        .size = PERF_ATTR_SIZE_VER3,
		                        .disabled = 1 };
	int fd = opener->open(opener->ctx, &attr, 0, -1, -1, 0);

	if (fd == -EACCES || fd == -EPERM) {
		attr.exclude_kernel = attr.exclude_hv = 1;
		fd = opener->open(opener->ctx, &attr, 0, -1, -1, 0);
	}
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int try_event(struct catalog *catalog, u32 type, u64 config)
{
	return try_attr(catalog, &(struct perf_event_attr){ .type = type, .config = config });
}

/* Why @code, or NULL for 0. The text is valid until the next call. */
static const char *why_missing(struct catalog *catalog, bool hardware, int code)
{
	struct refused_open refused = { .code = code, .need = ACCESS_OWN, .own_refused = true };

	if (!code)
		return NULL;
	if (code == -EACCES || code == -EPERM || code == -ENOSYS)
		refusal__of_open(&catalog->reason, opener__access(&catalog->opener), &refused);
	else if (hardware && catalog->hardware == CATALOG_NO_COUNTERS)
		refusal__no_counters(&catalog->reason);
	else
		snprintf(catalog->reason.cause, sizeof(catalog->reason.cause), "%s",
		         hardware ? "this machine's PMU does not count it"
		                  : "this kernel does not have it");
	return catalog->reason.cause;
}

/* One answer for all: a machine without cycles and instructions has no hardware counters. */
static void ask_for_hardware(struct catalog *catalog)
{
	int cycles, instructions;

	if (catalog->hardware != CATALOG_NOT_ASKED)
		return;
	cycles = try_event(catalog, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	instructions = try_event(catalog, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	catalog->hardware = cycles == -ENOENT && instructions == -ENOENT ? CATALOG_NO_COUNTERS
	                                                                 : CATALOG_SOME_COUNTERS;
}

static const char *try_out(struct catalog *catalog, const struct perf_event_attr *attr)
{
	bool hardware = attr->type != PERF_TYPE_SOFTWARE;
	int code = -ENOENT;

	if (hardware)
		ask_for_hardware(catalog);
	if (!hardware || catalog->hardware != CATALOG_NO_COUNTERS)
		code = try_attr(catalog, attr);
	return why_missing(catalog, hardware, code);
}

const char *catalog__why_missing(struct catalog *catalog, const struct evsel *evsel)
{
	u32 type = evsel->attr.type;

	if (evsel->tool ||
	    (!evsel->of_core_pmu && type != PERF_TYPE_HARDWARE && type != PERF_TYPE_SOFTWARE &&
	     type != PERF_TYPE_HW_CACHE && type != PERF_TYPE_RAW))
		return NULL;
	return try_out(catalog, &evsel->attr);
}

static void tell_built_in(struct catalog *catalog, struct catalog_entry *entry, u32 type,
                          u64 config, catalog_fn fn, void *ctx)
{
	char encoding[64];

	entry->missing =
	        try_out(catalog, &(struct perf_event_attr){ .type = type, .config = config });
	if (catalog->details) {
		snprintf(encoding, sizeof(encoding), "type=%u,config=%#llx", type,
		         (unsigned long long)config);
		entry->encoding = encoding;
	}
	fn(ctx, entry);
}

static int compare_event_names(const void *a, const void *b)
{
	const struct event_name *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static void each_built_in(struct catalog *catalog, enum event_class class, catalog_fn fn, void *ctx)
{
	u32 type = class == EVENT_CLASS_HARDWARE ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
	u32 nr_all, nr = 0;
	const struct event_name *all = event_names(&nr_all);
	const struct event_name **sorted = xcalloc(nr_all, sizeof(*sorted));

	for (u32 i = 0; i < nr_all; i++)
		if (all[i].type == type)
			sorted[nr++] = &all[i];
	qsort(sorted, nr, sizeof(*sorted), compare_event_names);
	for (u32 i = 0; i < nr; i++) {
		struct catalog_entry entry = { .class = class,
			                       .name = sorted[i]->name,
			                       .alias = sorted[i]->alias };

		tell_built_in(catalog, &entry, type, sorted[i]->config, fn, ctx);
	}
	free(sorted);
}

struct cache_event {
	char name[ATTR_NAME_SIZE];
	u64 config;
};

static int compare_cache_events(const void *a, const void *b)
{
	return strcmp(((const struct cache_event *)a)->name, ((const struct cache_event *)b)->name);
}

static void each_cache(struct catalog *catalog, catalog_fn fn, void *ctx)
{
	struct cache_event events[PERF_COUNT_HW_CACHE_MAX * PERF_COUNT_HW_CACHE_OP_MAX *
	                          PERF_COUNT_HW_CACHE_RESULT_MAX];
	u32 nr = 0;

	for (u32 i = 0; i < ARRAY_SIZE(events); i++) {
		struct cache_event *event = &events[nr];
		struct perf_event_attr attr = { .type = PERF_TYPE_HW_CACHE, .exclude_guest = 1 };

		attr.config = event->config = i / 6 | (i / 2 % 3) << 8 | (i % 2) << 16;
		attr__name(&attr, event->name, sizeof(event->name));
		if (attr__has_cache_op(event->config))
			nr++;
	}
	qsort(events, nr, sizeof(*events), compare_cache_events);
	for (u32 i = 0; i < nr; i++) {
		struct catalog_entry entry = { .class = EVENT_CLASS_CACHE, .name = events[i].name };

		tell_built_in(catalog, &entry, PERF_TYPE_HW_CACHE, events[i].config, fn, ctx);
	}
}

static void each_tool(catalog_fn fn, void *ctx)
{
	for (enum evsel_tool tool = EVSEL_DURATION_TIME; event_names__tool_name(tool); tool++) {
		struct catalog_entry entry = { .class = EVENT_CLASS_TOOL,
			                       .name = event_names__tool_name(tool) };

		fn(ctx, &entry);
	}
}

/* --- sources of sysfs --- */

/* "event=0x1,core=?" -> ",core=?" behind the name: what the user has to give. malloc'ed. */
static char *open_terms(const char *terms)
{
	struct event_terms parsed = { .nr = 0 };
	char *text = xstrdup("");
	u32 at;

	if (!strchr(terms, '?') || event_terms__parse(&parsed, terms, strlen(terms), &at, NULL))
		parsed.nr = 0;
	for (u32 i = 0; i < parsed.nr; i++) {
		char *longer;

		if (!parsed.terms[i].text || strcmp(parsed.terms[i].text, "?"))
			continue;
		longer = xasprintf("%s,%s=?", text, parsed.terms[i].key);
		free(text);
		text = longer;
	}
	event_terms__exit(&parsed);
	return text;
}

static void tell_pmu_event(struct catalog *catalog, const struct pmu *pmu, const char *name,
                           catalog_fn fn, void *ctx)
{
	struct catalog_entry entry = { .class = EVENT_CLASS_PMU, .source = pmu->name };
	char terms[PMU_TEXT_SIZE], unit[PMU_TEXT_SIZE], scale[PMU_TEXT_SIZE];
	char *open, *full, *encoding = NULL;

	if (!pmu__event_text(pmu, name, "", terms))
		return;
	if (pmu->is_core) {
		const struct table_event *event =
		        event_table__find(event_sources__table(catalog->sources), name, NULL);

		entry.brief = event ? event->brief : NULL;
		entry.description = event ? event->details : NULL;
	}
	open = open_terms(terms);
	full = xasprintf("%s/%s%s/", pmu->name, name, open);
	/* Of the usual CPU source the bare name does. */
	entry.name = pmu->is_core ? name : full;
	entry.alias = pmu->is_core ? full : NULL;
	if (catalog->details) {
		entry.encoding = encoding = xasprintf("%s/%s/", pmu->name, terms);
		entry.unit = pmu__event_text(pmu, name, ".unit", unit) ? unit : NULL;
		entry.scale = pmu__event_text(pmu, name, ".scale", scale) ? scale : NULL;
	}
	fn(ctx, &entry);
	free(encoding);
	free(full);
	free(open);
}

static void each_of_pmu(struct catalog *catalog, const struct pmu *pmu, catalog_fn fn, void *ctx)
{
	char **names;
	u32 nr = pmu__names(pmu, "events", &names);

	for (u32 i = 0; i < nr; i++)
		tell_pmu_event(catalog, pmu, names[i], fn, ctx);
	pmu__free_names(names, nr);
}

static void each_pmu_event(struct catalog *catalog, catalog_fn fn, void *ctx)
{
	const char *sysfs = catalog->sources->sysfs;
	char **names;
	u32 nr = pmu__find_all(sysfs, catalog->pmu ? catalog->pmu : "*", &names);
	struct pmu *pmus = xcalloc(nr + 1, sizeof(*pmus));
	u32 nr_open = 0;

	for (u32 i = 0; i < nr; i++)
		nr_open += !pmu__open(&pmus[nr_open], sysfs, names[i]);
	pmu__free_names(names, nr);
	for (u32 pass = 0; pass < 2; pass++)
		for (u32 i = 0; i < nr_open; i++)
			if (pmus[i].is_core == !pass)
				each_of_pmu(catalog, &pmus[i], fn, ctx);
	for (u32 i = 0; i < nr_open; i++)
		pmu__close(&pmus[i]);
	free(pmus);
}

/* --- the table of the processor --- */

/* Why the event of the table cannot be counted; its encoding, malloc'ed, if that is asked for. */
static const char *look_at_table_event(struct catalog *catalog, const struct table_event *event,
                                       char **encoding)
{
	struct evlist list = { .nr = 0 };
	struct error err = ERROR_INIT;
	const char *missing;

	if (evlist__parse(&list, catalog->sources, event->name, &err)) {
		snprintf(catalog->reason.cause, sizeof(catalog->reason.cause), "%.250s", err.cause);
		return catalog->reason.cause;
	}
	missing = catalog__why_missing(catalog, list.evsels[0]);
	if (catalog->details && list.evsels[0]->pmu)
		*encoding = xasprintf("%s/%s/", list.evsels[0]->pmu, event->terms);
	evlist__exit(&list);
	return missing;
}

/* Does the source of the processor itself name it? Then it is listed there. */
static bool is_in_sysfs(char *const *names, u32 nr, const struct table_event *event)
{
	for (u32 i = 0; !event->source && i < nr; i++)
		if (!strcasecmp(names[i], event->name))
			return true;
	return false;
}

/* All names of the core PMUs in sysfs, as pmu__names(). */
static u32 core_names(struct catalog *catalog, char ***all)
{
	char **sources, **names;
	u32 nr = pmu__find_all(catalog->sources->sysfs, "*", &sources), nr_all = 0, nr_names;
	size_t cap = 0;
	struct pmu pmu;

	*all = NULL;
	for (u32 i = 0; i < nr; i++) {
		if (!pmu__open(&pmu, catalog->sources->sysfs, sources[i])) {
			nr_names = pmu.is_core ? pmu__names(&pmu, "events", &names) : 0;
			array__reserve(all, &cap, nr_all + nr_names + 1, sizeof(**all));
			for (u32 n = 0; n < nr_names; n++)
				(*all)[nr_all++] = names[n];
			if (pmu.is_core)
				free(names);
			pmu__close(&pmu);
		}
	}
	pmu__free_names(sources, nr);
	return nr_all;
}

static int compare_table_events(const void *a, const void *b)
{
	const struct table_event *const *x = a, *const *y = b;
	int order = strcasecmp((*x)->name, (*y)->name);

	return order ? order : *x < *y ? -1 : *x > *y;
}

/* In small letters, as Linux's perf lists them. */
static void tell_table_event(struct catalog *catalog, const struct table_event *event,
                             catalog_fn fn, void *ctx)
{
	char *name = xstrdup(event->name), *encoding = NULL;
	struct catalog_entry entry = { .class = EVENT_CLASS_TABLE,
		                       .name = name,
		                       .source = event->source ? event->source : "cpu",
		                       .topic = event->topic,
		                       .brief = event->brief,
		                       .description = event->details };

	for (char *c = name; *c; c++)
		*c = tolower((u8)*c);
	if (!catalog->pmu || text__glob(catalog->pmu, entry.source)) {
		entry.missing = look_at_table_event(catalog, event, &encoding);
		entry.encoding = encoding;
		fn(ctx, &entry);
	}
	free(encoding);
	free(name);
}

static void each_table_event(struct catalog *catalog, catalog_fn fn, void *ctx)
{
	const struct event_table *table = event_sources__table(catalog->sources);
	const struct table_event **sorted = xcalloc(table->nr_events + 1, sizeof(*sorted));
	char **names;
	u32 nr = core_names(catalog, &names);

	for (u32 i = 0; i < table->nr_events; i++)
		sorted[i] = &table->events[i];
	qsort(sorted, table->nr_events, sizeof(*sorted), compare_table_events);
	for (u32 i = 0; i < table->nr_events; i++)
		if ((!sorted[i]->deprecated || catalog->deprecated) &&
		    !is_in_sysfs(names, nr, sorted[i]))
			tell_table_event(catalog, sorted[i], fn, ctx);
	pmu__free_names(names, nr);
	free(sorted);
}

/* --- the rest --- */

static void tell_shape(enum event_class class, const char *text, catalog_fn fn, void *ctx)
{
	struct catalog_entry entry = { .class = class, .name = text, .is_shape = true };

	fn(ctx, &entry);
}

void catalog__each(struct catalog *catalog, enum event_class class, catalog_fn fn, void *ctx)
{
	switch (class) {
	case EVENT_CLASS_HARDWARE:
	case EVENT_CLASS_SOFTWARE:
		each_built_in(catalog, class, fn, ctx);
		break;
	case EVENT_CLASS_TOOL:
		each_tool(fn, ctx);
		break;
	case EVENT_CLASS_CACHE:
		each_cache(catalog, fn, ctx);
		break;
	case EVENT_CLASS_PMU:
		each_pmu_event(catalog, fn, ctx);
		break;
	case EVENT_CLASS_RAW:
		tell_shape(class, "rNNN", fn, ctx);
		tell_shape(class, "cpu/t1=v1[,t2=v2,t3 ...]/modifier", fn, ctx);
		break;
	case EVENT_CLASS_BREAKPOINT:
		tell_shape(class, "mem:<addr>[/len][:access]", fn, ctx);
		break;
	case EVENT_CLASS_TABLE:
		each_table_event(catalog, fn, ctx);
		break;
	case EVENT_CLASS_TRACEPOINT:
	case EVENT_CLASS_SDT:
	case EVENT_CLASS_METRIC:
	case EVENT_CLASS_METRICGROUP:
	case EVENT_CLASS_NR:
		break;
	}
}

struct tracepoint_walk {
	struct catalog *catalog;
	catalog_fn fn;
	void *ctx;
};

static int tell_tracepoint(void *ctx, const char *sys, const char *name)
{
	struct tracepoint_walk *walk = ctx;
	struct tracefs *tracefs = &walk->catalog->sources->tracefs;
	char full[600], encoding[64];
	struct catalog_entry entry = { .class = EVENT_CLASS_TRACEPOINT, .name = full };
	int id;

	snprintf(full, sizeof(full), "%s:%s", sys, name);
	if (walk->catalog->details) {
		id = tracefs__event_id(tracefs, sys, name, NULL);
		snprintf(encoding, sizeof(encoding), "type=%u,config=%#x", PERF_TYPE_TRACEPOINT,
		         id > 0 ? (u32)id : 0);
		entry.encoding = id > 0 ? encoding : NULL;
	}
	walk->fn(walk->ctx, &entry);
	return 0;
}

int catalog__tracepoints(struct catalog *catalog, const char *sys, const char *name, catalog_fn fn,
                         void *ctx, struct error *err)
{
	struct tracepoint_walk walk = { catalog, fn, ctx };
	int ret = tracefs__each_event(&catalog->sources->tracefs, sys, name, tell_tracepoint, &walk,
	                              err);

	return ret < 0 ? ret : 0;
}
