// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/measure.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "util/counter/open_error.h"
#include "util/lib/alloc.h"
#include "util/stat/wait.h"

#define NS_PER_MS 1000000ull

/* The counters wait for the exec of the workload, or for us. */
static void configure(const struct measurement *m, struct evsel *evsel)
{
	struct perf_event_attr *attr = &evsel->attr;
	bool leads = evsel->leader == evsel->idx;

	attr->read_format = COUNTS_READ_FORMAT;
	attr->sample_period = 0;
	attr->freq = 0;
	attr->sample_type = m->recorded ? PERF_SAMPLE_IDENTIFIER : 0;
	attr->inherit = evsel->inherit >= 0 ? evsel->inherit : !m->no_inherit;
	attr->disabled = leads;
	attr->enable_on_exec =
	        leads && m->target == MEASURE_WORKLOAD && !m->delay_ms && !m->never_start;
}

static u64 nr_cells(const struct measurement *m)
{
	return (u64)m->cpus.nr * m->threads.nr;
}

static struct reading **make_readings(const struct measurement *m)
{
	struct reading **readings = xcalloc(m->list->nr + 1, sizeof(*readings));

	for (u32 i = 0; i < m->list->nr; i++)
		readings[i] = xcalloc(nr_cells(m), sizeof(**readings));
	return readings;
}

static void free_readings(const struct measurement *m, struct reading **readings)
{
	for (u32 i = 0; readings && i < m->list->nr; i++)
		free(readings[i]);
	free(readings);
}

static int block_signals(struct measurement *m, struct error *err)
{
	sigset_t set;

	signal(SIGCHLD, SIG_DFL); /* where it is ignored nobody can be waited for */
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	m->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return m->signal_fd < 0 ? error__set(err, -errno, "cannot wait for signals", NULL, NULL)
	                        : 0;
}

int measurement__init(struct measurement *m, struct error *err)
{
	for (u32 i = 0; i < m->list->nr; i++)
		configure(m, m->list->evsels[i]);
	aggregation__init(&m->counts, m->aggregate, m->list, &m->cpus, &m->threads, "/sys", NULL,
	                  0);
	m->readings = make_readings(m);
	if (m->interval_ms) {
		aggregation__init(&m->stretch, m->aggregate, m->list, &m->cpus, &m->threads, "/sys",
		                  NULL, 0);
		m->before = make_readings(m);
	}
	m->refusals = xcalloc(m->list->nr + 1, sizeof(*m->refusals));
	m->workload = (struct workload)WORKLOAD_INIT;
	opener__init(&m->opener);
	return block_signals(m, err);
}

static void close_events(struct measurement *m)
{
	for (u32 i = 0; i < m->list->nr; i++)
		evsel__close(m->list->evsels[i]);
}

void measurement__exit(struct measurement *m)
{
	close_events(m);
	for (u32 i = 0; m->refusals && i < m->list->nr; i++)
		free(m->refusals[i]);
	free(m->refusals);
	free_readings(m, m->readings);
	free_readings(m, m->before);
	aggregation__exit(&m->counts);
	aggregation__exit(&m->stretch);
	opener__exit(&m->opener);
	if (m->signal_fd > 0)
		close(m->signal_fd);
}

void measurement__reset(struct measurement *m)
{
	m->wall = (struct stats){ .nr = 0 };
	aggregation__reset(&m->counts);
}

static void remember_refusal(struct measurement *m, u32 event, const struct error *err)
{
	if (!m->refusals[event])
		m->refusals[event] = xmalloc(sizeof(**m->refusals));
	*m->refusals[event] = *err;
}

static void set_supported(struct measurement *m, u32 event, bool supported)
{
	aggregation__set_supported(&m->counts, event, supported);
	if (m->interval_ms)
		aggregation__set_supported(&m->stretch, event, supported);
}

/* Open what can be opened. A group whose leader is refused cannot be counted as one: an error. */
static int open_events(struct measurement *m, struct error *err)
{
	for (u32 i = 0; i < m->list->nr; i++) {
		struct evsel *evsel = m->list->evsels[i];
		struct error why = ERROR_INIT;
		int ret = evsel__open(&m->opener, m->list, evsel, &m->cpus, &m->threads, &why);

		set_supported(m, i, !ret);
		if (!ret) {
			ret = evsel__apply_filter(evsel, err);
			if (ret)
				return ret;
			continue;
		}
		u32 first = evsel->leader, nr = 0;

		if (open__not_supported(ret))
			nr = evlist__break_up(m->list, evsel);
		for (u32 e = first; e < first + nr; e++)
			configure(m, m->list->evsels[e]);
		if (nr) {
			i = first - 1; /* once more, from its first event on */
			continue;
		}
		if (!open__not_supported(ret) || evsel->nr_members > 1) {
			if (err)
				*err = why;
			return ret;
		}
		remember_refusal(m, i, &why);
		opener__limit(&m->opener, evsel); /* its row names what was asked for in the end */
	}
	return 0;
}

