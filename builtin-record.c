// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record: run a command, or watch what runs already, and write what was sampled to a file. */
#include "builtin.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui/diag.h"
#include "ui/record_messages.h"
#include "util/event/workload.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"
#include "util/record/recording.h"

struct command {
	struct recording recording;
	struct workload workload;
	const struct option *options;
	const char *const *argv; /* of the workload; NULL: none */

	/* Options as they were typed. */
	const char *output, *cpus, *pids, *tids, *user, *ring_pages;
	const char *g_mode;       /* what -g stands for, if the configuration says so */
	u32 nr_before_last_event; /* events in the list before the last -e: for --filter */
	struct record_loudness say;
	int delay_ms;         /* -1: until something else enables the events */
	struct error refusal; /* of an option that is understood, but cannot be done here */
	bool all_cpus, branches, strict_frequency, call_graph_by_g;

	int signal_fd, timer_fd;
	int signal; /* that ended us; 0: none */
	bool started, stop_sent;
};

static const char *const usage[] = {
	"perf record [<options>] [<command>]",
	"perf record [<options>] -- <command> [<options>]",
	NULL,
};

/* Say why; returns the exit status. */
static int fail(const struct error *err, int status)
{
	diag__error(err);
	return status;
}

/* ---- options ---- */

static int parse_event(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct command *command = option->value;
	struct recording *recording = &command->recording;
	u32 before = recording->evlist.nr;
	int ret;

	if (unset)
		return error__set(err, -EINVAL, "--no-event means nothing", NULL, "%s", "");
	ret = evlist__parse(&recording->evlist, &recording->sources, arg, err);
	if (!ret)
		command->nr_before_last_event = before;
	return ret;
}

/* A filter belongs to all events of the -e before it; a second one narrows the first. */
static int parse_filter(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct command *command = option->value;
	struct evlist *list = &command->recording.evlist;

	if (unset || !list->nr)
		return error__set(err, -EINVAL, "--filter must follow a tracepoint event (-e)", "",
		                  "%s", "");
	for (u32 i = command->nr_before_last_event; i < list->nr; i++) {
		struct evsel *evsel = list->evsels[i];
		char *both;

		if (!evsel__is_tracepoint(evsel))
			return error__set(err, -EINVAL, "--filter must follow a tracepoint event",
			                  evsel->name, "it is none");
		both = evsel->filter ? xasprintf("(%s) && (%s)", evsel->filter, arg) : xstrdup(arg);
		evsel__set_text(&evsel->filter, both);
		free(both);
	}
	return 0;
}

static int parse_frequency(const struct option *option, const char *arg, bool unset,
                           struct error *err)
{
	struct record_config *config = option->value;
	u64 value = 0;

	if (unset) {
		config->frequency = FREQUENCY_DEFAULT;
		config->frequency_set = false;
		return 0;
	}
	config->frequency_set = true;
	if (!strcmp(arg, "max")) {
		config->frequency = record__max_frequency();
		return 0;
	}
	if (text__parse_u64(arg, &value))
		return error__set(err, -EINVAL, "cannot use the frequency", arg,
		                  "not a number of samples per second, nor max");
	config->frequency = value;
	return 0;
}

static int parse_clock(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct record_config *config = option->value;

	config->clock_set = false;
	return unset ? 0 : record_config__parse_clock(config, arg, err);
}

static int parse_call_graph(const struct option *option, const char *arg, bool unset,
                            struct error *err)
{
	struct command *command = option->value;
	struct record_config *config = &command->recording.config;
	int ret;

	config->chains = CHAIN_NONE;
	ret = unset ? 0 : record_config__parse_chains(config, arg, err);
	if (ret != -EOPNOTSUPP)
		return ret;
	command->refusal = *err; /* right usage, wrong machine: said after parsing */
	return 0;
}

static int parse_g(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct command *command = option->value;
	struct record_config *config = &command->recording.config;

	command->call_graph_by_g = !unset;
	if (unset)
		config->chains = CHAIN_NONE;
	else if (config->chains == CHAIN_NONE && command->g_mode)
		return parse_call_graph(option, command->g_mode, false, err);
	else if (config->chains == CHAIN_NONE)
		config->chains = CHAIN_FP;
	(void)arg;
	return 0;
}

/* record.build-id: what becomes of the build-ids of what was measured. */
static int parse_build_id(const struct option *option, const char *arg, bool unset,
                          struct error *err)
{
	struct recording *recording = option->value;

