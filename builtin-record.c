// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record: run a command, or watch running tasks or CPUs, and write their samples to a file. */
#include "builtin-record.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "builtin-record-filter.h"
#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/term/diag.h"
#include "ui/term/pager.h"
#include "ui/term/progress.h"
#include "util/analysis/losses.h"
#include "util/buildid/build_id_cache.h"
#include "util/event/access.h"
#include "util/event/registers.h"
#include "util/export/bundle.h"
#include "util/lib/file.h"
#include "util/lib/text.h"

static const char *const own_usage[] = {
	"perf record [<options>] [<command>]",
	"perf record [<options>] -- <command> [<options>]",
	NULL,
};
static const char *const top_usage[] = { "perf top [<options>]", NULL };
static const char *const *usage = own_usage;

/* Say why; returns the exit status. */
static int fail(const struct error *err, int status)
{
	diag__error(err);
	return status;
}

/* ---- checks before anything is opened ---- */

/*
 * "-g dwarf CMD" was right once and is in many articles: today dwarf would be the command. Others
 * are words of report's -g. NULL: it is neither; else what to use.
 */
static const char *meant_by_old_call_graph(const struct record_command *command)
{
	static const struct {
		const char *word, *use;
	} rows[] = {
		{ "fp", "record --call-graph" },
		{ "dwarf", "record --call-graph" },
		{ "lbr", "record --call-graph" },
		{ "caller", "record -g COMMAND, then perf report -g" },
		{ "callee", "record -g COMMAND, then perf report -g" },
		{ "graph", "record -g COMMAND, then perf report -g" },
		{ "fractal", "record -g COMMAND, then perf report -g" },
		{ "flat", "record -g COMMAND, then perf report -g" },
		{ "folded", "record -g COMMAND, then perf report -g" },
	};

	for (u32 i = 0; command->call_graph_by_g && command->argv && i < ARRAY_SIZE(rows); i++)
		if (!strcmp(command->argv[0], rows[i].word))
			return rows[i].use;
	return NULL;
}

static int refuse_old_call_graph(const struct record_command *command)
{
	diag__say_error("-g takes no argument: '%s' would be run as the command\n"
	                "use: perf %s %s ...",
	                command->argv[0], meant_by_old_call_graph(command), command->argv[0]);
	return EXIT_ERROR;
}

/* --user-regs=?, --intr-regs=? */
static int list_registers(void)
{
	u64 mask = arch__here()->dwarf_registers;
	char name[16];

	fputs("available registers: ", stderr);
	for (unsigned bit = 0; bit < 64; bit++)
		if (mask >> bit & 1)
			fprintf(stderr, "%s ",
			        register__name(arch__here(), bit, name, sizeof(name)));
	fputc('\n', stderr);
	return EXIT_USAGE;
}

static int refuse_cgroup(const struct record_command *command)
{
	struct error err = ERROR_INIT;

	error__set(&err, -EINVAL, "cgroup monitoring only available in system-wide mode", NULL,
	           "%s", "");
	error__advise(&err, "add -a");
	return command_line__usage(&err, usage, command->options, "-G");
}

/*
 * Standard output is for the stream alone: it moves to a descriptor of its own, and whatever else
 * writes to number 1 (the workload, above all) writes to standard error, as with Linux's perf.
 */
