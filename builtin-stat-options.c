// SPDX-License-Identifier: GPL-2.0-or-later
/* The options of perf stat, and their valid combinations. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-stat.h"
#include "ui/options/command_line.h"
#include "ui/options/filter_option.h"
#include "ui/term/diag.h"
#include "util/event/cgroup.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

static const char *const stat_usage[] = { "perf stat {record|report} [<options>] [<command>]",
	                                  "perf stat [<options>] [<command>]", NULL };

/* --- options --- */

static int parse_events(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct stat_command *stat = option->value;

	(void)unset;
	stat->sources.counting = true;
	int ret = evlist__parse(&stat->list, &stat->sources, arg, err);

	stat->last_first = stat->list.last;
	stat->last_first_set = true;
	return ret;
}

/* --pmu-filter: events are looked up as they are read. */
static int parse_pmu_filter(const struct option *option, const char *arg, bool unset,
                            struct error *err)
{
	struct stat_command *stat = option->value;

	(void)unset;
	if (stat->list.nr)
		return error__set(err, -EINVAL, "cannot use option", "--pmu-filter",
		                  "it follows an event: put it before all -e");
	stat->sources.pmu_filter = arg;
	return 0;
}

static int parse_filter(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct stat_command *stat = option->value;

	(void)unset;
	return filter_option__add("--filter", &stat->list, stat->last_first, &stat->sources, arg,
	                          err);
}

static int parse_cgroup(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct stat_command *stat = option->value;

	(void)unset;
	return evlist__set_cgroups(&stat->list, &stat->next_cgroup, arg, err);
}

/* --per-core and the like; the name says which. The last one given counts. */
int stat__parse_aggregate(const struct option *option, const char *arg, bool unset,
                          struct error *err)
{
	static const struct {
		const char *name;
		enum aggregate_mode mode;
	} modes[] = {
		{ "no-aggr", AGGREGATE_CPU },        { "per-core", AGGREGATE_CORE },
		{ "per-die", AGGREGATE_DIE },        { "per-socket", AGGREGATE_SOCKET },
		{ "aggr-socket", AGGREGATE_SOCKET }, { "per-node", AGGREGATE_NODE },
		{ "per-thread", AGGREGATE_THREAD },
	};
	enum aggregate_mode *mode = option->value;

	(void)arg;
	(void)err;
	*mode = AGGREGATE_GLOBAL;
	for (size_t i = 0; !unset && i < ARRAY_SIZE(modes); i++)
		if (!strcmp(option->name, modes[i].name))
			*mode = modes[i].mode;
	return 0;
}

/* --cmd */
static int parse_command(const struct option *option, const char *arg, bool unset,
                         struct error *err)
{
	struct stat_command *stat = option->value;

	(void)unset;
	if (stat->nr_commands == COMPARE_MAX)
		return error__set(err, -E2BIG, "cannot compare", arg, "at most %d commands can be",
		                  COMPARE_MAX);
	stat->commands[stat->nr_commands++] = arg;
	return 0;
}

static void want_metrics(struct stat_command *stat, const char *names)
{
	char *all = xasprintf("%s%s%s", stat->metrics ? stat->metrics : "",
	                      stat->metrics ? "," : "", names);

	free(stat->metrics);
	stat->metrics = all;
}

/* -M, which may be there several times */
static int parse_metrics(const struct option *option, const char *arg, bool unset,
                         struct error *err)
{
	(void)unset;
	(void)err;
	want_metrics(option->value, arg);
	return 0;
}

/* "0.5%" */
static int parse_precision(const struct option *option, const char *arg, bool unset,
                           struct error *err)
{
	double *precision = option->value, percent;
	char *end;

