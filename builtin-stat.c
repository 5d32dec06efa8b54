// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf stat: count events while a command runs, or while tasks or CPUs are watched. Options and
 * output; the measuring is in util/stat/measure.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/diag.h"
#include "ui/pager.h"
#include "ui/stat_table.h"
#include "util/event/parse.h"
#include "util/lib/alloc.h"
#include "util/lib/out.h"
#include "util/lib/text.h"
#include "util/stat/measure.h"

/* Exit status that Linux's perf makes of -EINVAL. */
#define EXIT_EINVAL 234

struct stat_command {
	const char *cpu_list, *pids, *tids, *output, *separator, *pre, *post;
	bool system_wide, append, null_run, big_num, scale, group, quiet;
	bool all_user, all_kernel, has_log_fd;
	unsigned nr_runs, log_fd;
	int verbose, detailed;
	struct event_sources sources;
	struct evlist list;
	u32 last_first; /* index of the first event of the last -e */
	struct measurement measurement;
	char *title;
	struct out out;
};

static const char *const stat_usage[] = { "perf stat [<options>] [<command>]", NULL };

/* --- options --- */

static int parse_events(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct stat_command *stat = option->value;

	(void)unset;
	stat->last_first = stat->list.nr;
	stat->sources.counting = true;
	return evlist__parse(&stat->list, &stat->sources, arg, err);
}

static int parse_filter(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct stat_command *stat = option->value;

	(void)unset;
	if (stat->last_first == stat->list.nr)
		return error__set(err, -EINVAL, "--filter option should follow a -e tracepoint",
		                  NULL, "%s", "");
	for (u32 i = stat->last_first; i < stat->list.nr; i++) {
		if (!evsel__is_tracepoint(stat->list.evsels[i]))
			return error__set(err, -EINVAL,
			                  "--filter option should follow a -e tracepoint",
			                  stat->list.evsels[i]->name, "it is none");
		evsel__set_text(&stat->list.evsels[i]->filter, arg);
	}
	return 0;
}

static int parse_delay(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct measurement *m = &((struct stat_command *)option->value)->measurement;
	u64 value = 0;

	m->never_start = !unset && !strcmp(arg, "-1");
	if (!unset && !m->never_start && (text__parse_u64(arg, &value) || value > 1000 * 86400))
		return error__set(err, -EINVAL, "cannot use option", "-D",
		                  "milliseconds (or -1: never) are needed, not '%s'", arg);
	m->delay_ms = value;
	return 0;
}

#define STAT_BOOL(short_name, name, field, help)                                                   \
	{                                                                                          \
		OPTION_BOOL, short_name, name, &stat->field, NULL, help, 0, NULL, NULL, NULL       \
	}
#define STAT_STRING(short_name, name, field, arg, help)                                            \
	{                                                                                          \
		OPTION_STRING, short_name, name, &stat->field, arg, help, 0, NULL, NULL, NULL      \
	}
