// SPDX-License-Identifier: GPL-2.0-or-later
/* The options of perf record about its run and its output files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-record.h"
#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/options/debuginfod_option.h"
#include "ui/term/diag.h"
#include "util/lib/text.h"

static int parse_switch_output(const struct option *option, const char *arg, bool unset,
                               struct error *err)
{
	struct record_run *run = option->value;

	run->when = (struct switch_output){ 0 };
	run->when_text = arg;
	return unset ? 0 : switch_output__parse(&run->when, arg ? arg : "signal", err);
}

static int parse_trigger(const struct option *option, const char *arg, bool unset,
                         struct error *err)
{
	struct record_command *c = option->value;

	if (unset) {
		evlist__truncate(&c->run.triggers, 0);
		return 0;
	}
	return evlist__parse(&c->run.triggers, &c->recording.wish.sources, arg, err);
}

static int parse_max_size(const struct option *option, const char *arg, bool unset,
                          struct error *err)
{
	struct record_run *run = option->value;

	run->max_size = 0;
	return unset ? 0 : record__parse_size(arg, &run->max_size, "cannot limit the size to", err);
}

/* Bytes; B, K, M, G may stand behind them. */
static int parse_flush(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct record_run *run = option->value;

	run->flush = 0;
	if (unset || !text__parse_u64(arg, &run->flush))
		return 0;
	return record__parse_size(arg, &run->flush, "cannot flush rings from", err);
}

static int parse_affinity(const struct option *option, const char *arg, bool unset,
                          struct error *err)
{
	struct recording *recording = option->value;

	recording->wish.affinity = AFFINITY_SYS;
	if (unset || !strcmp(arg, "sys"))
		return 0;
	if (strcmp(arg, "node") && strcmp(arg, "cpu"))
		return error__set(err, -EINVAL, "unknown affinity", arg,
		                  "it must be one of sys, node, cpu");
	recording->wish.affinity = *arg == 'n' ? AFFINITY_NODE : AFFINITY_CPU;
	return 0;
}

static int parse_aio(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct record_run *run = option->value;
	u64 nr = 1;

	if (!unset && arg && text__parse_u64(arg, &nr))
		return error__set(err, -EINVAL, "cannot use the number of control blocks", arg,
		                  "not a number");
	run->aio = unset ? 0 : min_u64(nr ? nr : 1, 4);
	return 0;
}

/* What it means depends on the CPUs that are recorded. */
static int parse_writers(const struct option *option, const char *arg, bool unset,
                         struct error *err)
{
	struct record_command *c = option->value;

	(void)err;
	c->writers = unset ? NULL : arg ? arg : "";
	return 0;
}

static int parse_aux(const struct option *option, const char *arg, bool unset, struct error *err)
{
	bool *wanted = option->value;

	(void)arg;
	(void)err;
	*wanted = !unset;
	return 0;
}

void record_run__add_options(struct record_command *c, struct option *options, u32 room)
{
	struct record_run *run = &c->run;
	struct recording *recording = &c->recording;
	const struct option table[] = {
		OPT_GROUP("How it runs"),
		OPT_STRING(0, "control", &run->control_text, "fd:CTL[,ACK] or fifo:CTL[,ACK]",
		           "read commands while recording: enable, disable, stop ..."),
		OPT_BOOL(0, "overwrite", &recording->wish.config.overwrite,
		         "keep the newest samples in the rings, write them at the end"),
		OPT_BOOL(0, "tail-synthesize", &recording->wish.tail_synthesis,
		         "synthesize records of what exists at the end, not at the start"),
		OPT_CALLBACK(0, "mmap-flush", run, "number",
		             "leave rings with fewer unread bytes for later", parse_flush),
		OPT_CALLBACK(0, "affinity", recording, "sys|node|cpu",
		             "read each ring on its own CPU, or on a CPU of its node",
		             parse_affinity),
		OPT_CALLBACK(0, "aio", run, "n", "accepted; writing has nothing to wait for",
		             parse_aio, .flags = OPTION_OPTIONAL_ARG),
		OPT_CALLBACK(
		        0, "threads", c, "spec",
		        "write a folder with several threads, one per cpu, core, package or numa",
		        parse_writers, .flags = OPTION_OPTIONAL_ARG),
		OPT_BOOL(0, "dry-run", &run->dry_run, "check the options, then exit"),
		OPT_GROUP("Into how many files"),
		OPT_CALLBACK(0, "switch-output", run, "signal or size[BKMG] or time[smhd]",
		             "switch to a new file on SIGUSR2, by size, or by time",
		             parse_switch_output, .flags = OPTION_OPTIONAL_ARG),
		OPT_CALLBACK(0, "switch-output-event", c, "event",
		             "switch to a new file when this event occurs", parse_trigger),
		OPT_UINT(0, "switch-max-files", &recording->wish.max_files, "n",
		         "keep only the last n files"),
		OPT_BOOL(0, "timestamp-filename", &recording->wish.stamped,
		         "append the time to the file's name"),
		OPT_CALLBACK(0, "max-size", run, "size[BKMG]",
		             "stop when the file reaches this size", parse_max_size),
		OPT_GROUP("What this machine or perf does not have"),
		OPT_CALLBACK('S', "snapshot", &run->snapshot, "opts",
		             "record snapshots of AUX traces (needs hardware)", parse_aux,
		             .flags = OPTION_OPTIONAL_ARG),
		OPT_CALLBACK(0, "aux-sample", &run->aux_sample, "opts",
		             "record AUX traces in samples (needs hardware)", parse_aux,
		             .flags = OPTION_OPTIONAL_ARG),
		OPT_BOOL(0, "kcore", &run->kcore, "write a folder with a copy of the kernel"),
		OPT_BOOL(0, "off-cpu", &run->off_cpu, "record off-CPU times (needs BPF)"),
		OPT_CALLBACK(0, "debuginfod", run, "urls",
		             "accepted: perf report --debuginfod fetches what it needs",
		             debuginfod_option__refuse, .flags = OPTION_OPTIONAL_ARG),
		{ .type = OPTION_END },
	};
	u32 at = 0;

	while (options[at].type != OPTION_END)
		at++;
	BUG_ON(at + ARRAY_SIZE(table) > room);
	memcpy(options + at, table, sizeof(table));
}

