// SPDX-License-Identifier: GPL-2.0-or-later
/* The log and the verdicts of tests. */
#include "selftest/selftest.h"

#include <stdarg.h>

#include "util/lib/text.h"

static void PRINTF_LIKE(2, 0) say(FILE *log, const char *fmt, va_list args)
{
	char line[1000], shown[1000];

	vsnprintf(line, sizeof(line), fmt, args);
	fprintf(log, "%s\n", text__printable(shown, sizeof(shown), line));
}

void selftest__say(struct selftest *test, const char *fmt, ...)
{
	va_list args;

	if (!test->log || test->verbose < 1)
		return;
	va_start(args, fmt);
	say(test->log, fmt, args);
	va_end(args);
}

void selftest__detail(struct selftest *test, const char *fmt, ...)
{
	va_list args;

	if (!test->log || test->verbose < 2)
		return;
	va_start(args, fmt);
	say(test->log, fmt, args);
	va_end(args);
}

static void PRINTF_LIKE(2, 0) keep_reason(struct selftest *test, const char *fmt, va_list args)
{
	char text[sizeof(test->reason)];

	vsnprintf(text, sizeof(text), fmt, args);
	text__printable(test->reason, sizeof(test->reason), text);
}

enum verdict selftest__skip(struct selftest *test, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	keep_reason(test, fmt, args);
	va_end(args);
	return SELFTEST_SKIP;
}

enum verdict selftest__fail(struct selftest *test, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	keep_reason(test, fmt, args);
	va_end(args);
	return SELFTEST_FAIL;
}

static void keep_error(struct selftest *test, const struct error *err)
{
	char text[1200];

	error__text(err, text, sizeof(text));
	for (char *c = text; *c; c++) /* the cause is enough, the advice is for -v */
		if (*c == '\n') {
			selftest__say(test, "%s", c + 1);
			*c = '\0';
			break;
		}
	text__printable(test->reason, sizeof(test->reason), text);
}

enum verdict selftest__skip_error(struct selftest *test, const struct error *err)
{
	keep_error(test, err);
	return SELFTEST_SKIP;
}

enum verdict selftest__fail_error(struct selftest *test, const struct error *err)
{
	keep_error(test, err);
	return SELFTEST_FAIL;
}
