/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts the command that is measured, and waits for it. It is forked first and waits before its
 * exec, so that counters can be opened on its pid with enable_on_exec; then it is let go. An exec
 * that fails is reported with its errno, through a pipe that the exec closes, and the program never
 * counts as run.
 */
#ifndef PERF_UTIL_COUNTER_WORKLOAD_H
#define PERF_UTIL_COUNTER_WORKLOAD_H

#include <sys/resource.h>
#include <sys/types.h>

#include "util/lib/error.h"
#include "util/lib/types.h"

struct workload {
	const char *name; /* argv[0], not owned */
	pid_t pid;        /* 0: none; stays after it was waited for */
	int go_fd;        /* write end: one byte lets it exec; closing it ends it */
	int exec_fd;      /* read end: an errno, or the end of file after a good exec */
	bool waited;
	int status;          /* as wait4 gives it, once waited */
	struct rusage usage; /* once waited */
	u64 end_time;        /* CLOCK_MONOTONIC, ns, when it had been waited for */
};

#define WORKLOAD_INIT                                                                              \
	{                                                                                          \
		.go_fd = -1, .exec_fd = -1                                                         \
	}

/*
 * Can the command be started, as far as its file and PATH tell? To be asked before an older output
 * is moved or emptied. 0, or what workload__start() would say.
 */
int workload__check(const char *const *argv, struct error *err);

/*
 * Fork. @argv is NULL-ended and is looked up in PATH. The child has default signal handling and
 * an unblocked mask; until its exec it is called "perf-exec". @mute: what it writes goes to
 * /dev/null. 0 or a negative errno.
 */
int workload__prepare(struct workload *workload, const char *const *argv, bool mute,
                      struct error *err);

/* Let it exec. 0 when it has, or the negative errno of the exec with @err filled. */
int workload__start(struct workload *workload, struct error *err);

/*
 * Reap it. With @block false returns -EAGAIN while it runs; with true waits, -EINTR when a
 * signal came. 0: status and usage are filled; also when it was reaped before.
 */
int workload__wait(struct workload *workload, bool block);

/* Close the pipes. This ends a child that was never started; a started one is left alone. */
void workload__exit(struct workload *workload);

#endif
