// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/manual.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/places.h"

extern char **environ;

/* ^C is for man and its pager: perf waits for them. Returns man's status, or -1 without man. */
static int run_man(char *page)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, interrupt, quit;
	char name[] = "man", *argv[] = { name, page, NULL };
	posix_spawnattr_t attr;
	sigset_t signals;
	int status = 0;
	pid_t pid;

	sigaction(SIGINT, &ignore, &interrupt);
	sigaction(SIGQUIT, &ignore, &quit);
	sigemptyset(&signals);
	if (interrupt.sa_handler != SIG_IGN)
		sigaddset(&signals, SIGINT);
	if (quit.sa_handler != SIG_IGN)
		sigaddset(&signals, SIGQUIT);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &signals);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	if (posix_spawnp(&pid, name, NULL, &attr, argv, environ))
		status = -1;
	while (status >= 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	posix_spawnattr_destroy(&attr);
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	return status;
}

bool manual__show(const char *name)
{
	char *page = xasprintf("%s/man1/perf-%s.1", places__man_dir(), name);
	bool shown = false;
	int status;

	if (!access(page, R_OK)) {
		fflush(stdout);
		status = run_man(page);
		/* By a signal: its reader has had enough. */
		shown = status >= 0 && (WIFSIGNALED(status) || !WEXITSTATUS(status));
	}
	free(page);
	return shown;
}
