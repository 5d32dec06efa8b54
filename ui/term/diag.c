// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/term/diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ui/term/progress.h"
#include "util/lib/text.h"

#define LINE_SIZE 8192 /* a path, and words around it */

static void print_text(const char *label, char *text)
{
	const char *before = "";

	fflush(stdout);
	progress__clear();
	fprintf(stderr, "%s: ", label);
	for (char *line; (line = strsep(&text, "\n")); before = "  ")
		fprintf(stderr, "%s%s\n", before, text__printable(line, strlen(line) + 1, line));
}

static void print_error(const char *label, const struct error *err)
{
	char text[sizeof(*err) * 2];
	struct error shifted;

	/* The first line has the label before it, the others two blanks. */
	if (err->column) {
		shifted = *err;
		shifted.column += strlen(label) + strlen(": ") - 2;
		err = &shifted;
	}
	error__text(err, text, sizeof(text));
	print_text(label, text);
}

void diag__error(const struct error *err)
{
	print_error("Error", err);
}

void diag__warning(const struct error *err)
{
	print_error("Warning", err);
}

void diag__say_error(const char *fmt, ...)
{
	char text[LINE_SIZE];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	print_text("Error", text);
}

void diag__say_warning(const char *fmt, ...)
{
	char text[LINE_SIZE];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	print_text("Warning", text);
}

bool diag__cannot_write(int code, const char *what, const char *file)
{
	struct error err = ERROR_INIT;

	if (!code || code == -EPIPE)
		return false;
	error__set(&err, code, what, file, NULL);
	diag__error(&err);
	return true;
}

void diag__line(const char *fmt, ...)
{
	char text[LINE_SIZE];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	progress__clear();
	fprintf(stderr, "%s\n", text__printable(text, sizeof(text), text));
}
