/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run this perf as a program, for tests of whole commands. It runs in the test's folder
 * (NEEDS_DIR), with its home and build-id cache there and without the user's settings. Its output
 * goes to the files "out" and "err" of that folder.
 */
#ifndef PERF_SELFTEST_SELF_H
#define PERF_SELFTEST_SELF_H

#include "selftest/selftest.h"

#define SELF "/proc/self/exe" /* as a workload: that perf itself */

/*
 * Run perf with the NULL-ended @words. Returns its exit status, 128 plus a signal, or -errno. Its
 * stderr is copied to the log.
 */
int self__run(struct selftest *test, const char *const *words);

#define SELF_RUN(test, ...) self__run(test, (const char *const[]){ __VA_ARGS__, NULL })

/* What the last run wrote to "out" or "err": malloc'ed; "" if nothing. */
char *self__output(const struct selftest *test, const char *name);

#endif
