// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "util/lib/text.h"

void bug_at(const char *file, int line, const char *what)
{
	fprintf(stderr, "perf: bug in %s:%d: %s\n", file, line, what);
	abort();
}

static void advise_of_limits(struct error *err)
{
	struct rlimit limit;

	if (err->code == -EMFILE)
		error__advise(err, "raise the limit of open files of this process: ulimit -n");
	else if (err->code == -EFBIG && !getrlimit(RLIMIT_FSIZE, &limit) &&
	         limit.rlim_cur != RLIM_INFINITY)
		error__advise(err,
		              "raise the limit of file sizes of this process, %llu bytes: "
		              "ulimit -f",
		              (unsigned long long)limit.rlim_cur);
}

int error__set(struct error *err, int code, const char *what, const char *subject,
               const char *cause_fmt, ...)
{
	va_list args;

	if (!err)
		return code;
	err->code = code;
	err->advice[0] = '\0';
	err->column = 0;
	snprintf(err->what, sizeof(err->what), "%s", what);
	text__printable(err->subject, sizeof(err->subject), subject ? subject : "");
	if (!cause_fmt) {
		snprintf(err->cause, sizeof(err->cause), "%s", code ? strerror(-code) : "");
		advise_of_limits(err);
		return code;
	}
	char cause[sizeof(err->cause)];

	va_start(args, cause_fmt);
	vsnprintf(cause, sizeof(cause), cause_fmt, args);
	va_end(args);
	text__printable(err->cause, sizeof(err->cause), cause);
	return code;
}

int error__set_at(struct error *err, const char *what, const char *text, const char *at,
                  const char *cause_fmt, va_list args)
{
	char subject[80], cause[300];
	size_t column;

	vsnprintf(cause, sizeof(cause), cause_fmt, args);
	text__excerpt(text, at, subject, sizeof(subject), &column);
	error__set(err, -EINVAL, what, subject, "%s", cause);
	if (err)
		err->column = column + 1;
	return -EINVAL;
}

int error__advise(struct error *err, const char *fmt, ...)
{
	va_list args;

	if (!err)
		return -EINVAL; /* nobody asked what it is; it is an error all the same */
	va_start(args, fmt);
	vsnprintf(err->advice, sizeof(err->advice), fmt, args);
	va_end(args);
	return err->code;
}

const char *error__text(const struct error *err, char *buf, size_t size)
{
	if (err->column) {
		/* Behind the blank and the quote. */
		int column = strlen(err->what) + 2 + err->column - 1;

		snprintf(buf, size, "%s '%s'\n%*s\\___ %s%s%s", err->what, err->subject, column, "",
		         err->cause, err->advice[0] ? "\n" : "", err->advice);
		return buf;
	}
	snprintf(buf, size, "%s%s%s%s%s%s%s%s", err->what, err->subject[0] ? " '" : "",
	         err->subject, err->subject[0] ? "'" : "", err->cause[0] ? ": " : "", err->cause,
	         err->advice[0] ? "\n" : "", err->advice);
	return buf;
}
