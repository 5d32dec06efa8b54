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

#include "builtin-stat.h"
#include "ui/term/diag.h"
#include "ui/term/pager.h"
#include "ui/text/stat_view.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/probe/probe_events.h"
#include "util/sdt/sdt.h"
#include "util/stat/cgroups.h"

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

static void set_modes(const struct stat_command *stat, struct perf_event_attr *attr)
{
	if (stat->all_user)
		attr->exclude_kernel = attr->exclude_hv = 1;
	if (stat->all_kernel)
		attr->exclude_user = 1;
}

/* -M. The exit status of a failure, or 0. */
static int add_metrics(struct stat_command *stat)
{
	struct metric_set *set = &stat->metric_set;
	struct error err = ERROR_INIT;
	int ret;

	set->system_wide = stat->system_wide;
	stat->sources.counting = true;
	ret = metric_set__add(set, &stat->list, &stat->sources, stat->metrics, &err);
	if (set->nr_skipped && !ret) {
		diag__say_warning(
		        "metrics that cannot be counted here are left out (%u); the first: "
		        "%s '%s': %s",
		        set->nr_skipped, set->skipped.what, set->skipped.subject,
		        set->skipped.cause);
	}
	if (ret)
		diag__error(&err);
	return ret ? EXIT_USAGE : 0;
}

