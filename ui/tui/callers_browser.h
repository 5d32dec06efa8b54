/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function between those that call it, above, and those it calls, below: to walk through a
 * profile along its edges, which `report --callers-callees` prints.
 */
#ifndef PERF_UI_TUI_CALLERS_BROWSER_H
#define PERF_UI_TUI_CALLERS_BROWSER_H

#include "ui/tui/dialog.h"
#include "util/callers/call_tree.h"
#include "util/view/view.h"

struct callers_shown {
	const struct view *view;
	struct call_tree *tree; /* of its event @evsel */
	u32 evsel;
	/* Show the code of the function of a location. */
	void (*show_code)(void *ctx, u32 loc);
	void *ctx;
};

/* Begin at the function of a frame, until the user leaves. False: no chain has it. */
bool callers_browser__run(struct tui *tui, const struct callers_shown *shown, u32 loc);

#endif
