// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The child leads a process group of its own, which is killed as a whole. We wait for it with
 * sigtimedwait(): SIGCHLD and the signals that end us are blocked meanwhile, so there are no
 * handlers and nothing is missed between two looks. Its verdict comes through a pipe in one
 * write; a child that is gone without a verdict has crashed.
 */
#include "selftest/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/lib/temp_dir.h"

struct message {
	enum verdict verdict;
	char reason[240];
};

/* Run it in this very process. */
static void run_here(const struct selftest_case *row, const struct selftest_how *how,
                     const char *dir, struct message *message)
{
	struct selftest test = {
		.log = how->log, .verbose = how->verbose, .dir = dir, .dso = how->dso
	};

	message->verdict = SELFTEST_SKIP;
	if (selftest__has(&test, row->needs))
		message->verdict = row->run(&test);
	memcpy(message->reason, test.reason, sizeof(message->reason));
	if (how->log)
		fflush(how->log);
}

static void __attribute__((noreturn))
child(const struct selftest_case *row, const struct selftest_how *how, const char *dir, int fd,
      const sigset_t *mask)
{
	struct message message = { .verdict = SELFTEST_FAIL };
	struct rlimit no_core = { 0, 0 };

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGTTOU, SIG_IGN); /* -v writes to a terminal whose group is our parent's */
	setrlimit(RLIMIT_CORE, &no_core);
	sigprocmask(SIG_SETMASK, mask, NULL);
	run_here(row, how, dir, &message);
	if (write(fd, &message, sizeof(message)) != sizeof(message))
		_exit(2);
	_exit(0);
}

/* SIGCHLD, and what ends us unless it is ignored (nohup). */
static void block_signals(sigset_t *waited, sigset_t *old)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action;

	sigemptyset(waited);
	sigaddset(waited, SIGCHLD);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		if (!sigaction(ending[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(waited, ending[i]);
	sigprocmask(SIG_BLOCK, waited, old);
	signal(SIGCHLD, SIG_DFL); /* ignored, it would take the child's end away from us */
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	return !waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid == pid;
}

/* Returns 0 when it ended, -ETIMEDOUT, or the signal that should end us. It is not reaped yet. */
static int wait_for(pid_t pid, const sigset_t *waited, unsigned seconds)
{
	double end = now() + seconds;

	while (!has_ended(pid)) {
		double left = end - now();
		struct timespec most = { left, (left - (time_t)left) * 1e9 };
		int signal;

		if (left <= 0)
			return -ETIMEDOUT;
		signal = sigtimedwait(waited, NULL, &most);
		if (signal > 0 && signal != SIGCHLD)
			return signal;
	}
	return 0;
}

/* What became of the child, in words, and its end. */
static void judge(pid_t pid, int waited, unsigned seconds, int fd, struct message *message)
{
	int status = 0;
	size_t got;

	kill(-pid, SIGKILL);
	kill(pid, SIGKILL); /* it may not have got its group yet */
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	got = read(fd, message, sizeof(*message));
	if (!waited && got == sizeof(*message))
		return;
	message->verdict = SELFTEST_FAIL;
	if (waited)
		snprintf(message->reason, sizeof(message->reason), "it was ended after %u seconds",
		         seconds);
	else if (WIFSIGNALED(status))
		snprintf(message->reason, sizeof(message->reason), "it died by signal %d (%s)",
		         WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(message->reason, sizeof(message->reason),
		         "it ended with status %d and without a verdict", WEXITSTATUS(status));
}

/* As Linux's perf numbers them. */
static const int exit_codes[] = {
	[SELFTEST_OK] = 0,
	[SELFTEST_SKIP] = -2,
	[SELFTEST_FAIL] = -1,
};

static void PRINTF_LIKE(2, 3) say(const struct selftest_how *how, const char *fmt, ...)
{
	va_list args;

	if (!how->log || how->verbose < 1)
		return;
	va_start(args, fmt);
	vfprintf(how->log, fmt, args);
	va_end(args);
	fputc('\n', how->log);
	fflush(how->log);
}

/* @waited signals are blocked; @old: the mask without that. */
static int run_forked(const struct selftest_case *row, const struct selftest_how *how,
                      const char *dir, const sigset_t *waited, const sigset_t *old,
                      struct message *message)
{
	int fds[2], ret;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK)) {
		snprintf(message->reason, sizeof(message->reason), "no pipe: %s", strerror(errno));
		return 0;
	}
	fflush(NULL);
	pid = fork();
	if (!pid)
		child(row, how, dir, fds[1], old);
	close(fds[1]);
	if (pid < 0) {
		snprintf(message->reason, sizeof(message->reason), "no fork: %s", strerror(errno));
		ret = 0;
	} else {
		setpgid(pid, pid);
		say(how, "test child forked, pid %d", pid);
		ret = wait_for(pid, waited, how->seconds);
		judge(pid, ret, how->seconds, fds[0], message);
		say(how, "test child finished with %d", exit_codes[message->verdict]);
	}
	close(fds[0]);
	return ret > 0 ? ret : 0;
}

static void run_once(const struct selftest_case *row, const struct selftest_how *how,
                     struct selftest_result *result)
{
	struct message message = { .verdict = SELFTEST_FAIL };
	struct error err = ERROR_INIT;
	sigset_t waited, old;
	char *dir = NULL;

	result->signal = 0;
	if (!how->no_fork)
		block_signals(&waited, &old); /* until the folder is gone again */
	if (row->needs & NEEDS_DIR)
		dir = temp_dir__make("perf-selftest", &err);
	if (err.code) {
		struct selftest test = { .log = how->log, .verbose = how->verbose };

		message.verdict = selftest__skip_error(&test, &err);
		memcpy(message.reason, test.reason, sizeof(message.reason));
	} else if (how->no_fork) {
		run_here(row, how, dir, &message);
	} else {
		result->signal = run_forked(row, how, dir, &waited, &old, &message);
	}
	if (dir && temp_dir__remove(dir) && message.verdict == SELFTEST_OK) {
		message.verdict = SELFTEST_FAIL;
		snprintf(message.reason, sizeof(message.reason), "its folder cannot be removed");
	}
	if (message.verdict == SELFTEST_FAIL && !result->signal)
		say(how, "FAILED: %s", message.reason);
	if (!how->no_fork)
		sigprocmask(SIG_SETMASK, &old, NULL);
	result->verdict = message.verdict;
	memcpy(result->reason, message.reason, sizeof(result->reason));
}

void selftest_case__run(const struct selftest_case *row, const struct selftest_how *how,
                        struct selftest_result *result)
{
	unsigned run = 0;

	do
		run_once(row, how, result);
	while (++run < how->runs && !result->signal && result->verdict == SELFTEST_OK);
	if (how->runs > 1 && result->verdict == SELFTEST_OK)
		say(how, "%u runs", run);
}
