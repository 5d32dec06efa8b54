/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wait in one poll for signals, control commands, the end of watched tasks, and a deadline. There
 * are no fixed waits, except for tasks that cannot be polled (kernels before 5.3, threads before
 * 6.9): these are checked ten times a second.
 */
#ifndef PERF_UTIL_STAT_WAIT_H
#define PERF_UTIL_STAT_WAIT_H

#include "util/counter/targets.h"
#include "util/lib/types.h"

enum wait_result {
	WAIT_SIGNAL = 1u << 0,   /* signal_fd can be read */
	WAIT_CONTROL = 1u << 1,  /* the control descriptor can be read */
	WAIT_ENDED = 1u << 2,    /* all watched tasks have ended */
	WAIT_DEADLINE = 1u << 3, /* the deadline has passed */
	WAIT_FAILED = 1u << 4,
};

struct waiter {
	struct pollfd *fds; /* [0]: signals, [1]: control; then one per task that can be polled */
	u32 nr;
	bool checks;                      /* some tasks cannot be polled */
	const struct thread_map *threads; /* the watched tasks, not owned; NULL: none */
};

/* CLOCK_MONOTONIC in ns. */
u64 now_ns(void);

/* @whole_processes: @threads has all threads of processes; each is polled by its main thread. */
void waiter__init(struct waiter *waiter, int signal_fd, const struct thread_map *threads,
                  bool whole_processes);
void waiter__exit(struct waiter *waiter);
void waiter__set_control(struct waiter *waiter, int fd); /* -1: none */

/* Wait for an event or until @deadline (by now_ns(); 0: none). Returns bits of wait_result. */
unsigned waiter__wait(struct waiter *waiter, u64 deadline);

#endif
