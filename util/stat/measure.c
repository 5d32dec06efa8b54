// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "util/lib/alloc.h"

/* Newer than the build machine's headers (6.9): any thread, not only a process. */
#define PIDFD_ANY_THREAD O_EXCL

#define NS_PER_MS 1000000ull
#define CHECK_MS  100 /* tasks that cannot be polled are looked at so often */

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* The counters wait for the exec of the workload, or for us. */
static void configure(const struct measurement *m, struct evsel *evsel)
{
	struct perf_event_attr *attr = &evsel->attr;
	bool leads = evsel->leader == evsel->idx;

	attr->read_format = COUNTS_READ_FORMAT;
	attr->sample_period = 0;
	attr->freq = 0;
	attr->inherit = evsel->inherit >= 0 ? evsel->inherit : !m->no_inherit;
	attr->disabled = leads;
	attr->enable_on_exec =
	        leads && m->target == MEASURE_WORKLOAD && !m->delay_ms && !m->never_start;
}

int measurement__init(struct measurement *m, struct error *err)
{
	sigset_t set;

	m->events = xcalloc(m->list->nr ? m->list->nr : 1, sizeof(*m->events));
	for (u32 i = 0; i < m->list->nr; i++) {
		m->events[i].evsel = m->list->evsels[i];
		configure(m, m->list->evsels[i]);
	}
	m->workload = (struct workload)WORKLOAD_INIT;
	opener__init(&m->opener);
	signal(SIGCHLD, SIG_DFL); /* where it is ignored nobody can be waited for */
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	m->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (m->signal_fd < 0)
		return error__set(err, -errno, "cannot wait for signals", NULL, NULL);
	return 0;
}

void measurement__exit(struct measurement *m)
{
	for (u32 i = 0; m->events && i < m->list->nr; i++)
		free(m->events[i].refusal);
	free(m->events);
	m->events = NULL;
	opener__exit(&m->opener);
	if (m->signal_fd > 0)
		close(m->signal_fd);
}

void measurement__reset(struct measurement *m)
{
	m->wall = (struct stats){ .nr = 0 };
	for (u32 i = 0; i < m->list->nr; i++)
		m->events[i].value = m->events[i].enabled = m->events[i].running =
		        (struct stats){ .nr = 0 };
}

static void remember_refusal(struct stat_event *event, const struct error *err)
{
	if (!event->refusal)
		event->refusal = xmalloc(sizeof(*event->refusal));
	*event->refusal = *err;
}

/* Open what can be opened. A group whose leader is refused cannot be counted as one: an error. */
static int open_events(struct measurement *m, struct error *err)
{
	for (u32 i = 0; i < m->list->nr; i++) {
		struct evsel *evsel = m->list->evsels[i];
		struct error why = ERROR_INIT;
		int ret = evsel__open(&m->opener, m->list, evsel, &m->cpus, &m->threads, &why);

		m->events[i].supported = !ret;
		if (!ret) {
			ret = evsel__apply_filter(evsel, err);
			if (ret)
				return ret;
			continue;
		}
		if (!open__not_supported(ret) || evsel->nr_members > 1) {
			if (err)
				*err = why;
			return ret;
		}
		remember_refusal(&m->events[i], &why);
	}
	return 0;
}

static void enable_leaders(struct measurement *m)
{
	for (u32 i = 0; i < m->list->nr; i++)
		if (m->list->evsels[i]->leader == i)
			evsel__enable(m->list->evsels[i]);
}

/* --- waiting --- */

struct waiter {
	struct pollfd *fds; /* [0]: signals; then one per task that can be polled */
	u32 nr;
	bool checks; /* some tasks cannot be */
};

static int open_pidfd(pid_t tid, bool process)
{
	int fd = -1;

	if (!process)
		fd = syscall(SYS_pidfd_open, tid, PIDFD_ANY_THREAD);
	return fd >= 0 ? fd : (int)syscall(SYS_pidfd_open, tid, 0);
}

