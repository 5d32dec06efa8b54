// SPDX-License-Identifier: GPL-2.0-or-later
/* perf check feature NAME: is it built in? The answer is a line and the exit status. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/term/color.h"
#include "ui/term/diag.h"
#include "util/options/built_in.h"
#include "util/options/nearest.h"

static bool quiet;

static const struct option options[] = {
	OPT_BOOL('q', "quiet", &quiet, "print nothing; the exit status tells"),
	{ OPTION_END },
};
static const char *const usage[] = { "perf check [<options>] feature <name>[,<name>...]", NULL };

void print_feature(const struct built_in *feature)
{
	bool on = built_in__is_on(feature), colored = color__wanted(COLOR_AUTO);

	printf("%22s: [ %s%-3s%s ]  # %s\n", feature->name,
	       !colored ? ""
	       : on     ? COLOR_GREEN
	                : COLOR_RED,
	       on ? "on" : "OFF", colored ? COLOR_RESET : "", feature->macro);
}

static int unknown(const char *name, size_t len)
{
	struct error err = ERROR_INIT;
	struct nearest near;
	const struct built_in *all;
	char word[64], guess[200];
	size_t nr;

	snprintf(word, sizeof(word), "%.*s", (int)len, name);
	nearest__init(&near, word);
	all = built_in__all(&nr);
	for (size_t i = 0; i < nr; i++)
		nearest__offer(&near, all[i].name);
	error__set(&err, -ENOENT, "unknown feature", word,
	           "not in the list of perf version "
	           "--build-options");
	if (near.nr)
		error__advise(&err, "%s", nearest__text(&near, "", guess, sizeof(guess)));
	if (!quiet)
		diag__error(&err);
	return 1;
}

/* 0: all of them are built in. */
static int check_features(const char *names)
{
	int status = 0;

	for (;;) {
		size_t len = strcspn(names, ",");
		const struct built_in *feature = built_in__find(names, len);

		if (!feature)
			return unknown(names, len);
		if (!quiet)
			print_feature(feature);
		if (!built_in__is_on(feature))
			status = 1;
		if (!names[len])
			return status;
		names += len + 1;
	}
}

int cmd_check(int argc, const char **argv)
{
	int rest, ret = command_line__parse(argc, argv, usage, options, OPTIONS_PERMUTE, &rest);

	if (ret)
		return ret;
	if (argc - rest != 2 || strcmp(argv[rest], "feature"))
		return command_line__usage(NULL, usage, options, NULL);
	return check_features(argv[rest + 1]);
}
