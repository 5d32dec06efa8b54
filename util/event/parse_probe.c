// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Static probe points of programs (SDT) for which there is no tracepoint. One is made of each of
 * their locations (event_sources.make_tracepoint); where that cannot be, it is opened through the
 * kernel's event source "uprobe" (Linux 4.17; 4.20 for those with a semaphore).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/event/parse_private.h"
#include "util/lib/alloc.h"
#include "util/options/nearest.h"

#define SOURCE "uprobe"

struct adding {
	struct parser *p;
	const char *start;
	char *last; /* the event of the point before; its places so far: */
	u32 nr_points;
	u32 first;         /* evsels from here on have this text */
	char *text;        /* "SYS:NAME"; NULL: globs */
	bool is_of_others; /* the last event is a tracepoint that has nothing to do with it */
	int ret;
};

/* The kernel opens no place by itself: the line that makes a tracepoint of it. */
static int fail_without_source(struct adding *a, const struct probe_point *point, const char *lacks)
{
	const char *name = strchr(point->name, ':') + 1;
	char semaphore[24] = "";

	if (point->semaphore)
		snprintf(semaphore, sizeof(semaphore), "(%#llx)",
		         (unsigned long long)point->semaphore);
	return parser__fail(a->p, a->start,
	                    "this kernel's perf_event_open has no %s; make it a tracepoint: echo "
	                    "'p:%.*s/%.60s %.80s:%#llx%s' >> " TRACEFS_DEFAULT_MOUNT
	                    "/uprobe_events",
	                    lacks, (int)min_u64(name - 1 - point->name, 60), point->name, name,
	                    point->path, (unsigned long long)point->offset, semaphore);
}

/* Has the list a tracepoint of this name, from this text? */
static bool is_tracepoint(const struct adding *a, const char *name)
{
	const struct evlist *list = a->p->list;

	for (u32 i = a->first; i < list->nr && evsel__is_tracepoint(list->evsels[i]); i++)
		if (!strcmp(list->evsels[i]->name, name))
			return true;
	return false;
}

/* Is the tracepoint another one than the text's, which comes as it is a place of its point? */
static bool is_implied(const struct adding *a, const char *name)
{
	return a->text && strcmp(a->text, name) != 0;
}

/* Has a text before named it, which this one only implies? */
static bool is_named(const struct adding *a, const char *name)
{
	const struct evlist *list = a->p->list;
	bool named = false;

	for (u32 i = 0; a->nr_points && i < a->first && is_implied(a, name) && !named; i++) {
		const struct evsel *evsel = list->evsels[i];
		const char *slash = evsel->tracepoint ? strchr(evsel->tracepoint, '/') : NULL;
		const char *colon = strchr(name, ':');

		named = slash && !evsel->implied && !strcmp(slash + 1, colon + 1) &&
		        slash - evsel->tracepoint == colon - name &&
		        !strncmp(evsel->tracepoint, name, colon - name);
	}
	return named;
}

static int open_source(struct adding *a, const struct probe_point *point)
{
	struct pmu pmu;
	bool counts;

	if (pmu__open(&pmu, a->p->sources->sysfs, SOURCE))
		return fail_without_source(a, point, "event source '" SOURCE "'");
	counts = pmu__has_format(&pmu, "ref_ctr_offset");
	pmu__close(&pmu);
	if (point->semaphore && !counts)
		return fail_without_source(a, point, "semaphores of probe points");
	return 0;
}

static int add_evsel(struct adding *a, const struct probe_point *point, const char *name)
{
	struct event_terms terms = { .nr = 0 };
	char text[48] = "";
	struct evsel *evsel;
	u32 at;
	int ret;

	if (point->semaphore)
		snprintf(text, sizeof(text), "ref_ctr_offset=%#llx",
		         (unsigned long long)point->semaphore);
	ret = event_terms__parse(&terms, text, strlen(text), &at, NULL);
	if (!ret)
		ret = parser__add_of_source(a->p, SOURCE, &terms, a->start, name);
	event_terms__exit(&terms);
	if (ret)
		return ret;
	evsel = a->p->list->evsels[a->p->list->nr - 1];
	evsel->attr.config2 = point->offset;
	evsel__set_text(&evsel->probe_path, point->path);
	evsel->inherit = 0;
	return 0;
}

