// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/term/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/endings.h"
#include "util/lib/types.h"

#define WORDS_MAX 64

static volatile sig_atomic_t running; /* pid of the pager, for the handler */

bool pager__is_on(void)
{
	return running != 0;
}

void pager__close(void)
{
	if (!running)
		return;
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(running, NULL, 0) < 0 && errno == EINTR)
		;
	running = 0;
}

/* ^C and the like, in a command that has no handler of its own. */
static void on_end(int signal_number)
{
	pager__close();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* Writes fail with EPIPE. No SIG_IGN: a workload would inherit that. */
static void on_pipe(int signal_number)
{
	(void)signal_number;
}

static void set_handlers(bool on)
{
	struct sigaction end = { .sa_handler = on ? on_end : SIG_DFL, .sa_flags = SA_NODEFER };
	struct sigaction pipe = { .sa_handler = on ? on_pipe : SIG_DFL, .sa_flags = SA_RESTART };

	for (unsigned i = 0; i < ENDINGS; i++)
		sigaction(endings[i], &end, NULL);
	sigaction(SIGPIPE, &pipe, NULL);
}

/* ---- which one ---- */

static bool is_in_path(const char *name)
{
	const char *path = getenv("PATH");
	char full[512];

	while (path && *path) {
		size_t len = strcspn(path, ":");

		snprintf(full, sizeof(full), "%.*s/%s", (int)len, path, name);
		if (path[0] == '/' && !access(full, X_OK))
			return true;
		path += len + (path[len] == ':');
	}
	return false;
}

/* NULL: none. */
static const char *choose(const char *configured)
{
	static const char *const usual[] = { "pager", "less" };
	const char *text = getenv("PERF_PAGER");

	if (!text)
		text = configured;
	if (!text)
		text = getenv("PAGER");
	for (size_t i = 0; !text && i < ARRAY_SIZE(usual); i++)
		if (is_in_path(usual[i]))
			text = usual[i];
	if (!text || !text[strspn(text, " \t")] || !strcmp(text, "cat"))
		return NULL;
	return text;
}

/* ---- starting it ---- */

static void split(char *text, const char *words[WORDS_MAX])
{
	char *save = NULL;
	int nr = 0;

	for (char *word = strtok_r(text, " \t", &save); word && nr < WORDS_MAX - 1;
	     word = strtok_r(NULL, " \t", &save))
		words[nr++] = word;
	words[nr] = NULL;
}

/* In the child. Returns only if it cannot be run. */
static void become(char *text)
{
	const char *words[WORDS_MAX] = { "sh", "-c", text, NULL };

	setenv("LESS", "FRSX", 0); /* leave at once what fits, keep colours, cut no lines */
	if (!strpbrk(text, "|&;<>()$`\\\"'*?[]#~=%!{}\n"))
		split(text, words);
	execvp(words[0], (char *const *)words);
}

/* The child tells through @status why it could not become the pager; silence is success. */
static int wait_for_start(int status, pid_t pid)
{
	int code = 0;
	ssize_t n;

	do
		n = read(status, &code, sizeof(code));
	while (n < 0 && errno == EINTR);
	if (n != sizeof(code))
		return 0;
	waitpid(pid, NULL, 0);
	return -code;
}

static int launch(struct pager *pager, int input[2], int status[2], const sigset_t *signals)
{
	pid_t pid = fork();
	int code;

	if (pid < 0)
		return -errno;
	if (!pid) {
		sigprocmask(SIG_SETMASK, signals, NULL);
		dup2(input[0], STDIN_FILENO);
		become(pager->command);
		code = errno;
		if (write(status[1], &code, sizeof(code)) < 0)
			_exit(126);
		_exit(127);
	}
	close(status[1]);
	status[1] = -1;
	code = wait_for_start(status[0], pid);
	if (!code)
		pager->pid = pid;
	return code;
}

static void close_pair(int pair[2])
{
	for (int i = 0; i < 2; i++)
		if (pair[i] >= 0)
			close(pair[i]);
}

static int start(struct pager *pager)
{
	int input[2] = { -1, -1 }, status[2] = { -1, -1 }, ret = 0;
	sigset_t signals;

	fflush(NULL);
	/* None of these while the pager starts: its handler would not be there yet. */
	endings__hold(&signals);
	if (pipe2(input, O_CLOEXEC) || pipe2(status, O_CLOEXEC))
		ret = -errno;
	if (!ret)
		ret = launch(pager, input, status, &signals);
	if (!ret) {
		pager->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		pager->err = isatty(STDERR_FILENO) ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
		running = pager->pid;
		set_handlers(true);
		dup2(input[1], STDOUT_FILENO);
		if (pager->err >= 0)
			dup2(input[1], STDERR_FILENO);
	}
	close_pair(input);
	close_pair(status);
	sigprocmask(SIG_SETMASK, &signals, NULL);
	return ret;
}

int pager__start(struct pager *pager, const char *configured, struct error *err)
{
	const char *text;
	int ret;

	*pager = (struct pager){ .out = -1, .err = -1 };
	if (!isatty(STDOUT_FILENO))
		return 0;
	text = choose(configured);
	if (!text)
		return 0;
	pager->command = xstrdup(text);
	ret = start(pager);
	if (!ret)
		return 0;
	error__set(err, ret, "cannot run the pager", text, NULL);
	free(pager->command);
	pager->command = NULL;
	return error__advise(err, "set PERF_PAGER to another one, or use perf --no-pager");
}

int pager__finish(struct pager *pager, struct error *err)
{
	int status = 0, ret = 0;

	if (!pager->pid)
		return 0;
	fflush(NULL);
	if (pager->out >= 0)
		dup2(pager->out, STDOUT_FILENO);
	if (pager->err >= 0)
		dup2(pager->err, STDERR_FILENO);
	while (waitpid(pager->pid, &status, 0) < 0 && errno == EINTR)
		;
	set_handlers(false);
	running = 0;
	pager->pid = 0;
	if (WIFSIGNALED(status))
		ret = error__set(err, -EPIPE, "the output is not complete: the pager",
		                 pager->command, "it was ended by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) >= 126)
		ret = error__set(err, -EPIPE, "the output is not complete: the pager",
		                 pager->command, "it could not be run (status %d)",
		                 WEXITSTATUS(status));
	if (ret)
		error__advise(err, "set PERF_PAGER to another one, or use perf --no-pager");
	free(pager->command);
	pager->command = NULL;
	return ret;
}

int pager__start_for(struct pager *pager, const char *command, bool wanted, bool always,
                     const struct config *config, struct error *err)
{
	const char *program = NULL;
	char key[40];

	snprintf(key, sizeof(key), "pager.%s", command);
	const struct config_entry *entry = config__find(config, key);

	if (entry && config__bool(entry->value, &wanted)) {
		program = entry->value;
		wanted = true;
	}
	return wanted || always ? pager__start(pager, program, err) : 0;
}
