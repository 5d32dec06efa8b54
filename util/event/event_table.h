/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event tables, as processor makers publish them: JSON files of events and metrics. An event has a
 * name, a code and descriptions; a metric is a formula over events. Where they are:
 *
 *	ROOT/common/NAME.json		metrics of names that every processor has
 *	ROOT/ARCH/mapfile.csv		"pattern,version,FOLDER,core" lines: which table is whose
 *	ROOT/ARCH/NAME.json		events that the others refer to by ArchStdEvent
 *	ROOT/ARCH/FOLDER/NAME.json	the table; NAME is the topic of what is in it
 *
 * ROOT is $PERF_EVENT_TABLES, else the folder `events` beside the program (a build has it), else
 * where `make install` puts it. HOWTO-add-an-event-table.md describes the fields.
 *
 * The files are read when a name is not known otherwise. They are outside data: a mistake drops the
 * entry it is in, or the rest of its file if it breaks the JSON; it is kept as a problem with file
 * and line.
 */
#ifndef PERF_UTIL_EVENT_EVENT_TABLE_H
#define PERF_UTIL_EVENT_EVENT_TABLE_H

#include "util/lib/alloc.h"
#include "util/lib/types.h"

#define TABLE_PROBLEMS_MAX 16 /* kept as text */

/* All strings live as long as the table, and may hold any byte but NUL. */
struct table_event {
	const char *name;            /* as in the file; look-ups ignore case */
	const char *source;          /* "uncore_cbox", "cpu_core"; NULL: the processor's PMU */
	const char *terms;           /* "event=0xc4,umask=0x20" */
	const char *topic;           /* "branch" */
	const char *brief, *details; /* descriptions; NULL: none */
	const char *scale, *unit;    /* of its count; NULL: none */
	bool deprecated;
};

struct table_metric {
	const char *name, *formula;
	const char *groups; /* "A;B", "" for none */
	const char *topic;
	const char *brief, *details; /* NULL: none */
	double scale;                /* factor for showing the value */
	const char *unit;            /* of the value shown ("%"); NULL: none */
	bool apart;                  /* its events must not be one group */
	const char *file;            /* for messages, with line */
	u32 line;
	u32 order; /* private */
};

struct event_table {
	struct table_event *events; /* in the order of the files */
	u32 nr_events;
	struct table_metric *metrics; /* one for each name: the last definition */
	u32 nr_metrics;
	const char *cpu;    /* cpu_id__read(); "" */
	const char *folder; /* the table of this CPU, "ARCH/FOLDER"; NULL: none */
	const char *root;
	const char *problems[TABLE_PROBLEMS_MAX]; /* "FILE:LINE: cause" */
	u32 nr_problems;                          /* at most TABLE_PROBLEMS_MAX have a text */
	/* private */
	size_t events_cap, metrics_cap;
	struct arena arena;
	struct table_std *std; /* events for ArchStdEvent, while files are read */
	u32 nr_files;
};

/* Where to look, for tests. NULL members: as described above, and this machine's. */
struct event_table_selector {
	const char *root, *arch, *cpu;
};

/* Never NULL; without files it is empty. */
struct event_table *event_table__load(const struct event_table_selector *selector);
void event_table__free(struct event_table *table); /* NULL is fine */

/*
 * The next event of this name (in any letter case) after @after (NULL: the first); NULL: no more.
 */
const struct table_event *event_table__find(const struct event_table *table, const char *name,
                                            const struct table_event *after);

const struct table_metric *event_table__metric(const struct event_table *table, const char *name);

/* Is @metric in @group (in any letter case)? */
bool table_metric__is_in(const struct table_metric *metric, const char *group);

/* The groups of all metrics, each once, sorted. The array is the caller's to free. */
const char **event_table__groups(struct event_table *table, u32 *nr);

/* --- for the loader and tests: event_table_read.c --- */

/*
 * Add the entries of the JSON @text; @path is for messages, @topic is copied. With @std its events
 * are kept only for ArchStdEvent.
 */
void event_table__read(struct event_table *table, const char *path, const char *topic,
                       const char *text, size_t len, bool std);
void event_table__add_problem(struct event_table *table, const char *path, u32 line,
                              const char *fmt, ...) PRINTF_LIKE(4, 5);
void event_table__exit_std(struct event_table *table);

#endif