/* 1: it is a tracepoint now, and in the list; 0: it is none. */
static int add_made(struct adding *a, const struct probe_point *point)
{
	const struct event_sources *sources = a->p->sources;
	char *made = NULL;
	int ret = sources->make_tracepoint
	                  ? sources->make_tracepoint(sources->make_ctx, point, a->nr_points, &made)
	                  : -EOPNOTSUPP;

	if (ret == -EEXIST && !a->nr_points)
		a->is_of_others = is_tracepoint(a, point->name);
	if (a->is_of_others || (!ret && (is_tracepoint(a, made) || is_named(a, made)))) {
		free(made);
		return 1;
	}
	if (!ret) {
		bool implied = is_implied(a, made);
		char *colon = strchr(made, ':');
		u32 before = a->p->list->nr;

		*colon = '\0';
		ret = parser__add_tracepoint(a->p, made, colon + 1) ?: 1;
		if (a->p->list->nr > before)
			a->p->list->evsels[before]->implied = implied;
	} else {
		ret = 0;
	}
	free(made);
	return ret;
}

/* The first place has the event's name, the second NAME_1, as perf probe calls them. */
static void add_point(void *ctx, const struct probe_point *point)
{
	struct adding *a = ctx;
	char *name;
	int ret;

	if (a->ret)
		return;
	if (!a->last || strcmp(a->last, point->name) != 0) {
		a->nr_points = 0;
		a->is_of_others = !a->p->sources->make_tracepoint && is_tracepoint(a, point->name);
	}
	evsel__set_text(&a->last, point->name);
	name = a->nr_points ? xasprintf("%s_%u", point->name, a->nr_points) : xstrdup(point->name);
	ret = a->is_of_others ? 1 : add_made(a, point);
	a->nr_points++;
	if (!ret)
		ret = open_source(a, point);
	if (!ret)
		ret = add_evsel(a, point, name);
	a->ret = ret < 0 ? ret : 0;
	free(name);
}

int parser__add_probe_points(struct parser *p, const char *start, const char *sys, const char *name,
                             u32 first)
{
	struct adding a = { .p = p, .start = start, .first = first };
	struct error cause = ERROR_INIT;
	int ret;

	if (!p->sources->probe_points)
		return 1;
	if (!strpbrk(sys, "*?[") && !strpbrk(name, "*?["))
		a.text = xasprintf("%s:%s", sys, name);
	ret = p->sources->probe_points(sys, name, add_point, &a, &cause);
	free(a.last);
	free(a.text);
	if (a.ret)
		return a.ret;
	/* Tracepoints of the name count, also if the cache has it of a program that is gone. */
	if (p->list->nr > first)
		return 0;
	return ret < 0 ? parser__fail(p, start, "%s", cause.cause) : 1;
}

bool evlist__probes_stay(const struct evlist *list, struct error *warning)
{
	for (u32 i = 0; i < list->nr; i++) {
		if (!list->evsels[i]->probe_path)
			continue;
		error__set(warning, -EOPNOTSUPP, "new threads and children are not measured with",
		           list->evsels[i]->name, "the kernel hands no probe point on to them");
		error__advise(warning, "-a measures all of the machine; -i says that it is meant");
		return true;
	}
	return false;
}

struct offering {
	struct nearest *nearest;
	struct arena *arena;
	const char *last;
};

static void offer_point(void *ctx, const struct probe_point *point)
{
	struct offering *offering = ctx;

	if (offering->last && !strcmp(offering->last, point->name))
		return;
	offering->last = arena__strndup(offering->arena, point->name, strlen(point->name));
	nearest__offer(offering->nearest, offering->last);
}

void parser__offer_probe_points(struct parser *p, struct nearest *nearest, struct arena *arena)
{
	struct offering offering = { nearest, arena, NULL };

	if (p->sources->probe_points)
		p->sources->probe_points("*", "*", offer_point, &offering, NULL);
}
