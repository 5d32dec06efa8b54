// SPDX-License-Identifier: GPL-2.0-or-later
/* perf version: the version, and what this perf was built with. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/term/diag.h"
#include "util/options/built_in.h"

static bool build_options;

static const struct option options[] = {
	OPT_BOOL(0, "build-options", &build_options, "also print the features that are built in"),
	{ OPTION_END },
};
static const char *const usage[] = { "perf version [<options>]", NULL };

int print_version(bool with_features)
{
	static const char text[] = "perf version " PERF_VERSION "\n";
	const struct built_in *features;
	size_t nr;

	/* Without stdio: this is the one command whose start costs more than its work. */
	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		return diag__cannot_write(-errno, "cannot write the output", NULL);
	features = built_in__all(&nr);
	for (size_t i = 0; with_features && i < nr; i++)
		if (features[i].needs) /* a library that nothing here would use is not missing */
			print_feature(&features[i]);
	return 0;
}

int cmd_version(int argc, const char **argv)
{
	int rest, ret = command_line__parse(argc, argv, usage, options, OPTIONS_PERMUTE, &rest);

	if (ret)
		return ret;
	if (rest < argc)
		return command_line__refuse_word(argv[rest], "this command takes none", usage,
		                                 options, NULL);
	return print_version(build_options);
}
