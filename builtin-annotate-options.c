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
	.style = { .source = true },
	.symbols = SYMBOL_OPTIONS_INIT,
};

static int parse_percent_type(const struct option *option, const char *arg, bool unset,
                              struct error *err)
{
	struct percent_type *type = option->value;

	*type = (struct percent_type){ .global = false };
	if (unset)
		return 0;
	type->global = !strncmp(arg, "global-", 7) || strstr(arg, "-global");
	type->hits = !strncmp(arg, "hits-", 5) || strstr(arg, "-hits");
	static const char *const names[] = { "local-period",  "local-hits",   "global-period",
		                             "global-hits",   "period-local", "hits-local",
		                             "period-global", "hits-global" };

	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(arg, names[i]))
			return 0;
	}
	error__set(err, -EINVAL, "unknown kind of percentage", arg, "%s", "");
	return error__advise(err, "there are local-period (default), local-hits, global-period and "
	                          "global-hits");
}

/* The syntaxes that we have ourselves; with --objdump the program is told. */
static int parse_style(const struct option *option, const char *arg, bool unset, struct error *err)
{
	(void)option;
	(void)err;
	annotate.code.disassembler_style = unset ? NULL : arg;
	annotate.code.intel = !unset && !strcmp(arg, "intel");
	return 0;
}

static int refuse_data_type(const struct option *option, const char *arg, bool unset,
                            struct error *err)
{
	(void)option;
	(void)arg;
	(void)unset;
	error__set(err, -EOPNOTSUPP, "cannot do", "--data-type",
	           "it needs the types of variables in the debug information, which are not read");
	return error__advise(err, "perf annotate -l shows the source lines of the accesses");
}

static const struct option config_keys[] = {
	OPT_SYMBOL_KEYS(&annotate.symbols),
	OPT_KEY(OPTION_STRING, "annotate.objdump", &annotate.code.objdump),
	OPT_KEY(OPTION_CALLBACK, "annotate.disassembler_style", NULL, .parse = parse_style),
	OPT_KEY(OPTION_CALLBACK, "annotate.percent_type", &annotate.style.percent,
	        .parse = parse_percent_type),
	OPT_KEY(OPTION_BOOL, "annotate.show_nr_samples", &annotate.style.show_samples),
	OPT_KEY(OPTION_BOOL, "annotate.show_total_period", &annotate.style.show_period),
	OPT_KEY(OPTION_CALLBACK, "color.ui", &annotate.color, .parse = color__parse),
	{ OPTION_END },
};

static const struct option options[] = {
	OPT_STRING('i', "input", &annotate.input, "file", "input file name",
	           .fallback = "perf.data"),
	OPT_COUNT('v', "verbose", &annotate.verbose,
	          "say more: addresses with samples, problems one by one"),
	OPT_BOOL('q', "quiet", &annotate.quiet, "no warnings"),
	OPT_BOOL('f', "force", &annotate.force, "read another user's file"),
	OPT_BOOL('D', "dump-raw-trace", &annotate.dump, "the same as perf report -D"),
	OPT_BOOL(0, "stdio", &annotate.stdio, "print text (always, for now)"),
	OPT_BOOL(0, "stdio2", &annotate.style.labels,
	         "print text for people: labels and arrows for jumps, names for addresses"),
	OPT_BOOL(0, "json", &annotate.json, "print JSON"),
	OPT_BOOL(0, "tui", &annotate.tui, "accepted; this perf prints text"),
	OPT_BOOL(0, "gtk", &annotate.tui, "the same", .flags = OPTION_HIDDEN),
	OPT_GROUP("Which functions"),
	OPT_STRING('s', "symbol", &annotate.symbol, "name", "only this function"),
	OPT_CALLBACK('d', "dsos", &annotate.hists.filter.dsos, "dso[,dso...]",
	             "only functions of these dsos", common_parse__names),
	OPT_STRING('C', "cpu", &annotate.cpus_text, "cpu[,cpu...]",
	           "only samples of these CPUs (0-2,5)"),
	OPT_CALLBACK(0, "percent-limit", &annotate.percent_limit, "percent",
	             "leave out functions below this", common_parse__percent),
	OPT_BOOL(0, "skip-missing", &annotate.skip_missing,
	         "no warnings about functions whose code is missing"),
	OPT_BOOL(0, "group", &annotate.group, "all events side by side"),
	OPT_GROUP("The columns in front of the code"),
	OPT_CALLBACK(0, "percent-type", &annotate.style.percent,
	             "local-period|local-hits|global-period|global-hits",
	             "100 % is the function (local, default) or all (global), of periods (default) "
	             "or of samples (hits)",
	             parse_percent_type),
	OPT_BOOL('n', "show-nr-samples", &annotate.style.show_samples, "the number of samples"),
	OPT_BOOL(0, "show-total-period", &annotate.style.show_period, "the sum of periods"),
	OPT_CALLBACK(0, "stdio-color", &annotate.color, "always|never|auto",
	             "colours; auto (default): on a terminal", color__parse,
	             .flags = OPTION_OPTIONAL_ARG | OPTION_NEXT_ARG, .fallback = "always"),
	OPT_GROUP("The code"),
	OPT_BOOL(0, "asm-raw", &annotate.style.raw, "the bytes of instructions, too"),
	OPT_BOOL(0, "show-raw-insn", &annotate.style.raw, "the same", .flags = OPTION_HIDDEN),
	OPT_CALLBACK('M', "disassembler-style", NULL, "att|intel",
	             "syntax of x86 code (default: att); with --objdump any of that program",
	             parse_style),
	OPT_STRING(0, "objdump", &annotate.code.objdump, "file",
	           "let this program disassemble, as objdump of another architecture"),
	OPT_BOOL(0, "source", &annotate.style.source,
	         "source lines, where they are found (default)"),
	OPT_BOOL('l', "print-line", &annotate.style.print_line,
	         "the hottest source lines first, and the line of each hot instruction"),
	OPT_BOOL('P', "full-paths", &annotate.style.full_paths, "whole paths"),
	OPT_STRING(0, "prefix", &annotate.prefix, "dir", "look for sources below this folder"),
	OPT_UINT(0, "prefix-strip", &annotate.prefix_strip, "number",
	         "with --prefix: leave out so many folders of their paths"),
	OPT_GROUP("Symbols"),
	OPT_SYMBOLS(&annotate.symbols),
	OPT_BOOL('m', "modules", &annotate.modules, "accepted: modules are always named"),
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
	annotate.style.colored = color__wanted(annotate.color);
	annotate.style.verbose = annotate.verbose && !annotate.quiet;
	if (annotate.style.show_samples && annotate.style.show_period) {
		*only = "--show-nr-samples";
		return error__set(err, -EINVAL, "--show-nr-samples", NULL,
		                  "--show-total-period is another content of the same column");
	}
	if (annotate.prefix_strip && !annotate.prefix) {
		*only = "--prefix-strip";
		return error__set(err, -EINVAL, "--prefix-strip", NULL, "it goes with --prefix");
	}
	const char *style = annotate.code.disassembler_style;

	if (style && !annotate.code.objdump && strcmp(style, "intel") != 0 &&
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
