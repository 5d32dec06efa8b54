// SPDX-License-Identifier: GPL-2.0-or-later
/* The recorder of perf top: perf record in a process of its own, its stream, and its end. */
#include "builtin-top.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui/term/diag.h"
#include "util/lib/alloc.h"

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* In the child. */
static void record(const struct name_list *words, int stream, int messages, int control)
{
	const char **argv = xcalloc((size_t)words->nr + 8, sizeof(*argv));
	int argc = 0, status;

	argv[argc++] = "top"; /* whose usage is shown */
	argv[argc++] = "-q";
	argv[argc++] = xasprintf("--control=fd:%d", control);
	argv[argc++] = "--output=-";
	for (u32 i = 0; i < words->nr; i++)
		argv[argc++] = words->names[i];
	if (dup2(stream, STDOUT_FILENO) < 0 || dup2(messages, STDERR_FILENO) < 0)
		_exit(EXIT_ERROR);
	close(stream);
	status = cmd_record(argc, argv);
	fflush(NULL);
	_exit(status);
}

int top_recorder__start(struct top_recorder *recorder, const struct name_list *words,
                        struct error *err)
{
	int stream[2] = { -1, -1 }, control[2] = { -1, -1 };

	*recorder = (struct top_recorder){ .stream = -1, .messages = -1, .control = -1 };
	fflush(NULL);
	recorder->messages = memfd_create("messages", MFD_CLOEXEC);
	if (recorder->messages < 0 || pipe2(stream, O_CLOEXEC) || pipe2(control, O_CLOEXEC) ||
	    (recorder->pid = fork()) < 0) {
		error__set(err, -errno, "cannot start the recorder", NULL, NULL);
		for (u32 i = 0; i < 2; i++) {
			close_fd(&stream[i]);
			close_fd(&control[i]);
		}
		close_fd(&recorder->messages);
		return err->code;
	}
	if (!recorder->pid) {
		close(stream[0]);
		close(control[1]);
		record(words, stream[1], recorder->messages, control[0]);
	}
	close(stream[1]);
	close(control[0]);
	recorder->stream = stream[0];
	recorder->control = control[1];
	return 0;
}

void top_recorder__enable(const struct top_recorder *recorder, bool enable)
{
	const char *text = enable ? "enable\n" : "disable\n";

	/* Where the recorder is gone its stream ends, which is said. */
	if (write(recorder->control, text, strlen(text)) < 0)
		return;
}

void top_recorder__note_begin(struct top_recorder *recorder)
{
	recorder->begun = lseek(recorder->messages, 0, SEEK_END);
}

static void print_messages(int messages, off_t end)
{
	off_t at = 0;
	ssize_t got;
	char text[4096];

	while (at < end && (got = pread(messages, text, min_u64(sizeof(text), end - at), at)) > 0) {
		fwrite(text, 1, got, stderr);
		at += got;
	}
}

int top_recorder__stop(struct top_recorder *recorder, bool wished)
{
	int status = 0;

	/* It ends when its reader is gone, wherever it is. */
	close_fd(&recorder->stream);
	close_fd(&recorder->control);
	while (waitpid(recorder->pid, &status, 0) < 0 && errno == EINTR)
		;
	print_messages(recorder->messages,
	               wished ? recorder->begun : lseek(recorder->messages, 0, SEEK_END));
	close_fd(&recorder->messages);
	if (wished)
		return 0;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	diag__say_error("the recorder was ended by signal %d (%s)", WTERMSIG(status),
	                strsignal(WTERMSIG(status)));
	return EXIT_ERROR;
}
