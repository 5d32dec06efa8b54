// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/command_line.h"

#include <errno.h>
#include <stdio.h>

#include "builtin.h"
#include "ui/options/abilities.h"
#include "ui/options/complete.h"
#include "ui/options/newer.h"
#include "ui/term/diag.h"
#include "util/lib/text.h"

int command_line__refuse_not_yet(const struct option *option, const char *arg, bool unset,
                                 struct error *err)
{
	char name[64];

	(void)arg;
	(void)unset;
	snprintf(name, sizeof(name), "--%s", option->name);
	return error__set(err, -EOPNOTSUPP, "cannot do", name, "this perf does not have it yet");
}

/* The letters of the options that most people want, by command: they stand first in -h. */
static const char *letters_first(const char *const *usage)
{
	static const struct {
		const char *command, *letters;
	} rows[] = {
		{ "perf record ", "aepFgo" }, { "perf report ", "isgnG" },
		{ "perf script ", "iFcG" },   { "perf stat ", "aeprdIx" },
		{ "perf inject ", "iobj" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (text__starts_with(usage[0], rows[i].command))
			return rows[i].letters;
	return "";
}

static int print_usage(const char *const *usage, const struct option *options,
                       const char *const *only, FILE *to)
{
	fflush(stdout);
	options__usage(to, usage, options, only, letters_first(usage));
	return EXIT_USAGE;
}

int command_line__usage(const struct error *err, const char *const *usage,
                        const struct option *options, const char *only)
{
	if (err)
		diag__error(err);
	return print_usage(usage, options, (const char *const[]){ only, NULL }, stderr);
}

int command_line__refuse_word(const char *word, const char *cause, const char *const *usage,
                              const struct option *options, const char *only)
{
	struct error err = ERROR_INIT;

	error__set(&err, -EINVAL, "unexpected word", word, "%s", cause);
	return command_line__usage(&err, usage, options, only);
}

static int list(const struct option *options)
{
	options__list(stdout, options);
	fflush(stdout);
	return EXIT_LIST;
}

int command_line__parse(int argc, const char **argv, const char *const *usage,
                        const struct option *options, unsigned flags, int *rest)
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
		print_usage(usage, options, argv + *rest, stdout);
		if (!argv[*rest])
			abilities__print_lacks(stdout, usage);
		return EXIT_USAGE;
	case OPTIONS_LIST_OPTS:
		return list(options);
	case OPTIONS_LIST_CMDS:
		return list(nothing);
	default:
		newer__explain(usage, &err);
		if (err.code == -EOPNOTSUPP) {
			diag__error(&err);
			return EXIT_ERROR;
		}
		return command_line__usage(&err, usage, options, *rest < argc ? argv[*rest] : NULL);
	}
}
