/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Static probe points (SDT) as tracepoints for one run: made when an event text names them, removed
 * when the run is over. As tracepoints they are inherited by new threads, and their samples have
 * the arguments; neither is so with the kernel's event source "uprobe".
 *
 * A point that is a tracepoint already, whoever made it, is used and left alone.
 */
#ifndef PERF_UTIL_PROBE_RUN_PROBES_H
#define PERF_UTIL_PROBE_RUN_PROBES_H

#include "util/event/parse.h"
#include "util/lib/alloc.h"
#include "util/probe/point_lines.h"

struct run_probes {
	struct tracefs *tracefs;
	char **lines; /* as written: what is to be removed */
	u32 nr;
	size_t cap;
	struct error trouble; /* why the first was not made; code 0: all were */
	char *left_out;       /* the first argument that no probe can fetch, and why; NULL: none */
	u32 nr_left_out;
	struct point_lines points; /* private */
};

/* Let the parser make tracepoints of static probe points: sets fields of @sources. */
void run_probes__init(struct run_probes *probes, struct event_sources *sources);

/*
 * Remove what was made, once no counter is open any more. 0, or a negative errno with @err: what
 * was removed or not, nothing is left to be freed.
 */
int run_probes__exit(struct run_probes *probes, struct error *err);

#endif
