/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Select tests by the words of a command line: numbers of suites and cases, or parts of names. A
 * suite is "4", a case "4.2", or "4:2" as the list shows it. Upper and lower case of names are the
 * same. A part of a suite's name selects all its cases.
 */
#ifndef PERF_SELFTEST_CHOICE_H
#define PERF_SELFTEST_CHOICE_H

#include "selftest/selftest.h"

struct selftest_choice {
	const struct selftest_suite *suites; /* borrowed */
	u32 nr;
	u64 *cases;    /* of each suite: bit i is case i */
	bool *skipped; /* by the user */
};

/*
 * Without words, select all tests. -ERANGE: no test has this number; -ENOENT: a word matches
 * nothing. Call selftest_choice__exit() in any case.
 */
int selftest_choice__init(struct selftest_choice *choice, const struct selftest_suite *suites,
                          u32 nr, int nr_words, const char *const *words, struct error *err);
void selftest_choice__exit(struct selftest_choice *choice);

/* "1,3-5": leave these suites out. -EINVAL or -ERANGE. */
int selftest_choice__skip(struct selftest_choice *choice, const char *text, struct error *err);

#endif