	(void)unset;
	if (!strcmp(arg, "mmap"))
		return error__set(err, -EOPNOTSUPP, "cannot do", arg,
		                  "this perf does not have it yet");
	if (strcmp(arg, "cache") && strcmp(arg, "no-cache") && strcmp(arg, "skip"))
		return error__set(err, -EINVAL, "unknown word", arg,
		                  "it is none of cache, no-cache, skip, mmap");
	recording->no_cache = !strcmp(arg, "no-cache");
	recording->no_build_ids = !strcmp(arg, "skip");
	return 0;
}

/* call-graph.dump-size: the bytes of stack that dwarf copies. */
static int parse_dump_size(const struct option *option, const char *arg, bool unset,
                           struct error *err)
{
	struct record_config *config = option->value, trial = *config;
	char text[64];
	int ret;

	(void)unset;
	snprintf(text, sizeof(text), "dwarf,%s", arg);
	ret = record_config__parse_chains(&trial, text, err);
	config->stack_size = trial.stack_size;
	return ret == -EOPNOTSUPP ? 0 : ret;
}

/* Variables of the configuration; options override them. Both modes only say what -g means. */
static int apply_config(struct command *c)
{
	const struct option keys[] = {
		{ .type = OPTION_STRING, .name = "call-graph.record-mode", .value = &c->g_mode },
		{ .type = OPTION_STRING, .name = "record.call-graph", .value = &c->g_mode },
		{ .type = OPTION_CALLBACK,
		  .name = "call-graph.dump-size",
		  .value = &c->recording.config,
		  .parse = parse_dump_size },
		{ .type = OPTION_CALLBACK,
		  .name = "record.build-id",
		  .value = &c->recording,
		  .parse = parse_build_id },
		{ .type = OPTION_END },
	};

	return use_config(keys);
}

static int parse_delay(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct command *command = option->value;
	u64 value = 0;

	command->delay_ms = 0;
	if (unset)
		return 0;
	if (!strcmp(arg, "-1")) {
		command->delay_ms = -1;
		return 0;
	}
	if (text__parse_u64(arg, &value) || value > 1000 * 86400)
		return error__set(err, -EINVAL, "-D wants milliseconds", arg, "%s", "");
	command->delay_ms = value;
	return 0;
}

static int parse_branches(const struct option *option, const char *arg, bool unset,
                          struct error *err)
{
	struct command *command = option->value;

	(void)arg;
	(void)err;
	command->branches = !unset;
	return 0;
}

#define CALLBACK(short_, long_, value_, arg_, help_, parse_)                                       \
	{                                                                                          \
		.type = OPTION_CALLBACK, .short_name = (short_), .name = (long_),                  \
		.value = (value_), .arg = (arg_), .help = (help_), .parse = (parse_)               \
	}
#define SIMPLE(type_, short_, long_, value_, arg_, help_)                                          \
	{                                                                                          \
		.type = (type_), .short_name = (short_), .name = (long_), .value = (value_),       \
		.arg = (arg_), .help = (help_)                                                     \
	}
#define FLAG(short_, long_, value_, help_) SIMPLE(OPTION_BOOL, short_, long_, value_, NULL, help_)
#define EXCLUSIVE(long_, value_, help_)                                                            \
	{                                                                                          \
		.type = OPTION_BOOL, .name = (long_), .value = (value_), .help = (help_),          \
		.flags = OPTION_EXCLUSIVE                                                          \
	}
#define TEXT(short_, long_, value_, arg_, help_)                                                   \
	SIMPLE(OPTION_STRING, short_, long_, value_, arg_, help_)

#define NR_OPTIONS 112

