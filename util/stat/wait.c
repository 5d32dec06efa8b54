// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "util/lib/alloc.h"

/* Newer than the build machine's headers (6.9): any thread, not only a process. */
#define PIDFD_ANY_THREAD O_EXCL

#define NS_PER_MS 1000000ull
#define CHECK_MS  100 /* tasks that cannot be polled are looked at so often */

#define FIRST_TASK 2 /* in waiter.fds */

u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static int open_pidfd(pid_t tid, bool process)
{
	int fd = -1;

	if (!process)
		fd = syscall(SYS_pidfd_open, tid, PIDFD_ANY_THREAD);
	return fd >= 0 ? fd : (int)syscall(SYS_pidfd_open, tid, 0);
}

void waiter__init(struct waiter *waiter, int signal_fd, const struct thread_map *threads,
                  bool whole_processes)
{
	u32 nr_tasks = threads ? threads->nr : 0;

	*waiter = (struct waiter){ .nr = FIRST_TASK, .threads = threads };
	waiter->fds = xcalloc(FIRST_TASK + nr_tasks, sizeof(*waiter->fds));
	waiter->fds[0] = (struct pollfd){ .fd = signal_fd, .events = POLLIN };
	waiter->fds[1] = (struct pollfd){ .fd = -1, .events = POLLIN };
	for (u32 i = 0; i < nr_tasks; i++) {
		int fd = open_pidfd(threads->tids[i], whole_processes);

		if (fd >= 0)
			waiter->fds[waiter->nr++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	}
	/* Kernels before 5.3 have no pidfd, those before 6.9 none for a thread. Of processes,
	 * the main thread stands for all. */
	waiter->checks = threads && (whole_processes ? waiter->nr == FIRST_TASK
	                                             : waiter->nr < FIRST_TASK + nr_tasks);
}

void waiter__exit(struct waiter *waiter)
{
	for (u32 i = FIRST_TASK; i < waiter->nr; i++)
		if (waiter->fds[i].fd >= 0)
			close(waiter->fds[i].fd);
	free(waiter->fds);
}

void waiter__set_control(struct waiter *waiter, int fd)
{
	waiter->fds[1].fd = fd;
}

/* Have all watched tasks ended? False where none is watched. */
static bool tasks_ended(struct waiter *waiter)
{
	const struct thread_map *threads = waiter->threads;
	u32 alive = 0;

	for (u32 i = FIRST_TASK; i < waiter->nr; i++) {
		if (waiter->fds[i].fd >= 0 && waiter->fds[i].revents) {
			close(waiter->fds[i].fd);
			waiter->fds[i].fd = -1;
		}
		alive += waiter->fds[i].fd >= 0;
	}
	if (alive || (!waiter->checks && waiter->nr == FIRST_TASK))
		return false;
	for (u32 i = 0; waiter->checks && i < threads->nr; i++)
		if (!kill(threads->tids[i], 0) || errno == EPERM)
			return false;
	return true;
}

/* Milliseconds for poll: until @deadline (ns, 0: none), or the next look at the tasks. */
static int poll_time(const struct waiter *waiter, u64 deadline)
{
	u64 now = now_ns(), ms = waiter->checks ? CHECK_MS : INT_MAX;

	if (deadline)
		ms = min_u64(ms, deadline <= now ? 0 : (deadline - now) / NS_PER_MS + 1);
	return !deadline && !waiter->checks ? -1 : (int)ms;
}

unsigned waiter__wait(struct waiter *waiter, u64 deadline)
{
	unsigned result = 0;

	while (!result) {
		int ret = poll(waiter->fds, waiter->nr, poll_time(waiter, deadline));

		if (ret < 0 && errno != EINTR)
			return WAIT_FAILED;
		if (ret < 0)
			continue;
		if (deadline && now_ns() >= deadline)
			result |= WAIT_DEADLINE;
		if (waiter->fds[0].revents & POLLIN)
			result |= WAIT_SIGNAL;
		if (waiter->fds[1].revents)
			result |= WAIT_CONTROL;
		if (tasks_ended(waiter))
			result |= WAIT_ENDED;
	}
	return result;
}
