// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/term/diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ui/term/progress.h"
#include "util/lib/out.h"
#include "util/lib/text.h"

#define LINE_SIZE 8192       /* a path, and words around it */
#define SAID_MAX  (1u << 20) /* bytes that are kept of all messages */

static struct {
	struct out text;
	u32 nr;
	size_t printed; /* bytes of the text that stderr has */
	bool held;
} said = { .text = { .fd = -1 } };

static void print_said(void)
{
	if (said.held)
		return;
	fflush(stdout);
	progress__clear();
	fwrite(said.text.buf + said.printed, 1, said.text.len - said.printed, stderr);
	said.printed = said.text.len;
}

static void print_text(const char *label, char *text)
{
	const char *before = "";

	if (said.text.len > SAID_MAX && !said.held) /* all of it is printed */
		said.text.len = said.printed = said.nr = 0;
	out__printf(&said.text, "%s: ", label);
	for (char *line; (line = strsep(&text, "\n")); before = "  ")
		out__printf(&said.text, "%s%s\n", before,
		            text__printable(line, strlen(line) + 1, line));
	said.nr++;
	print_said();
}

void diag__hold(bool hold)
{
	said.held = hold;
	if (said.printed < said.text.len)
		print_said();
}

const char *diag__said(u32 *nr)
{
	*nr = said.nr;
	return out__take(&said.text);
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
	out__printf(&said.text, "%s\n", text__printable(text, sizeof(text), text));
	print_said();
}