static int open_stream(struct record_command *command)
{
	struct recording *recording = &command->recording;
	struct stat st;

	if (command->writers) {
		diag__say_error("parallel trace streaming is not available in pipe mode\n"
		                "name a folder: perf record --threads -o FOLDER");
		return EXIT_ERROR;
	}
	if (recording->wish.switching) {
		diag__say_error("cannot go on in another file: the recording is a stream\n"
		                "name a file: perf record --switch-output -o FILE");
		return EXIT_ERROR;
	}
	if (recording->wish.kcore) {
		diag__say_error("a stream has no place for a copy of the kernel\n"
		                "name a folder: perf record --kcore -o FOLDER");
		return EXIT_ERROR;
	}
	if (isatty(STDOUT_FILENO)) {
		diag__say_error("cannot write the recording to a terminal\n"
		                "record to a file (perf record -o FILE), or into a pipe: "
		                "perf record -o - ... | perf report -i -");
		return EXIT_ERROR;
	}
	recording->wish.stream_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (recording->wish.stream_fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
		diag__say_error("cannot write the recording to standard output: %s",
		                strerror(errno));
		return EXIT_ERROR;
	}
	if (fstat(recording->wish.stream_fd, &st) == 0 && S_ISFIFO(st.st_mode))
		command->reader_fd = recording->wish.stream_fd;
	recording->wish.config.stream = true;
	return 0;
}

static int refuse_bundle(const char *why, const char *way)
{
	diag__say_error("--bundle puts symbols behind one file: %s\n%s", why, way);
	return EXIT_ERROR;
}

/* 0, or the exit status. */
static int check_bundle(const struct record_command *command)
{
	const char *pack = "perf archive packs the files themselves";

	if (!command->bundle)
		return 0;
	if (command->recording.wish.config.stream)
		return refuse_bundle(
		        "this recording is a stream",
		        "record --bundle -o FILE and send that file, or save the stream "
		        "here: 'perf inject -b -o FILE', then perf archive packs the objects");
	if (command->writers)
		return refuse_bundle("--threads makes a folder", pack);
	if (command->recording.wish.switching)
		return refuse_bundle("--switch-output makes several", pack);
	return 0;
}

/* Where the recording goes: to a file, or, as a stream, into the pipe that standard output is. */
static int choose_output(struct record_command *command)
{
	struct stat st;
	bool pipe = !command->output && fstat(STDOUT_FILENO, &st) == 0 && S_ISFIFO(st.st_mode);

	if (!command->output)
		command->output = pipe ? "-" : "perf.data";
	command->recording.wish.output = command->output;
	if (pipe && !command->say.quiet)
		diag__line("[ perf record: standard output is a pipe: the recording goes into it; "
		           "-o FILE writes a file ]");
	return !strcmp(command->output, "-") ? open_stream(command) : 0;
}

/* Of --call-graph fp,N; the kernel refuses more than it allows. */
static void check_depth(struct record_command *command)
{
	struct record_config *config = &command->recording.wish.config;
	int limit = access__setting("", "/proc/sys/kernel/perf_event_max_stack");

	if (limit <= 0 || config->max_stack <= limit)
		return;
	if (!command->say.quiet)
		diag__say_warning("call graphs of %u frames are more than "
		                  "kernel.perf_event_max_stack allows: %d are recorded\n"
		                  "sysctl kernel.perf_event_max_stack=%u, or --call-graph dwarf",
		                  config->max_stack, limit, config->max_stack);
	config->max_stack = 0;
}

