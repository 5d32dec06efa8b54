/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A terminal that is an array, for tests of browsers: keys come from a list, and what is on the
 * screen can be compared.
 *
 *	fake__start(8, 70, KEYS(KEYS_DOWN, 'q'));
 *	... a browser on &tui ...
 *	fake__stop();
 *	CHECK_STR(fake.screen, "...");
 */
#ifndef PERF_TESTS_FAKE_TERMINAL_H
#define PERF_TESTS_FAKE_TERMINAL_H

#include "ui/tui/dialog.h"

#define SCREEN_MAX 20000

struct fake {
	struct terminal terminal;
	int nr_rows, nr_columns;
	const int *keys; /* 0 ends them: the terminal is gone then ... */
	bool gone;       /* ... and shows nothing more */
	char screen[SCREEN_MAX];
	int chosen; /* the row in that style */
	char copied[SCREEN_MAX];
};

extern struct fake fake;
extern struct tui tui;

/* A list of keys, which ends with 0. */
#define KEYS(...) ((const int[]){ __VA_ARGS__ __VA_OPT__(, ) 0 })

void fake__start(int nr_rows, int nr_columns, const int *keys);
void fake__stop(void);

#endif
