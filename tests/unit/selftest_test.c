// SPDX-License-Identifier: GPL-2.0-or-later
/* The runner, the choice and the lines of perf test, on tables of tests of our own. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui/text/selftest_report.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/temp_dir.h"

/* ---- tests that do what tests do ---- */

static enum verdict is_ok(struct selftest *test)
{
	selftest__say(test, "all is %s", "well");
	selftest__detail(test, "in detail");
	return SELFTEST_OK;
}

static enum verdict skips(struct selftest *test)
{
	return selftest__skip(test, "no %s", "moon");
}

static enum verdict fails(struct selftest *test)
{
	EXPECT(test, 1 == 2, "1 is not %d\n", 2);
	return SELFTEST_OK;
}

static enum verdict crashes(struct selftest *test)
{
	(void)test;
	kill(getpid(), SIGUSR1); /* of those that end a program one that no sanitizer catches */
	return SELFTEST_OK;
}

static enum verdict leaves(struct selftest *test)
{
	(void)test;
	_exit(7);
}

static enum verdict never_ends(struct selftest *test)
{
	while (!test->reason[0]) /* nobody sets it */
		pause();
	return SELFTEST_OK;
}

static enum verdict is_stopped_by_user(struct selftest *test)
{
	kill(getppid(), SIGTERM);
	return never_ends(test);
}

/* A folder with a bit of everything. */
static enum verdict makes_files(struct selftest *test)
{
	char *sub = xasprintf("%s/sub", test->dir), *file = xasprintf("%s/sub/file", test->dir);
	char *link = xasprintf("%s/link", test->dir);
	int fd;

	EXPECT(test, !mkdir(sub, 0700), "no folder");
	EXPECT(test, (fd = open(file, O_CREAT | O_WRONLY, 0600)) >= 0, "no file");
	EXPECT(test, !symlink(getenv("UNIT_KEEP"), link), "no link");
	close(fd);
	free(sub);
	free(file);
	free(link);
	return SELFTEST_OK;
}

#define ONE(fn, needs) (&(const struct selftest_case){ NULL, fn, needs })

static struct selftest_result run_one(const struct selftest_case *test, unsigned seconds)
{
	struct selftest_how how = { .seconds = seconds };
	struct selftest_result result;

	selftest_case__run(test, &how, &result);
	return result;
}

static bool has_child(void)
{
	return waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD;
}

TEST(selftest_runner_gives_verdict_and_reason)
{
	struct selftest_result result = run_one(ONE(is_ok, 0), 60);

	CHECK_EQ(result.verdict, SELFTEST_OK);
	CHECK_STR(result.reason, "");
	result = run_one(ONE(skips, 0), 60);
	CHECK_EQ(result.verdict, SELFTEST_SKIP);
	CHECK_STR(result.reason, "no moon");
	result = run_one(ONE(fails, 0), 60);
	CHECK_EQ(result.verdict, SELFTEST_FAIL);
	CHECK_STR(result.reason, "1 is not 2?"); /* fit for a terminal */
	CHECK(!has_child());
}

TEST(selftest_runner_survives_what_a_test_does)
{
	struct selftest_result result = run_one(ONE(crashes, 0), 60);

	CHECK_EQ(result.verdict, SELFTEST_FAIL);
	CHECK(strstr(result.reason, "died by signal 10"));
	result = run_one(ONE(leaves, 0), 60);
	CHECK_EQ(result.verdict, SELFTEST_FAIL);
	CHECK(strstr(result.reason, "status 7 and without a verdict"));
	result = run_one(ONE(never_ends, 0), 1);
	CHECK_EQ(result.verdict, SELFTEST_FAIL);
	CHECK_STR(result.reason, "it was ended after 1 seconds");
	CHECK(!has_child());
}

static int orphan_pipe[2];

/* A process that outlives the test, holding a pipe of ours. */
static enum verdict leaves_a_process_behind(struct selftest *test)
{
	(void)test;
	close(orphan_pipe[0]);
	if (!fork())
		for (;;)
			pause();
	return SELFTEST_OK;
}

TEST(selftest_runner_kills_what_is_left_behind)
{
	char byte;

	CHECK_EQ(pipe(orphan_pipe), 0);
	CHECK_EQ(run_one(ONE(leaves_a_process_behind, 0), 60).verdict, SELFTEST_OK);
	close(orphan_pipe[1]);
	alarm(30); /* the end of the file comes when the last process is gone */
	CHECK_EQ(read(orphan_pipe[0], &byte, 1), 0);
	alarm(0);
	close(orphan_pipe[0]);
}

