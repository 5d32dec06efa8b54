/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check that frame pointers stay correct while a recording uses them (record --call-graph auto).
 *
 * Extra counters (cpu-clock, whatever is measured) take both kinds of chains a few times a second,
 * into rings of their own; none of this gets into a file. One stack per LOOK_MS is unwound, with
 * the current maps of its process in /proc: processes that end earlier are not judged. When two of
 * PILOT_STACKS contradict frame pointers, all stacks taken are unwound until there are PILOT_STACKS
 * more; then the choice is made anew.
 *
 * For one thread; another thread unwinds.
 */
#ifndef PERF_UTIL_RECORD_LOOK_H
#define PERF_UTIL_RECORD_LOOK_H

#include "util/counter/open.h"
#include "util/record/pilot.h"

#define LOOK_MS        200
#define LOOK_FREQUENCY 50

struct look; /* private */

/*
 * Open counters for the tasks and CPUs of @like, which are borrowed; they do not run yet. NULL with
 * @err on failure.
 */
struct look *look__new(struct opener *opener, const struct evsel *like, const struct cpu_map *cpus,
                       const struct thread_map *threads, struct error *err);
void look__delete(struct look *look); /* NULL is fine */

int look__start(struct look *look); /* 0 or a negative errno */

/* Call it often. True: frame pointers are no longer correct; *choice is set (the caller frees it).
 */
bool look__step(struct look *look, u64 now_ms, struct pilot_choice *choice);

#endif
