// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sqrtloop [sec]: a child computes square roots in __sqrtloop(), partly in sqrt() of the maths
 * library, while its parent only waits. For profiles of processes that the measured one started.
 */
#include <errno.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "selftest/programs.h"
#include "selftest/workloads/workloads.h"

static volatile double sink;

static void __sqrtloop(void)
{
	u32 number = 1;

	while (!program_done) {
		for (int i = 0; i < 20; i++)
			number = number * 1664525 + 1013904223; /* any will do */
		sink = sqrt(number);
	}
}

int sqrtloop(int argc, const char **argv, struct error *err)
{
	double seconds = 1;
	int status;
	pid_t pid;

	if (program__seconds(argc, argv, 1, &seconds, err))
		return err->code;
	pid = fork();
	if (pid < 0)
		return error__set(err, -errno, "cannot start a process", NULL, NULL);
	if (!pid) {
		program__start_clock(seconds);
		__sqrtloop();
		_exit(0);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error__set(err, -errno, "cannot wait for a process", NULL, NULL);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