static bool is_empty(const char *dir)
{
	return !rmdir(dir) && !mkdir(dir, 0700);
}

TEST(selftest_runner_removes_the_folder_in_every_case)
{
	char *tmp = xasprintf("%s/tmp", unit__tmpdir()),
	     *keep = xasprintf("%s/keep", unit__tmpdir());
	char *kept = xasprintf("%s/file", keep);
	struct selftest_how here = { .no_fork = true };
	struct selftest_result result;

	CHECK(!mkdir(tmp, 0700) && !mkdir(keep, 0700));
	close(open(kept, O_CREAT | O_WRONLY, 0600));
	setenv("TMPDIR", tmp, 1);
	setenv("UNIT_KEEP", keep, 1);
	CHECK_EQ(run_one(ONE(makes_files, NEEDS_DIR), 60).verdict, SELFTEST_OK);
	CHECK(is_empty(tmp));
	CHECK(!access(kept, F_OK)); /* behind the link */
	selftest_case__run(ONE(makes_files, NEEDS_DIR), &here, &result);
	CHECK_EQ(result.verdict, SELFTEST_OK);
	CHECK(is_empty(tmp));
	CHECK_EQ(run_one(ONE(crashes, NEEDS_DIR), 60).verdict, SELFTEST_FAIL);
	CHECK_EQ(run_one(ONE(never_ends, NEEDS_DIR), 1).verdict, SELFTEST_FAIL);
	CHECK(is_empty(tmp));
	CHECK_EQ(rmdir(tmp), 0);
	result = run_one(ONE(is_ok, NEEDS_DIR), 60);
	CHECK_EQ(result.verdict, SELFTEST_SKIP);
	CHECK(strstr(result.reason, "No such file"));
	unsetenv("TMPDIR");
	unsetenv("UNIT_KEEP");
	free(tmp);
	free(keep);
	free(kept);
}

TEST(selftest_runner_ends_the_test_when_we_are_to_end)
{
	char *tmp = xasprintf("%s/tmp", unit__tmpdir());
	struct selftest_result result;

	CHECK_EQ(mkdir(tmp, 0700), 0);
	setenv("TMPDIR", tmp, 1);
	result = run_one(ONE(is_stopped_by_user, NEEDS_DIR), 60);
	CHECK_EQ(result.signal, SIGTERM);
	CHECK(is_empty(tmp));
	CHECK(!has_child());
	unsetenv("TMPDIR");
	free(tmp);
}

/* ---- choice ---- */

static const struct selftest_case single[] = { { NULL, is_ok, 0 } };
static const struct selftest_case several[] = {
	{ "first case", is_ok, 0 },
	{ "second case", skips, 0 },
	{ "third", fails, 0 },
};
static const struct selftest_suite suites[] = {
	{ "Lonely", single, 1 },
	{ "A family", several, 3 },
	{ "Another", single, 1 },
};

/* @words is split at blanks. The chosen cases as "1 2.1 2.3", or the error's code. */
static const char *chosen(const char *words)
{
	static char text[200];
	char copy[100], *argv[8], *save = NULL;
	struct selftest_choice choice;
	struct error err = ERROR_INIT;
	int argc = 0;

	snprintf(copy, sizeof(copy), "%s", words);
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	text[0] = '\0';
	selftest_choice__init(&choice, suites, ARRAY_SIZE(suites), argc, (const char *const *)argv,
	                      &err);
	for (u32 i = 0; i < ARRAY_SIZE(suites); i++)
		for (u32 j = 0; j < suites[i].nr; j++)
			if (choice.cases[i] >> j & 1)
				snprintf(text + strlen(text), sizeof(text) - strlen(text), "%u.%u ",
				         i + 1, j + 1);
	if (err.code)
		snprintf(text, sizeof(text), "%s", strerror(-err.code));
	selftest_choice__exit(&choice);
	return text;
}

