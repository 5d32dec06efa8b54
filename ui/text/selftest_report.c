// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/selftest_report.h"

#include <string.h>

#include "util/lib/text.h"

#define WIDTH 64 /* of a suite's name; that of a case is two less */

static bool has_cases(const struct selftest_suite *suite)
{
	return suite->nr > 1 || suite->cases[0].about;
}

struct progress {
	const struct selftest_how *how;
	FILE *to;
	bool colours;
	struct out *junit; /* NULL: nobody reads it */
	struct selftest_tally *tally;
};

static void print_verdict(const struct progress *progress, enum verdict verdict, const char *reason)
{
	static const char *const colour[] = { "", "\033[33m", "\033[31m" };
	const char *on = progress->colours ? colour[verdict] : "";

	if (verdict == SELFTEST_OK)
		fprintf(progress->to, " Ok\n");
	else if (verdict == SELFTEST_FAIL)
		fprintf(progress->to, "%s FAILED!\n", on);
	else if (*reason)
		fprintf(progress->to, "%s Skip (%s)\n", on, reason);
	else
		fprintf(progress->to, "%s Skip\n", on);
	if (*on)
		fprintf(progress->to, "\033[m");
	fflush(progress->to);
}

static void xml_text(struct out *out, const char *text)
{
	char shown[256];

	for (const char *c = text__printable(shown, sizeof(shown), text); *c; c++)
		if (*c == '<' || *c == '&' || *c == '"')
			out__printf(out, "&#%d;", *c);
		else
			out__char(out, *c);
}

/* A <testcase>, as JUnit has them; @about: of the case, or of a suite of one. */
static void print_junit(struct out *out, const char *suite, const char *about, enum verdict verdict,
                        const char *reason)
{
	static const char *const element[] = { NULL, "skipped", "failure" };

	if (!out)
		return;
	out__str(out, "    <testcase classname=\"");
	xml_text(out, suite);
	out__str(out, "\" name=\"");
	xml_text(out, about);
	if (verdict == SELFTEST_OK) {
		out__str(out, "\"/>\n");
		return;
	}
	out__printf(out, "\">\n      <%s message=\"", element[verdict]);
	xml_text(out, reason);
	out__str(out, "\"/>\n    </testcase>\n");
}

static void count(struct selftest_tally *tally, u32 suite, enum verdict verdict)
{
	tally->nr_ok += verdict == SELFTEST_OK;
	tally->nr_skipped += verdict == SELFTEST_SKIP;
	tally->nr_failed += verdict == SELFTEST_FAIL;
	if (verdict == SELFTEST_FAIL && !tally->first_failed)
		tally->first_failed = suite + 1;
}

/* The label has been printed. */
static void run_case(const struct progress *progress, const struct selftest_choice *choice,
                     u32 suite, u32 number)
{
	const struct selftest_suite *s = &choice->suites[suite];
	const struct selftest_case *test = &s->cases[number];
	bool verbose = progress->how->log && progress->how->verbose > 0;
	struct selftest_result result;

	if (verbose)
		fprintf(progress->to, "\n--- start ---\n");
	fflush(progress->to);
	selftest_case__run(test, progress->how, &result);
	progress->tally->signal = result.signal;
	if (result.signal) {
		fprintf(progress->to, "\n");
		return;
	}
	count(progress->tally, suite, result.verdict);
	print_junit(progress->junit, s->about, test->about ? test->about : s->about, result.verdict,
	            result.reason);
	if (verbose) {
		fprintf(progress->to, "---- end ----\n%s", s->about);
		if (has_cases(s))
			fprintf(progress->to, " subtest %u", number + 1);
		fprintf(progress->to, ":");
	}
	print_verdict(progress, result.verdict, result.reason);
}

static void run_suite(const struct progress *progress, const struct selftest_choice *choice, u32 i)
{
	const struct selftest_suite *suite = &choice->suites[i];

	fprintf(progress->to, "%3u: %-*s:", i + 1, WIDTH, suite->about);
	if (choice->skipped[i]) {
		count(progress->tally, i, SELFTEST_SKIP);
		print_verdict(progress, SELFTEST_SKIP, "user override");
		print_junit(progress->junit, suite->about, suite->about, SELFTEST_SKIP,
		            "user override");
		return;
	}
	if (!has_cases(suite)) {
		run_case(progress, choice, i, 0);
		return;
	}
	fprintf(progress->to, "\n");
	for (u32 j = 0; j < suite->nr && !progress->tally->signal; j++) {
		if (!(choice->cases[i] >> j & 1))
			continue;
		fprintf(progress->to, "%3u.%u: %-*s:", i + 1, j + 1, WIDTH - 2,
		        suite->cases[j].about);
		run_case(progress, choice, i, j);
	}
}

void selftest_report__run(const struct selftest_choice *choice, const struct selftest_how *how,
                          FILE *to, bool colours, struct out *junit, struct selftest_tally *tally)
{
	struct progress progress = { how, to, colours, junit, tally };

	memset(tally, 0, sizeof(*tally));
	if (junit)
		out__str(junit, "<testsuites>\n  <testsuite name=\"perf test\">\n");
	for (u32 i = 0; i < choice->nr && !tally->signal; i++)
		if (choice->cases[i])
			run_suite(&progress, choice, i);
	if (junit)
		out__str(junit, "  </testsuite>\n</testsuites>\n");
}

void selftest_report__list(const struct selftest_choice *choice, FILE *to)
{
	for (u32 i = 0; i < choice->nr; i++) {
		const struct selftest_suite *suite = &choice->suites[i];

		if (!choice->cases[i])
			continue;
		fprintf(to, "%3u: %s\n", i + 1, suite->about);
		for (u32 j = 0; has_cases(suite) && j < suite->nr; j++)
			if (choice->cases[i] >> j & 1)
				fprintf(to, "%3u:%u: %s\n", i + 1, j + 1, suite->cases[j].about);
	}
}