static void waiter__init(struct waiter *waiter, const struct measurement *m)
{
	bool tasks = m->target == MEASURE_TASKS && !m->argv;

	*waiter = (struct waiter){ .nr = 1 };
	waiter->fds = xcalloc(1 + m->threads.nr, sizeof(*waiter->fds));
	waiter->fds[0] = (struct pollfd){ .fd = m->signal_fd, .events = POLLIN };
	for (u32 i = 0; tasks && i < m->threads.nr; i++) {
		int fd = open_pidfd(m->threads.tids[i], m->whole_processes);

		if (fd >= 0)
			waiter->fds[waiter->nr++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	}
	/* Kernels before 5.3 have no pidfd, those before 6.9 none for a thread. Of processes,
	 * the main thread stands for all. */
	waiter->checks =
	        tasks && (m->whole_processes ? waiter->nr == 1 : waiter->nr < 1 + m->threads.nr);
}

static void waiter__exit(struct waiter *waiter)
{
	for (u32 i = 1; i < waiter->nr; i++)
		if (waiter->fds[i].fd >= 0)
			close(waiter->fds[i].fd);
	free(waiter->fds);
}

/* Have all watched tasks ended? False where none is watched. */
static bool tasks_ended(struct waiter *waiter, const struct measurement *m)
{
	u32 alive = 0;

	for (u32 i = 1; i < waiter->nr; i++) {
		if (waiter->fds[i].fd >= 0 && waiter->fds[i].revents) {
			close(waiter->fds[i].fd);
			waiter->fds[i].fd = -1;
		}
		alive += waiter->fds[i].fd >= 0;
	}
	if (alive || (!waiter->checks && waiter->nr == 1))
		return false;
	for (u32 i = 0; waiter->checks && i < m->threads.nr; i++)
		if (!kill(m->threads.tids[i], 0) || errno == EPERM)
			return false;
	return true;
}

/*
 * A signal came. True: stop waiting. The first ^C is waited out with a workload, for the terminal
 * sent it there too; SIGTERM is passed on; a second one ends us.
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
	if (info.ssi_signo == SIGTERM)
		kill(m->workload.pid, SIGTERM);
	return !first;
}

/* Milliseconds for poll: until @deadline (ns, 0: none), or the next look at the tasks. */
static int poll_time(const struct waiter *waiter, u64 deadline)
{
	u64 now = now_ns(), ms = waiter->checks ? CHECK_MS : INT_MAX;

	if (deadline)
		ms = min_u64(ms, deadline <= now ? 0 : (deadline - now) / NS_PER_MS + 1);
	return !deadline && !waiter->checks ? -1 : (int)ms;
}

/* Until the end of the workload or of all watched tasks, a signal, or @deadline. */
static void wait_for_end(struct measurement *m, u64 deadline)
{
	struct waiter waiter;

	waiter__init(&waiter, m);
	for (;;) {
		int ret = poll(waiter.fds, waiter.nr, poll_time(&waiter, deadline));

		if (ret < 0 && errno != EINTR)
			break;
		if (ret < 0)
			continue;
		if (deadline && now_ns() >= deadline)
			break;
		if ((waiter.fds[0].revents & POLLIN) && take_signal(m))
			break;
		if (tasks_ended(&waiter, m))
			break;
	}
	waiter__exit(&waiter);
}

/* --- one run --- */

static u64 timeval_ns(const struct timeval *time)
{
	return (u64)time->tv_sec * 1000000000 + (u64)time->tv_usec * 1000;
}

/* What is measured without a counter; of tasks that are not our children only the duration. */
static void count_tool(const struct measurement *m, enum evsel_tool tool, u64 wall_ns,
                       struct counts *counts)
{
	u64 value = wall_ns;

	if (tool != EVSEL_DURATION_TIME && !m->workload.waited)
		value = 0;
	else if (tool == EVSEL_USER_TIME)
		value = timeval_ns(&m->workload.usage.ru_utime);
	else if (tool == EVSEL_SYSTEM_TIME)
		value = timeval_ns(&m->workload.usage.ru_stime);
	*counts = (struct counts){ .value = value, .enabled = wall_ns, .running = wall_ns };
}

static int read_counts(struct measurement *m, u64 wall_ns, struct error *err)
{
	for (u32 i = 0; i < m->list->nr; i++) {
		struct stat_event *event = &m->events[i];
		int ret;

		if (!event->supported)
			continue;
		ret = evsel__read_counts(event->evsel, !m->no_scale, &event->run, err);
		if (ret)
			return ret;
		if (event->evsel->tool)
			count_tool(m, event->evsel->tool, wall_ns, &event->run);
		stat_event__add_run(event);
	}
	return 0;
}

/* Is there nothing left to wait for? */
static bool is_over(const struct measurement *m)
{
	return m->workload.waited || (m->signal && !m->argv);
}

static int measure(struct measurement *m, struct error *err)
{
	u64 start, end;
	int ret;

	if (m->target != MEASURE_WORKLOAD && !m->delay_ms && !m->never_start)
		enable_leaders(m);
	start = now_ns();
	ret = m->argv ? workload__start(&m->workload, err) : 0;
	if (ret)
		return ret;
	if (m->delay_ms) {
		wait_for_end(m, start + m->delay_ms * NS_PER_MS);
		enable_leaders(m);
		start = now_ns();
	}
	if (!is_over(m))
		wait_for_end(m, m->timeout_ms ? start + m->timeout_ms * NS_PER_MS : 0);
	end = m->workload.waited ? m->workload.end_time : now_ns();
	end = end > start ? end - start : 0;
	stats__add(&m->wall, end);
	return read_counts(m, end, err);
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

int measurement__run(struct measurement *m, struct error *err)
{
	int ret = 0;

	if (m->sync)
		sync();
	m->workload = (struct workload)WORKLOAD_INIT;
	m->ended_workload = false;
	if (m->argv)
		ret = workload__prepare(&m->workload, m->argv, err);
	if (ret)
		return ret;
	if (m->target == MEASURE_WORKLOAD)
		m->threads.tids[0] = m->workload.pid;
	ret = open_events(m, err);
	if (!ret)
		ret = measure(m, err);
	end_workload(m);
	for (u32 i = 0; i < m->list->nr; i++)
		evsel__close(m->list->evsels[i]);
	return ret;
}
