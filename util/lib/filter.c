// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* @in and @out become its stdin and stdout; everything else of ours is closed by exec. */
static int spawn(struct filter *filter, const char *const *argv, int in, int out)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t signals;
	int ret;

	sigemptyset(&signals);
	sigaddset(&signals, SIGPIPE); /* ignored here, but not there */
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &signals);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	ret = -posix_spawnp(&filter->pid, argv[0], &actions, &attr, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return ret;
}

static int start(struct filter *filter, const char *const *argv, int other, bool writing,
                 struct error *err)
{
	int ends[2], ours = writing, ret;

	*filter = (struct filter){ .name = argv[0], .fd = -1 };
	/* Below 3 it would be in the way of the program's own stdin and stdout. */
	if (other < 3 || pipe2(ends, O_CLOEXEC))
		return error__set(err, other < 3 ? -EINVAL : -errno, "cannot start", argv[0], NULL);
	ret = writing ? spawn(filter, argv, ends[0], other) : spawn(filter, argv, other, ends[1]);
	close(ends[!ours]);
	if (!ret) {
		filter->fd = ends[ours];
		return 0;
	}
	close(ends[ours]);
	error__set(err, ret, "cannot start", argv[0], NULL);
	if (ret == -ENOENT)
		error__advise(err, "install the package '%s'", argv[0]);
	return ret;
}

int filter__start_writing(struct filter *filter, const char *const *argv, int to, struct error *err)
{
	return start(filter, argv, to, true, err);
}

int filter__start_reading(struct filter *filter, const char *const *argv, int from,
                          struct error *err)
{
	return start(filter, argv, from, false, err);
}

int filter__end(struct filter *filter, struct error *err)
{
	int status;
	pid_t pid;

	close(filter->fd);
	do {
		pid = waitpid(filter->pid, &status, 0);
	} while (pid < 0 && errno == EINTR);
	if (pid < 0)
		return error__set(err, -errno, "cannot wait for", filter->name, NULL);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ)
		return error__set(err, -EFBIG, "cannot write what comes from", filter->name, NULL);
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGPIPE)
		return error__set(err, -EIO, "cannot go on without", filter->name, "it died: %s",
		                  strsignal(WTERMSIG(status)));
	if (WIFEXITED(status) && WEXITSTATUS(status))
		return error__set(err, -EIO, "cannot go on without", filter->name,
		                  "it failed with status %d", WEXITSTATUS(status));
	return 0;
}
