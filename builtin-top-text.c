// SPDX-License-Identifier: GPL-2.0-or-later
/* perf top as text: a head and rows after each delay; on a terminal with keys. */
#include "builtin-top.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "ui/term/diag.h"
#include "ui/text/report_stdio.h"
#include "util/lib/clock.h"

#define ROWS_DEFAULT 20
#define HEAD_ROWS    5
#define CLEAR        "\033[H\033[2J"

struct text {
	struct top *top;
	struct out out;
	bool clears; /* each look is on a screen of its own */
	bool has_keys;
	struct termios before;
	unsigned *asked; /* what is being typed; NULL: nothing */
	unsigned least;
	char line[16];
	u32 len;
	bool ended;
};

static u32 nr_rows(const struct text *t)
{
	struct winsize size;

	if (t->top->nr_entries)
		return t->top->nr_entries;
	if (t->clears && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row > HEAD_ROWS)
		return size.ws_row - HEAD_ROWS;
	return ROWS_DEFAULT;
}

/* --sym-annotate */
static void print_code(struct text *t, u32 evsel, const char *symbol)
{
	struct view *view = &t->top->view.view;
	const struct hist_event *event = &view->hists.events[evsel];
	struct error err = ERROR_INIT;

	for (u32 i = event->first_entry; i < event->first_entry + event->nr_entries; i++) {
		const char *name = sym__name(
		        view->names, hist_entry__sym(&view->hists, &view->hists.entries[i]));

		if (!name || strcmp(name, symbol) != 0)
			continue;
		if (report__print_code(&t->top->live.session, view, i, &report.code.style, &t->out,
		                       NULL, &err))
			diag__warning(&err);
		return;
	}
	out__str(&t->out, "(no sample yet in ");
	out__name(&t->out, symbol);
	out__str(&t->out, ")\n");
}

/* In the layout of Linux's perf, and behind it what it does not say. */
static void print_head(struct text *t)
{
	struct top_figures f;

	top__figures(t->top, &f);
	out__printf(&t->out,
	            "   PerfTop:%8.0f irqs/sec  kernel:%4.1f%%  exact: %4.1f%% lost: %llu/%llu "
	            "drop: 0/0 [",
	            f.rate, f.kernel, f.exact, (unsigned long long)f.lost,
	            (unsigned long long)f.all_lost);
	top__print_event(t->top, &t->out);
	out__str(&t->out, "],  ");
	top__print_cost(t->top, &f, &t->out);
	out__char(&t->out, '\n');
	out__fill(&t->out, '-', 79);
	out__str(&t->out, "\n\n");
}

static void print(struct text *t)
{
	struct top *top = t->top;
	const struct evlist *evlist = top->live.session.evlist;
	u32 nr = 0;

	top__look(top);
	for (u32 i = 0; i < evlist->nr; i++)
		nr += report_stdio__has_table(&top->view.view, &report.style, i);
	out__str(&t->out, t->clears ? CLEAR "\n" : "\n");
	print_head(t);
	for (u32 i = 0; i < evlist->nr; i++) {
		if (!report_stdio__has_table(&top->view.view, &report.style, i))
			continue;
		if (nr > 1) {
			out__str(&t->out, "# ");
			report_stdio__event(&t->out, &top->view.view, i);
			out__char(&t->out, '\n');
		}
		report_stdio__rows(&t->out, &top->view.view, &report.style, i, nr_rows(t),
		                   top->min_samples);
		for (u32 n = 0; n < top->annotated.nr; n++)
			print_code(t, i, top->annotated.names[n]);
	}
	out__flush(&t->out);
	if (t->out.error)
		t->ended = t->top->left = true;
}

/* ---- keys, on a terminal ---- */

/* What comes is taken while the number is typed; only the rows wait. */
static void ask(struct text *t, const char *what, unsigned *value, unsigned least)
{
	t->asked = value;
	t->least = least;
	t->len = 0;
	out__printf(&t->out, "\nEnter %s: ", what);
	out__flush(&t->out);
}

static void answer(struct text *t)
{
	char *end;
	unsigned long number;

	t->line[t->len] = '\0';
	number = strtoul(t->line, &end, 10);
	if (t->len && !*end && number >= t->least && number <= 1000000)
		*t->asked = number;
	else if (t->len)
		out__printf(&t->out, "\nnot a number from %u to 1000000", t->least);
	t->asked = NULL;
	out__char(&t->out, '\n');
}