static int stat__parse_options(struct stat_command *stat, int argc, const char **argv)
{
	const struct option options[] = {
		{ OPTION_CALLBACK, 'e', "event", stat, "event",
		  "what to count; 'perf list' names the events", OPTION_NO_NEGATE, NULL,
		  parse_events, NULL },
		{ OPTION_CALLBACK, 0, "filter", stat, "filter",
		  "count only where this holds, for the tracepoints of the -e before",
		  OPTION_NO_NEGATE, NULL, parse_filter, NULL },
		STAT_BOOL('a', "all-cpus", system_wide, "count on all CPUs, whatever runs there"),
		STAT_STRING('C', "cpu", cpu_list, "cpu", "count on these CPUs, like 0-3,5"),
		STAT_STRING('p', "pid", pids, "pid", "count these running processes, like 17,42"),
		STAT_STRING('t', "tid", tids, "tid", "count these running threads"),
		STAT_BOOL('i', "no-inherit", measurement.no_inherit,
		          "do not count children of the tasks"),
		STAT_BOOL('n', "null", null_run, "count nothing, only take the time"),
		{ OPTION_COUNT, 'd', "detailed", &stat->detailed, NULL,
		  "add cache events; -dd adds more, -ddd still more", 0, NULL, NULL, NULL },
		STAT_BOOL('g', "group", group, "put all events into one group"),
		STAT_BOOL(0, "scale", scale, "scale up what was counted part of the time"),
		{ OPTION_BOOL, 0, "all-user", &stat->all_user, NULL, "count user space only",
		  OPTION_EXCLUSIVE, NULL, NULL, NULL },
		{ OPTION_BOOL, 0, "all-kernel", &stat->all_kernel, NULL, "count the kernel only",
		  OPTION_EXCLUSIVE, NULL, NULL, NULL },
		{ OPTION_UINT, 'r', "repeat", &stat->nr_runs, "n",
		  "run the command so often and show mean and spread; 0: for ever", 0, NULL, NULL,
		  NULL },
		{ OPTION_CALLBACK, 'D', "delay", stat, "ms",
		  "start to count so long after the command's start (-1: never)", 0, NULL,
		  parse_delay, NULL },
		{ OPTION_UINT, 0, "timeout", &stat->measurement.timeout_ms, "ms",
		  "end after this time, at least 10", 0, NULL, NULL, NULL },
		STAT_STRING(0, "pre", pre, "command", "a shell command to run before each run"),
		STAT_STRING(0, "post", post, "command", "a shell command to run after each run"),
		STAT_BOOL('S', "sync", measurement.sync, "call sync() before each run"),
		STAT_STRING('x', "field-separator", separator, "separator",
		            "lines of fields for programs, not a table for people"),
		STAT_BOOL('B', "big-num", big_num, "thousands separators, as the locale has them"),
		STAT_STRING('o', "output", output, "file", "write to this file, not to stderr"),
		STAT_BOOL(0, "append", append, "with -o: add to the file"),
		{ OPTION_UINT, 0, "log-fd", &stat->log_fd, "n",
		  "write to this descriptor, not to stderr", 0, NULL, NULL, &stat->has_log_fd },
		STAT_BOOL(0, "quiet", quiet, "print nothing"),
		{ OPTION_COUNT, 'v', "verbose", &stat->verbose, NULL,
		  "tell what was given up on the way, and the raw counts", 0, NULL, NULL, NULL },
		OPTION_NOT_YET('A', "no-aggr", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET('G', "cgroup", "value", 0),
		OPTION_NOT_YET('I', "interval-print", "value", 0),
		OPTION_NOT_YET('j', "json-output", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET('M', "metrics", "value", 0),
		OPTION_NOT_YET('T', "transaction", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET('b', "bpf-prog", "value", 0),
		OPTION_NOT_YET(0, "bpf-counters", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "bpf-attr-map", "value", 0),
		OPTION_NOT_YET(0, "hybrid-merge", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "metric-no-group", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "metric-no-merge", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "no-csv-summary", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "no-merge", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "percore-show-thread", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "control", "value", 0),
		OPTION_NOT_YET(0, "cputype", "value", 0),
		OPTION_NOT_YET(0, "for-each-cgroup", "value", 0),
		OPTION_NOT_YET(0, "interval-clear", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "interval-count", "value", 0),
		OPTION_NOT_YET(0, "iostat", "value", OPTION_OPTIONAL_ARG),
		OPTION_NOT_YET(0, "metric-only", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "per-core", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "per-die", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "per-node", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "per-socket", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "per-thread", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "smi-cost", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "summary", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "table", NULL, OPTION_NO_ARG),
		OPTION_NOT_YET(0, "td-level", "value", 0),
		OPTION_NOT_YET(0, "topdown", NULL, OPTION_NO_ARG),
		{ .type = OPTION_END },
	};
	struct error err = ERROR_INIT;
	const struct option keys[] = {
		STAT_BOOL(0, "stat.big-num", big_num, NULL),
		{ .type = OPTION_END },
	};
	int rest, ret = use_config(keys);

	if (!ret)
		ret = diag__parse(argc, argv, stat_usage, options, 0, &rest);
	if (ret)
		return ret;
	if (stat->output && stat->has_log_fd) {
		error__set(&err, -EINVAL, "cannot use both --output and --log-fd", NULL, "%s", "");
		diag__usage(&err, stat_usage, options, "--log-fd");
		return EXIT_EINVAL;
	}
	if (stat->measurement.timeout_ms && stat->measurement.timeout_ms < 10) {
		error__set(&err, -EINVAL, "timeout must be >= 10ms", NULL, "%s", "");
		diag__usage(&err, stat_usage, options, "--timeout");
		return EXIT_EINVAL;
	}
	if (stat->separator && !strcmp(stat->separator, "\\t"))
		stat->separator = "\t";
	if (rest < argc && (!strcmp(argv[rest], "record") || !strcmp(argv[rest], "report"))) {
		diag__say_error("cannot do 'perf stat %s': this perf does not have it yet",
		                argv[rest]);
		return EXIT_ERROR;
	}
	if (rest < argc)
		stat->measurement.argv = argv + rest;
	return 0;
}

/* --- what is counted --- */

static bool machine_has(const char *event)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/cpu/events/%s", event);
	return !access(path, F_OK);
}

static void add_default_events(struct stat_command *stat)
{
	static const char *const before[] = { "context-switches", "cpu-migrations", "page-faults",
		                              "cycles" };
	static const char *const stalls[] = { "stalled-cycles-frontend", "stalled-cycles-backend" };
	static const char *const after[] = { "instructions", "branches", "branch-misses" };

	evlist__add_named(&stat->list, stat->system_wide ? "cpu-clock" : "task-clock");
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		evlist__add_named(&stat->list, before[i]);
	for (size_t i = 0; i < ARRAY_SIZE(stalls); i++)
		if (machine_has(stalls[i]))
			evlist__add_named(&stat->list, stalls[i]);
	for (size_t i = 0; i < ARRAY_SIZE(after); i++)
		evlist__add_named(&stat->list, after[i]);
}

static void add_detailed_events(struct stat_command *stat)
{
	static const struct {
		int level;
		const char *name;
	} rows[] = {
		{ 1, "L1-dcache-loads" },
		{ 1, "L1-dcache-load-misses" },
		{ 1, "LLC-loads" },
		{ 1, "LLC-load-misses" },
		{ 2, "L1-icache-loads" },
		{ 2, "L1-icache-load-misses" },
		{ 2, "dTLB-loads" },
		{ 2, "dTLB-load-misses" },
		{ 2, "iTLB-loads" },
		{ 2, "iTLB-load-misses" },
		{ 3, "L1-dcache-prefetches" },
		{ 3, "L1-dcache-prefetch-misses" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (stat->detailed >= rows[i].level)
			evlist__add_named(&stat->list, rows[i].name);
}

/* -g: one group of all. */
static void make_one_group(struct evlist *list)
{
	for (u32 i = 0; i < list->nr; i++) {
		list->evsels[i]->leader = 0;
		list->evsels[i]->nr_members = i ? 1 : list->nr;
	}
}

static void set_modes(const struct stat_command *stat, struct perf_event_attr *attr)
{
	if (stat->all_user)
		attr->exclude_kernel = attr->exclude_hv = 1;
	if (stat->all_kernel)
		attr->exclude_user = 1;
}

static void stat__set_events(struct stat_command *stat)
{
	if (stat->null_run)
		evlist__truncate(&stat->list, 0);
	else if (!stat->list.nr)
		add_default_events(stat);
	if (!stat->null_run)
		add_detailed_events(stat);
	if (stat->group && stat->list.nr)
		make_one_group(&stat->list);
	for (u32 i = 0; i < stat->list.nr; i++)
		set_modes(stat, &stat->list.evsels[i]->attr);
}

static char *joined(const char **argv)
{
	char *text = xstrdup(""), *longer;

	for (; *argv; argv++) {
		longer = xasprintf("%s%s%s", text, *text ? " " : "", *argv);
		free(text);
		text = longer;
	}
	return text;
}

static void set_title(struct stat_command *stat)
{
	char *command;

	if (stat->pids) {
		stat->title = xasprintf("process id '%s'", stat->pids);
	} else if (stat->tids) {
		stat->title = xasprintf("thread id '%s'", stat->tids);
	} else if (stat->cpu_list && !stat->system_wide) {
		stat->title = xasprintf("'CPU(s) %s'", stat->cpu_list);
	} else if (stat->system_wide) {
		stat->title = xstrdup("'system wide'");
	} else {
		command = joined(stat->measurement.argv);
		stat->title = xasprintf("'%s'", command);
		free(command);
	}
}

static int set_tasks(struct stat_command *stat, struct error *err)
{
	struct measurement *m = &stat->measurement;

	if (stat->cpu_list || stat->system_wide)
		diag__say_warning("PID/TID switch overriding %s",
		                  stat->cpu_list ? "CPU" : "SYSTEM");
	stat->cpu_list = NULL;
	stat->system_wide = false;
	m->target = MEASURE_TASKS;
	m->whole_processes = stat->pids;
	cpu_map__add(&m->cpus, CPU_ANY);
	return stat->pids ? thread_map__of_pids(&m->threads, stat->pids, err)
	                  : thread_map__of_tids(&m->threads, stat->tids, err);
}

static int set_cpus(struct stat_command *stat, struct error *err)
{
	struct measurement *m = &stat->measurement;
	struct cpu_map online = CPU_MAP_INIT;
	int ret = cpu_map__online(&online, err);

	stat->system_wide = true;
	m->target = MEASURE_CPUS;
	thread_map__add(&m->threads, THREAD_ALL);
	if (!ret && stat->cpu_list)
		ret = cpu_map__parse(&m->cpus, stat->cpu_list, err);
	else
		for (u32 i = 0; i < online.nr; i++)
			cpu_map__add(&m->cpus, online.cpus[i]);
	if (!ret)
		ret = cpu_map__check_online(&m->cpus, &online, err);
	cpu_map__exit(&online);
	return ret;
}

/* Returns the exit status of a failure or 0. */
static int stat__set_targets(struct stat_command *stat)
{
	struct measurement *m = &stat->measurement;
	struct error err = ERROR_INIT;
	int ret = 0;

	if (!m->argv && !stat->cpu_list && !stat->pids && !stat->tids)
		stat->system_wide = true;
	set_title(stat); /* as it was asked for: what follows adapts that */
	if (stat->pids || stat->tids) {
		ret = set_tasks(stat, &err);
	} else if (stat->cpu_list || stat->system_wide || !m->argv) {
		ret = set_cpus(stat, &err);
	} else {
		m->target = MEASURE_WORKLOAD;
		cpu_map__add(&m->cpus, CPU_ANY);
		thread_map__add(&m->threads, 0);
	}
	if (!ret)
		return 0;
	diag__error(&err);
	return EXIT_EINVAL;
}

/* --- output --- */

static int open_output(struct stat_command *stat)
{
	time_t now = time(NULL);
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (stat->append ? O_APPEND : O_TRUNC);
	int fd = stat->has_log_fd ? (int)stat->log_fd : STDERR_FILENO;

	if (stat->output)
		fd = open(stat->output, flags, 0666);
	if (fd < 0 || fcntl(fd, F_GETFD) < 0) {
		if (stat->output)
			diag__say_error("cannot create the output file '%s': %s", stat->output,
			                strerror(errno));
		else
			diag__say_error("cannot write to descriptor %d: %s", fd, strerror(errno));
		return EXIT_ERROR;
	}
	out__init(&stat->out, fd);
	if (stat->output)
		out__printf(&stat->out, "# started on %s\n", ctime(&now));
	return 0;
}

static u64 timeval_ns(const struct timeval *time)
{
	return (u64)time->tv_sec * 1000000000 + (u64)time->tv_usec * 1000;
}

/* What the shell prints for a command that died by a signal; Linux's perf exits with 0 then. */
static void say_death(const struct measurement *m)
{
	int status = m->workload.status;

	if (m->workload.waited && WIFSIGNALED(status) && !m->ended_workload)
		fprintf(stderr, "%s: %s\n", m->argv[0], strsignal(WTERMSIG(status)));
}

static void print_counts(struct stat_command *stat)
{
	struct measurement *m = &stat->measurement;
	struct stat_table table = {
		.title = stat->title,
		.nr_runs = stat->nr_runs,
		.events = m->events,
		.nr_events = stat->list.nr,
		.wall = m->wall,
		.has_usage = m->target == MEASURE_WORKLOAD,
		.user_ns = timeval_ns(&m->workload.usage.ru_utime),
		.sys_ns = timeval_ns(&m->workload.usage.ru_stime),
		.big_num = stat->big_num,
	};

	fflush(stdout);
	say_death(m);
	if (stat->quiet)
		return;
	if (stat->separator) {
		stat_table__print_csv(&table, stat->separator, &stat->out);
	} else {
		if (stat->big_num)
			setlocale(LC_NUMERIC, "");
		stat_table__print(&table, &stat->out);
		setlocale(LC_NUMERIC, "C");
	}
	out__flush(&stat->out);
}

/* -v: why events are missing (once), and the raw counts of the run. */
static void print_run(const struct stat_command *stat)
{
	const struct measurement *m = &stat->measurement;

	for (u32 i = 0; i < stat->list.nr && m->wall.nr <= 1; i++) {
		if (m->events[i].supported || !m->events[i].refusal)
			continue;
		m->events[i].refusal->advice[0] = '\0'; /* nobody is stuck */
		diag__warning(m->events[i].refusal);
	}
	for (u32 i = 0; i < stat->list.nr; i++)
		if (m->events[i].supported)
			fprintf(stderr, "%s: %.0f %llu %llu\n", stat->list.evsels[i]->name,
			        m->events[i].run.value,
			        (unsigned long long)m->events[i].run.enabled,
			        (unsigned long long)m->events[i].run.running);
}

/* Without the system call all events are <not supported>: say once that they are not the reason. */
static void say_no_syscall(const struct stat_command *stat)
{
	const struct measurement *m = &stat->measurement;

	for (u32 i = 0; i < stat->list.nr && m->wall.nr <= 1 && !stat->quiet; i++)
		if (m->events[i].refusal && m->events[i].refusal->code == -ENOSYS) {
			diag__warning(m->events[i].refusal);
			return;
		}
}

/* -v: what the machine and the kernel did not allow. */
static void print_notes(const struct stat_command *stat)
{
	const struct opener *opener = &stat->measurement.opener;

	if (stat->sources.tracefs.mounted)
		fprintf(stderr, "mounted tracefs on %s\n", stat->sources.tracefs.path);
	for (u32 i = 0; i < opener->nr_notes; i++)
		fprintf(stderr, "%s\n", opener->notes[i]);
}

static int run_hook(const char *command)
{
	int status = command ? system(command) : 0;

	if (!status)
		return 0;
	diag__say_error("'%s' failed", command);
	return EXIT_ERROR;
}

/* The exit status of a failure, or 0. */
static int run_once(struct stat_command *stat)
{
	struct error err = ERROR_INIT;

	if (run_hook(stat->pre))
		return EXIT_ERROR;
	if (measurement__run(&stat->measurement, &err)) {
		diag__error(&err);
		return EXIT_ERROR;
	}
	say_no_syscall(stat);
	if (stat->verbose)
		print_run(stat);
	return run_hook(stat->post);
}

/* All runs and the output. The exit status. */
static int stat__run(struct stat_command *stat)
{
	struct measurement *m = &stat->measurement;
	bool for_ever = stat->nr_runs == 0;
	int ret;

	do {
		measurement__reset(m);
		for (u32 run = 0; run < (for_ever ? 1 : stat->nr_runs) && !m->signal; run++) {
			ret = run_once(stat);
			if (ret)
				return ret;
		}
		print_counts(stat);
	} while (for_ever && !m->signal);
	return m->workload.waited && WIFEXITED(m->workload.status) ? WEXITSTATUS(m->workload.status)
	                                                           : 0;
}

/* Die of the signal that ended the measurement, so that the shell knows. */
static void pass_signal_on(int number)
{
	sigset_t set;

	fflush(NULL);
	pager__close();
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int cmd_stat(int argc, const char **argv)
{
	struct stat_command stat = {
		.big_num = true,
		.scale = true,
		.nr_runs = 1,
		.verbose = perf_debug.verbose,
		.sources = EVENT_SOURCES_INIT,
		.measurement = { .list = &stat.list, .signal_fd = -1 },
		.out = { .fd = -1 },
	};
	struct measurement *m = &stat.measurement;
	struct error err = ERROR_INIT;
	int ret = stat__parse_options(&stat, argc, argv);

	if (!ret)
		ret = stat__set_targets(&stat);
	if (!ret)
		ret = open_output(&stat);
	if (!ret) {
		stat__set_events(&stat);
		m->no_scale = !stat.scale;
		ret = measurement__init(m, &err) ? EXIT_ERROR : stat__run(&stat);
		if (err.code)
			diag__error(&err);
		if (stat.verbose)
			print_notes(&stat);
		measurement__exit(m);
	}
	out__exit(&stat.out);
	if (stat.output && stat.out.error && !ret) {
		diag__say_error("cannot write '%s': %s", stat.output, strerror(-stat.out.error));
		ret = EXIT_ERROR;
	}
	free(stat.title);
	evlist__exit(&stat.list);
	cpu_map__exit(&m->cpus);
	thread_map__exit(&m->threads);
	event_sources__exit(&stat.sources);
	if (m->signal)
		pass_signal_on(m->signal);
	return ret;
}
