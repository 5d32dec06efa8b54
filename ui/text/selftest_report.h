/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output lines of `perf test`, in the layout of Linux's perf 6.1.
 *
 *	  3: a suite of one test                                      : Ok
 *	  4: a suite of several                                       :
 *	  4.1: its first                                              : Skip (reason)
 */
#ifndef PERF_UI_TEXT_SELFTEST_REPORT_H
#define PERF_UI_TEXT_SELFTEST_REPORT_H

#include <stdio.h>

#include "selftest/choice.h"
#include "selftest/runner.h"
#include "util/lib/out.h"

struct selftest_tally {
	u32 nr_ok, nr_skipped, nr_failed;
	u32 first_failed; /* number of a suite, from 1 */
	int signal;       /* arrived meanwhile: no test was run after it. See runner.h */
};

/*
 * Run the tests of @choice and print a line for each to @to. how->log, if set, must be @to.
 * @junit (NULL: none) gets the results as JUnit XML.
 */
void selftest_report__run(const struct selftest_choice *choice, const struct selftest_how *how,
                          FILE *to, bool colours, struct out *junit, struct selftest_tally *tally);

/* The names of the tests of @choice, as "4:1: name". */
void selftest_report__list(const struct selftest_choice *choice, FILE *to);

#endif
