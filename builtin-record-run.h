/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf record while it runs: what comes from outside (--control, SIGUSR2, the clock, an event, the
 * size of the file) and what it does: several output files, starting, stopping, ending.
 */
#ifndef PERF_BUILTIN_RECORD_RUN_H
#define PERF_BUILTIN_RECORD_RUN_H

#include "util/counter/control.h"
#include "util/counter/ring.h"
#include "util/options/options.h"
#include "util/record/switch_output.h"

struct record_command;

struct record_run {
	/* Options. */
	struct switch_output when;
	const char *control_text, *when_text; /* as typed */
	u64 max_size, flush;                  /* bytes; 0: not given */
	unsigned aio;                         /* accepted: writing has nothing to wait for */
	bool snapshot, aux_sample, kcore, dry_run, off_cpu;
	bool build_ids_said, cache_said; /* -B, -N or their --no- were given */

	/* Private. */
	struct evlist triggers;     /* --switch-output-event */
	struct rings trigger_rings; /* theirs: only looked at, never kept */
	struct control control;
	int timer;            /* of --switch-output=TIME */
	bool control_warned;  /* what came made no sense: said once */
	bool usr2;            /* came, and was not dealt with */
	bool ended;           /* by --max-size or stop: the workload is ended with us */
	struct error trouble; /* a switch that failed */
};

#define RECORD_RUN_INIT                                                                            \
	{                                                                                          \
		.control = CONTROL_INIT, .trigger_rings = RINGS_INIT, .timer = -1                  \
	}

/* Rows behind those of @options. @c must have its recording initialized. */
void record_run__add_options(struct record_command *c, struct option *options, u32 room);

/* After parsing: what one option means for others. 0, or the exit status after a message. */
int record_run__check(struct record_command *c, const char *const *usage);

/* Before recording__begin(): what to wait for, behind @nr of the command's own (caller frees). */
int record_run__open(struct record_command *c, const int *own, u32 nr, int **events, u32 *nr_events,
                     struct error *err);
void record_run__exit(struct record_run *run);

/* Something was ready, or the file has reached its mark. True: the recording ends. */
bool record_run__step(struct record_command *c);

#endif
