/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening counters. Kernels differ in what they know, machines in what they have and users in
 * what they may; a refused counter is tried again with less, by one documented ladder (the table
 * in open.c names each rung, its kernel version and its reason). What was given up is kept in the
 * opener for -v and holds for the events opened after it.
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
 * Open @evsel for each of @cpus x @threads (its leader, if another, must be open). On success
 * evsel->fds holds them all and attr is what the kernel accepted. What may change beyond
 * opener.missing: precise_ip is lowered; exclude_kernel is set for a user that may count user
 * space only, and the name gets the modifier u ("cycles:u").
 *
 * A thread that has ended since the list was made is left out (fd -1) unless all have.
 * On failure nothing stays open; returns the negative errno of the last try and fills @err with
 * cause and advice. -EMFILE: after raising the soft limit to the hard one did not help.
 */
int evsel__open(struct opener *opener, struct evlist *list, struct evsel *evsel,
                const struct cpu_map *cpus, const struct thread_map *threads, struct error *err);

/* Where kernel events were refused before: @evsel is of user space only, and its name says so. */
void opener__limit(const struct opener *opener, struct evsel *evsel);

/* All events in order; the first that fails ends it, and all are closed. */
int evlist__open(struct opener *opener, struct evlist *list, const struct cpu_map *cpus,
                 const struct thread_map *threads, struct error *err);

/*
 * After @evsel was refused: a group that may be broken up (modifier W) is closed, and each of its
 * events stands alone from now on. The caller makes them start by themselves and opens again, from
 * the former leader on. Returns how many events they are; 0: @evsel is of no such group.
 */
u32 evlist__break_up(struct evlist *list, const struct evsel *evsel);

/*
 * The machine has no such hardware event (evsel__open gave @code)? A command that only wants to
 * know where time goes may then take cpu-clock: turns cycles into it, keeping modifiers, and
 * returns true; false if @evsel is something else or the code says something else. The caller
 * opens again and tells the user, once.
 */
bool evsel__fall_back_to_clock(struct evsel *evsel, int code);

/* The kernel's ids of the open counters into evsel->ids (order: cpu, thread). 0 or -errno. */
int evsel__read_ids(struct evsel *evsel);

/* ioctls on all open counters of the evsel. 0 or a negative errno of the first that failed. */
int evsel__enable(struct evsel *evsel);
int evsel__disable(struct evsel *evsel);

/* Gives evsel->filter to the kernel, if there is one. Fills @err. */
int evsel__apply_filter(struct evsel *evsel, struct error *err);

#endif
