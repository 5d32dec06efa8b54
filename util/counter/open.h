/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens counters, with less than was asked for where kernel, machine or rights demand it. A refused
 * counter is tried again with less, by one documented ladder (the table in open.c names each rung,
 * its kernel version and its reason). What was given up is kept in the opener for -v and holds for
 * the events opened after it.
 */
#ifndef PERF_UTIL_COUNTER_OPEN_H
#define PERF_UTIL_COUNTER_OPEN_H

#include <sys/types.h>

#include "util/counter/opener.h"
#include "util/counter/targets.h"
#include "util/event/evsel.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

/*
 * Open @evsel for each of @cpus x @threads (its leader, if it has another, must be open). On
 * success evsel->fds holds them all and attr is what the kernel accepted. What may change beyond
 * opener.missing: precise_ip is lowered; exclude_kernel is set for a user who may count user space
 * only, and the name gets the modifier u ("cycles:u").
 *
 * A thread that has ended since the list was made is left out (fd -1) unless all have. On failure
 * nothing stays open; returns the negative errno of the last try and fills @err with cause and
 * advice. -EMFILE: raising the soft limit to the hard one did not help.
 */
int evsel__open(struct opener *opener, struct evlist *list, struct evsel *evsel,
                const struct cpu_map *cpus, const struct thread_map *threads, struct error *err);

/* If kernel events were refused before, limit @evsel to user space, which its name then shows. */
void opener__limit(const struct opener *opener, struct evsel *evsel);

/* Open all events in order; if one fails, all are closed. */
int evlist__open(struct opener *opener, struct evlist *list, const struct cpu_map *cpus,
                 const struct thread_map *threads, struct error *err);

/*
 * After @evsel was refused: a group that may be broken up (modifier W) is closed, and each of its
 * events stands alone from now on. The caller makes each of them start on its own and opens again,
 * from the former leader on. Returns the number of events; 0: @evsel is in no such group.
 */
u32 evlist__break_up(struct evlist *list, const struct evsel *evsel);

/*
 * If @code (from evsel__open) means that the machine has no such hardware event, turn cycles into
 * cpu-clock, keeping modifiers, and return true. For commands that only want to know where time
 * goes. False: @evsel is another event, or @code means something else. The caller opens again and
 * tells the user, once.
 */
bool evsel__fall_back_to_clock(struct evsel *evsel, int code);

/* Read the kernel's ids of the open counters into evsel->ids (order: cpu, thread). 0 or -errno. */
int evsel__read_ids(struct evsel *evsel);

/* ioctls on all open counters of the evsel. 0 or a negative errno of the first that failed. */
int evsel__enable(struct evsel *evsel);
int evsel__disable(struct evsel *evsel);

/* Pass evsel->filter, if any, to the kernel. Fills @err; where it refuses, with the place. */
int evsel__apply_filter(struct evsel *evsel, struct error *err);

#endif
