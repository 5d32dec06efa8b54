/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists all events that can be named on this machine, class by class, for `perf list`. Built-in
 * names are tried (a counter is opened for each and closed at once); sysfs and tracefs are walked.
 * Nothing is kept: each event is only passed to the caller.
 */
#ifndef PERF_UTIL_COUNTER_CATALOG_H
#define PERF_UTIL_COUNTER_CATALOG_H

#include "util/counter/open.h"
#include "util/event/parse.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

enum event_class { /* in the order of `perf list` */
	           EVENT_CLASS_HARDWARE,
	           EVENT_CLASS_SOFTWARE,
	           EVENT_CLASS_TOOL,
	           EVENT_CLASS_CACHE,
	           EVENT_CLASS_PMU,
	           EVENT_CLASS_TABLE, /* what only the table of this processor names */
	           EVENT_CLASS_RAW,
	           EVENT_CLASS_BREAKPOINT,
	           EVENT_CLASS_TRACEPOINT,
	           EVENT_CLASS_SDT, /* of the build-id cache (util/sdt/sdt.h), not from here */
	           EVENT_CLASS_METRIC,
	           EVENT_CLASS_METRICGROUP, /* these two not from here, either:
	                                       util/stat/metric_set.h */
	           EVENT_CLASS_NR,
};

/* The text in brackets after such an event: "Hardware event". */
const char *event_class__tag(enum event_class class);

/* Strings live during the call. Those of sysfs and tracefs may hold any byte. */
struct catalog_entry {
	enum event_class class;
	const char *name;    /* "cpu-cycles", "msr/tsc/", "sched:sched_switch" */
	const char *alias;   /* "cycles"; NULL: none */
	const char *source;  /* the PMU, "msr"; NULL for others */
	const char *missing; /* why it cannot be counted here; NULL: it can */
	bool is_shape;       /* not a name but a pattern for such events ("rNNN") */
	/* Of tables; NULL: none. */
	const char *topic, *groups, *brief, *description;
	/* Only with catalog.details, else NULL: */
	const char *encoding;     /* "type=0,config=0x1", "msr/event=0x01/" */
	const char *unit, *scale; /* of counts; NULL: none */
};

typedef void (*catalog_fn)(void *ctx, const struct catalog_entry *entry);

struct catalog {
	struct event_sources *sources;
	struct opener opener;
	const char
	        *pmu; /* only events of this source (a pattern as in an event text); NULL: of all */
	bool details;
	bool deprecated;       /* also the table's deprecated events */
	struct refusal reason; /* for entry.missing, when a right is missing */
	enum { CATALOG_NOT_ASKED, CATALOG_NO_COUNTERS, CATALOG_SOME_COUNTERS } hardware;
};

/* @sources is borrowed. */
void catalog__init(struct catalog *catalog, struct event_sources *sources);
void catalog__exit(struct catalog *catalog);

/*
 * Call @fn for each event of @class, sorted by name (those of core PMUs first). Not for
 * tracepoints, SDT and metrics.
 */
void catalog__each(struct catalog *catalog, enum event_class class, catalog_fn fn, void *ctx);

/*
 * Why this machine cannot count @evsel, or NULL. Events of the processor and of the kernel are
 * tried; all others count as possible. The text is valid until the next call.
 */
const char *catalog__why_missing(struct catalog *catalog, const struct evsel *evsel);

/*
 * Call @fn for each tracepoint whose system and name match the globs, sorted. 0, or a negative
 * errno with @err: tracefs cannot be read.
 */
int catalog__tracepoints(struct catalog *catalog, const char *sys, const char *name, catalog_fn fn,
                         void *ctx, struct error *err);

#endif
