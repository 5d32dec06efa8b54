/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `perf stat --compare` shows: a table with a verdict for people, lines of fields (-x) or of
 * JSON (-j) for programs.
 */
#ifndef PERF_UI_TEXT_COMPARISON_TEXT_H
#define PERF_UI_TEXT_COMPARISON_TEXT_H

#include "util/lib/out.h"
#include "util/stat/comparison.h"

struct comparison_figure {
	const char *name, *unit; /* "task-clock", "msec" */
	double scale;            /* of its values to the unit */
	int decimals;
	bool is_time; /* less is faster */
	bool supported;
};

struct comparison_text {
	const struct comparison *comparison;
	const char *const *commands;             /* as they were typed */
	const struct comparison_figure *figures; /* one for each figure */
	u32 headline;                            /* the figure the verdict is about */
	double narrower;       /* 0, or how often its interval fits into that of the first */
	const char *separator; /* of -x */
};

void comparison_text__table(const struct comparison_text *text, struct out *out);
void comparison_text__csv(const struct comparison_text *text, struct out *out);
void comparison_text__json(const struct comparison_text *text, struct out *out);

#endif
