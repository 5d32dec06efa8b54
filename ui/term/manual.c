// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/term/manual.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui/term/diag.h"
#include "ui/term/pager.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/options/install_dirs.h"

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
	char *page = xasprintf("%s/man1/perf-%s.1", install_dirs__man(), name);
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

int manual__show_guide(bool paged)
{
	struct error err = ERROR_INIT;
	struct pager pager = { .pid = 0 };
	char *path = xasprintf("%s/guide.txt", install_dirs__doc());
	FILE *guide = fopen(path, "r");
	char line[512];
	int ret = 0;

	if (!guide) { /* not installed: in the sources, beside what was built */
		ssize_t len = readlink("/proc/self/exe", line, sizeof(line) - 1);

		line[len > 0 ? len : 0] = '\0';
		char *beside = xasprintf("%.*s/../Documentation/guide.txt",
		                         (int)(text__basename(line) - line), line);

		guide = fopen(beside, "r");
		free(beside);
	}

	if (!guide) {
		error__set(&err, -errno, "cannot open the guide", path, NULL);
		error__advise(&err, "make install brings it");
		diag__error(&err);
		free(path);
		return 1;
	}
	if (paged && pager__start(&pager, NULL, &err))
		diag__warning(&err);
	while (fgets(line, sizeof(line), guide))
		fputs(line, stdout);
	fclose(guide);
	free(path);
	if (pager__finish(&pager, &err)) {
		diag__error(&err);
		ret = 1;
	}
	return ret;
}

bool manual__is_asked(int argc, const char **argv)
{
	for (int i = 1; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help"))
			return true;
	return false;
}

const char *manual__instead(const char *command)
{
	static const struct {
		const char *command, *use;
	} rows[] = {
		{ "bench", "perf stat -r 10 COMMAND measures a program of yours" },
		{ "c2c", "none here; Linux's perf c2c, on hardware with memory events" },
		{ "daemon", "perf record --switch-output, run by a service manager" },
		{ "diff", "perf report of both, perf stat --compare for times" },
		{ "ftrace", "trace-cmd; perf record -e ftrace:function where that is allowed" },
		{ "iostat", "iostat of sysstat; perf list pmu names uncore events" },
		{ "kallsyms", "grep NAME /proc/kallsyms" },
		{ "kvm",
		  "perf record -a -e cycles:HG -o perf.data.kvm (-e cycles:G -o perf.data.guest: of "
		  "guests alone), then perf report -i; perf record -e 'kvm:*' -a, then perf script" },
		{ "kwork", "perf record -e 'irq:*,workqueue:*' -a, then perf script" },
		{ "lock", "perf record -e 'lock:contention_*' -a -g, then perf report" },
		{ "mem", "perf record -e mem:ADDR/8:rw watches one address" },
		{ "probe",
		  "perf buildid-cache --add FILE, then -e sdt_...; tracefs's kprobe_events" },
		{ "sched", "perf record -e 'sched:*' -a, then perf script; perf inject -s" },
		{ "timechart", "perf record -e 'sched:*,power:*' -a, then perf script" },
		{ "trace", "strace; perf record -e 'syscalls:*' COMMAND, then perf script" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].command, command))
			return rows[i].use;
	return "nothing here";
}
