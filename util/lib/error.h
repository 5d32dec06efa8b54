/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How library functions report errors: a negative errno (or NULL) and a struct error. The caller
 * owns the struct; only commands and ui/ print it. The four parts become
 *
 *	what 'subject': cause			or, with a place,	what 'subject'
 *	advice							          \___ cause
 *								advice
 *
 * which starts in lower case and has no full stop; control characters from outside are masked. A
 * NULL struct error is accepted everywhere: the caller does not want the message.
 */
#ifndef PERF_UTIL_LIB_ERROR_H
#define PERF_UTIL_LIB_ERROR_H

#include <stdarg.h>

#include "util/lib/types.h"

struct error {
	int code;          /* negative errno, 0 when unset */
	char what[96];     /* what was attempted: "cannot open" */
	char subject[320]; /* on what; printed in quotes; may be empty */
	char cause[320];   /* why; may be empty */
	char advice[320];  /* what to do; may be empty */
	u32 column; /* the first byte of the subject that the cause is about, from 1; 0: all */
};

#define ERROR_INIT                                                                                 \
	{                                                                                          \
		.code = 0                                                                          \
	}

/*
 * Fill @err and return @code (a negative errno), so that a function can `return error__set(...)`.
 * @subject may be NULL. @cause_fmt may be NULL: then the cause is strerror(-code).
 */
int error__set(struct error *err, int code, const char *what, const char *subject,
               const char *cause_fmt, ...) PRINTF_LIKE(5, 6);

/*
 * The same for a mistake at @at in @text: the subject is the part of @text around it, with the
 * place. Returns -EINVAL.
 */
int error__set_at(struct error *err, const char *what, const char *text, const char *at,
                  const char *cause_fmt, va_list args) PRINTF_LIKE(5, 0);

/* Add or replace the advice; returns err->code (-EINVAL for a NULL @err). */
int error__advise(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Write the message (without a final newline) to @buf of @size bytes; always ends it. */
const char *error__text(const struct error *err, char *buf, size_t size);

#endif
