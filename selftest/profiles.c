// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whole commands: record programs whose profile is known, and check the output of report and
 * script. Shares are bounds that hold on a busy machine, too: other programs take time, but not
 * samples of these.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selftest/self.h"
#include "selftest/tests.h"
#include "util/lib/text.h"

/* cpu-clock in user space needs no hardware and no rights. */
#define RECORD "record", "-e", "cpu-clock:u", "-F", "2000", "-o", "x.data"

#define MOST_FRAMES 16

/* One sample as `script -F comm,tid,time,ip,sym` prints it: the names of its frames, innermost
 * first. */
struct stack {
	char comm[32];
	u32 tid;
	double time;
	char frames[MOST_FRAMES][80];
	u32 nr;
};

/* Read the next sample at *@text. False at the end. */
static bool next_stack(const char **text, struct stack *stack)
{
	const char *line = *text;
	bool head = false;

	*stack = (struct stack){ .nr = 0 };
	while (*line) {
		size_t len = strcspn(line, "\n");
		char copy[400];

		snprintf(copy, sizeof(copy), "%.*s", (int)len, line);
		if (!len && head)
			break;
		if (len && !isspace((unsigned char)*line) && !head)
			head = sscanf(copy, "%31s %u %lf:", stack->comm, &stack->tid,
			              &stack->time) == 3;
		else if (len && stack->nr < MOST_FRAMES &&
		         sscanf(copy, "%*x %79s", stack->frames[stack->nr]) == 1)
			stack->nr++;
		line += len + (line[len] == '\n');
	}
	*text = line;
	return head;
}

static enum verdict record(struct selftest *test, const char *program, const char *argument)
{
	int status =
	        argument ? SELF_RUN(test, RECORD, "-g", "--", SELF, "test", "-w", program, argument)
	                 : SELF_RUN(test, RECORD, "-g", "--", SELF, "test", "-w", program);

	EXPECT(test, status == 0, "perf record ended with status %d", status);
	return SELFTEST_OK;
}

/* What samples of a program must look like. */
struct profile_expected {
	const char *program, *argument;
	const char *leaf;       /* where at least `percent` of the samples are; a pattern */
	const char *callers[3]; /* of those, at least 9 in 10 have these callers, nearest first */
	u32 percent;
	u32 least; /* samples */
};

static bool has_callers(const struct stack *stack, const struct profile_expected *want)
{
	for (u32 i = 0; i < ARRAY_SIZE(want->callers) && want->callers[i]; i++)
		if (i + 1 >= stack->nr || strcmp(stack->frames[i + 1], want->callers[i]) != 0)
			return false;
	return true;
}

static enum verdict judge(struct selftest *test, const struct profile_expected *want)
{
	char *out = self__output(test, "out");
	const char *text = out;
	u32 nr = 0, nr_leaf = 0, nr_called = 0;
	struct stack stack;

	while (next_stack(&text, &stack)) {
		bool leaf = stack.nr && text__glob(want->leaf, stack.frames[0]);

		nr++;
		nr_leaf += leaf;
		nr_called += leaf && has_callers(&stack, want);
	}
	free(out);
	selftest__say(test, "%u samples, %u in %s, %u of which are called as expected", nr, nr_leaf,
	              want->leaf, nr_called);
	EXPECT(test, nr >= want->least, "%u samples were recorded", nr);
	EXPECT(test, nr_leaf * 100 >= nr * want->percent, "%u of %u samples are in %s", nr_leaf, nr,
	       want->leaf);
	EXPECT(test, nr_called * 10 >= nr_leaf * 9, "%u of %u samples in %s have the right callers",
	       nr_called, nr_leaf, want->leaf);
	return SELFTEST_OK;
}

static enum verdict check_profile(struct selftest *test, const struct profile_expected *want)
{
	enum verdict verdict = record(test, want->program, want->argument);
	int status;

	if (verdict != SELFTEST_OK)
		return verdict;
	status = SELF_RUN(test, "script", "--no-inline", "-i", "x.data", "-F",
	                  "comm,tid,time,ip,sym");
	EXPECT(test, status == 0, "perf script ended with status %d", status);
	return judge(test, want);
}

#define PROFILE(name, ...)                                                                         \
	enum verdict name(struct selftest *test)                                                   \
	{                                                                                          \
		return check_profile(test, &(struct profile_expected){ __VA_ARGS__ });             \
	}

PROFILE(test_noploop, "noploop", "0.3", "noploop", { NULL }, 60, 20)
PROFILE(test_leafloop, "leafloop", "0.3", "leaf", { "parent", "leafloop" }, 60, 20)
PROFILE(test_brstack, "brstack", "3000000", "brstack*", { NULL }, 60, 5)
PROFILE(test_datasym, "datasym", "0.3", "datasym", { NULL }, 60, 20)
PROFILE(test_inlineloop, "inlineloop", "0.3", "parent", { "inlineloop" }, 60, 20)
/* The child of the recorded process. Some of its time goes to the maths library. */
PROFILE(test_sqrtloop, "sqrtloop", "0.3", "__sqrtloop", { "sqrtloop" }, 30, 20)