/* The exit status of a failure, or 0. */
static int stat__set_events(struct stat_command *stat)
{
	struct error err = ERROR_INIT;

	if (stat->metrics && !stat->null_run && add_metrics(stat))
		return EXIT_USAGE;
	if (stat->null_run)
		evlist__truncate(&stat->list, 0);
	else if (!stat->list.nr)
		add_default_events(stat);
	if (!stat->null_run)
		add_detailed_events(stat);
	if (stat->group && stat->list.nr)
		evlist__make_group(&stat->list, 0);
	evlist__set_units(&stat->list);
	for (u32 i = 0; i < stat->list.nr; i++)
		set_modes(stat, &stat->list.evsels[i]->attr);
	stat->metric_set.stride = stat->list.nr;
	if (!stat->for_each_cgroup ||
	    !stat_cgroups__for_each(&stat->list, stat->for_each_cgroup, &err))
		return 0;
	diag__error(&err);
	return EXIT_EINVAL;
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

/* --per-thread without a task: every thread of the machine, each followed over all CPUs. */
static int set_all_threads(struct stat_command *stat, struct error *err)
{
	struct measurement *m = &stat->measurement;

	stat->system_wide = true;
	m->target = MEASURE_CPUS;
	cpu_map__add(&m->cpus, CPU_ANY);
	return thread_map__of_all(&m->threads, err);
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
	bool without_target = false;
	int ret = 0;

	if (!m->argv && !stat->cpu_list && !stat->pids && !stat->tids)
		stat->system_wide = without_target = true;
	set_title(stat); /* as it was asked for: what follows adapts that */
	if (stat->pids || stat->tids) {
		ret = set_tasks(stat, &err);
	} else if (stat__is_system_wide(stat) && m->aggregate == AGGREGATE_THREAD) {
		ret = set_all_threads(stat, &err);
	} else if (stat__is_system_wide(stat)) {
		ret = set_cpus(stat, &err);
	} else {
		m->target = MEASURE_WORKLOAD;
		cpu_map__add(&m->cpus, CPU_ANY);
		thread_map__add(&m->threads, 0);
	}
	/* Lines of -x and -j may be read from stderr. */
	if (!ret && without_target && !stat->quiet && !stat->separator && !stat->json)
		diag__line("[ perf stat: the whole system; ^C ends it ]");
	if (!ret)
		return 0;
	diag__error(&err);
	return EXIT_EINVAL;
}

/* --- output --- */

/* -o: the older result stays until the new one is whole, but where it is watched as it grows. */
static int open_file(struct stat_command *stat)
{
	bool grows = stat->measurement.interval_ms || !stat->nr_runs;
	unsigned flags = stat->append ? OUTPUT_FILE_APPEND
	                 : grows      ? OUTPUT_FILE_GROWS | OUTPUT_FILE_REPLACE
	                              : OUTPUT_FILE_REPLACE;
	struct error err = ERROR_INIT;
	time_t now = time(NULL);

	if (output_file__open(&stat->file, stat->output, flags, 0666, NULL, &err)) {
		diag__error(&err);
		return EXIT_ERROR;
	}
	if (stat->verbose && stat->file.in_place && !stat->append && !grows)
		diag__line("'%s' is written in place", stat->output);
	out__init(&stat->out, stat->file.fd);
	out__printf(&stat->out, "# started on %s\n", ctime(&now));
	out__flush(&stat->out);
	stat->head_size = stat->out.written;
	return 0;
}

static int open_output(struct stat_command *stat)
{
	int fd = stat->has_log_fd ? (int)stat->log_fd : STDERR_FILENO;

	if (stat->output)
		return open_file(stat);
	if (fd < 0 || fcntl(fd, F_GETFD) < 0) {
		diag__say_error("cannot write to descriptor %d: %s", fd, strerror(errno));
		return EXIT_EINVAL;
	}
	out__init(&stat->out, fd);
	return 0;
}

/* All that was printed, in its place; true: that failed, and was said. */
static bool close_output(struct stat_command *stat)
{
	int error;

	out__exit(&stat->out);
	error = stat->out.error;
	if (error == -EBADF && !stat->output && !stat->has_log_fd)
		error = 0; /* who closes stderr wants no counts */
	if (stat->file.fd >= 0) {
		bool counted = stat->out.written > stat->head_size;
		int ret = output_file__close(&stat->file, counted && !error);

		error = error ? error : ret;
	}
	return diag__cannot_write(error, stat->output ? "cannot write" : "cannot write the counts",
	                          stat->output);
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
		diag__line("%s: %s", m->argv[0], strsignal(WTERMSIG(status)));
}

/* Why the hardware events are <not supported>, or NULL: they are, or none was asked for. */
static const char *why_no_hardware(const struct stat_command *stat)
{
	for (u32 i = 0; stat->measurement.refusals && i < stat->list.nr; i++) {
		const struct error *refusal = stat->measurement.refusals[i];
		u32 type = stat->list.evsels[i]->attr.type;

		if (refusal && refusal->code == -ENOENT &&
		    (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE) &&
		    !stat->measurement.opener.has_counters)
			return refusal->cause;
	}
	return NULL;
}

static struct stat_view make_view(struct stat_command *stat)
{
	const struct measurement *m = &stat->measurement;

	return (struct stat_view){
		.title = stat->title,
		.nr_runs = stat->nr_runs,
		.counts = &m->counts,
		.metrics = stat->metrics ? &stat->metric_set : NULL,
		.wall = m->wall,
		.has_usage = m->target == MEASURE_WORKLOAD,
		.user_ns = timeval_ns(&m->workload.usage.ru_utime),
		.sys_ns = timeval_ns(&m->workload.usage.ru_stime),
		.big_num = stat->big_num,
		.metric_only = stat->metric_only,
		.hide_zero = stat->hide_zero,
		.percore_all = stat->percore_show_thread,
		.only_counted = m->target == MEASURE_CPUS,
		.run_ns = stat->run_ns,
		.table = stat->table,
		.ci = stat->ci,
		.separator = stat->separator,
		.note = why_no_hardware(stat),
	};
}

void stat__print_view(struct stat_command *stat, const struct stat_view *view)
{
	fflush(stdout);
	if (stat->json) {
		stat_json__print(view, &stat->out);
	} else if (stat->separator) {
		stat_csv__print(view, &stat->out);
	} else {
		if (stat->big_num)
			setlocale(LC_NUMERIC, "");
		stat_table__print(view, &stat->out);
		setlocale(LC_NUMERIC, "C");
	}
	out__flush(&stat->out);
}

static void print_counts(struct stat_command *stat)
{
	struct stat_view view = make_view(stat);

	fflush(stdout);
	say_death(&stat->measurement);
	if (stat->quiet || (stat->measurement.interval_ms && !stat->summary))
		return;
	view.summary = stat->measurement.interval_ms && !stat->no_csv_summary;
	stat__print_view(stat, &view);
}

/* --- while it goes on --- */

#define HEADING_EVERY 25 /* intervals */

bool stat__wants_heading(struct stat_command *stat)
{
	return stat->interval_clear || stat->nr_intervals++ % HEADING_EVERY == 0;
}

static int begin_recording(void *ctx, struct error *err)
{
	return stat_record__begin(ctx, err);
}

static void print_interval(void *ctx, u64 since_start, u64 length)
{
	struct stat_command *stat = ctx;
	struct stat_view view = make_view(stat);

	stat_file__round(&stat->recording, stat->measurement.ending, since_start);
	if (stat->quiet)
		return;
	view.counts = &stat->measurement.stretch;
	view.wall = (struct stats){ .nr = 0 };
	stats__add(&view.wall, length);
	view.nr_runs = 1;
	view.interval = true;
	view.time_ns = since_start;
	view.heading = stat__wants_heading(stat);
	if (stat->interval_clear && isatty(stat->out.fd))
		out__str(&stat->out, "\033[H\033[2J");
	stat__print_view(stat, &view);
}

static void say_switched(void *ctx, bool enabled)
{
	const struct stat_command *stat = ctx;

	if (!stat->quiet)
		fprintf(stderr, "Events %s\n", enabled ? "enabled" : "disabled");
}

static void say_control(void *ctx, const struct control_command *unknown)
{
	char line[CONTROL_LINE];

	(void)ctx;
	if (unknown)
		diag__say_warning("--control: unknown command '%s'; enable, disable, ping and stop "
		                  "are known",
		                  text__printable(line, sizeof(line), unknown->text));
	else
		diag__say_warning("--control: nobody can send commands any more; the measurement "
		                  "goes on");
}

struct counts stat__count_of_run(const struct stat_command *stat, u32 event)
{
	const struct aggregation *agg = &stat->measurement.counts;
	struct counts sum = { .value = 0 };

	for (u32 g = 0; g < agg->nr; g++) {
		const struct counts *run = &agg->groups[g].events[event].run;

		sum.value += run->value;
		sum.enabled += run->enabled;
		sum.running += run->running;
	}
	return sum;
}

/* -v: why events are missing (once), and the raw counts of the run. */
static void print_run(const struct stat_command *stat)
{
	const struct measurement *m = &stat->measurement;

	for (u32 i = 0; i < stat->list.nr && !stat->refusals_said; i++) {
		if (!m->refusals[i] || m->refusals[i]->code == -ENOSYS)
			continue;                 /* say_no_syscall() has told of that */
		m->refusals[i]->advice[0] = '\0'; /* nobody is stuck */
		diag__warning(m->refusals[i]);
	}
	for (u32 i = 0; i < stat->list.nr; i++) {
		struct counts run = stat__count_of_run(stat, i);

		if (m->counts.groups[0].events[i].supported)
			diag__line("%s: %.0f %llu %llu", stat->list.evsels[i]->name, run.value,
			           (unsigned long long)run.enabled,
			           (unsigned long long)run.running);
	}
}

/* Without the system call all events are <not supported>: say once that they are not the reason. */
static void say_no_syscall(const struct stat_command *stat)
{
	const struct measurement *m = &stat->measurement;

	for (u32 i = 0; i < stat->list.nr && !stat->refusals_said && !stat->quiet; i++)
		if (m->refusals[i] && m->refusals[i]->code == -ENOSYS) {
			diag__warning(m->refusals[i]);
			return;
		}
}

/* Why a probe in a program counted nothing, if that is known. */
static void say_stale_probes(const struct stat_command *stat)
{
	struct error stale = ERROR_INIT;

	for (u32 i = 0; i < stat->list.nr && !stat->quiet; i++) {
		const struct evsel *evsel = stat->list.evsels[i];

		if (evsel__is_tracepoint(evsel) &&
		    stat->measurement.counts.groups[0].events[i].supported &&
		    stat__count_of_run(stat, i).value == 0 && probe_events__is_stale(evsel, &stale))
			diag__warning(&stale);
	}
}

/* -v: what the machine and the kernel did not allow. */
static void print_notes(const struct stat_command *stat)
{
	const struct opener *opener = &stat->measurement.opener;

	if (stat->sources.tracefs.mounted)
		fprintf(stderr, "mounted tracefs on %s\n", stat->sources.tracefs.path);
	for (u32 i = 0; i < opener->nr_notes; i++)
		diag__line("%s", opener->notes[i]);
}

static int run_hook(const char *command)
{
	int status = command ? system(command) : 0;

	if (!status)
		return 0;
	diag__say_error("'%s' failed", command);
	return EXIT_ERROR;
}

static void remember_time(struct stat_command *stat, double wall_before, u64 nr_before)
{
	const struct stats *wall = &stat->measurement.wall;

	stat->run_ns = xrealloc(stat->run_ns, nr_before + 1, sizeof(*stat->run_ns));
	stat->run_ns[nr_before] = wall->mean * wall->nr - wall_before * nr_before;
}

/* The exit status of a failure, or 0. */
int stat__run_once(struct stat_command *stat)
{
	struct stats wall = stat->measurement.wall;
	struct error err = ERROR_INIT;

	if (run_hook(stat->pre))
		return EXIT_ERROR;
	if (measurement__run(&stat->measurement, &err)) {
		diag__error(&err);
		return EXIT_ERROR;
	}
	if (stat->table || stat->ci)
		remember_time(stat, wall.mean, wall.nr);
	say_no_syscall(stat);
	if (stat->verbose)
		print_run(stat);
	stat->refusals_said = true;
	return run_hook(stat->post);
}

/* All runs and the output. The exit status. */
static int stat__run(struct stat_command *stat)
{
	struct measurement *m = &stat->measurement;
	bool for_ever = stat->nr_runs == 0;
	int ret;

	if (stat->ci)
		aggregation__keep_runs(&m->counts);
	do {
		measurement__reset(m);
		for (u32 run = 0; run < (for_ever ? 1 : stat->nr_runs) && !m->signal; run++) {
			ret = stat__run_once(stat);
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

/* The exit status of a failure, or 0. */
static int prepare(struct stat_command *stat)
{
	struct measurement *m = &stat->measurement;
	struct error err = ERROR_INIT;
	int ret = 0;

	if (stat->control && control__open(&m->control, stat->control, &err)) {
		diag__error(&err);
		return EXIT_USAGE;
	}
	if (stat->control)
		signal(SIGPIPE, SIG_IGN); /* an answer that nobody reads ends nothing */
	m->hooks = (struct measure_hooks){ begin_recording, print_interval, say_switched,
		                           say_control, stat };
	m->recorded = stat->record;
	m->no_scale = !stat->scale;
	ret = stat__set_targets(stat);
	if (!ret)
		ret = stat__set_events(stat);
	if (!ret && m->target != MEASURE_CPUS && !m->no_inherit && !stat->quiet &&
	    evlist__probes_stay(&stat->list, &err))
		diag__warning(&err);
	if (!ret && m->argv && !stat_compare__wanted(stat) && workload__check(m->argv, &err)) {
		diag__error(&err);
		ret = EXIT_ERROR;
	}
	if (!ret && stat->record)
		ret = stat_record__open(stat);
	return ret ? ret : open_output(stat);
}

/* The exit status. */
static int stat__measure(struct stat_command *stat)
{
	struct measurement *m = &stat->measurement;
	struct error err = ERROR_INIT;
	int ret = 0, end;

	if (measurement__init(m, &err)) {
		diag__error(&err);
		ret = EXIT_ERROR;
	}
	opener_text__tell(&m->opener, &stat->calls, stat->verbose > 1);
	if (!ret && stat_compare__wanted(stat)) {
		ret = stat_compare__run(stat);
	} else if (!ret) {
		ret = stat__run(stat);
		if (m->counts.nr)
			say_stale_probes(stat);
	}
	if (stat->verbose)
		print_notes(stat);
	end = stat_record__end(stat);
	measurement__exit(m);
	return ret ? ret : end;
}

int cmd_stat(int argc, const char **argv)
{
	struct stat_command stat = {
		.big_num = true,
		.scale = true,
		.nr_runs = 1,
		.verbose = perf_debug.verbose,
		.sources = EVENT_SOURCES_INIT,
		.measurement = { .list = &stat.list, .signal_fd = -1, .control = CONTROL_INIT },
		.out = { .fd = -1 },
		.file = { .fd = -1 },
	};
	struct measurement *m = &stat.measurement;
	struct error err = ERROR_INIT;
	int ret;

	stat.sources.probe_points = sdt__probe_points;
	run_probes__init(&stat.probes, &stat.sources);
	ret = stat__parse_options(&stat, argc, argv);

	if (!ret && stat.report) {
		out__init(&stat.out, STDERR_FILENO);
		ret = stat_report__run(&stat);
	} else if (!ret) {
		ret = prepare(&stat);
	}
	if (!ret && !stat.report)
		ret = stat__measure(&stat);
	stat_file__exit(&stat.recording);
	if (close_output(&stat) && !ret)
		ret = EXIT_ERROR;
	metric_set__exit(&stat.metric_set);
	free(stat.metrics);
	free(stat.title);
	free(stat.run_ns);
	control__exit(&m->control);
	evlist__exit(&stat.list);
	if (run_probes__exit(&stat.probes, &err))
		diag__warning(&err);
	cpu_map__exit(&m->cpus);
	thread_map__exit(&m->threads);
	event_sources__exit(&stat.sources);
	if (m->signal)
		pass_signal_on(m->signal);
	return ret;
}
