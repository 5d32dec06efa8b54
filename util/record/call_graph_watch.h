/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are frame pointers still right, while a recording relies on them (record --call-graph auto)?
 * Counters of its own (cpu-clock, whatever is measured) take both kinds of chains a few times a
 * second, into rings of their own, and nothing of that comes into a file. One stack for each
 * CALL_GRAPH_WATCH_MS is unwound, with the maps that its process has then in /proc: what runs for
 * shorter than that is not judged. When two of CALL_GRAPH_STACKS speak against frame pointers, all
 * that were taken are looked at, until there are as many again as a pilot needs: then it is chosen
 * anew.
 *
 * One thread; another unwinds.
 */
#ifndef PERF_UTIL_RECORD_CALL_GRAPH_WATCH_H
#define PERF_UTIL_RECORD_CALL_GRAPH_WATCH_H

#include "util/counter/open.h"
#include "util/record/call_graph_choice.h"

#define CALL_GRAPH_WATCH_MS        200
#define CALL_GRAPH_WATCH_FREQUENCY 50

struct call_graph_watch; /* private */

/*
 * Counters for the same tasks and CPUs, borrowed, as those of @like have; they do not run yet. NULL
 * with @err on failure.
 */
struct call_graph_watch *call_graph_watch__new(struct opener *opener, const struct evsel *like,
                                               const struct cpu_map *cpus,
                                               const struct thread_map *threads, struct error *err);
void call_graph_watch__delete(struct call_graph_watch *watch); /* NULL is fine */

int call_graph_watch__start(struct call_graph_watch *watch); /* 0 or a negative errno */

/* To be called often. True, with *choice (to be freed): frame pointers are not right any more. */
bool call_graph_watch__step(struct call_graph_watch *watch, u64 now_ms,
                            struct call_graph_choice *choice);

#endif