/* 0, or the exit status. */
static int check_frequency(struct record_command *command)
{
	struct record_config *config = &command->recording.wish.config;
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

static void warn_override(const struct record_command *command, const char *loser, bool given)
{
	if (given && !command->say.quiet)
		diag__say_warning("%s switch overriding %s", command->user ? "UID" : "PID/TID",
		                  loser);
}

/* Whom the counters follow. 0, or a negative errno. */
static int make_targets(struct record_command *command, struct error *err)
{
	struct targets_wish wish = {
		.pids = command->pids,
		.tids = command->tids,
		.user = command->user,
		.cpus = command->cpus,
		.all_cpus = command->all_cpus,
		.workload = command->recording.wish.workload,
	};
	bool attached = wish.pids || wish.tids || wish.user;

	warn_override(command, "CPU", attached && command->cpus);
	warn_override(command, "SYSTEM", attached && command->all_cpus);
	if (!attached && (command->cpus || command->all_cpus) && !command->say.quiet &&
	    command->recording.wish.config.per_thread)
		diag__say_warning("SYSTEM/CPU switch overriding PER-THREAD");
	if (command->pids && command->tids && !command->say.quiet)
		diag__say_warning("PID switch overriding TID");
	if (!attached && !wish.cpus && !wish.all_cpus && !wish.workload && !command->say.quiet)
		diag__line("[ perf record: the whole system; ^C ends it ]");
	return recording__set_targets(&command->recording, &wish, err);
}

/* The option that said whom to follow: it was wrong. */
static const char *target_option(const struct record_command *command)
{
	if (command->pids)
		return "-p";
	if (command->tids)
		return "-t";
	return command->user ? "-u" : "-C";
}

/* ---- signals ---- */

static bool ends_us(u32 signal_number)
{
	return signal_number != SIGCHLD && signal_number != SIGUSR2;
}

/*
 * Signals that end a recording come through a descriptor, so that they are seen between two
 * passes and never interrupt one.
 */
static int open_signals(struct record_command *command, struct error *err)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR2 };
	sigset_t set;

	sigemptyset(&set);
	for (u32 i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	command->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	/* Looked at, never read, while a pipe is full. */
	sigemptyset(&set);
	for (u32 i = 0; i < ARRAY_SIZE(signals); i++)
		if (ends_us(signals[i]))
			sigaddset(&set, signals[i]);
	command->recording.wish.end_fd = signalfd(-1, &set, SFD_CLOEXEC);
	command->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (command->signal_fd >= 0 && command->timer_fd >= 0 &&
	    command->recording.wish.end_fd >= 0)
		return 0;
	return error__set(err, -errno, "cannot wait for signals", NULL, NULL);
}

