/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked and said on top of a browser, whose canvas it draws over. */
#ifndef PERF_UI_TUI_DIALOG_H
#define PERF_UI_TUI_DIALOG_H

#include "ui/tui/terminal.h"

/* One screen and what is on it. */
struct tui {
	struct terminal *terminal;
	struct canvas canvas;
};

/* An empty canvas as large as the terminal is now. */
void tui__start(struct tui *tui);
void tui__show(struct tui *tui);

/* Let the user choose: the item's number; or -1, by leaving or a terminal that has gone. */
int dialog__menu(struct tui *tui, const char *title, const char *const *items, u32 nr);

#define DIALOG_TEXT 256

/* Who wants to know each change of what is typed, and draws the canvas anew. */
struct dialog_typing {
	void (*typed)(void *ctx, const char *text);
	void *ctx;
};

/* Ask for a line, which begins as @text: false, if it was given up. @typing may be NULL. */
bool dialog__ask(struct tui *tui, const char *question, char text[DIALOG_TEXT],
                 const struct dialog_typing *typing);

/* Say it in the last row until a key is pressed. */
void dialog__say(struct tui *tui, const char *text);

#endif
