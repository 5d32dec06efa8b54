/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One measurement: open the counters, start the workload or watch tasks or CPUs, wait, and read.
 * Repeated for -r.
 *
 * One poll (wait.h) waits for the end of the workload, ^C, a time-out and the end of watched tasks:
 * SIGINT, SIGTERM and SIGCHLD are blocked from measurement__init() on and read from a descriptor.
 * There are no handlers and no fixed waits.
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

/* Callbacks during a measurement. All may be NULL. */
struct measure_hooks {
	/* All events are open; the workload has not started. Not 0: the run ends with that code. */
	int (*opened)(void *ctx, struct error *err);
	/* -I: an interval has ended; its counts are in measurement.stretch. @since_start and
	 * @length in ns. */
	void (*interval)(void *ctx, u64 since_start, u64 length);
	void (*switched)(void *ctx, bool enabled); /* by -D and --control */
	/* --control: an unknown command; NULL: no more commands can come. */
	void (*control)(void *ctx, const struct control_command *unknown);
	void *ctx;
};

struct measurement {
	/* Set by the caller before measurement__init(). */
	enum measure_target target;
	struct evlist *list;
	struct cpu_map cpus;       /* {CPU_ANY} for tasks */
	struct thread_map threads; /* any one entry for MEASURE_WORKLOAD: the pid comes later */
	bool whole_processes;      /* MEASURE_TASKS: threads holds all threads of processes (-p) */
	const char **argv; /* the workload; for other targets it only limits the time; NULL: none */
	bool no_inherit, no_scale, sync;
	bool recorded;                 /* for a recording: readers find events by their ids */
	unsigned delay_ms, timeout_ms; /* 0: none */
	bool never_start;              /* the events stay disabled until --control enables them */
	unsigned interval_ms;          /* 0: no intervals */
	unsigned interval_count;       /* end after this many; 0: no limit */
	enum aggregate_mode aggregate;
	struct control control; /* CONTROL_INIT: none; owned by the caller */
	struct measure_hooks hooks;
	/* The results. */
	struct aggregation counts;  /* over the runs */
	struct aggregation stretch; /* of one interval, while hooks.interval() is called */
	struct reading **readings;  /* [event][cpu * threads.nr + thread] of the latest run */
	struct error **refusals;    /* why an event is not supported; NULL: it is */
	bool ending;                /* the interval at hooks.interval() is the last one */
	struct stats wall;          /* elapsed ns of the runs */
	struct workload workload;   /* of the latest run */
	bool ended_workload;        /* perf ended it, with SIGTERM */
	int signal;                 /* SIGINT or SIGTERM that ended the measurement; 0: none */
	struct opener opener;
	/* private */
	struct reading **before; /* at the end of the last interval */
	int signal_fd;
	u64 start, last_interval;
	u32 nr_intervals;
};

/* Prepares the evsels' attrs for counting and blocks the signals. */
int measurement__init(struct measurement *measurement, struct error *err);

/* Frees the results; the caller still owns the maps and the list. Signals stay blocked. */
void measurement__exit(struct measurement *measurement);

/*
 * Do one run; its counts are in counts (run) and added to the statistics. An event that this
 * machine does not have is left out (supported false, refusal set). Events stay open, because the
 * kernel takes long to close many of them: call measurement__close() before the next run. 0 or a
 * negative errno with @err.
 */
int measurement__run(struct measurement *measurement, struct error *err);

void measurement__close(struct measurement *measurement);

/* Forget the runs so far. */
void measurement__reset(struct measurement *measurement);

#endif
