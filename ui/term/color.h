/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether text is coloured, and the colours of percentages: red from 5 %, green from 0.5 %, as in
 * Linux's perf.
 */
#ifndef PERF_UI_TERM_COLOR_H
#define PERF_UI_TERM_COLOR_H

#include "util/lib/error.h"
#include "util/lib/out.h"
#include "util/options/options.h"

enum color_mode {
	COLOR_AUTO, /* on a terminal (a pager on it counts), not with NO_COLOR or TERM=dumb */
	COLOR_ALWAYS,
	COLOR_NEVER,
};

#define COLOR_RED   "\033[31m"
#define COLOR_GREEN "\033[32m"
#define COLOR_RESET "\033[m"

/* For tables of options and of configuration: always, never, auto, or true (auto) and false. */
int color__parse(const struct option *option, const char *arg, bool unset, struct error *err);

/* Is what goes to stdout now to be coloured? */
bool color__wanted(enum color_mode mode);

/* out__percent() and a '%', in its colour if @colored. @width is that of both, 0: none. */
void color__percent(struct out *out, bool colored, u64 part, u64 whole, int width);

#endif
