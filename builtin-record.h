/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf record, shared by its options (builtin-record-options.c) and its run (builtin-record.c). */
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
	const char *g_mode;       /* what -g stands for, if the configuration says so */
	u32 nr_before_last_event; /* events in the list before the last -e: for --filter */
	struct record_loudness say;
	struct record_delay delay;
	u64 start_ms;         /* by CLOCK_MONOTONIC: what delay counts from */
	double max_loss;      /* percent of what was produced; negative: no limit */
	struct error refusal; /* of an option that is understood, but cannot be done here */
	unsigned realtime;    /* priority of SCHED_FIFO; 0: as we are */
	unsigned proc_map_timeout, synth_threads; /* accepted, not needed */
	const char *unused;  /* arguments that are accepted, and mean nothing here */
	bool list_registers; /* --user-regs=?, --intr-regs=? */
	bool by_cgroup;      /* -G */
	u32 next_cgroup;     /* index of the event that the next -G begins with */
	bool bundle;         /* symbols go into the file, too */
	bool all_cpus, branches, strict_frequency, call_graph_by_g;

	struct record_run run;
	int signal_fd, timer_fd;
	int reader_fd; /* the pipe that the stream goes to: its reader may leave; -1: none */
	int signal;    /* that ended us; 0: none */
	bool started, stop_sent;
};

#define RECORD_NR_OPTIONS 160

/* Fill @options; they point into @c. */
void record_options__make(struct record_command *c, struct option options[RECORD_NR_OPTIONS]);

/*
 * Variables of the configuration; options override them. 0, or the exit status after a message.
 */
int record_options__apply_config(struct record_command *c);

#endif
