// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * context_switch_loop [n]: two processes hand a byte to and fro through pipes, n times (10000)
 * each way. Each waits for the other, so there are at least n switches of context in each.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "selftest/programs.h"
#include "selftest/workloads/workloads.h"

/* 0, or 1 when the other is gone. */
static int context_switch_loop_proc1(int in, int out, u32 rounds)
{
	char byte = 0;

	for (u32 i = 0; i < rounds; i++)
		if (write(out, &byte, 1) != 1 || read(in, &byte, 1) != 1)
			return 1;
	return 0;
}

static int context_switch_loop_proc2(int in, int out, u32 rounds)
{
	char byte;

	for (u32 i = 0; i < rounds; i++)
		if (read(in, &byte, 1) != 1 || write(out, &byte, 1) != 1)
			return 1;
	return 0;
}

int context_switch_loop(int argc, const char **argv, struct error *err)
{
	int there[2], back[2], status = 0, ret;
	u32 rounds = 10000;
	pid_t pid;

	if (program__count(argc, argv, 0, 1, &rounds, err))
		return err->code;
	signal(SIGPIPE, SIG_IGN);
	if (pipe(there) || pipe(back))
		return error__set(err, -errno, "cannot make a pipe", NULL, NULL);
	pid = fork();
	if (pid < 0)
		return error__set(err, -errno, "cannot start a process", NULL, NULL);
	close(there[pid != 0 ? 0 : 1]);
	close(back[pid != 0 ? 1 : 0]);
	if (!pid)
		_exit(context_switch_loop_proc2(there[0], back[1], rounds));
	ret = context_switch_loop_proc1(back[0], there[1], rounds);
	close(there[1]);
	close(back[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return ret || status;
}
