/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run one test in its own child process, so that a crash or an endless loop fails only that test.
 * Processes that the test leaves behind are killed, and its folder is removed.
 */
#ifndef PERF_SELFTEST_RUNNER_H
#define PERF_SELFTEST_RUNNER_H

#include "selftest/selftest.h"

struct selftest_how {
	FILE *log; /* for -v; NULL: none */
	int verbose;
	bool no_fork;     /* in this process: for a debugger */
	unsigned seconds; /* the time limit; ignored with no_fork */
	unsigned runs;    /* repeat up to this often, until one is not ok; 0: once */
	const char *dso;  /* NULL, or another object whose symbols are tested */
};

struct selftest_result {
	enum verdict verdict;
	char reason[240];
	/*
	 * SIGINT, SIGTERM or SIGHUP arrived: the test was ended and its folder removed, and the
	 * caller should end by that signal. 0: none.
	 */
	int signal;
};

void selftest_case__run(const struct selftest_case *test, const struct selftest_how *how,
                        struct selftest_result *result);

#endif