static void type(struct text *t, char key)
{
	if (key == '\n' || key == '\r') {
		answer(t);
	} else if ((key == '\b' || key == 127) && t->len) {
		t->len--;
		out__str(&t->out, "\b \b");
	} else if (key > ' ' && key < 127 && t->len < sizeof(t->line) - 1) {
		t->line[t->len++] = key;
		out__char(&t->out, key);
	}
	out__flush(&t->out);
}

static void print_keys(struct text *t)
{
	const struct top *top = t->top;

	out__printf(&t->out,
	            "\nMapped keys:\n"
	            "\t[d]     display refresh delay.             \t(%u)\n"
	            "\t[e]     display entries (lines).           \t(%u)\n"
	            "\t[f]     profile display filter (count).    \t(%u)\n"
	            "\t[K]     hide kernel symbols.             \t(%s)\n"
	            "\t[U]     hide user symbols.               \t(%s)\n"
	            "\t[z]     toggle sample zeroing.             \t(%d)\n"
	            "\t[qQ]    quit.\n",
	            top->delay, nr_rows(t), top->min_samples, top->live.hide_kernel ? "yes" : "no",
	            top->live.hide_user ? "yes" : "no", top->zero);
	out__flush(&t->out);
}

static void obey(struct text *t, char key)
{
	struct top *top = t->top;

	if (t->asked)
		return type(t, key);
	switch (key) {
	case 'd':
		return ask(t, "display delay", &top->delay, 1);
	case 'e':
		return ask(t, "display entries (lines)", &top->nr_entries, 0);
	case 'f':
		return ask(t, "display event count filter", &top->min_samples, 0);
	case 'K':
		top__hide(top, &top->live.hide_kernel);
		return;
	case 'U':
		top__hide(top, &top->live.hide_user);
		return;
	case 'z':
		top__set_zero(top, !top->zero);
		return;
	case 'q':
	case 'Q':
		t->ended = top->left = true;
		return;
	}
	print_keys(t);
}

static void open_keys(struct text *t)
{
	struct termios raw;

	if (!t->clears || !isatty(STDIN_FILENO))
		return;
	if (!t->has_keys && tcgetattr(STDIN_FILENO, &t->before))
		return;
	raw = t->before;
	raw.c_lflag &= ~(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	t->has_keys = !tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

/* ^Z: the shell gets its terminal as it was. */
static void suspend(const struct text *t)
{
	if (t->has_keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &t->before);
	raise(SIGSTOP);
}

static void take_signal(struct text *t, int fd)
{
	struct signalfd_siginfo info = { 0 };

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGTSTP)
		suspend(t);
	else if (info.ssi_signo != SIGCONT)
		t->ended = t->top->left = true;
	else if (t->has_keys && tcgetpgrp(STDIN_FILENO) == getpgrp())
		open_keys(t); /* fg: the shell has set the terminal to lines again */
}

/* ---- the loop ---- */

static int open_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCONT, SIGTSTP };
	sigset_t set;

	sigemptyset(&set);
	for (u32 i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

static void step(struct text *t, struct pollfd *fds)
{
	struct top *top = t->top;
	u64 due = top->shown_at + top->delay * 1000000000ull, now = clock__now_ns();
	char key;

	if (now >= due && !t->asked) {
		print(t);
		return;
	}
	if (poll(fds, 3, t->asked ? -1 : (int)((due - now) / 1000000 + 1)) <= 0)
		return;
	if (fds[1].revents)
		take_signal(t, fds[1].fd);
	if (fds[2].revents && read(STDIN_FILENO, &key, 1) == 1)
		obey(t, key);
	else if (fds[2].revents)
		fds[2].fd = -1; /* the terminal is gone */
	if (fds[0].revents && !top__take(top))
		t->ended = true;
}

int top__print_text(struct top *top, struct error *err)
{
	struct text t = { .top = top, .clears = isatty(STDOUT_FILENO) };
	struct pollfd fds[] = { { .fd = top->recorder.stream, .events = POLLIN },
		                { .fd = open_signals(), .events = POLLIN },
		                { .fd = -1, .events = POLLIN } };

	if (fds[1].fd < 0)
		return error__set(err, -errno, "cannot wait for signals", NULL, NULL);
	report.style.quiet = true; /* only rows: the head is ours */
	out__init(&t.out, STDOUT_FILENO);
	open_keys(&t);
	if (t.has_keys)
		fds[2].fd = STDIN_FILENO;
	while (!t.ended)
		step(&t, fds);
	if (top->ended && !t.out.error) /* what came behind the last look */
		print(&t);
	if (t.has_keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &t.before);
	close(fds[1].fd);
	int ret = t.out.error;

	out__exit(&t.out);
	return ret == -EPIPE || !ret ? 0
	                             : error__set(err, ret, "cannot write the profile", NULL, NULL);
}
