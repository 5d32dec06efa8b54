/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses event texts, as -e takes them, into an evlist.
 *
 *	cycles  cs  L1-dcache-load-misses     hardware, software and cache names with their aliases
 *	sched:sched_switch  'sched:*'         tracepoints (probes are tracepoints)
 *	sdt_libc:setjmp                       marks in programs, whether or not they are tracepoints
 *	r1a8  mem:0x1000/8:rw                 raw hardware codes, breakpoints
 *	msr/tsc/  cpu/event=0x3c,umask=1/     event sources of sysfs
 *	inst_retired.any                      names from this processor's event table
 *	cycles/period=1000,name=x/            terms on any event
 *	cycles:u  {cycles,instructions}:S     modifiers, groups
 *	a,b                                   lists
 *
 * The name of an evsel is the text it came from (without spaces around), or its name= term; group
 * modifiers are not part of it. An error has the position in the text and names similar to it.
 */
#ifndef PERF_UTIL_EVENT_PARSE_H
#define PERF_UTIL_EVENT_PARSE_H

#include "util/event/event_table.h"
#include "util/event/evsel.h"
#include "util/event/tracefs.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

/* A static probe point: a location in a program that its author marked (SDT). */
struct probe_point {
	const char *name; /* "sdt_PROVIDER:NAME" */
	const char *path; /* of the program or library */
	u64 offset;       /* in that file */
	u64 semaphore;    /* offset of its counter in the file; 0: it has none */
	const char *args; /* for uprobe_events: "arg1=%di:u64 arg2=...", or "" */
};

/* Where names come from besides the built-in ones; read only when a text needs it. */
struct event_sources {
	struct tracefs tracefs;
	const char *sysfs;         /* "/sys/bus/event_source/devices" */
	bool counting;             /* no samples are taken: terms about them are refused */
	struct event_table *table; /* NULL: not read yet */
	const char *pmu_filter;    /* a glob: where a name is of several sources, these; or NULL */
	/*
	 * Call @each for the probe points whose names match the globs; those of one name follow
	 * each other. 0, or a negative errno with @err's cause: why some were left out. NULL: there
	 * are none.
	 */
	int (*probe_points)(const char *sys, const char *name,
	                    void (*each)(void *ctx, const struct probe_point *point), void *ctx,
	                    struct error *err);
	/*
	 * Make @point a tracepoint for as long as the command runs: *made ("sdt_web:begin",
	 * malloc'ed) is the one that stands there already, or its name, or (for @nth > 0, the one
	 * of that number of its name) NAME_1 ..., whichever is free. 0: it is there; -EEXIST: what
	 * has its name is no such point; else it is to be opened through the event source "uprobe".
	 * NULL: all are.
	 */
	int (*make_tracepoint)(void *ctx, const struct probe_point *point, u32 nth, char **made);
	void *make_ctx;
};

#define EVENT_SOURCES_INIT                                                                         \
	{                                                                                          \
		.tracefs = TRACEFS_INIT, .sysfs = "/sys/bus/event_source/devices"                  \
	}

void event_sources__exit(struct event_sources *sources);

/* The table of events and metrics of this processor; read at the first call. Never NULL. */
struct event_table *event_sources__table(struct event_sources *sources);

/*
 * Append the events of @text to @list. 0, or a negative errno with @err filled and the list
 * unchanged; err->place is the position in the text.
 *
 * attr has type, config*, breakpoint fields, exclude_*, precise_ip, pinned, exclusive, exclude_idle
 * and, with terms period= or freq=, these; everything else is set by the command. Tracepoints have
 * no sample_period yet.
 */
int evlist__parse(struct evlist *list, struct event_sources *sources, const char *text,
                  struct error *err);

/*
 * Does @list have a static probe point? The kernel does not let new threads and children inherit
 * it; @warning says so.
 */
bool evlist__probes_stay(const struct evlist *list, struct error *warning);

/*
 * Add the built-in event of this text, without parsing errors: "cycles", "dummy:HG" ... Uses no
 * sysfs and no tracefs. Never NULL.
 */
struct evsel *evlist__add_named(struct evlist *list, const char *name);

/* The built-in names, for `list` and for error messages. */
struct event_name {
	const char *name, *alias; /* alias NULL: none */
	u32 type;
	u64 config;
};
const struct event_name *event_names(u32 *nr);

/* "duration_time" ...: EVSEL_NO_TOOL when @name is none of them. */
enum evsel_tool event_names__tool(const char *name);
const char *event_names__tool_name(enum evsel_tool tool); /* NULL: there is none */

/* A built-in name or alias, or a cache event in any of its spellings. */
bool event_names__find(const char *name, u32 *type, u64 *config);

/* Each built-in name, aliases and the usual cache events included. */
void event_names__each(void (*fn)(void *ctx, const char *name), void *ctx);

struct nearest;
void event_names__offer(struct nearest *nearest); /* all built-in ones, for "did you mean" */

#endif
