/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of unit tests: one file tests/unit/NAME_test.c per concept of util/. A test is
 *
 *	TEST(strtab_gives_equal_text_one_id)
 *	{
 *		CHECK(a == b);
 *		CHECK_EQ(n, 3);
 *		CHECK_STR(s, "text");
 *	}
 *
 * One whose code starts threads is a TEST_WITH_THREADS(name): those are what ThreadSanitizer is for
 * (`unit-tests --threads`), and the runner fails any other that starts one.
 *
 * A failed check prints its file and line and fails the test, which goes on. Tests need no root, no
 * network and no files except those they make below unit__tmpdir().
 */
#ifndef PERF_TESTS_UNIT_H
#define PERF_TESTS_UNIT_H

#include <string.h>

#include "util/lib/types.h"

void unit__register(const char *file, const char *name, bool threads, void (*fn)(void));
void unit__fail(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool unit__has_failed(void);         /* has a check of the running test failed? */
void unit__skip(const char *reason); /* mark the running test as skipped; return after it */
const char *unit__tmpdir(void);      /* a fresh folder of the running test, removed afterwards */

#define UNIT_TEST(name, threads)                                                                   \
	static void test_##name(void);                                                             \
	__attribute__((constructor)) static void register_##name(void)                             \
	{                                                                                          \
		unit__register(__FILE__, #name, threads, test_##name);                             \
	}                                                                                          \
	static void test_##name(void)

#define TEST(name)              UNIT_TEST(name, false)
#define TEST_WITH_THREADS(name) UNIT_TEST(name, true)

#define CHECK(cond)                                                                                \
	do {                                                                                       \
		if (!(cond))                                                                       \
			unit__fail(__FILE__, __LINE__, "%s", #cond);                               \
	} while (0)

#define CHECK_EQ(got, want)                                                                        \
	do {                                                                                       \
		long long got_ = (long long)(got), want_ = (long long)(want);                      \
		if (got_ != want_)                                                                 \
			unit__fail(__FILE__, __LINE__, "%s is %lld (0x%llx), not %lld (0x%llx)",   \
			           #got, got_, got_, want_, want_);                                \
	} while (0)

#define CHECK_STR(got, want)                                                                       \
	do {                                                                                       \
		const char *got_ = (got), *want_ = (want);                                         \
		if (!got_ || strcmp(got_, want_))                                                  \
			unit__fail(__FILE__, __LINE__, "%s is \"%s\", not \"%s\"", #got,           \
			           got_ ? got_ : "(null)", want_);                                 \
	} while (0)

#endif