static void make_options(struct command *c, struct option options[NR_OPTIONS])
{
	struct record_config *config = &c->recording.config;
	const struct option table[] = {
		{ .type = OPTION_GROUP, .help = "What to sample" },
		CALLBACK('e', "event", c, "event", "event to sample (see 'perf list')",
		         parse_event),
		CALLBACK(0, "filter", c, "filter", "kernel-side filter of the -e before it",
		         parse_filter),
		CALLBACK('F', "freq", config, "freq or 'max'", "samples per second (default 4000)",
		         parse_frequency),
		{ .type = OPTION_U64,
		  .short_name = 'c',
		  .name = "count",
		  .value = &config->period,
		  .arg = "n",
		  .help = "one sample for every n events",
		  .was_set = &config->period_set },
		{ .type = OPTION_CALLBACK,
		  .short_name = 'g',
		  .value = c,
		  .help = "record call graphs by frame pointers (takes no argument)",
		  .flags = OPTION_NO_ARG,
		  .parse = parse_g },
		CALLBACK(0, "call-graph", c, "mode[,size]",
		         "record call graphs: fp[,depth] or dwarf[,bytes of stack]",
		         parse_call_graph),
		FLAG('d', "data", &config->data, "record data addresses and data maps"),
		FLAG('R', "raw-samples", &config->raw, "record raw data of all events"),
		FLAG('T', "timestamp", &config->time, "record times even with --per-thread"),
		FLAG('P', "period", &config->period_field, "record the period of each sample"),
		FLAG(0, "sample-cpu", &config->sample_cpu, "record the CPU of each sample"),
		FLAG('W', "weight", &config->weight, "record the weight of each sample"),
		FLAG(0, "phys-data", &config->phys_data, "record physical data addresses"),
		FLAG(0, "data-page-size", &config->data_page_size, "record sizes of data pages"),
		FLAG(0, "code-page-size", &config->code_page_size, "record sizes of code pages"),
		FLAG('s', "stat", &config->stat, "record counts of each thread at its exit"),
		FLAG('n', "no-samples", &config->no_samples, "count without sampling"),
		EXCLUSIVE("all-user", &config->all_user, "user space only, for all events"),
		EXCLUSIVE("all-kernel", &config->all_kernel, "kernel space only, for all events"),
		FLAG(0, "switch-events", &config->switches, "record context switches"),
		CALLBACK('k', "clockid", config, "clock", "clock of the times: mono, raw, boot ...",
		         parse_clock),
		{ .type = OPTION_CALLBACK,
		  .short_name = 'b',
		  .name = "branch-any",
		  .value = c,
		  .help = "branch stacks (refused: not built yet)",
		  .flags = OPTION_NO_ARG,
		  .parse = parse_branches },
		CALLBACK('j', "branch-filter", c, "filter",
		         "branch stacks (refused: not built yet)", parse_branches),
		{ .type = OPTION_GROUP, .help = "Whom to watch" },
		FLAG('a', "all-cpus", &c->all_cpus, "the whole system"),
		TEXT('C', "cpu", &c->cpus, "list", "these CPUs: 0-3,5"),
		TEXT('p', "pid", &c->pids, "pid list", "these running processes"),
		TEXT('t', "tid", &c->tids, "tid list", "these running threads"),
		TEXT('u', "uid", &c->user, "user", "the processes of this user"),
		FLAG('i', "no-inherit", &config->no_inherit, "do not follow children"),
		FLAG(0, "per-thread", &config->per_thread, "counters of threads, not of CPUs"),
		CALLBACK('D', "delay", c, "ms", "start to sample after this time (-1: never)",
		         parse_delay),
		{ .type = OPTION_GROUP, .help = "How to write it" },
		{ .type = OPTION_STRING,
		  .short_name = 'o',
		  .name = "output",
		  .value = &c->output,
		  .arg = "file",
		  .help = "output file (default perf.data)",
		  .fallback = "perf.data" },
		TEXT('m', "mmap-pages", &c->ring_pages, "pages",
		     "ring size: pages, or 64K, 2M ..."),
		FLAG('N', "no-buildid-cache", &c->recording.no_cache,
		     "do not fill the build-id cache"),
		FLAG('B', "no-buildid", &c->recording.no_build_ids, "do not collect build-ids"),
		FLAG(0, "buildid-all", &c->recording.all_build_ids,
		     "build-ids of all mapped files, not only of those with samples"),
		FLAG(0, "strict-freq", &c->strict_frequency,
		     "fail if the kernel does not allow the frequency"),
		FLAG(0, "no-bpf-event", &config->no_bpf_event, "no records about BPF programs"),
		FLAG('q', "quiet", &c->say.quiet, "print no messages"),
		SIMPLE(OPTION_COUNT, 'v', "verbose", &c->say.verbose, NULL, "say more"),
		OPTION_NOT_YET('G', "cgroup", "name", 0),
		OPTION_NOT_YET('I', "intr-regs", "register", OPTION_OPTIONAL_ARG),
		OPTION_NOT_YET('S', "snapshot", "opts", OPTION_OPTIONAL_ARG),
		OPTION_NOT_YET('r', "realtime", "n", 0),
		OPTION_NOT_YET('z', "compression-level", "n", OPTION_OPTIONAL_ARG),
		OPTION_NOT_YET(0, "affinity", "node|cpu", 0),
		OPTION_NOT_YET(0, "aio", "n", OPTION_OPTIONAL_ARG),
		OPTION_NOT_YET(0, "all-cgroups", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "aux-sample", "opts", OPTION_OPTIONAL_ARG),
		OPTION_NOT_YET(0, "buildid-mmap", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "clang-opt", "options", 0),
		OPTION_NOT_YET(0, "clang-path", "path", 0),
		OPTION_NOT_YET(0, "control", "fds", 0),
		OPTION_NOT_YET(0, "debuginfod", "urls", OPTION_OPTIONAL_ARG),
		OPTION_NOT_YET(0, "dry-run", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "exclude-perf", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "group", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "kcore", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "kernel-callchains", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "max-size", "size", 0),
		OPTION_NOT_YET(0, "mmap-flush", "number", 0),
		OPTION_NOT_YET(0, "namespaces", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "no-buffering", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "num-thread-synthesize", "n", 0),
		OPTION_NOT_YET(0, "off-cpu", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "overwrite", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "proc-map-timeout", "n", 0),
		OPTION_NOT_YET(0, "running-time", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "sample-identifier", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "switch-max-files", "n", 0),
		OPTION_NOT_YET(0, "switch-output", "when", OPTION_OPTIONAL_ARG),
		OPTION_NOT_YET(0, "switch-output-event", "event", 0),
		OPTION_NOT_YET(0, "synth", "what", 0),
		OPTION_NOT_YET(0, "tail-synthesize", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "threads", "spec", OPTION_OPTIONAL_ARG),
		OPTION_NOT_YET(0, "timestamp-boundary", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "timestamp-filename", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "transaction", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "user-callchains", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "user-regs", "register", OPTION_OPTIONAL_ARG),
		OPTION_NOT_YET(0, "vmlinux", "file", 0),
		{ .type = OPTION_END },
	};

	_Static_assert(ARRAY_SIZE(table) <= NR_OPTIONS, "room for the options");
	memcpy(options, table, sizeof(table));
}

