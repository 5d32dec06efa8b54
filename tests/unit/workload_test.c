// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/counter/workload.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/lib/alloc.h"

TEST(workload_waits_runs_and_tells_its_status)
{
	static const char *const argv[] = { "sh", "-c", "exit 7", NULL };
	struct workload workload;
	struct error err = ERROR_INIT;

	CHECK_EQ(workload__prepare(&workload, argv, false, &err), 0);
	CHECK(workload.pid > 0);
	CHECK_EQ(workload__wait(&workload, false), -EAGAIN); /* held before its exec */
	CHECK_EQ(workload__start(&workload, &err), 0);
	CHECK_EQ(workload__wait(&workload, true), 0);
	CHECK(WIFEXITED(workload.status));
	CHECK_EQ(WEXITSTATUS(workload.status), 7);
	CHECK(workload.end_time > 0);
	CHECK_EQ(workload__wait(&workload, true), 0); /* again: the same */
	workload__exit(&workload);
}

TEST(workload_that_does_not_exist)
{
	static const char *const argv[] = { "/nonexistent/program", NULL };
	struct workload workload;
	struct error err = ERROR_INIT;

	CHECK_EQ(workload__prepare(&workload, argv, false, &err), 0);
	CHECK_EQ(workload__start(&workload, &err), -ENOENT);
	CHECK_STR(err.subject, "/nonexistent/program");
	CHECK_STR(err.what, "Workload failed: No such file or directory");
	CHECK_EQ(workload__wait(&workload, true), 0);
	workload__exit(&workload);
}

/* Asked before, it says what the exec will say. */
TEST(workload_is_checked_before_it_starts)
{
	static const char *const names[] = { "true",  "/bin/sh", "./tool",      "tool",
		                             "plain", "./plain", "folder",      "none",
		                             "",      "/",       "plain/below", "./folder" };
	const char *dir = unit__tmpdir();
	char *was = xstrdup(getenv("PATH")), here[4096];
	char *paths[] = { xstrdup(was), xstrdup("none::/bin"), xasprintf("%s:/none:/bin", dir),
		          xstrdup("") };

	CHECK(getcwd(here, sizeof(here)) && !chdir(dir));
	CHECK(!system("cp /bin/true tool && : > plain && mkdir folder"));
	for (size_t p = 0; p < ARRAY_SIZE(paths); p++) {
		CHECK(!setenv("PATH", paths[p], 1));
		for (size_t n = 0; n < ARRAY_SIZE(names); n++) {
			const char *const argv[] = { names[n], NULL };
			struct error err = ERROR_INIT;
			struct workload workload;
			int checked = workload__check(argv, &err);

			CHECK(!workload__prepare(&workload, argv, true, NULL));
			CHECK_EQ(checked, workload__start(&workload, NULL));
			CHECK_EQ(err.code, checked);
			workload__wait(&workload, true);
			workload__exit(&workload);
		}
		free(paths[p]);
	}
	CHECK(!setenv("PATH", was, 1) && !chdir(here));
	free(was);
}

TEST(workload_never_started_leaves_nothing)
{
	char *path = xasprintf("%s/made", unit__tmpdir());
	const char *argv[] = { "touch", path, NULL };
	struct workload workload;
	pid_t pid;

	CHECK_EQ(workload__prepare(&workload, argv, false, NULL), 0);
	pid = workload.pid;
	workload__exit(&workload);
	CHECK_EQ(kill(pid, 0), -1);
	CHECK(access(path, F_OK) < 0);
	free(path);
}

TEST(workload_dies_by_a_signal_with_default_handling)
{
	static const char *const argv[] = { "sleep", "1000", NULL };
	struct workload workload;
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	CHECK_EQ(workload__prepare(&workload, argv, false, NULL), 0);
	CHECK_EQ(workload__start(&workload, NULL), 0);
	kill(workload.pid, SIGTERM); /* would be blocked if the mask were inherited */
	CHECK_EQ(workload__wait(&workload, true), 0);
	sigprocmask(SIG_SETMASK, &before, NULL);
	CHECK(WIFSIGNALED(workload.status));
	CHECK_EQ(WTERMSIG(workload.status), SIGTERM);
	workload__exit(&workload);
}
