/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf record while it runs: react to --control, SIGUSR2, the clock, an event or the file's size by
 * switching output files, starting, stopping or ending.
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
	unsigned aio;                         /* accepted: writing does not wait anyway */
	bool snapshot, aux_sample, kcore, dry_run, off_cpu;
	bool build_ids_said, cache_said; /* -B, -N or their --no- forms were given */

	/* Private. */
	struct evlist triggers;     /* --switch-output-event */
	struct rings trigger_rings; /* of triggers: their records are not written */
	struct control control;
	int timer;            /* of --switch-output=TIME */
	bool control_warned;  /* a warning of an invalid command was printed */
	bool usr2;            /* SIGUSR2 arrived and is not handled yet */
	bool ended;           /* by --max-size or stop: end the workload, too */
	struct error trouble; /* of a failed switch */
};

#define RECORD_RUN_INIT                                                                            \
	{                                                                                          \
		.control = CONTROL_INIT, .trigger_rings = RINGS_INIT, .timer = -1                  \
	}

/* Append rows to @options. The recording of @c must be initialized. */
void record_run__add_options(struct record_command *c, struct option *options, u32 room);

/* After parsing: apply options that affect others. 0, or the exit status after a message. */
int record_run__check(struct record_command *c, const char *const *usage);

/*
 * Before recording__begin(): make the list of descriptors to wait for: @own, the command's, then
 * those of @c->run. The caller frees *events.
 */
int record_run__open(struct record_command *c, const int *own, u32 nr, int **events, u32 *nr_events,
                     struct error *err);
void record_run__exit(struct record_run *run);

/* Handle ready descriptors and the file's size mark. True: the recording ends. */
bool record_run__step(struct record_command *c);

#endif
