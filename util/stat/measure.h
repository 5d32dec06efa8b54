/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One measurement: open the counters, let the workload go (or watch running tasks or CPUs), wait
 * for the end, read. Repeated for -r.
 *
 * The end of the workload, ^C, a time-out and the end of watched tasks are all waited for in one
 * poll (wait.h): SIGINT, SIGTERM and SIGCHLD are blocked from measurement__init() on and read from
 * a descriptor. There are no handlers and no fixed waits.
 */
#ifndef PERF_UTIL_STAT_MEASURE_H
#define PERF_UTIL_STAT_MEASURE_H

#include "util/counter/control.h"
#include "util/counter/open.h"
#include "util/counter/targets.h"
#include "util/counter/workload.h"
#include "util/lib/error.h"
#include "util/stat/aggregate.h"

enum measure_target {
	MEASURE_WORKLOAD, /* the command and its children */
	MEASURE_TASKS,    /* running processes or threads, until they end */
	MEASURE_CPUS,
};

/* What the caller wants to know while it goes on. All may be NULL. */
struct measure_hooks {
	/* All events are open, and the workload has not started. Not 0: the run ends with that. */
	int (*opened)(void *ctx, struct error *err);
	/* -I: the counts of this stretch are in measurement.stretch; ns since the start, and its
	 * length. */
	void (*interval)(void *ctx, u64 since_start, u64 length);
	void (*switched)(void *ctx, bool enabled); /* by -D and --control */
	/* --control: a command that is none; NULL: nobody can send any more. */
	void (*control)(void *ctx, const struct control_command *unknown);
	void *ctx;
};

struct measurement {
	/* Set by the caller before measurement__init(). */
	enum measure_target target;
	struct evlist *list;
	struct cpu_map cpus;       /* {CPU_ANY} for tasks */
	struct thread_map threads; /* any one entry for MEASURE_WORKLOAD: the pid comes later */
	bool whole_processes; /* of MEASURE_TASKS: threads holds all threads of processes (-p) */
	const char **argv;    /* the workload, or only the clock of other targets; NULL: none */
	bool mute;            /* what the workload writes goes to /dev/null */
	bool no_inherit, no_scale, sync;
	bool recorded;                 /* for a recording: readers find events by their ids */
	unsigned delay_ms, timeout_ms; /* 0: none */
	bool never_start;              /* the events stay disabled, until --control enables them */
	unsigned interval_ms;          /* 0: no intervals */
	unsigned interval_count;       /* end after so many; 0: no limit */
	enum aggregate_mode aggregate;
	struct control control; /* CONTROL_INIT where there is none; owned by the caller */
	struct measure_hooks hooks;
	/* The results. */
	struct aggregation counts;  /* over the runs */
	struct aggregation stretch; /* of one interval, while hooks.interval() is called */
	struct reading **readings;  /* [event][cpu * threads.nr + thread] of the latest run */
	struct error **refusals;    /* why an event is not supported; NULL: it is */
	bool ending;                /* no interval follows the one that hooks.interval() has */
	struct stats wall;          /* elapsed ns of the runs */
	struct workload workload;   /* of the latest run */
	bool ended_workload;        /* we did, with SIGTERM */
	int signal;                 /* SIGINT or SIGTERM that ended it; 0 */
	struct opener opener;
	/* private */
	struct reading **before; /* at the end of the last interval */
	int signal_fd;
	u64 start, last_interval;
	u32 nr_intervals;
};

/* Prepares the evsels' attrs for counting and blocks the signals. */
int measurement__init(struct measurement *measurement, struct error *err);

/* Frees the results; the maps and the list stay the caller's. Signals stay blocked. */
void measurement__exit(struct measurement *measurement);

/*
 * One run; its counts are in counts (run) and added to the statistics. An event that this machine
 * does not have is left out (supported false, refusal set). Events are still open afterwards, for
 * closing many of them takes the kernel long: the next run does it. 0 or a negative errno with
 * @err.
 */
int measurement__run(struct measurement *measurement, struct error *err);

/* Forget the runs so far. */
void measurement__reset(struct measurement *measurement);

#endif
