/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A terminal: keys from it, canvases to it. The real one is ncurses, loaded when it is opened
 * (curses.c); tests have one of their own.
 */
#ifndef PERF_UI_TUI_TERMINAL_H
#define PERF_UI_TUI_TERMINAL_H

#include "ui/tui/colors.h"
#include "util/lib/error.h"

/* Characters are themselves, bytes of UTF-8 one after the other. */
enum key_code {
	KEYS_INTERRUPT = 3, /* ^C */
	KEYS_TAB = '\t',
	KEYS_ENTER = '\r',
	KEYS_ESCAPE = 27,
	KEYS_UP = 256,
	KEYS_DOWN,
	KEYS_LEFT,
	KEYS_RIGHT,
	KEYS_PAGE_UP,
	KEYS_PAGE_DOWN,
	KEYS_HOME,
	KEYS_END,
	KEYS_BACK_TAB,
	KEYS_BACKSPACE,
	KEYS_F1,
	KEYS_RESIZE,  /* draw again */
	KEYS_UNKNOWN, /* another key */
	KEYS_CLOSED,  /* the terminal is gone, for good */
	KEYS_TIME,    /* none: terminal_work.due has come */
};

/* What goes on while a key is waited for. */
struct terminal_work {
	int fd;                 /* when there is something to read (-1: never) ... */
	void (*run)(void *ctx); /* ... this is called, which may change it */
	void *ctx;
	u64 due; /* ns by CLOCK_MONOTONIC; 0: never */
};

#define TERMINAL_IDLE 1 /* due as soon as there is no key */

struct terminal {
	void (*size)(struct terminal *terminal, int *nr_rows, int *nr_columns);
	int (*key)(struct terminal *terminal); /* waits for one */
	void (*show)(struct terminal *terminal, const struct canvas *canvas);
	/* Ask it to keep @text for pasting; it may refuse without a word. NULL: it has no such. */
	void (*copy)(struct terminal *terminal, const char *text);
	struct terminal_work *work; /* NULL: nothing */
};

/* Can stdin and stdout be a browser's: both terminals, not dumb ones, and ncurses is built in? */
bool curses__can(void);

/* -EOPNOTSUPP or -ENOTTY with @err: there is no such library, or it does not know the terminal. */
int curses__open(struct terminal **terminal, const struct tui_colors *colors, struct error *err);

/* Give the terminal back as it was. */
void curses__close(struct terminal *terminal);

#endif
