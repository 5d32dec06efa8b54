/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This perf as a program, for tests of whole commands. It runs in the test's folder (which must
 * be there: NEEDS_DIR) with a home and a build-id cache there, without the user's settings, and
 * its output goes to the files "out" and "err" of that folder.
 */
#ifndef PERF_SELFTEST_SELF_H
#define PERF_SELFTEST_SELF_H

#include "selftest/selftest.h"

#define SELF "/proc/self/exe" /* as a workload for the perf that is run */

/*
 * Run with the NULL-ended @words behind "perf". Its exit status; 128 and the signal; or -errno.
 * What it said on stderr goes to the log.
 */
int self__run(struct selftest *test, const char *const *words);

#define SELF_RUN(test, ...) self__run(test, (const char *const[]){ __VA_ARGS__, NULL })

/* What the last one wrote to "out" or "err": malloc'ed; "" when there is none. */
char *self__output(const struct selftest *test, const char *name);

#endif
