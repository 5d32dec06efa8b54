/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of perf record, shared by builtin-record.c and builtin-record-options.c. */
#ifndef PERF_BUILTIN_RECORD_H
#define PERF_BUILTIN_RECORD_H

#include "builtin-record-run.h"
#include "ui/text/record_messages.h"
#include "util/counter/workload.h"
#include "util/options/options.h"
#include "util/record/delay.h"
#include "util/record/recording.h"

struct record_command {
	struct recording recording;
	struct workload workload;
	const struct option *options;
	const char *const *argv; /* of the workload; NULL: none */

	/* Options as they were typed. */
	const char *writers; /* --threads; NULL: not given */
	const char *output, *cpus, *pids, *tids, *user, *ring_pages;
	const char *g_mode;       /* the mode of -g, if the configuration sets it */
	u32 nr_before_last_event; /* events in the list before the last -e: for --filter */
	struct record_loudness say;
	struct record_delay delay;
	u64 start_ms;         /* by CLOCK_MONOTONIC: the start for delay */
	double max_loss;      /* percent of what was produced; negative: no limit */
	struct error refusal; /* of an option that is understood, but not possible here */
	unsigned realtime;    /* priority of SCHED_FIFO; 0: unchanged */
	unsigned proc_map_timeout, synth_threads; /* accepted, not needed */
	const char *unused;       /* arguments that are accepted, but have no effect */
	const char *setup_filter; /* --setup-filter; NULL: not given */
	bool list_registers;      /* --user-regs=?, --intr-regs=? */
	bool by_cgroup;           /* -G */
	u32 next_cgroup;          /* index of the first event for the next -G */
	bool bundle;              /* symbols go into the file, too */
	bool all_cpus, strict_frequency, call_graph_by_g;

	struct record_run run;
	int signal_fd, timer_fd;
	int reader_fd; /* the pipe of the stream, whose reader may close it; -1: none */
	int signal;    /* the signal that ended perf; 0: none */
	bool started, stop_sent;
};

#define RECORD_NR_OPTIONS 160

/* Fill @options; they point into @c. */
void record_options__make(struct record_command *c, struct option options[RECORD_NR_OPTIONS]);

/*
 * Apply the configuration; options override it. 0, or the exit status after a message.
 */
int record_options__apply_config(struct record_command *c);

#endif
