/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that the user of a browser asks for. One that is there is never touched. */
#ifndef PERF_UI_TUI_SAVE_H
#define PERF_UI_TUI_SAVE_H

#include "ui/tui/dialog.h"
#include "util/lib/out.h"

struct save_text {
	void (*print)(void *ctx, struct out *out);
	void *ctx;
};

/* Write @text to @name; says how it went. */
void save__as(struct tui *tui, const char *name, const struct save_text *text);

/* To the first of STEM.N that is not there; with @plain STEM itself comes before those. */
void save__numbered(struct tui *tui, const char *stem, bool plain, const struct save_text *text);

#endif