/* Samples of two threads, put into one order. */
enum verdict test_thloop(struct selftest *test)
{
	enum verdict verdict = record(test, "thloop", "0.3");
	u32 nr = 0, nr_loop = 0, nr_thread = 0, nr_disordered = 0;
	struct stack stack;
	const char *text;
	double last = 0;
	char *out;

	if (verdict != SELFTEST_OK)
		return verdict;
	EXPECT(test,
	       SELF_RUN(test, "script", "--no-inline", "-i", "x.data", "-F",
	                "comm,tid,time,ip,sym") == 0,
	       "perf script failed");
	out = self__output(test, "out");
	for (text = out; next_stack(&text, &stack);) {
		bool loop = stack.nr > 1 && !strcmp(stack.frames[0], "test_loop");

		nr++;
		nr_loop += loop;
		nr_thread += loop && !strcmp(stack.frames[1], "thfunc");
		nr_disordered += stack.time < last;
		last = stack.time;
	}
	free(out);
	selftest__say(test, "%u samples, %u in test_loop, %u of them of the second thread", nr,
	              nr_loop, nr_thread);
	EXPECT(test, nr >= 20, "%u samples were recorded", nr);
	EXPECT(test, nr_loop * 10 >= nr * 6, "%u of %u samples are in test_loop", nr_loop, nr);
	EXPECT(test, nr_thread && nr_thread < nr_loop, "%u of %u samples are of the second thread",
	       nr_thread, nr_loop);
	EXPECT(test, !nr_disordered, "%u samples are out of order", nr_disordered);
	return SELFTEST_OK;
}

/* ---- report ---- */

struct report_sums {
	double total, noploop;
	u64 nr_samples;
};

/* Lines "  97.31%  595  [.] noploop". */
static struct report_sums read_report(const struct selftest *test)
{
	struct report_sums sums = { 0 };
	char *out = self__output(test, "out"), *rest = out, *line;

	while ((line = strsep(&rest, "\n"))) {
		char symbol[200];
		u64 samples;
		double share;

		if (sscanf(line, " %lf%% %" SCNu64 " [%*c] %199s", &share, &samples, symbol) != 3)
			continue;
		sums.total += share;
		sums.nr_samples += samples;
		if (!strcmp(symbol, "noploop"))
			sums.noploop = share;
	}
	free(out);
	return sums;
}

static u64 count_lines(const struct selftest *test)
{
	char *out = self__output(test, "out");
	u64 nr = 0;

	for (const char *c = out; *c; c++)
		nr += *c == '\n';
	free(out);
	return nr;
}

enum verdict test_report(struct selftest *test)
{
	struct report_sums sums;
	u64 nr;
	int status = SELF_RUN(test, RECORD, "--", SELF, "test", "-w", "noploop", "0.3");

	EXPECT(test, status == 0, "perf record ended with status %d", status);
	status = SELF_RUN(test, "script", "-i", "x.data", "-F", "ip");
	EXPECT(test, status == 0, "perf script ended with status %d", status);
	nr = count_lines(test);
	status = SELF_RUN(test, "report", "-i", "x.data", "--stdio", "-n", "-s", "symbol");
	EXPECT(test, status == 0, "perf report ended with status %d", status);
	sums = read_report(test);
	selftest__say(test,
	              "script has %" PRIu64 " samples, report %" PRIu64
	              "; the shares sum up to %.2f%%, noploop has %.2f%%",
	              nr, sums.nr_samples, sums.total, sums.noploop);
	EXPECT(test, nr >= 20, "%" PRIu64 " samples were recorded", nr);
	EXPECT(test, sums.nr_samples == nr, "script has %" PRIu64 " samples, report %" PRIu64, nr,
	       sums.nr_samples);
	EXPECT(test, sums.total > 99 && sums.total < 101, "the shares sum up to %.2f%%",
	       sums.total);
	EXPECT(test, sums.noploop >= 60, "noploop has %.2f%% of the samples", sums.noploop);
	return SELFTEST_OK;
}

enum verdict test_stat(struct selftest *test)
{
	int status =
	        SELF_RUN(test, "stat", "-x,", "-o", "counts", "-e", "page-faults:u,task-clock:u",
	                 "--", SELF, "test", "-w", "brstack", "100");
	char *text = self__output(test, "counts"), *rest = text, *line;
	double faults = 0, clock = 0;

	while ((line = strsep(&rest, "\n"))) {
		selftest__say(test, "%s", line);
		if (strstr(line, "page-faults"))
			faults = strtod(line, NULL);
		if (strstr(line, "task-clock"))
			clock = strtod(line, NULL);
	}
	free(text);
	EXPECT(test, status == 0, "perf stat ended with status %d", status);
	/* Loading a program touches some dozens of pages and takes some time. */
	EXPECT(test, faults >= 10 && faults < 100000, "%.0f page faults of a whole program",
	       faults);
	EXPECT(test, clock > 0 && clock < 60000, "%.3f ms of a whole program", clock);
	status = SELF_RUN(test, "stat", "-o", "counts", "-e", "page-faults:u", "--", SELF, "test",
	                  "-w", "nosuchworkload");
	EXPECT(test, status == 255, "the status of the command, 255, came out as %d", status);
	return SELFTEST_OK;
}