static void switch_leaders(struct measurement *m, bool on)
{
	for (u32 i = 0; i < m->list->nr; i++) {
		if (m->list->evsels[i]->leader != i)
			continue;
		if (on)
			evsel__enable(m->list->evsels[i]);
		else
			evsel__disable(m->list->evsels[i]);
	}
}

static void say_switched(const struct measurement *m, bool on)
{
	if (m->hooks.switched)
		m->hooks.switched(m->hooks.ctx, on);
}

/* --- reading --- */

static u64 timeval_ns(const struct timeval *time)
{
	return (u64)time->tv_sec * 1000000000 + (u64)time->tv_usec * 1000;
}

/* What is measured without a counter; of tasks that are not our children only the duration. */
static struct reading read_tool(const struct measurement *m, enum evsel_tool tool, u64 wall_ns)
{
	u64 value = wall_ns;

	if (tool != EVSEL_DURATION_TIME && !m->workload.waited)
		value = 0;
	else if (tool == EVSEL_USER_TIME)
		value = timeval_ns(&m->workload.usage.ru_utime);
	else if (tool == EVSEL_SYSTEM_TIME)
		value = timeval_ns(&m->workload.usage.ru_stime);
	return (struct reading){ value, wall_ns, wall_ns };
}

static int read_counts(struct measurement *m, u64 wall_ns, struct error *err)
{
	for (u32 i = 0; i < m->list->nr; i++) {
		struct evsel *evsel = m->list->evsels[i];

		if (evsel->tool)
			m->readings[i][0] = read_tool(m, evsel->tool, wall_ns);
		for (u64 at = 0; !evsel->tool && evsel->fds && at < nr_cells(m); at++) {
			int ret = evsel->fds[at] < 0
			                  ? 0
			                  : evsel__read_one(evsel, at, &m->readings[i][at]);

			if (ret)
				return error__set(err, ret, "cannot read the counter", evsel->name,
				                  NULL);
		}
	}
	return 0;
}

/* What the counters say now, less what they said @before (NULL: nothing). */
static void add_readings(const struct measurement *m, struct aggregation *agg,
                         struct reading *const *before)
{
	aggregation__start_run(agg);
	for (u32 i = 0; i < m->list->nr; i++) {
		const struct evsel *evsel = m->list->evsels[i];

		/* One for all: it stands in the first group. */
		for (u64 at = 0; evsel->tool ? !at : evsel->fds && at < nr_cells(m); at++) {
			struct reading part = m->readings[i][at];

			if (!evsel->tool && evsel->fds[at] < 0)
				continue;
			if (before) {
				part.value -= before[i][at].value;
				part.enabled -= before[i][at].enabled;
				part.running -= before[i][at].running;
			}
			aggregation__add(agg, i, m->cpus.cpus[at / m->threads.nr],
			                 at % m->threads.nr, &part, !m->no_scale);
		}
	}
	aggregation__end_run(agg);
}

static int end_interval(struct measurement *m, u64 now, struct error *err)
{
	int ret = read_counts(m, now - m->start, err);

	if (ret)
		return ret;
	aggregation__reset(&m->stretch);
	add_readings(m, &m->stretch, m->before);
	for (u32 i = 0; i < m->list->nr; i++)
		memcpy(m->before[i], m->readings[i], nr_cells(m) * sizeof(**m->before));
	m->nr_intervals++;
	m->ending |= m->nr_intervals == m->interval_count;
	if (m->hooks.interval)
		m->hooks.interval(m->hooks.ctx, now - m->start, now - m->last_interval);
	m->last_interval = now;
	return 0;
}

/* --- waiting --- */

/*
 * A signal came. True: stop waiting. The first ^C is waited out with a workload, for the terminal
 * sent it there too; SIGTERM and SIGHUP are passed on; a second one ends us.
 */
static bool take_signal(struct measurement *m)
{
	struct signalfd_siginfo info;
	bool first = !m->signal;

	if (read(m->signal_fd, &info, sizeof(info)) != sizeof(info))
		return false;
	if (info.ssi_signo == SIGCHLD)
		return m->argv && !workload__wait(&m->workload, false);
	m->signal = info.ssi_signo;
	if (!m->argv)
		return true;
	if (info.ssi_signo != SIGINT)
		kill(m->workload.pid, info.ssi_signo);
	return !first;
}

/* True: stop waiting. */
static bool obey(struct measurement *m, const struct control_command *command)
{
	bool on = command->verb == CONTROL_ENABLE;

	if (on || command->verb == CONTROL_DISABLE) {
		switch_leaders(m, on);
		say_switched(m, on);
	} else if (command->verb != CONTROL_PING && command->verb != CONTROL_STOP) {
		if (m->hooks.control)
			m->hooks.control(m->hooks.ctx, command);
		return false;
	}
	control__ack(&m->control);
	return command->verb == CONTROL_STOP;
}

/* What the controlling program wants. True: stop waiting. */
static bool take_commands(struct measurement *m)
{
	int ret = control__read(&m->control);
	struct control_command command;

	while (control__next(&m->control, &command))
		if (obey(m, &command))
			return true;
	if (ret >= 0)
		return false;
	control__exit(&m->control);
	if (m->hooks.control)
		m->hooks.control(m->hooks.ctx, NULL);
	return false;
}