/* ---- what cannot be done ---- */

static int refuse_aux(const char *what)
{
	diag__say_error(
	        "%s: no event here writes AUX traces (Intel PT, ARM SPE, CoreSight)\n"
	        "for call graphs use -g; for all that happened a tracepoint, see 'perf list'",
	        what);
	return -EINVAL & 0xff;
}

/* A folder with a copy of the kernel: not where it cannot be had, or has no place. */
static int check_kcore(const struct record_command *c)
{
	if (access("/proc/kcore", R_OK))
		diag__say_error("kcore is not readable: '/proc/kcore': %s\n"
		                "record as root, on a kernel with CONFIG_PROC_KCORE",
		                strerror(errno));
	else if (c->run.when.enabled || c->run.triggers.nr)
		diag__say_error("cannot use --kcore together with --switch-output: it makes a "
		                "folder\nleave one of them out");
	else
		return 0;
	return EXIT_ERROR;
}

static int refuse_off_cpu(void)
{
	diag__say_error(
	        "cannot do --off-cpu: it needs BPF programs, which this perf does not have\n"
	        "record switches instead: perf record -e sched:sched_switch -g");
	return EXIT_ERROR;
}

static int check_refused(const struct record_run *run)
{
	if (run->snapshot)
		return refuse_aux("No AUX area tracing to snapshot");
	if (run->aux_sample)
		return refuse_aux("No AUX area event to sample");
	return run->off_cpu ? refuse_off_cpu() : 0;
}

/* With --threads: 0, or the exit status after a message. */
static int check_writers(struct record_command *c)
{
	struct record_run *run = &c->run;

	if (c->recording.wish.affinity != AFFINITY_SYS || run->aio) {
		diag__say_error("%s option is mutually exclusive to parallel streaming mode\n"
		                "leave it out, or --threads",
		                run->aio ? "--aio" : "--affinity");
		return EXIT_ERROR;
	}
	if (run->when.enabled || run->triggers.nr)
		diag__say_warning("--switch-output option is not available in parallel streaming "
		                  "mode");
	else if (c->recording.wish.stamped)
		diag__say_warning("--timestamp-filename option is not available in parallel "
		                  "streaming mode");
	run->when = (struct switch_output){ 0 };
	c->recording.wish.stamped = false;
	evlist__truncate(&run->triggers, 0);
	return 0;
}

int record_run__check(struct record_command *c, const char *const *usage)
{
	struct record_run *run = &c->run;
	struct recording *recording = &c->recording;
	struct error err = ERROR_INIT;
	int ret = check_refused(run);

	recording->wish.kcore = run->kcore;

	if (!ret && c->writers)
		ret = check_writers(c);
	if (!ret && run->kcore)
		ret = check_kcore(c);
	if (ret)
		return ret;
	if (run->triggers.nr && !run->when.enabled)
		run->when = (struct switch_output){ .enabled = true, .by_signal = true };
	else if (run->triggers.nr)
		run->when.by_signal = true;
	if (run->when.enabled) {
		recording->wish.switching = recording->wish.stamped = true;
		/* Each file would cost a look through it: only if it was asked for. */
		if (!run->build_ids_said)
			recording->wish.no_build_ids = true;
		if (!run->cache_said)
			recording->wish.no_cache = true;
	}
	recording->wish.size_mark = run->max_size;
	if (run->when.size && (!run->max_size || run->when.size < run->max_size))
		recording->wish.size_mark = run->when.size;
	recording->wish.flush = min_u64(run->flush, recording->wish.ring_size / 4);
	recording->wish.config.side_band_apart = run->control_text != NULL;
	if (run->control_text && control__open(&run->control, run->control_text, &err))
		return command_line__usage(&err, usage, c->options, "--control");
	return 0;
}
