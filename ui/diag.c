// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "ui/complete.h"

static void print_text(const char *label, const char *text)
{
	size_t len = strcspn(text, "\n");

	fflush(stdout);
	fprintf(stderr, "%s: %.*s\n", label, (int)len, text);
	while (text[len]) {
		text += len + 1;
		len = strcspn(text, "\n");
		fprintf(stderr, "  %.*s\n", (int)len, text);
	}
}

static void print_error(const char *label, const struct error *err)
{
	char text[sizeof(*err) * 2];
	struct error shifted;

	/* The first line has the label before it, the others two blanks. */
	if (err->place) {
		shifted = *err;
		shifted.place += strlen(label) + strlen(": ") - 2;
		err = &shifted;
	}
	print_text(label, error__text(err, text, sizeof(text)));
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
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	print_text("Error", text);
}

void diag__say_warning(const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	print_text("Warning", text);
}

int diag__refuse_not_yet(const struct option *option, const char *arg, bool unset,
                         struct error *err)
{
	char name[64];

	(void)arg;
	(void)unset;
	snprintf(name, sizeof(name), "--%s", option->name);
	return error__set(err, -EOPNOTSUPP, "cannot do", name, "this perf does not have it yet");
}

static int print_usage(const char *const *usage, const struct option *options,
                       const char *const *only)
{
	fflush(stdout);
	options__usage(stderr, usage, options, only);
	return EXIT_USAGE;
}

int diag__usage(const struct error *err, const char *const *usage, const struct option *options,
                const char *only)
{
	if (err)
		diag__error(err);
	return print_usage(usage, options, (const char *const[]){ only, NULL });
}

static int list(const struct option *options)
{
	options__list(stdout, options);
	fflush(stdout);
	return EXIT_LIST;
}

int diag__parse(int argc, const char **argv, const char *const *usage, const struct option *options,
                unsigned flags, int *rest)
{
	static const struct option nothing[] = { { OPTION_END } };
	struct error err = ERROR_INIT;

	switch (options__parse(argc, argv, options, flags, rest, &err)) {
	case OPTIONS_OK:
		return 0;
	case OPTIONS_COMPLETE:
		complete__command(argc - *rest, argv + *rest, usage, options, flags);
		return EXIT_LIST;
	case OPTIONS_HELP:
		return print_usage(usage, options, argv + *rest);
	case OPTIONS_LIST_OPTS:
		return list(options);
	case OPTIONS_LIST_CMDS:
		return list(nothing);
	default:
		if (err.code == -EOPNOTSUPP) {
			diag__error(&err);
			return EXIT_ERROR;
		}
		return diag__usage(&err, usage, options, *rest < argc ? argv[*rest] : NULL);
	}
}