/* ---- checks before anything is opened ---- */

/*
 * "-g dwarf CMD" was right once and is in many articles: today dwarf would be the command.
 */
static bool is_old_call_graph(const struct command *command)
{
	static const char *const modes[] = { "fp", "dwarf", "lbr" };

	for (u32 i = 0; command->call_graph_by_g && command->argv && i < ARRAY_SIZE(modes); i++)
		if (!strcmp(command->argv[0], modes[i]))
			return true;
	return false;
}

static int refuse_old_call_graph(const struct command *command)
{
	diag__say_error("-g takes no argument: '%s' would be run as the command\n"
	                "use: perf record --call-graph %s ...",
	                command->argv[0], command->argv[0]);
	return EXIT_ERROR;
}

static int refuse_branches(void)
{
	bool capable = access("/sys/bus/event_source/devices/cpu/caps/branches", F_OK) == 0;

	diag__say_error("cannot record branch stacks: %s\n"
	                "for call graphs use -g or --call-graph dwarf",
	                capable ? "this perf does not do it yet"
	                        : "this machine has no hardware that keeps them (virtual "
	                          "machine?)");
	return EXIT_ERROR;
}

static int refuse_pipe(void)
{
	diag__say_error("cannot write the recording to standard output: not built yet\n"
	                "record to a file: perf record -o FILE");
	return EXIT_ERROR;
}

/* 0, or the exit status. */
static int check_frequency(struct command *command)
{
	struct record_config *config = &command->recording.config;
	u64 max = record__max_frequency();

	if (config->period && config->frequency_set) {
		diag__say_error("cannot set frequency and period at the same time\n"
		                "give -F or -c, not both");
		return -EINVAL & 0xff;
	}
	if (config->period)
		return 0;
	if (!config->frequency) {
		diag__say_error("frequency and count are zero, aborting\n"
		                "give -F with samples per second or -c with a number of events");
		return -EINVAL & 0xff;
	}
	if (!max || config->frequency <= max)
		return 0;
	if (command->strict_frequency) {
		diag__say_error("maximum frequency rate (%llu Hz) exceeded\n"
		                "lower -F, or raise /proc/sys/kernel/perf_event_max_sample_rate",
		                (unsigned long long)max);
		return -EINVAL & 0xff;
	}
	if (!command->say.quiet)
		fprintf(stderr,
		        "warning: Maximum frequency rate (%llu Hz) exceeded, throttling from %llu "
		        "Hz to %llu Hz.\n"
		        "         Lower -F, or raise /proc/sys/kernel/perf_event_max_sample_rate "
		        "(--strict-freq makes this an error).\n",
		        (unsigned long long)max, (unsigned long long)config->frequency,
		        (unsigned long long)max);
	config->frequency = max;
	return 0;
}

