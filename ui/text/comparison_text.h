/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of `perf stat --compare`: a table with a verdict, lines of fields (-x), or JSON lines
 * (-j).
 */
#ifndef PERF_UI_TEXT_COMPARISON_TEXT_H
#define PERF_UI_TEXT_COMPARISON_TEXT_H

#include "util/lib/out.h"
#include "util/stat/comparison.h"

struct comparison_figure {
	const char *name, *unit; /* "task-clock", "msec" */
	double scale;            /* factor from its values to the unit */
	int decimals;
	bool is_time; /* less is faster */
	bool supported;
};

struct comparison_text {
	const struct comparison *comparison;
	const char *const *commands;             /* as they were typed */
	const struct comparison_figure *figures; /* one for each figure */
	u32 headline;                            /* index of the figure that the verdict is about */
	double narrower; /* 0, or its interval is this many times narrower than the first figure's
	                  */
	const char *separator; /* for -x */
};

void comparison_text__table(const struct comparison_text *text, struct out *out);
void comparison_text__csv(const struct comparison_text *text, struct out *out);
void comparison_text__json(const struct comparison_text *text, struct out *out);

#endif
