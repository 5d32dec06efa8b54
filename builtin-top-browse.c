// SPDX-License-Identifier: GPL-2.0-or-later
/* perf top in the browser: the view is made again while nobody is in a menu or a text. */
#include "builtin-top.h"

#include <poll.h>

#include "ui/term/diag.h"
#include "ui/tui/report_browser.h"
#include "util/export/profile_file.h"
#include "util/lib/clock.h"

#define GATHER_NS 1000000000ull

static void take(void *ctx)
{
	struct top *top = ctx;

	if (!top__take(top)) /* what was seen stays on the screen */
		top->work.fd = -1;
}

static u64 due(void *ctx)
{
	const struct top *top = ctx;

	return top->ended && top->looked_at_end ? 0 : top->shown_at + top->delay * 1000000000ull;
}

static void look(void *ctx, const struct view_options *options)
{
	struct top *top = ctx;

	top->looked_at_end = top->ended;
	report.view = *options;
	top__look(top);
}

static bool key(void *ctx, int key)
{
	struct top *top = ctx;

	switch (key) {
	case 'f':
		top->stopped = !top->stopped;
		top_recorder__enable(&top->recorder, !top->stopped);
		return true;
	case 'z':
		top__set_zero(top, !top->zero);
		live_profile__clear(&top->live);
		return true;
	case 'K':
		top__hide(top, &top->live.hide_kernel);
		return true;
	case 'U':
		top__hide(top, &top->live.hide_user);
		return true;
	}
	return false;
}

static void print_status(void *ctx, struct view *view, struct out *out)
{
	struct top *top = ctx;
	struct top_figures f;

	(void)view;
	top__figures(top, &f);
	out__printf(out, "%.0f/s  kernel: %.0f%%  lost: %llu/%llu  ", f.rate, f.kernel,
	            (unsigned long long)f.lost, (unsigned long long)f.all_lost);
	top__print_cost(top, &f, out);
}

static int write_recording(void *ctx, const char *path, struct error *err)
{
	const struct top *top = ctx;
	const struct profile_file_options options = { .words = top->words,
		                                      .nr_words = top->nr_words,
		                                      .version = PERF_VERSION };

	return profile_file__write(&top->live.profile, &top->live.session, path, &options, err);
}

/* Where there are several events the browser begins with a choice: of what has come by then. */
static void gather(struct top *top)
{
	struct pollfd fd = { .fd = top->recorder.stream, .events = POLLIN };
	u64 end = clock__now_ns() + GATHER_NS, now;

	while (top->nr_events > 1 && (now = clock__now_ns()) < end)
		if (poll(&fd, 1, (end - now) / 1000000 + 1) == 1 && !top__take(top))
			return;
}

int top__browse(struct top *top)
{
	const struct live_view live = {
		.ctx = top,
		.due = due,
		.look = look,
		.key = key,
		.keys = "f                                         stop the events, start them again\n"
		        "z                                         begin again after each look, or no longer\n"
		        "K, U                                      leave out the kernel, or programs\n",
	};
	const struct report_texts texts = {
		.ctx = top,
		.code = { &top->live.session, report__print_code, NULL, report.code.style },
		.report = report__print_text,
		.recording = write_recording,
		.health = print_status,
		.said = diag__said,
		.live = &live,
	};
	struct tui tui = { .terminal = NULL };
	struct error err = ERROR_INIT;

	report.colors.none = !color__wanted(report.color);
	int ret = curses__open(&tui.terminal, &report.colors, &err);

	if (ret) {
		diag__error(&err);
		return EXIT_ERROR;
	}
	gather(top);
	top->work = (struct terminal_work){ .fd = top->ended ? -1 : top->recorder.stream,
		                            .run = take,
		                            .ctx = top };
	tui.terminal->work = &top->work;
	top__look(top);
	diag__hold(true);
	report_browser__run(&tui, &top->view.view, &texts);
	curses__close(tui.terminal);
	diag__hold(false);
	canvas__exit(&tui.canvas);
	return 0;
}