	*precision = 0;
	if (unset)
		return 0;
	percent = strtod(arg, &end);
	if (end == arg || strcmp(end + strspn(end, " "), "%") != 0 ||
	    !(percent >= 0.001 && percent <= 100))
		return error__set(err, -EINVAL, "cannot use option", "--precision",
		                  "a percentage from 0.001%% on is needed, like 0.5%%, not '%s'",
		                  arg);
	*precision = percent / 100;
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

/* --- options that exclude or need each other --- */

bool stat__is_system_wide(const struct stat_command *stat)
{
	bool tasks = stat->pids || stat->tids;

	return !tasks && (stat->system_wide || stat->cpu_list || !stat->measurement.argv);
}

/* What makes no sense of tasks alone; NULL: nothing was asked for that does not. */
static const char *needs_cpus(const struct stat_command *stat)
{
	static const char *const modes[] = {
		[AGGREGATE_CPU] = "-A is only available in system-wide mode: add -a",
		[AGGREGATE_CORE] = "--per-core is only available in system-wide mode: add -a",
		[AGGREGATE_DIE] = "--per-die is only available in system-wide mode: add -a",
		[AGGREGATE_SOCKET] = "--per-socket is only available in system-wide mode: add -a",
		[AGGREGATE_NODE] = "--per-node is only available in system-wide mode: add -a",
		[AGGREGATE_THREAD] = NULL,
	};

	if (stat->next_cgroup || stat->for_each_cgroup)
		return "cgroups are only available in system-wide mode: add -a";
	return modes[stat->measurement.aggregate];
}

/* NULL: all is well. Else the sentence, and in @option what the usage is shown for. */
static const char *find_conflict(const struct stat_command *stat, const char **option)
{
	const struct measurement *m = &stat->measurement;
	bool tasks = stat->pids || stat->tids, compares = stat_compare__wanted(stat);
	const char *per_cpu = needs_cpus(stat);
	const struct {
		bool is;
		const char *text, *option;
	} rows[] = {
		{ stat->output && stat->has_log_fd, "cannot use both --output and --log-fd",
		  "--log-fd" },
		{ stat->separator && stat->has_big_num && stat->big_num,
		  "-B option not supported with -x", "--big-num" },
		{ stat->separator && stat->json, "-j option not supported with -x", "-j" },
		{ stat->table && stat->nr_runs <= 1, "--table is only supported with -r",
		  "--table" },
		{ m->interval_count && !m->interval_ms,
		  "interval-count option should be used together with interval-print.",
		  "--interval-count" },
		{ m->timeout_ms && m->timeout_ms < 10, "timeout must be >= 10ms", "--timeout" },
		{ m->timeout_ms && m->interval_ms,
		  "timeout option is not supported with interval-print.", "--timeout" },
		{ stat->next_cgroup && stat->for_each_cgroup,
		  "--cgroup and --for-each-cgroup cannot be used together", "--cgroup" },
		{ per_cpu && !stat__is_system_wide(stat), per_cpu, "--all-cpus" },
		{ m->aggregate == AGGREGATE_THREAD && !tasks && !stat__is_system_wide(stat),
		  "--per-thread is only available with -p, -t or -a, or without a command",
		  "--per-thread" },
		{ m->aggregate == AGGREGATE_THREAD && stat->cpu_list && !tasks,
		  "--per-thread counts tasks on all CPUs, not with -C", "--per-thread" },
		{ stat->metric_only && m->aggregate == AGGREGATE_THREAD,
		  "--metric-only is not supported with --per-thread", "--metric-only" },
		{ stat->metric_only && stat->nr_runs != 1, "--metric-only is not supported with -r",
		  "--metric-only" },
		{ stat->record && stat->append, "--append is not for recordings", "--append" },
		{ stat->ci && stat->nr_runs == 1 && !compares, "--ci is only supported with -r",
		  "--ci" },
		{ stat->precision && !compares, "--precision is only supported with --compare",
		  "--precision" },
		{ stat->compare && stat->nr_commands, "--compare and --cmd cannot be used together",
		  "--cmd" },
		{ stat->compare && !m->argv, "--compare needs a second command, behind the options",
		  "--compare" },
		{ stat->nr_commands && m->argv, "--cmd names all commands: none behind the options",
		  "--cmd" },
		{ stat->nr_commands == 1, "--cmd is needed twice at least", "--cmd" },
		{ compares && (tasks || stat->system_wide || stat->cpu_list),
		  "--compare runs commands: not with -a, -C, -p and -t", "--compare" },
		{ compares && (m->interval_ms || stat->record || stat->metric_only || stat->table),
		  "--compare is not supported with -I, --metric-only, --table and record",
		  "--compare" },
		{ compares && stat->nr_runs == 0, "--compare has to end: not with -r 0",
		  "--compare" },
		{ stat->topdown && !stat__is_system_wide(stat),
		  "top down event configuration requires system-wide mode (-a)", "--topdown" },
		{ stat->topdown && stat->td_level > 1,
		  "Invalid top-down metrics level. The max level is 1.", "--td-level" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].is) {
			*option = rows[i].option;
			return rows[i].text;
		}
	return NULL;
}

#define SOURCES "/sys/bus/event_source/devices/"

/* What this machine's PMU would have to have. */
static int refuse_hardware(const struct stat_command *stat)
{
	const struct {
		bool wanted;
		const char *needs;          /* this file */
		const char *without, *with; /* what is said; NULL: nothing is wrong */
	} rows[] = {
		{ stat->topdown, SOURCES "cpu/events/topdown-retiring",
		  "System does not support topdown: its PMU has no topdown events", NULL },
		{ stat->transaction, SOURCES "cpu/events/tx-start",
		  "Cannot set up transaction events: the PMU of this machine has no events of "
		  "transactional memory",
		  NULL },
		{ stat->smi_cost, "/sys/devices/cpu/freeze_on_smi",
		  "freeze_on_smi is not supported by this machine's PMU",
		  "cannot do '--smi-cost': this perf changes no setting of a PMU\n"
		  "perf stat -a -e msr/smi/,msr/aperf/,cycles counts the interrupts and what the "
		  "cycles lack" },
		{ stat->iostat != NULL, SOURCES "uncore_iio_0",
		  "Unsupported uncore pmu configuration: this machine has no counters of its I/O "
		  "stacks (uncore_iio_0)",
		  "cannot do '--iostat': this perf does not know the ports of I/O stacks\n"
		  "perf list pmu shows the events of uncore_iio" },
		{ stat->cputype != NULL, SOURCES "cpu_atom",
		  "--cputype is not supported: this machine has one kind of CPUs",
		  "cannot do '--cputype': write the source in front of the event\n"
		  "perf stat -e cpu_core/cycles/,cpu_atom/cycles/ names both kinds" },
		{ stat->hybrid_merge, SOURCES "cpu_atom", NULL,
		  "cannot do '--hybrid-merge': the events of each kind of CPUs have rows of their "
		  "own" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *text = NULL;

		if (rows[i].wanted)
			text = access(rows[i].needs, F_OK) ? rows[i].without : rows[i].with;
		if (text) {
			diag__say_error("%s", text);
			return EXIT_EINVAL;
		}
	}
	return 0;
}

/* Short stretches of time cost: say so once. */
static void warn_of_overhead(const struct stat_command *stat)
{
	const struct measurement *m = &stat->measurement;
	unsigned ms = m->interval_ms ? m->interval_ms : m->timeout_ms;

	if (!ms || ms >= 100 || stat->quiet)
		return;
	/* A line between those of -x and -j would break who reads them. */
	if (m->interval_ms && (stat->separator || stat->json) && !stat->output)
		return;
	fprintf(stderr,
	        "%s < 100ms. The overhead percentage could be high in some cases. Please proceed "
	        "with caution.\n",
	        m->interval_ms ? "print interval" : "timeout");
}

/* --- the table --- */

/* "record" and what stands behind it; -o is the recording then. */
static int parse_record(struct stat_command *stat, const struct option *options, int argc,
                        const char **argv, int *rest)
{
	static const char *const usage[] = { "perf stat record [<options>] [<command>]", NULL };
	int ret = command_line__parse(argc, argv, usage, options, 0, rest);

	stat->record = true;
	stat->record_path = stat->output;
	stat->output = NULL;
	return ret;
}

/* 0 to go on, or the exit status. */
static int parse_words(struct stat_command *stat, const struct option *options, int argc,
                       const char **argv)
{
	int rest, ret, at;

	if (argc > 3 && !strcmp(argv[1], "--complete") &&
	    (!strcmp(argv[2], "record") || !strcmp(argv[2], "report"))) {
		stat->report = !strcmp(argv[2], "report");
		argv[2] = argv[1]; /* what TAB asks is about the options behind that word */
		return stat->report ? stat_report__parse(stat, argc - 1, argv + 1)
		                    : parse_record(stat, options, argc - 1, argv + 1, &rest);
	}
	ret = command_line__parse(argc, argv, stat_usage, options, 0, &rest);
	stat->words = argv;
	stat->nr_words = argc;
	if (!ret && rest < argc && !strcmp(argv[rest], "report")) {
		stat->report = true;
		return stat_report__parse(stat, argc - rest, argv + rest);
	}
	if (!ret && rest < argc && !strcmp(argv[rest], "record")) {
		at = rest;
		ret = parse_record(stat, options, argc - at, argv + at, &rest);
		rest += at;
	}
	if (!ret && rest < argc)
		stat->measurement.argv = argv + rest;
	return ret;
}

/* 0 to go on, or the exit status. */
static int parse_with(struct stat_command *stat, const struct option *options, int argc,
                      const char **argv)
{
	struct error err = ERROR_INIT;
	const struct option keys[] = {
		OPT_KEY(OPTION_BOOL, "stat.big-num", &stat->big_num),
		OPT_KEY(OPTION_BOOL, "stat.no-csv-summary", &stat->no_csv_summary),
		{ .type = OPTION_END },
	};
	const char *text, *which = NULL;
	int ret = use_config(keys);

	if (!ret)
		ret = parse_words(stat, options, argc, argv);
	if (stat->separator && !strcmp(stat->separator, "\\t"))
		stat->separator = "\t";
	if (ret || stat->report)
		return ret;
	text = find_conflict(stat, &which);
	if (stat->record && stat->nr_runs != 1) { /* as 6.1 says it, and with its status */
		diag__say_error("Cannot use -r option with perf stat record.");
		return EXIT_ERROR;
	}
	if (text) {
		error__set(&err, -EINVAL, text, NULL, "%s", "");
		command_line__usage(&err, stat_usage, options, which);
		return EXIT_EINVAL;
	}
	warn_of_overhead(stat);
	ret = refuse_hardware(stat);
	if (stat->topdown)
		want_metrics(stat, "TopdownL1");
	if (stat->transaction)
		want_metrics(stat, "transaction");
	return ret || !stat_compare__wanted(stat) ? ret : stat_compare__prepare(stat);
}

int stat__parse_options(struct stat_command *c, int argc, const char **argv)
{
	const struct option options[] = {
		OPT_CALLBACK('e', "event", c, "event", "events to count; 'perf list' shows them",
		             parse_events, .flags = OPTION_NO_NEGATE),
		OPT_CALLBACK(0, "filter", c, "filter",
		             "count only events that match, for the tracepoints of the -e before",
		             parse_filter, .flags = OPTION_NO_NEGATE),
		OPT_CALLBACK(0, "pmu-filter", c, "pmu",
		             "where several PMUs have the event, use those that match this "
		             "pattern (uncore_imc_[01]); before -e",
		             parse_pmu_filter, .flags = OPTION_NO_NEGATE),
		OPT_BOOL('a', "all-cpus", &c->system_wide, "count on all CPUs"),
		OPT_STRING('C', "cpu", &c->cpu_list, "cpu",
		           "count on these CPUs only, such as 0-3,5"),
		OPT_STRING('p', "pid", &c->pids, "pid",
		           "count these running processes, such as 17,42"),
		OPT_STRING('t', "tid", &c->tids, "tid", "count these running threads"),
		OPT_BOOL('i', "no-inherit", &c->measurement.no_inherit, "do not count child tasks"),
		OPT_BOOL('n', "null", &c->null_run, "count nothing, only measure the time"),
		OPT_COUNT('d', "detailed", &c->detailed, "add cache events; -dd and -ddd add more"),
		OPT_BOOL('g', "group", &c->group, "put all events into one group"),
		OPT_BOOL(0, "scale", &c->scale,
		         "scale up events that were counted part of the time"),
		OPT_BOOL(0, "all-user", &c->all_user, "count user space only",
		         .flags = OPTION_EXCLUSIVE),
		OPT_BOOL(0, "all-kernel", &c->all_kernel, "count the kernel only",
		         .flags = OPTION_EXCLUSIVE),
		OPT_UINT('r', "repeat", &c->nr_runs, "n",
		         "repeat the command n times, print mean and spread (0: forever)",
		         .was_set = &c->has_nr_runs),
		OPT_BOOL(0, "ci", &c->ci,
		         "with -r: also print the median with its 95 % interval, minimum and "
		         "maximum"),
		OPT_STRING(0, "compare", &c->compare, "command",
		           "compare this command (A) with the one after the options (B)"),
		OPT_CALLBACK(0, "cmd", c, "command",
		             "compare the command of each --cmd with that of the first",
		             parse_command, .flags = OPTION_NO_NEGATE),
		OPT_CALLBACK(0, "precision", &c->precision, "percent",
		             "compare until each interval is this narrow (0.5%)", parse_precision),
		OPT_CALLBACK(
		        'D', "delay", c, "ms",
		        "wait this long after the command starts before counting (-1: forever)",
		        parse_delay),
		OPT_UINT(0, "timeout", &c->measurement.timeout_ms, "ms",
		         "stop after this time (at least 10 ms)"),
		OPT_STRING(0, "pre", &c->pre, "command",
		           "shell command to run before each repetition"),
		OPT_STRING(0, "post", &c->post, "command",
		           "shell command to run after each repetition"),
		OPT_BOOL('S', "sync", &c->measurement.sync, "call sync() before each repetition"),
		OPT_SHOWN(c),
		OPT_BOOL('B', "big-num", &c->big_num,
		         "print thousands separators, as the locale defines them",
		         .was_set = &c->has_big_num),
		OPT_STRING('o', "output", &c->output, "file",
		           "write to this file instead of stderr"),
		OPT_BOOL(0, "append", &c->append, "with -o: append to the file"),
		OPT_UINT(0, "log-fd", &c->log_fd, "n",
		         "write to this file descriptor instead of stderr",
		         .was_set = &c->has_log_fd),
		OPT_BOOL(0, "quiet", &c->quiet, "print nothing"),
		OPT_COUNT('v', "verbose", &c->verbose,
		          "say why an event is not counted; print raw counts"),
		OPT_AGGREGATES(c, NULL),
		OPT_AGGREGATE(0, "per-thread", c, "one row per thread (of -p, -t, or all)", 0,
		              NULL),
		OPT_CALLBACK('G', "cgroup", c, "name",
		             "count only tasks of this cgroup, for the preceding events",
		             parse_cgroup, .flags = OPTION_NO_NEGATE),
		OPT_STRING(0, "for-each-cgroup", &c->for_each_cgroup, "name",
		           "count all events once for each of these cgroups"),
		OPT_UINT('I', "interval-print", &c->measurement.interval_ms, "ms",
		         "print counts at this interval"),
		OPT_UINT(0, "interval-count", &c->measurement.interval_count, "n",
		         "with -I: stop after n intervals"),
		OPT_BOOL(0, "interval-clear", &c->interval_clear,
		         "with -I: clear the screen before each interval"),
		OPT_BOOL(0, "summary", &c->summary, "with -I: also print the total at the end"),
		OPT_BOOL(0, "no-csv-summary", &c->no_csv_summary,
		         "with --summary and -x: omit the first field, 'summary'"),
		OPT_BOOL(0, "table", &c->table, "with -r: also print the time of each run"),
		OPT_STRING(0, "control", &c->control, "fd:CTL[,ACK] or fifo:CTL[,ACK]",
		           "read commands (enable, disable) from here, and acknowledge them"),
		OPT_BOOL(0, "no-merge", &c->no_merge,
		         "do not merge events of the same name (accepted: they never are)"),
		OPT_BOOL(0, "percore-show-thread", &c->percore_show_thread,
		         "with -A: show the count of its core on every CPU, for percore events"),
		OPT_CALLBACK(
		        'M', "metrics", c, "metric/metric group",
		        "print these metrics, counting the events they need; 'perf list metric' "
		        "shows them",
		        parse_metrics, .flags = OPTION_NO_NEGATE),
		OPT_BOOL(0, "metric-no-group", &c->metric_set.no_group,
		         "with -M: do not group the events of a metric"),
		OPT_BOOL(0, "metric-no-merge", &c->metric_set.no_merge,
		         "with -M: do not share events between metrics"),
		OPT_BOOL(0, "metric-no-threshold", &c->metric_no_threshold,
		         "accepted; no metric is judged by a threshold"),
		OPT_BOOL(0, "hide-zero-events", &c->hide_zero, "omit events whose count is 0"),
		OPT_BOOL(0, "affinity", &c->affinity,
		         "accepted; perf does not bind itself to CPUs"),
		OPT_BOOL('T', "transaction", &c->transaction, "count transactional memory events"),
		OPT_BOOL(0, "topdown", &c->topdown,
		         "print top-down metrics of the pipeline (with -a)"),
		OPT_UINT(0, "td-level", &c->td_level, "n",
		         "with --topdown: the level of detail (1, or 0: the most detailed "
		         "there is)"),
		OPT_BOOL(0, "smi-cost", &c->smi_cost, "measure the cost of SMIs; refused"),
		OPT_STRING(0, "iostat", &c->iostat, "list|default",
		           "count the traffic of I/O stacks; refused", .flags = OPTION_OPTIONAL_ARG,
		           .fallback = "default"),
		OPT_STRING(0, "cputype", &c->cputype, "core|atom",
		           "on hybrid machines: count on one kind of CPU; refused"),
		OPT_BOOL(0, "hybrid-merge", &c->hybrid_merge,
		         "on hybrid machines: add up both kinds of CPU; refused"),
		OPT_NOT_YET('b', "bpf-prog", "value", 0),
		OPT_NOT_YET(0, "bpf-counters", NULL, OPTION_NO_ARG),
		OPT_NOT_YET(0, "bpf-attr-map", "value", 0),
		{ .type = OPTION_END },
	};

	return parse_with(c, options, argc, argv);
}