TEST(selftest_choice_by_number_and_name)
{
	CHECK_STR(chosen(""), "1.1 2.1 2.2 2.3 3.1 ");
	CHECK_STR(chosen("2"), "2.1 2.2 2.3 ");
	CHECK_STR(chosen("1 3"), "1.1 3.1 ");
	CHECK_STR(chosen("2.3"), "2.3 ");
	CHECK_STR(chosen("2:1 2.2"), "2.1 2.2 ");
	CHECK_STR(chosen("CASE"), "2.1 2.2 ");
	CHECK_STR(chosen("famil"), "2.1 2.2 2.3 ");
	CHECK_STR(chosen("lone third"), "1.1 2.3 ");
	CHECK_STR(chosen("0"), strerror(ERANGE));
	CHECK_STR(chosen("4"), strerror(ERANGE));
	CHECK_STR(chosen("2.4"), strerror(ERANGE));
	CHECK_STR(chosen("2.0"), strerror(ERANGE));
	CHECK_STR(chosen("99999999999999999999"), strerror(ERANGE));
	CHECK_STR(chosen("1 nosuch"), strerror(ENOENT));
	CHECK_STR(chosen("1x"), strerror(ENOENT));
}

/* ---- lines ---- */

/* What is printed for @words and -s @skip; the caller frees it. */
static char *printed(const char *word, const char *skip, bool colours, int verbose,
                     struct selftest_tally *tally)
{
	struct selftest_choice choice;
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	struct selftest_how how = { .verbose = verbose,
		                    .log = verbose ? to : NULL,
		                    .seconds = 60,
		                    .no_fork = verbose > 0 };

	CHECK_EQ(selftest_choice__init(&choice, suites, ARRAY_SIZE(suites), word != NULL, &word,
	                               NULL),
	         0);
	if (skip)
		CHECK_EQ(selftest_choice__skip(&choice, skip, NULL), 0);
	selftest_report__run(&choice, &how, to, colours, NULL, tally);
	selftest_choice__exit(&choice);
	fclose(to);
	return text;
}

#define PAD30 "                              "

TEST(selftest_report_prints_lines_and_counts)
{
	struct selftest_tally tally;
	char *text = printed(NULL, "3", false, 0, &tally);

	CHECK_STR(text, "  1: Lonely" PAD30 "                            : Ok\n"
	                "  2: A family" PAD30 "                          :\n"
	                "  2.1: first case" PAD30 "                      : Ok\n"
	                "  2.2: second case" PAD30 "                     : Skip (no moon)\n"
	                "  2.3: third" PAD30 "                           : FAILED!\n"
	                "  3: Another" PAD30 "                           : Skip (user override)\n");
	CHECK_EQ(tally.nr_ok, 2);
	CHECK_EQ(tally.nr_skipped, 2);
	CHECK_EQ(tally.nr_failed, 1);
	CHECK_EQ(tally.first_failed, 2);
	free(text);
	text = printed("1", NULL, false, 0, &tally);
	CHECK_EQ(tally.nr_failed, 0);
	free(text);
}

TEST(selftest_report_has_colours_for_people)
{
	struct selftest_tally tally;
	char *text = printed("2", NULL, true, 0, &tally);

	CHECK(strstr(text, ":\033[33m Skip (no moon)\n\033[m"));
	CHECK(strstr(text, ":\033[31m FAILED!\n\033[m"));
	CHECK(strstr(text, ": Ok\n"));
	free(text);
}

TEST(selftest_report_says_more_with_v)
{
	struct selftest_tally tally;
	char *text = printed("1", NULL, false, 1, &tally);

	CHECK(strstr(text, ":\n--- start ---\nall is well\n---- end ----\nLonely: Ok\n"));
	free(text);
	text = printed("1", NULL, false, 2, &tally);
	CHECK(strstr(text, "all is well\nin detail\n"));
	free(text);
	text = printed("third", NULL, false, 1, &tally);
	CHECK(strstr(text, "FAILED: 1 is not 2?\n---- end ----\nA family subtest 3: FAILED!\n"));
	free(text);
}

TEST(selftest_skip_takes_lists_of_numbers)
{
	static const char *const bad[] = { "", "x", "1,", "1-", ",1", "1 2", "3-1", "0", "1-4" };
	struct selftest_choice choice;

	CHECK_EQ(selftest_choice__init(&choice, suites, 3, 0, NULL, NULL), 0);
	CHECK_EQ(selftest_choice__skip(&choice, "1,3", NULL), 0);
	CHECK(choice.skipped[0] && !choice.skipped[1] && choice.skipped[2]);
	CHECK_EQ(selftest_choice__skip(&choice, "2-3", NULL), 0);
	CHECK(choice.skipped[1]);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK(selftest_choice__skip(&choice, bad[i], NULL) < 0);
	selftest_choice__exit(&choice);
}
