/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs one test: in a child of its own, so that a crash or an endless loop is the failure of that
 * test and nothing else. Whatever the test started and left behind is killed with it, its folder
 * is removed.
 */
#ifndef PERF_SELFTEST_RUNNER_H
#define PERF_SELFTEST_RUNNER_H

#include "selftest/selftest.h"

struct selftest_how {
	FILE *log; /* for -v; NULL: none */
	int verbose;
	bool no_fork;     /* in this process: for a debugger */
	unsigned seconds; /* the time limit; not without fork */
	unsigned runs;    /* at most, up to the first that is not ok; 0: one */
	const char *dso;  /* NULL, or an object whose symbols are looked at, too */
};

struct selftest_result {
	enum verdict verdict;
	char reason[240];
	/*
	 * SIGINT, SIGTERM or SIGHUP came to us meanwhile: the test was ended and its folder
	 * removed, and the caller should end by that signal. Else 0.
	 */
	int signal;
};

void selftest_case__run(const struct selftest_case *test, const struct selftest_how *how,
                        struct selftest_result *result);

#endif
