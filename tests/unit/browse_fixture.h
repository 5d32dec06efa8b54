/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The browser of reports on a terminal that is an array: its screen after keys. */
#ifndef PERF_TESTS_UNIT_BROWSE_FIXTURE_H
#define PERF_TESTS_UNIT_BROWSE_FIXTURE_H

#include <stdbool.h>

#include "util/view/view.h"

/* What is browsed, which a test changes and changes back. */
extern struct browsed {
	bool has_cycles; /* the code that is shown */
	bool branches;   /* the event has them, by its attributes */
	const char *warned_of;
	char next_file[32]; /* that the browser was left for */
} browsed;

/* The screen after @keys, of samples in two programs. */
const char *browse_with(struct view_options options, int nr_rows, int nr_columns, const char *sort,
                        const int *keys);
const char *browse(int nr_rows, int nr_columns, const char *sort, const int *keys);

/* A report as text: it opens and closes rows. @ctx: nothing. */
void browse_report(void *ctx, struct view *view, struct out *out);

#define KEYS(...) ((const int[]){ __VA_ARGS__ __VA_OPT__(, ) 0 })
/* From the first item of the menu to that of the map, for rows of dso and sym. */
#define MENU_MAP KEYS_DOWN, KEYS_DOWN, KEYS_DOWN, KEYS_DOWN, KEYS_DOWN
#define HEAD     "Samples: 4  of event 'cpu-clock:HG', Event count (approx.): 75\n"

#endif
