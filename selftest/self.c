// SPDX-License-Identifier: GPL-2.0-or-later
#include "selftest/self.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"

#define MOST_WORDS  30
#define MOST_OUTPUT (64 << 20)

static void redirect(const char *path, int flags, int to)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd < 0 || dup2(fd, to) < 0)
		_exit(126);
}

static void __attribute__((noreturn)) child(const char *dir, const char *const *words)
{
	const char *argv[MOST_WORDS + 2] = { "perf" };
	static const char *const unwanted[] = { "PERF_PAGER", "PAGER", "PERF_EXEC_PATH",
		                                "DEBUGINFOD_URLS", "PERF_BUILDID_DIR" };

	for (int i = 0; i < MOST_WORDS && words[i]; i++)
		argv[i + 1] = words[i];
	for (size_t i = 0; i < ARRAY_SIZE(unwanted); i++)
		unsetenv(unwanted[i]);
	setenv("HOME", dir, 1);
	setenv("LC_ALL", "C", 1);
	setenv("PERF_CONFIG", "/dev/null", 1);
	if (chdir(dir))
		_exit(126);
	redirect("/dev/null", O_RDONLY, STDIN_FILENO);
	redirect("out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
	redirect("err", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
	execv(SELF, (char *const *)argv);
	_exit(127);
}

static void say_words(struct selftest *test, const char *const *words)
{
	char *line = xstrdup("$ perf");

	for (int i = 0; words[i]; i++) {
		char *longer = xasprintf("%s %s", line, words[i]);

		free(line);
		line = longer;
	}
	selftest__say(test, "%s", line);
	free(line);
}

static void say_lines(struct selftest *test, const char *name)
{
	char *text = self__output(test, name), *rest = text, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			selftest__say(test, "%s", line);
	free(text);
}

int self__run(struct selftest *test, const char *const *words)
{
	int status = 0;
	pid_t pid;

	say_words(test, words);
	fflush(NULL);
	pid = fork();
	if (!pid)
		child(test->dir, words);
	if (pid < 0)
		return -errno;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	say_lines(test, "err");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

char *self__output(const struct selftest *test, const char *name)
{
	char *path = xasprintf("%s/%s", test->dir, name);
	size_t len;
	char *text = file__read_all(path, MOST_OUTPUT, &len);

	free(path);
	return text ? text : xstrdup("");
}