static void warn_override(const struct command *command, const char *loser, bool given)
{
	if (given && !command->say.quiet)
		diag__say_warning("%s switch overriding %s", command->user ? "UID" : "PID/TID",
		                  loser);
}

/* Whom the counters follow. 0, or a negative errno. */
static int make_targets(struct command *command, struct error *err)
{
	struct targets_wish wish = {
		.pids = command->pids,
		.tids = command->tids,
		.user = command->user,
		.cpus = command->cpus,
		.all_cpus = command->all_cpus,
		.workload = command->recording.workload,
	};
	bool attached = wish.pids || wish.tids || wish.user;

	warn_override(command, "CPU", attached && command->cpus);
	warn_override(command, "SYSTEM", attached && command->all_cpus);
	if (!attached && (command->cpus || command->all_cpus) && !command->say.quiet &&
	    command->recording.config.per_thread)
		diag__say_warning("SYSTEM/CPU switch overriding PER-THREAD");
	if (command->pids && command->tids && !command->say.quiet)
		diag__say_warning("PID switch overriding TID");
	return recording__set_targets(&command->recording, &wish, err);
}

/* ---- signals ---- */

/*
 * Signals that end a recording come through a descriptor, so that they are seen between two
 * passes and never interrupt one.
 */
static int open_signals(struct command *command, struct error *err)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	sigset_t set;

	sigemptyset(&set);
	for (u32 i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	command->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	command->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (command->signal_fd >= 0 && command->timer_fd >= 0)
		return 0;
	return error__set(err, -errno, "cannot wait for signals", NULL, NULL);
}

static void start_delay(struct command *command)
{
	struct itimerspec spec = { 0 };

	if (command->delay_ms <= 0)
		return;
	spec.it_value.tv_sec = command->delay_ms / 1000;
	spec.it_value.tv_nsec = command->delay_ms % 1000 * 1000000l;
	timerfd_settime(command->timer_fd, 0, &spec, NULL);
}

/* Called by recorder__run() when a signal or the timer is ready. True ends the recording. */
static bool ended(void *ctx)
{
	struct command *command = ctx;
	struct signalfd_siginfo info;
	struct error err = ERROR_INIT;
	u64 ticks;
	bool end = false;

	if (read(command->timer_fd, &ticks, sizeof(ticks)) == sizeof(ticks) &&
	    recording__enable(&command->recording, &err))
		diag__error(&err);
	while (read(command->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGCHLD) {
			command->signal = info.ssi_signo;
			end = true;
		} else if (command->workload.pid &&
		           workload__wait(&command->workload, false) == 0) {
			end = true;
		}
	}
	return end;
}

/*
 * The workload goes with us, as in Linux's perf. One that does not listen to SIGTERM is killed by
 * the user's next ^C.
 */
static void stop_workload(struct command *command)
{
	struct pollfd fd = { .fd = command->signal_fd, .events = POLLIN };
	struct signalfd_siginfo info;

	if (!command->started || workload__wait(&command->workload, false) == 0)
		return;
	kill(command->workload.pid, SIGTERM);
	while (workload__wait(&command->workload, false) == -EAGAIN) {
		if (poll(&fd, 1, -1) < 0 || read(fd.fd, &info, sizeof(info)) != sizeof(info))
			continue;
		if (info.ssi_signo != SIGCHLD)
			kill(command->workload.pid, SIGKILL);
	}
}

