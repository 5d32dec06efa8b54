/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `perf report` on a terminal: the rows of a view, opened and closed, filtered and sorted again.
 * What is shown about a row in other ways (its code, its callers) are texts that others make.
 */
#ifndef PERF_UI_TUI_REPORT_BROWSER_H
#define PERF_UI_TUI_REPORT_BROWSER_H

#include "ui/tui/annotate_browser.h"
#include "util/lib/out.h"
#include "util/view/view.h"

/*
 * Of a view that grows while it is shown (perf top). All functions get @ctx; the terminal's work
 * (terminal.h) goes on while keys are waited for.
 */
struct live_view {
	void *ctx;
	u64 (*due)(void *ctx); /* when to look again, by CLOCK_MONOTONIC in ns; 0: never */
	/* Make the view again, in its place, of what is known now. */
	void (*look)(void *ctx, const struct view_options *options);
	bool (*key)(void *ctx, int key); /* false: it is not one of these: */
	const char *keys;                /* lines for the help */
};

struct report_texts {
	void *ctx; /* others may be NULL */
	struct code_texts code;
	void (*header)(void *ctx, struct out *out);
	/* All of it, for a file: of a view that is made for that. */
	void (*report)(void *ctx, struct view *view, struct out *out);
	/* What is shown as a recording, to @path. NULL: there is one already. */
	int (*recording)(void *ctx, const char *path, struct error *err);
	/* The symbols of a dso (in session->dsos), a line for each; a negative errno with @err. */
	int (*map)(void *ctx, u32 dso, struct out *out, struct error *err);
	void (*list_files)(void *ctx, struct name_list *files); /* recordings to go on with */
	/* The rows of @view are others now: what was made of them (view->confidence) is not theirs.
	 */
	void (*changed)(void *ctx, struct view *view);
	const struct live_view *live; /* NULL: the view stays */
	/* What is to be known about what @view shows, in few words: losses, broken stacks. */
	void (*health)(void *ctx, struct view *view, struct out *out);
	/* What was said on stderr so far, as diag__said(). */
	const char *(*said)(u32 *nr);
};

/*
 * Until the user leaves. Its filters are then those that @view had before. Returns the recording
 * that is to be browsed next, to be freed; or NULL.
 */
char *report_browser__run(struct tui *tui, struct view *view, const struct report_texts *texts);

#endif
