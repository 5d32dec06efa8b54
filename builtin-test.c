// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf test: choose tests and run them, or run one of the built-in programs to be measured.
 * The tests are in selftest/, their lines in ui/text/selftest_report.c.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "selftest/programs.h"
#include "ui/options/command_line.h"
#include "ui/term/diag.h"
#include "ui/text/selftest_report.h"
#include "util/lib/output_file.h"
#include "util/options/nearest.h"

/* For each test. Even on a machine that is short of everything none takes a tenth of it. */
#define TIME_LIMIT 120

static struct {
	const char *skip, *workload, *junit, *dso;
	unsigned runs;
	bool sequential;
	int verbose;
	bool dont_fork, list_workloads;
} opts;

static const struct option options[] = {
	OPT_COUNT('v', "verbose", &opts.verbose,
	          "print what is done, and why a test failed; -vv: more"),
	OPT_STRING('s', "skip", &opts.skip, "tests", "skip these tests: 3,7-9"),
	OPT_BOOL('F', "dont-fork", &opts.dont_fork,
	         "run in this process, without a time limit, for a debugger"),
	OPT_BOOL('S', "sequential", &opts.sequential,
	         "accepted: tests always run one after the other"),
	OPT_UINT(0, "runs-per-test", &opts.runs, "n", "repeat each test n times, until it fails"),
	OPT_STRING('j', "junit", &opts.junit, "file",
	           "also write the results to this file, as JUnit XML"),
	OPT_STRING(0, "dso", &opts.dso, "file", "also test the symbols of this object"),
	OPT_STRING('w', "workload", &opts.workload, "workload",
	           "run this built-in workload; arguments may follow"),
	OPT_BOOL(0, "list-workloads", &opts.list_workloads, "list the workloads for -w"),
	{ OPTION_END },
};

static const char *const usage[] = {
	"perf test [<options>] [<number>|<part of a name>]...",
	"perf test {list} [<number>|<part of a name>]...",
	"perf test -w <workload> [<arguments>]",
	NULL,
};

static int unknown_workload(void)
{
	struct error err = ERROR_INIT;
	struct nearest near;
	char guess[200];
	u32 nr;
	const struct program *all = programs(&nr);

	error__set(&err, -1, "No workload found:", opts.workload, "%s", "");
	nearest__init(&near, opts.workload);
	for (u32 i = 0; i < nr; i++)
		nearest__offer(&near, all[i].name);
	error__advise(&err, "%s%s'perf test --list-workloads' names them",
	              nearest__text(&near, "", guess, sizeof(guess)), near.nr ? "\n" : "");
	diag__error(&err);
	return EXIT_ERROR;
}

static int run_workload(int argc, const char **argv)
{
	const struct program *program = program__find(opts.workload);
	struct error err = ERROR_INIT;
	int ret;

	if (!program)
		return unknown_workload();
	ret = program->run(argc, argv, &err);
	if (ret >= 0)
		return ret;
	error__advise(&err, "perf test -w %s%s%s", program->name, *program->arguments ? " " : "",
	              program->arguments);
	diag__error(&err);
	return EXIT_ERROR;
}

static int list_workloads(void)
{
	u32 nr;
	const struct program *all = programs(&nr);

	for (u32 i = 0; i < nr; i++)
		printf("%s\n", all[i].name);
	return 0;
}

/* As on the lines of Linux's perf: on a terminal, unless the user wants none anywhere. */
static bool wants_colours(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDERR_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

/* Everything is on stderr, as with Linux's perf. */
static int run_tests(const struct selftest_choice *choice)
{
	struct selftest_how how = {
		.log = opts.verbose ? stderr : NULL,
		.verbose = opts.verbose,
		.no_fork = opts.dont_fork,
		.seconds = TIME_LIMIT,
		.runs = opts.runs,
		.dso = opts.dso,
	};
	struct output_file file = { .fd = -1 };
	struct error err = ERROR_INIT;
	struct selftest_tally tally;
	struct out junit;

	if (opts.junit &&
	    output_file__open(&file, opts.junit, OUTPUT_FILE_REPLACE, 0666, NULL, &err)) {
		diag__error(&err);
		return EXIT_ERROR;
	}
	out__init(&junit, file.fd);
	selftest_report__run(choice, &how, stderr, wants_colours(), opts.junit ? &junit : NULL,
	                     &tally);
	int ret = opts.junit ? out__flush(&junit) : 0;

	if (opts.junit) {
		int closed = output_file__close(&file, !ret && !tally.signal);

		ret = ret ? ret : closed;
	}
	out__exit(&junit);
	if (tally.signal) {
		signal(tally.signal, SIG_DFL);
		raise(tally.signal);
	}
	if (tally.nr_failed && !opts.verbose)
		fprintf(stderr, "%u failed; 'perf test -v %u' says why\n", tally.nr_failed,
		        tally.first_failed);
	return diag__cannot_write(ret, "cannot write", opts.junit) ? EXIT_ERROR
	       : tally.nr_failed                                   ? 1
	                                                           : 0;
}

static int choose_and_run(int argc, const char **argv)
{
	bool list = argc > 0 && !strcmp(argv[0], "list");
	struct selftest_choice choice;
	struct error err = ERROR_INIT;
	u32 nr;
	const struct selftest_suite *suites = selftest_suites(&nr);
	int ret = selftest_choice__init(&choice, suites, nr, argc - list, argv + list, &err);

	if (!ret && opts.skip)
		ret = selftest_choice__skip(&choice, opts.skip, &err);
	if (ret)
		ret = command_line__usage(&err, usage, options,
		                          err.code == -EINVAL ? "--skip" : NULL);
	else if (list)
		selftest_report__list(&choice, stderr);
	else
		ret = run_tests(&choice);
	selftest_choice__exit(&choice);
	return ret;
}

int cmd_test(int argc, const char **argv)
{
	int rest, ret;

	ret = command_line__parse(argc, argv, usage, options, OPTIONS_PERMUTE, &rest);
	if (ret)
		return ret;
	if (opts.list_workloads)
		return list_workloads();
	if (opts.workload)
		return run_workload(argc - rest, argv + rest);
	return choose_and_run(argc - rest, argv + rest);
}
