/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A terminal that is an array: what is on the screen after which keys. */
#ifndef PERF_TESTS_UNIT_FAKE_TERMINAL_H
#define PERF_TESTS_UNIT_FAKE_TERMINAL_H

#include "ui/tui/dialog.h"

#define SCREEN_MAX 20000

struct fake_terminal {
	struct terminal terminal;
	int nr_rows, nr_columns;
	const int *keys; /* 0 ends them: the terminal is gone then ... */
	bool gone;       /* ... and shows nothing more */
	char screen[SCREEN_MAX];
	int chosen; /* the row in that style */
	char copied[SCREEN_MAX];
};

extern struct fake_terminal fake;
extern struct tui tui; /* on it */

/* Begin with an empty screen, in a locale of UTF-8; until fake__stop(). */
void fake__start(int nr_rows, int nr_columns, const int *keys);
void fake__stop(void);

#endif
