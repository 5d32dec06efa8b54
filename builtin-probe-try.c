// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf probe --try: add probes, run a command, show how often each was hit and with which values,
 * and remove them again, whatever happened in between.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "builtin-probe.h"
#include "builtin.h"
#include "ui/term/diag.h"
#include "util/counter/opener.h"
#include "util/lib/clock.h"
#include "util/lib/endings.h"
#include "util/lib/temp_dir.h"
#include "util/lib/text.h"
#include "util/probe/returns.h"

#define SELF       "/proc/self/exe"
#define SHOWN_MAX  10  /* hits whose values are shown */
#define EVENTS_MAX 300 /* words of the command line of perf record */

/* ---- signals ---- */

static volatile sig_atomic_t ended_by; /* 0: by none */
static volatile pid_t runs;            /* whom to tell; 0: nobody */

/*
 * What was added must go whatever ends us; so the command is told, and we go on. What comes from
 * the terminal has reached it already, but SIGQUIT and all that perf record has other uses for end
 * it as SIGTERM does.
 */
static void end(int signal_number, siginfo_t *info, void *context)
{
	bool same = signal_number == SIGINT || signal_number == SIGHUP;

	(void)context;
	ended_by = signal_number;
	if (runs > 0 && (info->si_code <= 0 || signal_number == SIGQUIT))
		kill(runs, same ? signal_number : SIGTERM);
}

