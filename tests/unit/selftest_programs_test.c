// SPDX-License-Identifier: GPL-2.0-or-later
/* The programs of perf test -w: their arguments, and that they do their work and end. */
#include "selftest/programs.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/unit.h"

TEST(selftest_programs_read_their_arguments)
{
	static const char *const good[] = { "1", "0.25", "86400", "1e-3" };
	static const char *const bad[] = { "", "x", "1x", "0", "-1", "nan", "inf", "86401" };
	double seconds;
	u32 nr;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		const char *word = good[i];

		CHECK_EQ(program__seconds(1, &word, 1, &seconds, NULL), 0);
		CHECK(seconds == strtod(good[i], NULL));
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const char *word = bad[i];

		CHECK_EQ(program__seconds(1, &word, 1, &seconds, NULL), -EINVAL);
		CHECK_EQ(program__count(1, &word, 0, 1, &nr, NULL),
		         !strcmp(word, "86401") ? 0 : -EINVAL);
	}
	seconds = 3;
	CHECK_EQ(program__seconds(0, NULL, 1, &seconds, NULL), 0);
	CHECK(seconds == 3);
	CHECK_EQ(program__seconds(2, (const char *[]){ "1", "2" }, 1, &seconds, NULL), -EINVAL);
	CHECK_EQ(program__count(1, (const char *[]){ "4294967296" }, 0, 1, &nr, NULL), -EINVAL);
}

/* In a child: they change signal handlers. */
static int status_of(const char *name, int argc, const char **argv)
{
	struct error err = ERROR_INIT;
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(program__find(name)->run(argc, argv, &err) & 0xff);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

TEST_WITH_THREADS(selftest_programs_do_their_work)
{
	CHECK_EQ(status_of("brstack", 1, (const char *[]){ "1000" }), 0);
	CHECK_EQ(status_of("traploop", 1, (const char *[]){ "3" }), 0);
	CHECK_EQ(status_of("context_switch_loop", 1, (const char *[]){ "5" }), 0);
	CHECK_EQ(status_of("landlock", 0, NULL), 0);
#ifndef __SANITIZE_THREAD__ /* it holds signals back until a system call, of which loops have none \
                             */
	CHECK_EQ(status_of("sqrtloop", 1, (const char *[]){ "0.01" }), 0);
	CHECK_EQ(status_of("thloop", 2, (const char *[]){ "0.01", "3" }), 0);
#endif
	CHECK_EQ(status_of("thloop", 2, (const char *[]){ "0.01", "x" }) >> 8, -EINVAL & 0xff);
	CHECK(!program__find("nosuch"));
}
