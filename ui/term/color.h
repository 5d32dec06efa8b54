/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether to colour text, and percentages in colour: red from 5 %, green from 0.5 %, as in Linux's
 * perf.
 */
#ifndef PERF_UI_TERM_COLOR_H
#define PERF_UI_TERM_COLOR_H

#include "util/lib/error.h"
#include "util/lib/out.h"
#include "util/options/options.h"

enum color_mode {
	COLOR_AUTO, /* on a terminal, also through a pager; not with NO_COLOR or TERM=dumb */
	COLOR_ALWAYS,
	COLOR_NEVER,
};

#define COLOR_RED   "\033[31m"
#define COLOR_GREEN "\033[32m"
#define COLOR_RESET "\033[m"

/* For tables of options and of configuration variables: always, never, auto, true (auto), false. */
int color__parse(const struct option *option, const char *arg, bool unset, struct error *err);

/* Should output to stdout be coloured now? */
bool color__wanted(enum color_mode mode);

/* out__percent() and a '%', in colour if @colored. @width of both together; 0: no padding. */
void color__percent(struct out *out, bool colored, u64 part, u64 whole, int width);

#endif
