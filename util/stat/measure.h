/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One measurement: open the counters, let the workload go (or watch running tasks or CPUs), wait
 * for the end, read. Repeated for -r.
 *
 * The end of the workload, ^C, a time-out and the end of watched tasks are all waited for in one
 * poll: SIGINT, SIGTERM and SIGCHLD are blocked from measurement__init() on and read from a
 * descriptor. There are no handlers and no fixed waits.
 */
#ifndef PERF_UTIL_STAT_MEASURE_H
#define PERF_UTIL_STAT_MEASURE_H

#include "util/event/open.h"
#include "util/event/targets.h"
#include "util/event/workload.h"
#include "util/lib/error.h"
#include "util/stat/counts.h"

enum measure_target {
	MEASURE_WORKLOAD, /* the command and its children */
	MEASURE_TASKS,    /* running processes or threads, until they end */
	MEASURE_CPUS,
};

struct measurement {
	/* Set by the caller before measurement__init(). */
	enum measure_target target;
	struct evlist *list;
	struct cpu_map cpus;       /* {CPU_ANY} for tasks */
	struct thread_map threads; /* any one entry for MEASURE_WORKLOAD: the pid comes later */
	bool whole_processes; /* of MEASURE_TASKS: threads holds all threads of processes (-p) */
	const char **argv;    /* the workload, or only the clock of other targets; NULL: none */
	bool no_inherit, no_scale, sync;
	unsigned delay_ms, timeout_ms; /* 0: none */
	bool never_start;              /* the events stay disabled: what they cost is measured */
	/* The results. */
	struct stat_event *events; /* one per evsel of list */
	struct stats wall;         /* elapsed ns of the runs */
	struct workload workload;  /* of the latest run */
	bool ended_workload;       /* we did, with SIGTERM */
	int signal;                /* SIGINT or SIGTERM that ended it; 0 */
	struct opener opener;
	/* private */
	int signal_fd;
};

/* Prepares the evsels' attrs for counting and blocks the signals. */
int measurement__init(struct measurement *measurement, struct error *err);

/* Frees the results; the maps and the list stay the caller's. Signals stay blocked. */
void measurement__exit(struct measurement *measurement);

/*
 * One run; its counts are in events[].run and added to the statistics. An event that this machine
 * does not have is left out (supported false, refusal set). 0 or a negative errno with @err.
 */
int measurement__run(struct measurement *measurement, struct error *err);

/* Forget the runs so far. */
void measurement__reset(struct measurement *measurement);

#endif