/* What is ignored (nohup) stays so. */
static void act_on_endings(const struct sigaction *action)
{
	struct sigaction old;

	for (unsigned i = 0; i < ALL_ENDINGS; i++)
		if (!sigaction(endings[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(endings[i], action, NULL);
}

static void catch_endings(void)
{
	act_on_endings(
	        &(struct sigaction){ .sa_sigaction = end, .sa_flags = SA_SIGINFO | SA_RESTART });
}

/* For the child: the exec would do it, but a handler must not run before. */
static void forget_endings(const sigset_t *before)
{
	act_on_endings(&(struct sigaction){ .sa_handler = SIG_DFL });
	sigprocmask(SIG_SETMASK, before, NULL);
}

/* ---- children ---- */

/* Run @argv; its stdout goes to *out unless that is NULL. 0 or -errno. */
static int start(const char *const *argv, FILE **out, pid_t *pid)
{
	int ends[2] = { -1, -1 }, ret;
	sigset_t before;

	if (out && pipe(ends))
		return -errno;
	fflush(stdout);
	endings__hold(&before);
	*pid = ended_by ? -1 : fork();
	ret = ended_by ? -EINTR : *pid < 0 ? -errno : 0;
	if (*pid > 0)
		runs = *pid;
	if (*pid)
		sigprocmask(SIG_SETMASK, &before, NULL);
	if (ret) {
		if (out) {
			close(ends[0]);
			close(ends[1]);
		}
		return ret;
	}
	if (!*pid) {
		forget_endings(&before);
		if (out) {
			dup2(ends[1], STDOUT_FILENO);
			close(ends[0]);
			close(ends[1]);
		}
		execv(SELF, (char *const *)argv);
		_exit(127);
	}
	if (out) {
		close(ends[1]);
		*out = fdopen(ends[0], "r");
	}
	return 0;
}

static int finish(pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	runs = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Places of one name need not stand together: is the line the first of its name? */
static bool is_first(const struct event_lines *lines, u32 at)
{
	const struct event_line *line = &lines->lines[at];

	for (u32 i = 0; i < at; i++)
		if (!strcmp(lines->lines[i].name, line->name) &&
		    !strcmp(lines->lines[i].group, line->group))
			return false;
	return true;
}

/* perf record of the events and the command: its exit status. */
static int record(const struct probe_options *opts, const struct event_lines *lines, bool each_task,
                  const char *file)
{
	const char *argv[EVENTS_MAX + 8] = { "perf", "record", "-q", "-o", file };
	char *events[EVENTS_MAX / 2];
	u32 nr = 5, nr_events = 0;
	pid_t pid;

	for (u32 i = 0; i < lines->nr && nr_events < ARRAY_SIZE(events); i++) {
		const struct event_line *line = &lines->lines[i];

		if (!is_first(lines, i))
			continue;
		events[nr_events] =
		        xasprintf("%s:%s%s", line->group, line->name, each_task ? ":S" : "");
		argv[nr++] = "-e";
		argv[nr++] = events[nr_events++];
	}
	argv[nr++] = "--";
	const char **all = xcalloc(nr + 1, sizeof(*all));
	u32 words = 0;

	while (opts->command[words])
		words++;
	all = xrealloc(all, nr + words + 1, sizeof(*all));
	memcpy(all, argv, nr * sizeof(*all));
	memcpy(all + nr, opts->command, (words + 1) * sizeof(*all));
	int ret = start(all, NULL, &pid);

	free(all);
	while (nr_events > 0)
		free(events[--nr_events]);
	if (ret == -EINTR)
		return 128 + ended_by;
	return ret ? EXIT_ERROR : finish(pid);
}

/*
 * Count what the recording has, and keep its first lines; *returns are those hits that are returns.
 * The exit status.
 */
static int show(const struct event_lines *lines, const char *file, u64 *returns)
{
	/* -q: of no samples it would warn by the name of the temporary file. */
	const char *const argv[] = {
		"perf", "script", "-q", "-i", file, "-F", "comm,tid,time,event,trace", NULL
	};
	u64 *hits = xcalloc(lines->nr, sizeof(*hits)), all = 0;
	struct out out, values;
	size_t cap = 0;
	char *text = NULL;
	FILE *from;
	pid_t pid;

	if (start(argv, &from, &pid)) {
		free(hits);
		return EXIT_ERROR;
	}
	out__init(&values, -1);
	while (getline(&text, &cap, from) > 0) {
		if (all++ < SHOWN_MAX)
			out__str(&values, text);
		for (u32 i = 0; i < lines->nr; i++) {
			char *name =
			        xasprintf(" %s:%s: ", lines->lines[i].group, lines->lines[i].name);

			hits[i] += strstr(text, name) != NULL;
			free(name);
		}
	}
	free(text);
	fclose(from);
	int ret = finish(pid);

	out__init(&out, STDOUT_FILENO);
	for (u32 i = 0; i < lines->nr; i++) {
		const struct event_line *line = &lines->lines[i];

		if (!is_first(lines, i))
			continue;
		out__dec(&out, hits[i], 12);
		out__printf(&out, "  %s:%s (on %s)\n", line->group, line->name, line->shown);
		*returns += *line->line == 'r' ? hits[i] : 0;
	}
	if (all)
		out__printf(&out, "\nThe first %sof %llu hits:\n\n", all > SHOWN_MAX ? "10 " : "",
		            (unsigned long long)all);
	else
		out__printf(&out, "\n%s.\n",
		            lines->nr > 1 ? "None of the probes was hit" : "The probe was not hit");
	out__str(&out, out__take(&values));
	out__exit(&out);
	out__exit(&values);
	free(hits);
	if (diag__cannot_write(out.error, "cannot write the hits", NULL))
		return 1;
	return ret ? EXIT_ERROR : 0;
}

/* Without it hits of children that run at the same time get lost. */
static bool keeps_children(void)
{
	struct opener opener;

	opener__init(&opener);
	bool keeps = opener__reads_children(&opener);

	opener__exit(&opener);
	return keeps;
}

/* Of those @returns that were seen since @start, in µs: were there more? */
static void say_omitted(const struct event_lines *lines, u64 start, u64 returns)
{
	bool any = false;

	for (u32 i = 0; i < lines->nr; i++)
		any |= *lines->lines[i].line == 'r';
	enum returns_omitted omitted =
	        any ? returns__omitted("/dev/kmsg", start) : RETURNS_NOT_OMITTED;

	if (omitted == RETURNS_OMITTED)
		diag__say_warning(
		        "the kernel left out returns, by its log: those of calls that are "
		        "nested more than %d deep are not counted",
		        NESTED_RETURNS_MAX);
	else if (omitted != RETURNS_NOT_OMITTED && returns >= NESTED_RETURNS_MAX)
		diag__say_warning("the kernel may have left out returns, those of calls that are "
		                  "nested more than %d deep: %s",
		                  NESTED_RETURNS_MAX,
		                  omitted == RETURNS_UNKNOWN
		                          ? "its log has told of some just before"
		                          : "its log cannot be read");
}

static int run(const struct probe_options *opts, const struct event_lines *lines)
{
	struct error err = ERROR_INIT;
	u64 start = clock__now_ns() / 1000, returns = 0;
	char *dir = temp_dir__make("perf-probe", &err);

	if (!dir)
		return probe_failed(&err, NULL);
	char *file = xasprintf("%s/perf.data", dir);
	bool each_task = keeps_children();
	int status = record(opts, lines, each_task, file);

	int shown = access(file, R_OK) ? 0 : show(lines, file, &returns);

	status = status ? status : shown;
	if (!opts->quiet)
		say_omitted(lines, start, returns);
	if (!each_task && !opts->quiet)
		diag__say_warning("before Linux 6.12 hits in children that run at the same time "
		                  "may be missed: record with -a to see all");
	free(file);
	temp_dir__remove(dir);
	return status;
}

int probe_try(const struct probe_options *opts)
{
	struct event_lines lines = { .force = true };
	struct probe_events existing = { .texts = ARENA_INIT };
	struct tracefs tracefs = TRACEFS_INIT;
	struct error err = ERROR_INIT;
	bool mistake = false;
	int status = 0, ret = probe_events__read(&existing, &tracefs, true, &err);

	if (ret == -EACCES || ret == -EPERM)
		probe_events__advise_rights(&tracefs, true, &err);
	if (!ret)
		ret = probe_make_lines(opts, &lines, &existing, &err, &mistake);
	const char **texts = xcalloc(lines.nr + 1, sizeof(*texts));

	for (u32 i = 0; i < lines.nr; i++)
		texts[i] = lines.lines[i].line;
	catch_endings();
	if (!ret)
		ret = probe_events__add(&tracefs, true, texts, lines.nr, &err);
	if (!ret) {
		status = run(opts, &lines);
		ret = probe_events__take_back(&tracefs, true, texts, lines.nr, &err);
	}
	free(texts);
	event_lines__exit(&lines);
	probe_events__exit(&existing);
	tracefs__close(&tracefs);
	if (ended_by && (!ret || ret == -EINTR))
		return status ? status : 128 + ended_by;
	if (ret)
		return mistake ? probe_options__mistake(&err) : probe_failed(&err, "try events");
	return status;
}
