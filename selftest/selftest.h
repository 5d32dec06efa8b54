/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `perf test`: tests that users can run on their machine with the installed program alone. A suite
 * is one numbered line; its cases are the lines below it (4.1, 4.2), or it has one unnamed case. A
 * test uses the real kernel and real files and must be able to fail.
 *
 * To add a test: a function in the file of its subject, and its row in table.c.
 *
 *	enum verdict test_something(struct selftest *test)
 *	{
 *		EXPECT(test, n == 3, "%d came, not 3", n);
 *		return SELFTEST_OK;
 *	}
 */
#ifndef PERF_SELFTEST_SELFTEST_H
#define PERF_SELFTEST_SELFTEST_H

#include <stdio.h>

#include "util/lib/error.h"
#include "util/lib/types.h"

enum verdict { SELFTEST_OK, SELFTEST_SKIP, SELFTEST_FAIL };

/* The environment of a running test. */
struct selftest {
	FILE *log;   /* NULL: no log */
	int verbose; /* how often -v was given */
	/* A folder for its files, removed afterwards; NULL unless the test needs NEEDS_DIR. */
	const char *dir;
	const char *dso;  /* NULL, or an object that the user named (--dso) */
	char reason[240]; /* of a skip or a failure */
};

/* Requirements of a test; the first missing one skips it. */
enum selftest_needs {
	NEEDS_DIR = 1u << 0,         /* a folder for its files */
	NEEDS_EVENTS = 1u << 1,      /* counting own tasks in user space */
	NEEDS_KERNEL = 1u << 2,      /* counting what the kernel does for them */
	NEEDS_TRACEPOINTS = 1u << 3, /* tracefs, and the right to use it */
	/*
	 * This program is readable by its path. If not, it can still be executed, but then
	 * the kernel ends the counters of the task.
	 */
	NEEDS_PROGRAM = 1u << 4,
	NEEDS_NAMES = 1u << 5, /* the program is readable, and has its symbol table */
};

struct selftest_case {
	const char *about; /* NULL: the only one of its suite */
	enum verdict (*run)(struct selftest *test);
	unsigned needs; /* enum selftest_needs */
};

#define SELFTEST_MAX_CASES 64

struct selftest_suite {
	const char *about;
	const struct selftest_case *cases;
	u32 nr; /* 1 .. SELFTEST_MAX_CASES */
};

/* All suites of this perf, in the order of their numbers. */
const struct selftest_suite *selftest_suites(u32 *nr);

/* ---- for the tests ---- */

/* A line of the log, for -v (_detail: for -vv). No newline in @fmt. */
void selftest__say(struct selftest *test, const char *fmt, ...) PRINTF_LIKE(2, 3);
void selftest__detail(struct selftest *test, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Keep the reason; for `return selftest__skip(...)`. */
enum verdict selftest__skip(struct selftest *test, const char *fmt, ...) PRINTF_LIKE(2, 3);
enum verdict selftest__fail(struct selftest *test, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The same with the words of an error. */
enum verdict selftest__skip_error(struct selftest *test, const struct error *err);
enum verdict selftest__fail_error(struct selftest *test, const struct error *err);

/* Are all @needs met? False: the reason is set. NEEDS_DIR means test->dir. */
bool selftest__has(struct selftest *test, unsigned needs);

#define EXPECT(test, cond, ...)                                                                    \
	do {                                                                                       \
		if (!(cond))                                                                       \
			return selftest__fail(test, __VA_ARGS__);                                  \
	} while (0)

#endif
