// SPDX-License-Identifier: GPL-2.0-or-later
/* The options of perf annotate: their table, and their translation for the rooms below. */
#include "builtin-annotate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ui/options/command_line.h"
#include "ui/options/common_parse.h"
#include "util/reader/reader.h"

static const char *const usage[] = { "perf annotate [<options>] [<symbol>]", NULL };

struct annotate annotate = {
	.shown = ANNOTATE_OPTIONS_INIT,
	.symbols = SYMBOL_OPTIONS_INIT,
};

static int refuse_data_type(const struct option *option, const char *arg, bool unset,
                            struct error *err)
{
	(void)option;
	(void)arg;
	(void)unset;
	error__set(err, -EOPNOTSUPP, "cannot do", "--data-type",
	           "it needs the types of variables in the debug information, which are "
	           "not read");
	return error__advise(err, "perf annotate -l shows the source lines of the accesses");
}

static const struct option config_keys[] = {
	OPT_SYMBOL_KEYS(&annotate.symbols),
	OPT_ANNOTATE_KEYS(&annotate.shown),
	OPT_KEY(OPTION_BOOL, "annotate.show_nr_samples", &annotate.shown.style.show_samples),
	OPT_KEY(OPTION_BOOL, "annotate.show_total_period", &annotate.shown.style.show_period),
	OPT_KEY(OPTION_CALLBACK, "color.ui", &annotate.color, .parse = color__parse),
	{ OPTION_END },
};

static const struct option options[] = {
	OPT_STRING('i', "input", &annotate.input, "file", "input file name",
	           .fallback = "perf.data"),
	OPT_COUNT('v', "verbose", &annotate.verbose,
	          "also print the hottest lines, the addresses with samples and each problem"),
	OPT_BOOL('q', "quiet", &annotate.quiet, "print no warnings"),
	OPT_BOOL('f', "force", &annotate.force, "read another user's file"),
	OPT_BOOL('D', "dump-raw-trace", &annotate.dump, "the same as perf report -D"),
	OPT_BOOL(0, "stdio", &annotate.stdio, "print text (the default)"),
	OPT_BOOL(0, "stdio2", &annotate.shown.style.labels,
	         "print text for people: labels and arrows for jumps, names for addresses"),
	OPT_BOOL(0, "json", &annotate.json, "print JSON"),
	OPT_BOOL(0, "tui", &annotate.tui, "accepted; this perf prints text"),
	OPT_BOOL(0, "gtk", &annotate.tui, "the same", .flags = OPTION_HIDDEN),
	OPT_GROUP("Which functions"),
	OPT_STRING('s', "symbol", &annotate.symbol, "name", "show only this function"),
	OPT_CALLBACK('d', "dsos", &annotate.hists.filter.dsos, "dso[,dso...]",
	             "show only functions of these dsos", common_parse__names),
	OPT_STRING('C', "cpu", &annotate.cpus_text, "cpu[,cpu...]",
	           "use only samples of these CPUs (0-2,5)"),
	OPT_CALLBACK(0, "percent-limit", &annotate.percent_limit, "percent",
	             "omit functions below this share", common_parse__percent),
	OPT_BOOL(0, "skip-missing", &annotate.skip_missing,
	         "do not warn about functions whose code is missing"),
	OPT_BOOL(0, "group", &annotate.group, "show all events side by side"),
	OPT_GROUP("The columns in front of the code"),
	OPT_BOOL('n', "show-nr-samples", &annotate.shown.style.show_samples,
	         "print the number of samples"),
	OPT_BOOL(0, "show-total-period", &annotate.shown.style.show_period,
	         "print the sum of periods"),
	OPT_CALLBACK(0, "stdio-color", &annotate.color, "always|never|auto",
	             "use colours; auto (default): on a terminal", color__parse,
	             .flags = OPTION_OPTIONAL_ARG | OPTION_NEXT_ARG, .fallback = "always"),
	OPT_GROUP("The code"),
	OPT_ANNOTATE(&annotate.shown),
	OPT_BOOL(0, "show-raw-insn", &annotate.shown.style.raw, "the same", .flags = OPTION_HIDDEN),
	OPT_BOOL('l', "print-line", &annotate.shown.style.print_line,
	         "print the hottest source lines first, and the line of each hot instruction"),
	OPT_BOOL('P', "full-paths", &annotate.shown.style.full_paths, "print whole paths"),
	OPT_GROUP("Symbols"),
	OPT_SYMBOLS(&annotate.symbols),
	OPT_BOOL('m', "modules", &annotate.modules, "accepted: modules are always named"),
	OPT_ADDR2LINE,
	OPT_ACCEPTED(0, "itrace", &annotate.accepted, ABOUT_AUX, "opts", OPTION_OPTIONAL_ARG),
	OPT_CALLBACK(0, "data-type", NULL, "name", "not built", refuse_data_type,
	             .flags = OPTION_HIDDEN | OPTION_OPTIONAL_ARG),
	{ OPTION_END },
};

/* Everything that options can be wrong about: a usage error, about the option *only. */
static int check_options(const char *const *words, const char **only, struct error *err)
{
	if (words[0] && (words[1] || annotate.symbol))
		return error__set(err, -EINVAL, "too many arguments", words[words[1] != NULL],
		                  "one symbol is understood");
	if (words[0])
		annotate.symbol = words[0];
	if (annotate.symbol)
		name_list__add(&annotate.hists.filter.symbols, annotate.symbol);
	annotate.input = perf_data__input(annotate.input);
	annotate.shown.style.colored = color__wanted(annotate.color);
	annotate.shown.style.verbose = annotate.verbose && !annotate.quiet;
	if (annotate.shown.style.show_samples && annotate.shown.style.show_period) {
		*only = "--show-nr-samples";
		return error__set(err, -EINVAL, "--show-nr-samples", NULL,
		                  "--show-total-period is another content of the same column");
	}
	if (annotate.shown.prefix_strip && !annotate.shown.prefix) {
		*only = "--prefix-strip";
		return error__set(err, -EINVAL, "--prefix-strip", NULL, "it goes with --prefix");
	}
	const char *style = annotate.shown.code.disassembler_style;

	if (style && !annotate.shown.code.objdump && strcmp(style, "intel") != 0 &&
	    strcmp(style, "att") != 0) {
		*only = "--disassembler-style";
		error__set(err, -EINVAL, "unknown style of disassembly", style, "%s", "");
		return error__advise(err, "there are att and intel; with --objdump=PATH all that "
		                          "the program has");
	}
	*only = "--cpu";
	return sample_filter__parse_cpus(&annotate.hists.filter, annotate.cpus_text, err);
}

int annotate__parse_options(int argc, const char **argv)
{
	const char *only = NULL;
	struct error err = ERROR_INIT;
	int rest, ret;

	annotate.verbose = perf_debug.verbose;
	ret = use_config(config_keys);
	if (!ret)
		ret = command_line__parse(argc, argv, usage, options, OPTIONS_PERMUTE, &rest);
	if (ret)
		return ret;
	if (check_options(argv + rest, &only, &err))
		return command_line__usage(&err, usage, options, only);
	return sort_keys__parse(&annotate.hists.keys, "dso,symbol", NULL, &err);
}

void annotate__free_options(void)
{
	sample_filter__exit(&annotate.hists.filter);
}