static u64 now_ms(void)
{
	struct timespec ts = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* The next step of -D. */
static void arm_timer(struct record_command *command)
{
	const struct delay_step *step = record_delay__next(&command->delay);
	struct itimerspec spec = { 0 };
	u64 at;

	if (!step)
		return;
	at = command->start_ms + step->at_ms;
	spec.it_value.tv_sec = at / 1000;
	/* A little of the millisecond that now_ms() cuts off; and zero would disarm it. */
	spec.it_value.tv_nsec = at % 1000 * 1000000l + 1;
	timerfd_settime(command->timer_fd, TFD_TIMER_ABSTIME, &spec, NULL);
}

static void say_enabled(const struct record_command *command, bool enabled)
{
	if (!command->say.quiet)
		fprintf(stderr, "Events %s\n", enabled ? "enabled" : "disabled");
}

static void start_delay(struct record_command *command)
{
	if (!record_delay__delays(&command->delay))
		return;
	command->start_ms = now_ms();
	say_enabled(command, false);
	arm_timer(command);
}

static void take_steps(struct record_command *command)
{
	const struct delay_step *step;
	struct error err = ERROR_INIT;

	while ((step = record_delay__take(&command->delay, now_ms() - command->start_ms))) {
		int ret = step->enable ? recording__enable(&command->recording, &err)
		                       : recording__disable(&command->recording, &err);

		if (ret)
			diag__error(&err);
		else
			say_enabled(command, step->enable);
	}
	arm_timer(command);
}

/* Seen also while nothing is written: a pipe without a reader says POLLERR. */
static bool reader_is_gone(const struct record_command *command)
{
	struct pollfd fd = { .fd = command->reader_fd };

	return command->reader_fd >= 0 && poll(&fd, 1, 0) == 1 && fd.revents & POLLERR;
}

/* Called by recording__run() when there is something to look at. True ends the recording. */
static bool ended(void *ctx)
{
	struct record_command *command = ctx;
	struct signalfd_siginfo info;
	u64 ticks;
	bool end = reader_is_gone(command);

	if (read(command->timer_fd, &ticks, sizeof(ticks)) == sizeof(ticks))
		take_steps(command);
	while (read(command->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (ends_us(info.ssi_signo)) {
			command->signal = info.ssi_signo;
			end = true;
		} else if (info.ssi_signo == SIGUSR2) {
			command->run.usr2 = true;
		} else if (command->workload.pid &&
		           workload__wait(&command->workload, false) == 0) {
			end = true;
		}
	}
	return end || record_run__step(command);
}

/*
 * The workload goes with us, as in Linux's perf. One that does not listen to SIGTERM is killed by
 * the user's next ^C.
 */
static void stop_workload(struct record_command *command)
{
	struct pollfd fd = { .fd = command->signal_fd, .events = POLLIN };
	struct signalfd_siginfo info;

	if (!command->started || workload__wait(&command->workload, false) == 0)
		return;
	kill(command->workload.pid, SIGTERM);
	while (workload__wait(&command->workload, false) == -EAGAIN) {
		if (poll(&fd, 1, -1) < 0 || read(fd.fd, &info, sizeof(info)) != sizeof(info))
			continue;
		if (ends_us(info.ssi_signo))
			kill(command->workload.pid, SIGKILL);
	}
}

/* End by the signal that ended the workload or us, so that a calling shell sees it. */
static void die_by(int signal_number)
{
	sigset_t set;

	fflush(NULL);
	pager__close();
	signal(signal_number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signal_number);
	raise(signal_number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Whoever read our stream has seen enough: nobody is to be told, and we end as `yes | head` does.
 */
static bool reader_left(struct record_command *command, int code)
{
	if (!reader_is_gone(command) && (!command->recording.wish.config.stream || code != -EPIPE))
		return false;
	command->signal = SIGPIPE;
	return true;
}

/* Those that came while nobody looked, as a pipe was full. */
static void take_signals(struct record_command *command)
{
	struct signalfd_siginfo info;

	while (read(command->signal_fd, &info, sizeof(info)) == sizeof(info))
		if (ends_us(info.ssi_signo))
			command->signal = info.ssi_signo;
}

/*
 * A step before the start failed. When ^C was the cause (the waiting workload is gone, and nothing
 * can be opened on it) there is nothing to explain.
 */
static int failed_early(struct record_command *command, const struct error *err)
{
	take_signals(command);
	reader_left(command, err->code);
	recording__abandon(&command->recording);
	return command->signal ? EXIT_ERROR : fail(err, EXIT_ERROR);
}

/* ---- the run ---- */

static int set_priority(const struct record_command *command)
{
	const struct sched_param param = { .sched_priority = command->realtime };
	struct error err = ERROR_INIT;

	if (!command->realtime || !sched_setscheduler(0, SCHED_FIFO, &param))
		return 0;
	error__set(&err, -errno, "could not set realtime priority", NULL,
	           errno == EINVAL ? "it must be from %d to %d" : NULL,
	           sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_FIFO));
	return fail(&err, EXIT_ERROR);
}

static int workload_failed(struct record_command *command, const struct error *err)
{
	recording__abandon(&command->recording);
	diag__line("Failed to collect '%s' for the '%s' workload: %s",
	           command->recording.wish.evlist.evsels[0]->name, command->argv[0],
	           strerror(-err->code));
	return EXIT_ERROR;
}

static void reading(const struct perf_data *data)
{
	if (data)
		progress__read(data);
	else
		progress__stop();
}

/* What comes behind the last sample may take long: all that was written is read again. */
static int end_recording(struct record_command *command, struct error *err)
{
	struct recording *recording = &command->recording;

	if (!command->say.quiet && !recording->wish.config.stream)
		progress__start("finishing the recording");
	recording->wish.reading = reading;
	int ret = recording__end(recording, err);

	progress__stop();
	return ret;
}

static int measure(struct record_command *command)
{
	struct recording *recording = &command->recording;
	const int own[] = { command->signal_fd, command->timer_fd, command->reader_fd };
	struct error err = ERROR_INIT, *run_err = &command->run.trouble;
	const struct record_manner manner = { .aio = command->run.aio,
		                              .controlled = command->run.control_text,
		                              .when = &command->run.when,
		                              .when_text = command->run.when_text };
	int ret, *events = NULL;
	u32 nr_events;

	record_messages__opening(recording, &command->say, &manner);
	ret = recording__open(recording, &err);
	if (ret)
		return failed_early(command, &err);
	record_messages__start(recording, &command->say);
	ret = record_run__open(command, own, ARRAY_SIZE(own), &events, &nr_events, &err);
	if (!ret)
		ret = recording__begin(recording, events, nr_events, &err);
	free(events);
	if (ret)
		return failed_early(command, &err);
	if (recording->wish.config.system_wide && !recording->wish.config.delayed &&
	    recording__enable(recording, &err))
		return failed_early(command, &err);
	start_delay(command);
	if (command->argv && workload__start(&command->workload, &err))
		return workload_failed(command, &err);
	command->started = command->argv != NULL;
	record_messages__started(&command->say);
	ret = recording__run(recording, ended, command);
	if (ret)
		error__set(run_err, ret, "cannot write", recording->wish.output, NULL);
	if (ret)
		take_signals(command);
	if (command->signal)
		recording__hurry(recording);
	stop_workload(command);
	ret = end_recording(command, &err);
	if (ret)
		take_signals(command);
	if (reader_left(command, ret ? ret : run_err->code))
		return EXIT_ERROR;
	record_messages__missing(recording, &command->say);
	record_messages__result(recording, &command->say);
	if (ret || run_err->code)
		return fail(ret ? &err : run_err, EXIT_ERROR);
	return 0;
}

/* Symbols go into the finished file. */
static int add_bundle(struct record_command *command)
{
	const struct recording *recording = &command->recording;
	char *cache = build_id_cache__dir(NULL, NULL), *path = recording__path_to_read(recording);
	const struct symbol_config objects = { .symfs = "", .cache_dir = cache, .demangle = true };
	struct error err = ERROR_INIT;
	struct bundle_result result;

	if (!command->say.quiet)
		progress__start("bundling symbols");
	int ret = bundle__put_into(path ? path : recording->wish.output, &objects, &result, &err);

	progress__stop();
	free(path);
	free(cache);
	if (ret)
		return fail(&err, EXIT_ERROR);
	if (result.nr_left_out)
		diag__say_warning("the symbols of %u objects did not fit into the bundle",
		                  result.nr_left_out);
	if (result.nr_gone)
		diag__say_warning("'%s'%s gone or another file now: the bundle cannot name what it "
		                  "did",
		                  result.first_gone,
		                  result.nr_gone > 1 ? " and other objects are" : " is");
	if (result.needs_files)
		diag__say_warning("stacks that were copied are unwound with the programs "
		                  "themselves: to read them elsewhere\n"
		                  "make call chains of them here: perf inject "
		                  "--convert-callchain -i %s -o FILE",
		                  recording->wish.output);
	if (!command->say.quiet)
		fprintf(stderr, "[ perf record: Bundled the symbols of %u objects (%.3f MB) ]\n",
		        result.nr_objects, result.bytes / 1048576.0);
	return 0;
}

static bool lost_too_much(const struct record_command *command)
{
	const struct build_id_pass *pass = &command->recording.found.pass;
	u64 lost = record_messages__lost(&command->recording);
	double percent = losses__percent(lost, pass->nr_samples);

	if (command->max_loss < 0 || command->max_loss >= 100 || !lost)
		return false;
	if (!pass->counted) {
		diag__say_error("%llu events were lost, and of how many is not counted with -z, "
		                "with -o - and with -N: this may be more than --max-loss %g "
		                "allows\n"
		                "sample less often (-F, -c), or give larger rings: -m 2M",
		                (unsigned long long)lost, command->max_loss);
		return true;
	}
	if (percent <= command->max_loss)
		return false;
	diag__say_error("%.2f %% of the events were lost, more than --max-loss %g allows\n"
	                "perf report --losses shows when; sample less often (-F, -c), or give "
	                "larger rings: -m 2M",
	                percent, command->max_loss);
	return true;
}

/* Like measure(), with what must exist before and go after. */
static int record(struct record_command *command)
{
	struct recording *recording = &command->recording;
	struct error err = ERROR_INIT;
	int status;

	if (open_signals(command, &err))
		return fail(&err, EXIT_ERROR);
	if (command->argv && workload__prepare(&command->workload, command->argv, false, &err))
		return fail(&err, EXIT_ERROR);
	/* Only now: what is ignored here would be ignored in the workload, too. */
	signal(SIGPIPE, SIG_IGN);
	if (set_priority(command))
		return EXIT_ERROR;
	recording->wish.workload = command->workload.pid;
	recording->wish.config.delayed = record_delay__delays(&command->delay);
	status = make_targets(command, &err);
	if (status && recording->wish.threads.nr == 0 && command->pids)
		return fail(&err, -ENOMEM & 0xff); /* the status of Linux's perf */
	if (status == -EINVAL)
		return command_line__usage(&err, usage, command->options, target_option(command));
	if (status)
		return fail(&err, status & 0xff);
	status = command->writers ? recording__set_writers(recording, command->writers, &err) : 0;
	if (status)
		return fail(&err, status & 0xff);
	if (command->by_cgroup && !recording->wish.config.system_wide)
		return refuse_cgroup(command);
	if (command->argv && workload__check(command->argv, &err))
		return workload_failed(command, &err);
	status = measure(command);
	if (!status && command->bundle)
		status = add_bundle(command);
	if (status)
		return status;
	if (command->started && WIFEXITED(command->workload.status) &&
	    WEXITSTATUS(command->workload.status))
		return WEXITSTATUS(command->workload.status);
	if (command->started && WIFSIGNALED(command->workload.status))
		command->signal = WTERMSIG(command->workload.status);
	return lost_too_much(command) ? 1 : 0;
}

int cmd_record(int argc, const char **argv)
{
	struct record_command command = {
		.workload = WORKLOAD_INIT, .reader_fd = -1, .max_loss = -1, .run = RECORD_RUN_INIT
	};
	struct recording *recording = &command.recording;
	struct option options[RECORD_NR_OPTIONS];
	struct error err = ERROR_INIT;
	int rest, status;

	if (!strcmp(argv[0], "top")) /* whose recorder this is: builtin-top-recorder.c */
		usage = top_usage;
	recording__init(recording);
	record_options__make(&command, options);
	command.say.verbose = perf_debug.verbose;
	command.say.events = perf_debug.event_open;
	command.options = options;
	status = record_options__apply_config(&command);
	if (!status)
		status = command_line__parse(argc, argv, usage, options, 0, &rest);
	if (!status && command.setup_filter)
		status = record_filter__setup(command.setup_filter, argc, argv, command.say.quiet);
	if (status || command.setup_filter)
		goto out;
	command.argv = rest < argc ? (const char *const *)argv + rest : NULL;
	recording->wish.version = PERF_VERSION;
	recording->wish.ring_size_given = command.ring_pages;
	recording->wish.words = argv;
	recording->wish.nr_words = argc;
	if (command.refusal.code)
		status = fail(&command.refusal, EXIT_ERROR);
	else if (rings__size(command.ring_pages, &recording->wish.ring_size, &err))
		status = command_line__usage(&err, usage, options, "-m");
	else if (meant_by_old_call_graph(&command))
		status = refuse_old_call_graph(&command);
	else if (command.list_registers)
		status = list_registers();
	else
		status = check_frequency(&command);
	if (!status)
		check_depth(&command);
	if (!status)
		status = record_run__check(&command, usage);
	if (!status)
		status = choose_output(&command);
	if (!status)
		status = check_bundle(&command);
	if (!status && !command.run.dry_run)
		status = record(&command);
out:
	stop_workload(&command);
	workload__exit(&command.workload);
	record_run__exit(&command.run);
	record_delay__exit(&command.delay);
	if (recording__exit(recording, &err))
		diag__warning(&err);
	if (command.signal)
		die_by(command.signal);
	return status;
}
