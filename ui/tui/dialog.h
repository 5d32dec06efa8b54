/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked and said on top of a browser, whose canvas it draws over. */
#ifndef PERF_UI_TUI_DIALOG_H
#define PERF_UI_TUI_DIALOG_H

#include "ui/tui/terminal.h"

/* One screen and what is on it. */
struct tui {
	struct terminal *terminal;
	struct canvas canvas;
	int kept; /* a key that was read and is still to be obeyed; 0: none */
};

/* The next key: all browsers and dialogs read theirs here. */
int tui__key(struct tui *tui);

/* An empty canvas as large as the terminal is now. */
void tui__start(struct tui *tui);
void tui__show(struct tui *tui);

/* Let the user choose: the item's number; or -1, by leaving or a terminal that has gone. */
int dialog__menu(struct tui *tui, const char *title, const char *const *items, u32 nr);

#define DIALOG_TEXT 256

/* The key by which a dialog is given up. */
bool dialog__gives_up(int key);

/*
 * Show a line to be edited over the last row, its end where it is too long; wait for a key and do
 * what it does. Returns the key.
 */
int dialog__edit(struct tui *tui, const char *question, char text[DIALOG_TEXT]);

/* Ask for a line, which begins as @text: false, if it was given up. */
bool dialog__ask(struct tui *tui, const char *question, char text[DIALOG_TEXT]);

/* Show it in the last row while something takes its time. */
void dialog__show(struct tui *tui, const char *text);

/*
 * Say it in the last row, or more of them, until a key is pressed. Those that close a dialog (Esc,
 * Enter, Space, q, ^C) only take it away; tui__key() has others again, for who comes next.
 */
void dialog__say(struct tui *tui, const char *text);

#endif