/* End by the signal that ended the workload or us, so that a calling shell sees it. */
static void die_by(int signal_number)
{
	sigset_t set;

	fflush(NULL);
	signal(signal_number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signal_number);
	raise(signal_number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/*
 * A step before the start failed. When ^C was the cause (the waiting workload is gone, and nothing
 * can be opened on it) there is nothing to explain.
 */
static int failed_early(struct command *command, const struct error *err)
{
	struct signalfd_siginfo info;

	while (read(command->signal_fd, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			command->signal = info.ssi_signo;
	recording__abandon(&command->recording);
	return command->signal ? EXIT_ERROR : fail(err, EXIT_ERROR);
}

/* ---- the run ---- */

static int workload_failed(struct command *command, const struct error *err)
{
	recording__abandon(&command->recording);
	fprintf(stderr, "Failed to collect '%s' for the '%s' workload: %s\n",
	        command->recording.evlist.evsels[0]->name, command->argv[0], strerror(-err->code));
	return EXIT_ERROR;
}

static int measure(struct command *command)
{
	struct recording *recording = &command->recording;
	const int events[] = { command->signal_fd, command->timer_fd };
	struct error err = ERROR_INIT, run_err = ERROR_INIT;
	int ret;

	ret = recording__open(recording, &err);
	if (ret)
		return failed_early(command, &err);
	record_messages__start(recording, &command->say);
	if (recording__begin(recording, events, ARRAY_SIZE(events), &err))
		return failed_early(command, &err);
	if (recording->config.system_wide && !command->delay_ms &&
	    recording__enable(recording, &err))
		return failed_early(command, &err);
	start_delay(command);
	if (command->argv && workload__start(&command->workload, &err))
		return workload_failed(command, &err);
	command->started = command->argv != NULL;
	ret = recorder__run(&recording->recorder, ended, command);
	if (ret)
		error__set(&run_err, ret, "cannot write", recording->output, NULL);
	stop_workload(command);
	ret = recording__end(recording, &err);
	record_messages__missing(recording, &command->say);
	record_messages__result(recording, &command->say);
	if (ret || run_err.code)
		return fail(ret ? &err : &run_err, EXIT_ERROR);
	return 0;
}

/* Like measure(), with what must exist before and go after. */
static int record(struct command *command)
{
	struct recording *recording = &command->recording;
	struct error err = ERROR_INIT;
	int status;

	if (open_signals(command, &err))
		return fail(&err, EXIT_ERROR);
	if (command->argv && workload__prepare(&command->workload, command->argv, &err))
		return fail(&err, EXIT_ERROR);
	/* Only now: what is ignored here would be ignored in the workload, too. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a file-size limit is an error of the write */
	recording->workload = command->workload.pid;
	recording->config.delayed = command->delay_ms != 0;
	status = make_targets(command, &err);
	if (status && recording->threads.nr == 0 && command->pids)
		return fail(&err, -ENOMEM & 0xff); /* the status of Linux's perf */
	if (status == -EINVAL)
		return diag__usage(&err, usage, command->options, command->cpus ? "-C" : "-p");
	if (status)
		return fail(&err, status & 0xff);
	status = measure(command);
	if (status)
		return status;
	if (command->started && WIFEXITED(command->workload.status))
		return WEXITSTATUS(command->workload.status);
	if (command->started && WIFSIGNALED(command->workload.status))
		command->signal = WTERMSIG(command->workload.status);
	return 0;
}

int cmd_record(int argc, const char **argv)
{
	struct command command = { .output = "perf.data", .workload = WORKLOAD_INIT };
	struct recording *recording = &command.recording;
	struct option options[NR_OPTIONS];
	struct error err = ERROR_INIT;
	int rest, status;

	recording__init(recording);
	make_options(&command, options);
	command.say.verbose = perf_debug.verbose;
	command.say.events = perf_debug.event_open;
	command.options = options;
	status = apply_config(&command);
	if (!status)
		status = diag__parse(argc, argv, usage, options, 0, &rest);
	if (status)
		goto out;
	command.argv = rest < argc ? (const char *const *)argv + rest : NULL;
	recording->version = PERF_VERSION;
	recording->words = argv;
	recording->nr_words = argc;
	recording->output = command.output;
	if (command.refusal.code)
		status = fail(&command.refusal, EXIT_ERROR);
	else if (!strcmp(command.output, "-"))
		status = refuse_pipe();
	else if (rings__size(command.ring_pages, &recording->ring_size, &err))
		status = diag__usage(&err, usage, options, "-m");
	else if (is_old_call_graph(&command))
		status = refuse_old_call_graph(&command);
	else if (command.branches)
		status = refuse_branches();
	else
		status = check_frequency(&command);
	if (!status)
		status = record(&command);
out:
	stop_workload(&command);
	workload__exit(&command.workload);
	recording__exit(recording);
	if (command.signal)
		die_by(command.signal);
	return status;
}