static u64 next_interval(const struct measurement *m)
{
	u64 length = m->interval_ms * NS_PER_MS, passed = now_ns() - m->start;

	/* Those that were slept over are not caught up with. */
	return m->start + (passed / length + 1) * length;
}

/* Until the end of the workload or of all watched tasks, a signal, a command, or @deadline. */
static int wait_for_end(struct measurement *m, u64 deadline, bool intervals, struct error *err)
{
	bool tasks = m->target == MEASURE_TASKS && !m->argv;
	u64 tick = intervals ? next_interval(m) : 0;
	struct waiter waiter;
	int ret = 0;

	waiter__init(&waiter, m->signal_fd, tasks ? &m->threads : NULL, m->whole_processes);
	while (!ret) {
		u64 until = tick && (!deadline || tick < deadline) ? tick : deadline;
		unsigned what;

		waiter__set_control(&waiter, m->control.fd);
		what = waiter__wait(&waiter, until);
		if ((what & WAIT_SIGNAL) && take_signal(m))
			break;
		if ((what & WAIT_CONTROL) && take_commands(m))
			break;
		if ((what & WAIT_DEADLINE) && until == tick) {
			ret = end_interval(m, now_ns(), err);
			tick = next_interval(m);
			if (m->ending)
				break;
		} else if (what & WAIT_DEADLINE) {
			break;
		}
		if (what & (WAIT_ENDED | WAIT_FAILED))
			break;
	}
	waiter__exit(&waiter);
	return ret;
}

/* --- one run --- */

/* Is there nothing left to wait for? */
static bool is_over(const struct measurement *m)
{
	return m->workload.waited || (m->signal && !m->argv);
}

/* -D: let time pass, then start. */
static int delay(struct measurement *m, struct error *err)
{
	int ret;

	say_switched(m, false);
	if (m->never_start)
		return 0;
	ret = wait_for_end(m, m->start + m->delay_ms * NS_PER_MS, false, err);
	switch_leaders(m, true);
	say_switched(m, true);
	m->start = now_ns();
	return ret;
}

static int measure(struct measurement *m, struct error *err)
{
	bool later = m->delay_ms || m->never_start;
	u64 end;
	int ret = 0;

	if (m->target != MEASURE_WORKLOAD && !later)
		switch_leaders(m, true);
	m->start = now_ns();
	ret = m->argv ? workload__start(&m->workload, err) : 0;
	if (!ret && later)
		ret = delay(m, err);
	m->last_interval = m->start;
	if (!ret && !is_over(m))
		ret = wait_for_end(m, m->timeout_ms ? m->start + m->timeout_ms * NS_PER_MS : 0,
		                   m->interval_ms, err);
	if (ret)
		return ret;
	end = m->workload.waited ? m->workload.end_time : now_ns();
	end = end > m->start ? end : m->start;
	stats__add(&m->wall, end - m->start);
	if (!m->interval_ms) {
		ret = read_counts(m, end - m->start, err);
	} else if (!m->ending) {
		m->ending = true;
		ret = end_interval(m, end > m->last_interval ? end : m->last_interval, err);
	}
	if (!ret)
		add_readings(m, &m->counts, NULL);
	return ret;
}

/* The workload outlived the measurement (a time-out, a second ^C): it ends now. */
static void end_workload(struct measurement *m)
{
	if (m->argv && !m->workload.waited && m->workload.go_fd < 0) {
		kill(m->workload.pid, SIGTERM);
		m->ended_workload = true;
		while (workload__wait(&m->workload, true) == -EINTR)
			;
	}
	workload__exit(&m->workload);
}

/* Counters of a run before are gone; they start at 0 again. */
static void forget_readings(struct measurement *m)
{
	for (u32 i = 0; i < m->list->nr; i++) {
		memset(m->readings[i], 0, nr_cells(m) * sizeof(**m->readings));
		if (m->before)
			memset(m->before[i], 0, nr_cells(m) * sizeof(**m->before));
	}
	m->nr_intervals = 0;
}

/* ^C ends the workload also before it has begun, and then there is nothing to open events for. */
static bool was_interrupted(struct measurement *m)
{
	struct signalfd_siginfo info;

	while (!m->signal && read(m->signal_fd, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			m->signal = info.ssi_signo;
	return m->signal;
}

int measurement__run(struct measurement *m, struct error *err)
{
	int ret = 0;

	if (m->sync)
		sync();
	close_events(m);
	forget_readings(m);
	m->workload = (struct workload)WORKLOAD_INIT;
	m->ended_workload = m->ending = false;
	if (m->argv)
		ret = workload__prepare(&m->workload, m->argv, m->mute, err);
	if (ret)
		return ret;
	if (m->target == MEASURE_WORKLOAD)
		m->threads.tids[0] = m->workload.pid;
	ret = open_events(m, err);
	if (!ret && m->hooks.opened)
		ret = m->hooks.opened(m->hooks.ctx, err);
	if (!ret)
		ret = measure(m, err);
	if (ret && m->argv && was_interrupted(m))
		ret = 0;
	end_workload(m);
	return ret;
}
