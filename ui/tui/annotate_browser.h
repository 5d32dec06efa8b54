/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of a function on a terminal, from its hottest instruction on: jumps and calls are
 * followed, and the text is made again in other ways.
 */
#ifndef PERF_UI_TUI_ANNOTATE_BROWSER_H
#define PERF_UI_TUI_ANNOTATE_BROWSER_H

#include "ui/text/annotate_stdio.h"
#include "ui/tui/dialog.h"
#include "util/view/view.h"

struct code_texts {
	void *ctx;
	/*
	 * The code of the function of an entry: two lines of heading and the text, to memory, and
	 * what its lines are. 0, or a negative errno with @err.
	 */
	int (*print)(void *ctx, struct view *view, u32 entry, const struct annotate_style *style,
	             struct out *out, struct annotate_marks *marks, struct error *err);
	/*
	 * The samples that pass @filter, to memory, with these @fields, as script -F takes them
	 * (NULL: the usual ones); the first of very many. 0, or a negative errno with @err. NULL:
	 * there is no list of them.
	 */
	int (*samples)(void *ctx, struct view *view, const struct sample_filter *filter,
	               const char *fields, struct out *out, struct error *err);
	struct annotate_style style; /* at first */
};

/*
 * Begin at the function of an entry of @view, which is sorted by symbol, until the user leaves; at
 * its instruction @addr, if there is one, else at the hottest.
 */
void annotate_browser__run(struct tui *tui, struct view *view, const struct code_texts *texts,
                           u32 entry, u64 addr);

#endif
