// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two pipes join parent and child. "go" holds the child before its exec: a byte starts it, the
 * end of file (we gave up, or died) ends it. "exec" carries the errno of a failed exec and is
 * closed by a good one, so workload__start() knows which it was without a signal.
 */
#include "util/counter/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/lib/alloc.h"

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static ssize_t read_retry(int fd, void *buf, size_t len)
{
	ssize_t n;

	do
		n = read(fd, buf, len);
	while (n < 0 && errno == EINTR);
	return n;
}

static void child_signals(void)
{
	static const int signals[] = { SIGINT,  SIGQUIT, SIGTERM, SIGHUP, SIGPIPE,
		                       SIGCHLD, SIGUSR1, SIGUSR2, SIGALRM };
	struct sigaction action = { .sa_handler = SIG_DFL };
	struct sigaction old;
	sigset_t none;

	/* A handler of ours would be reset by the exec, but must not run in the child before it;
	 * what our parent had ignored (nohup) stays ignored. */
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void __attribute__((noreturn)) child(const char *const *argv, bool mute, int go, int exec_fd)
{
	int error, null = mute ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
	char byte;

	child_signals();
	if (null >= 0 && (dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0))
		_exit(126);
	prctl(PR_SET_NAME, "perf-exec");
	if (read_retry(go, &byte, 1) != 1)
		_exit(0);
	execvp(argv[0], (char *const *)argv);
	error = errno;
	if (write(exec_fd, &error, sizeof(error)) != sizeof(error))
		_exit(126);
	_exit(127);
}

/* 0, or the errno of an exec. */
static int try_file(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return errno;
	return !S_ISREG(st.st_mode) || faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) ? EACCES : 0;
}

static int exec_failed(const char *name, int error, struct error *err)
{
	char what[80];

	snprintf(what, sizeof(what), "Workload failed: %s", strerror(error));
	return error__set(err, -error, what, name, "%s", "");
}

int workload__check(const char *const *argv, struct error *err)
{
	const char *folders = getenv("PATH"), *name = argv[0];
	int error = ENOENT;

	if (strchr(name, '/'))
		error = try_file(name);
	else if (!folders) /* libc has its own */
		return 0;
	while (error && *name && !strchr(name, '/')) {
		int len = strcspn(folders, ":");
		char *path = xasprintf("%.*s/%s", len ? len : 1, len ? folders : ".", name);
		int tried = try_file(path);

		free(path);
		if (!tried || tried == EACCES)
			error = tried;
		if (!folders[len])
			break;
		folders += len + 1;
	}
	return error ? exec_failed(name, error, err) : 0;
}

int workload__prepare(struct workload *workload, const char *const *argv, bool mute,
                      struct error *err)
{
	int go[2] = { -1, -1 }, exec_pipe[2] = { -1, -1 };
	int code;

	*workload = (struct workload)WORKLOAD_INIT;
	workload->name = argv[0];
	if (pipe2(go, O_CLOEXEC) || pipe2(exec_pipe, O_CLOEXEC)) {
		code = -errno;
		goto fail;
	}
	workload->pid = fork();
	if (workload->pid < 0) {
		code = -errno;
		workload->pid = 0;
		goto fail;
	}
	if (!workload->pid) {
		close(go[1]);
		close(exec_pipe[0]);
		child(argv, mute, go[0], exec_pipe[1]);
	}
	close(go[0]);
	close(exec_pipe[1]);
	workload->go_fd = go[1];
	workload->exec_fd = exec_pipe[0];
	return 0;
fail:
	for (int i = 0; i < 2; i++) {
		close_fd(&go[i]);
		close_fd(&exec_pipe[i]);
	}
	return error__set(err, code, "cannot start", argv[0], NULL);
}

int workload__start(struct workload *workload, struct error *err)
{
	char byte = 0;
	int error = 0;
	ssize_t n;

	/* The child may have been killed: then EPIPE, and its status tells how. */
	if (write(workload->go_fd, &byte, 1) != 1 && errno != EPIPE)
		return error__set(err, -errno, "cannot start the workload", NULL, NULL);
	close_fd(&workload->go_fd);
	n = read_retry(workload->exec_fd, &error, sizeof(error));
	close_fd(&workload->exec_fd);
	return n == sizeof(error) && error > 0 ? exec_failed(workload->name, error, err) : 0;
}

int workload__wait(struct workload *workload, bool block)
{
	struct timespec now;
	pid_t pid;

	if (workload->waited)
		return 0;
	pid = wait4(workload->pid, &workload->status, block ? 0 : WNOHANG, &workload->usage);
	if (pid < 0)
		return -errno;
	if (!pid)
		return -EAGAIN;
	clock_gettime(CLOCK_MONOTONIC, &now);
	workload->end_time = (u64)now.tv_sec * 1000000000 + now.tv_nsec;
	workload->waited = true;
	return 0;
}

void workload__exit(struct workload *workload)
{
	bool held = workload->go_fd >= 0;

	close_fd(&workload->go_fd);
	close_fd(&workload->exec_fd);
	if (held && workload->pid > 0 && !workload->waited) {
		while (workload__wait(workload, true) == -EINTR)
			;
	}
}
