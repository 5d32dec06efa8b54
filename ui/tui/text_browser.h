/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Look at a text: help, the header of a recording, the code of a function. */
#ifndef PERF_UI_TUI_TEXT_BROWSER_H
#define PERF_UI_TUI_TEXT_BROWSER_H

#include "ui/tui/dialog.h"
#include "ui/tui/list.h"

/* Lines, where the user is in them, and what he has searched for. */
struct text_pane {
	struct tui *tui;
	char **lines;
	size_t cap;
	double *percent; /* by line; 0: none */
	u32 *hot;        /* lines with one, the hottest first */
	u32 nr_hot, hot_at;
	struct list list;
	int from; /* the first column that is seen */
	char wanted[DIALOG_TEXT];
	bool backwards;
};

/* @text is copied. Where the pane was in a text before, and its search, stay. */
void text_pane__set(struct text_pane *pane, const char *text);
void text_pane__exit(struct text_pane *pane);

/* After filling in the percentages: the cursor goes to the largest if @go. */
void text_pane__find_hot(struct text_pane *pane, bool go);

/* In these rows of the canvas. */
void text_pane__draw(struct text_pane *pane, int row, int nr_rows);

/* Move, search, go to the hottest lines; false: it is another key. */
bool text_pane__key(struct text_pane *pane, int key);

/* Show @text under @title until the user leaves. */
void text_browser__run(struct tui *tui, const char *title, const char *text);

#endif
