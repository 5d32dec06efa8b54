// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The options of perf report: their table, and their translation for the rooms below.
 */
#include "builtin-report.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/options/command_line.h"
#include "ui/options/common_parse.h"
#include "ui/options/unwind_option.h"
#include "ui/term/pager.h"
#include "util/counter/targets.h"
#include "util/reader/reader.h"

static const char *const usage[] = { "perf report [<options>] [<part of a symbol> | <file>]",
	                             NULL };

#define MAX_STACK_DEFAULT 127

struct report report = {
	.recordings = { .fd = -1 },
	.default_sort = SORT_KEYS_DEFAULT,
	.children = true,
	.group = true,
	.inline_frames = true,
	.max_stack = MAX_STACK_DEFAULT,
	.view.chain = CHAIN_OPTIONS_INIT,
	.symbols = SYMBOL_OPTIONS_INIT,
	.code = ANNOTATE_OPTIONS_INIT,
};

static int parse_numbers(const struct option *option, const char *arg, bool unset,
                         struct error *err)
{
	struct id_list *list = option->value;

	list->nr = 0;
	return unset ? 0 : number_list__parse(&list->ids, &list->nr, arg, err);
}

int report__parse_widths(const struct option *option, const char *arg, bool unset,
                         struct error *err)
{
	(void)option;
	free(report.widths);
	report.widths = NULL;
	report.style.nr_widths = 0;
	int ret = unset ? 0 : number_list__parse(&report.widths, &report.style.nr_widths, arg, err);

	report.style.widths = report.widths;
	return ret;
}

int report__parse_chain(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct chain_options *chain = option->value;

	report.chains_asked = !unset;
	if (unset)
		chain->mode = CHAIN_NONE;
	int ret = unset || !arg ? 0 : chain_options__parse(chain, arg, err);

	return ret;
}

static int parse_inverted(const struct option *option, const char *arg, bool unset,
                          struct error *err)
{
	struct chain_options *chain = option->value;

	(void)arg;
	(void)err;
	report.chains_asked = true;
	chain->order = unset ? CHAIN_ORDER_DEFAULT : CHAIN_CALLER;
	return 0;
}

static int parse_callers(const struct option *option, const char *arg, bool unset,
                         struct error *err)
{
	report.callers_callees = report.chains_asked = !unset;
	return unset || !arg ? 0 : common_parse__names(option, arg, unset, err);
}

static int parse_losses(const struct option *option, const char *arg, bool unset, struct error *err)
{
	bool *losses = option->value;

	if (arg && strcmp(arg, "time"))
		return error__set(err, -EINVAL, "--losses", arg, "it is by event, or =time");
	*losses = !unset;
	report.losses_by_time = arg;
	return 0;
}

static int parse_inline(const struct option *option, const char *arg, bool unset, struct error *err)
{
	(void)option;
	(void)arg;
	(void)err;
	report.inline_frames = report.inline_asked = !unset;
	return 0;
}

int report__parse_percentage(const struct option *option, const char *arg, bool unset,
                             struct error *err)
{
	bool *relative = option->value;

	*relative = !unset && !strcmp(arg, "relative");
	if (unset || *relative || !strcmp(arg, "absolute"))
		return 0;
	return error__set(err, -EINVAL, "unknown kind of percentage", arg,
	                  "it is relative (to what the filters let through) or absolute");
}

/* The limit is that of chains, too, as in Linux's perf. */
int report__parse_percent_limit(const struct option *option, const char *arg, bool unset,
                                struct error *err)
{
	int ret = common_parse__percent(option, arg, unset, err);

	if (!ret && !unset)
		report.view.chain.threshold = *(double *)option->value;
	return ret;
}

/* One part of -g: print-type, order, sort-key, with the words that -g has for it. */
static int parse_chain_word(const struct option *option, const char *arg, bool unset,
                            struct error *err)
{
	(void)unset;
	if (strchr(arg, ',') || !isalpha((unsigned char)*arg))
		return error__set(err, -EINVAL, "not a word of -g", arg, "%s", "");
	return chain_options__parse(option->value, arg, err);
}

static bool percent_limit_said;
static u64 queue_size; /* nothing is queued here */

/* Variables of the configuration; options override them. */
static const struct option config_keys[] = {
	OPT_KEY(OPTION_STRING, "report.sort_order", &report.sort),
	OPT_SYMBOL_KEYS(&report.symbols),
	OPT_ANNOTATE_KEYS(&report.code),
	OPT_TUI_COLORS(&report.colors),
	OPT_KEY(OPTION_CALLBACK, "report.percent-limit", &report.view.percent_limit,
	        .parse = report__parse_percent_limit, .was_set = &percent_limit_said),
	OPT_KEY(OPTION_BOOL, "report.children", &report.children),
	OPT_KEY(OPTION_BOOL, "report.group", &report.group),
	OPT_KEY(OPTION_BOOL, "report.skip-empty", &report.style.skip_empty),
	OPT_KEY(OPTION_U64, "report.queue-size", &queue_size),
	OPT_KEY(OPTION_CALLBACK, "color.ui", &report.color, .parse = color__parse),
	OPT_KEY(OPTION_CALLBACK, "hist.percentage", &report.view.relative,
	        .parse = report__parse_percentage),
	OPT_KEY(OPTION_CALLBACK, "call-graph.print-type", &report.view.chain,
	        .parse = parse_chain_word),
	OPT_KEY(OPTION_CALLBACK, "call-graph.order", &report.view.chain, .parse = parse_chain_word),
	OPT_KEY(OPTION_CALLBACK, "call-graph.sort-key", &report.view.chain,
	        .parse = parse_chain_word),
	OPT_KEY(OPTION_CALLBACK, "call-graph.threshold", &report.view.chain.threshold,
	        .parse = common_parse__percent),
	OPT_KEY(OPTION_UINT, "call-graph.print-limit", &report.view.chain.print_limit),
	{ OPTION_END },
};

static const struct option options[] = {
	OPT_CALLBACK('i', "input", &report.input, "file",
	             "input file name; given several times: add the recordings up",
	             report__parse_input, .fallback = "perf.data"),
	OPT_COUNT('v', "verbose", &report.verbose, "print more details, such as whole dso names"),
	OPT_BOOL('q', "quiet", &report.style.quiet, "print entries only"),
	OPT_BOOL('f', "force", &report.force, "read another user's file"),
	OPT_BOOL(0, "stdio", &report.stdio, "print text, also on a terminal"),
	OPT_BOOL(0, "tui", &report.tui, "open the browser (the default on a terminal)"),
	OPT_BOOL(0, "header", &report.header, "also show the file's header"),
	OPT_BOOL(0, "header-only", &report.header_only, "show only the header"),
	OPT_BOOL('I', "show-info", &report.show_info, "with --header: the machine's topology, too"),
	OPT_GROUP("Instead of the profile"),
	OPT_BOOL('D', "dump-raw-trace", &report.dump, "print every record: bytes and meaning"),
	OPT_BOOL(0, "stats", &report.stats, "print the number of records of each type"),
	OPT_CALLBACK(0, "losses", &report.losses, "time",
	             "print what was lost: on which CPU, of which event, when and why; =time: "
	             "per 100 ms",
	             parse_losses, .flags = OPTION_OPTIONAL_ARG),
	OPT_BOOL(0, "stack-health", &report.stack_health,
	         "print how many call chains are complete, and what stopped the others"),
	OPT_CALLBACK(0, "callers-callees", &report.callers_of, "symbol[,symbol...]",
	             "show each function (or these) between its callers and its callees",
	             parse_callers, .flags = OPTION_OPTIONAL_ARG),
	OPT_BOOL(0, "json", &report.json,
	         "print the profile as JSON; also for --losses and --stack-health"),
	OPT_BOOL('T', "threads", &report.threads,
	         "also print the final counts of each thread (record -s)"),
	OPT_BOOL(0, "tasks", &report.tasks, "print processes and threads as a tree"),
	OPT_BOOL(0, "mmaps", &report.mmaps,
	         "print processes and threads as a tree, with their maps"),
	OPT_GROUP("What an entry is, and which are shown"),
	OPT_STRING('s', "sort", &report.sort, "key[,key2...]",
	           "group by these (default: comm,dso,symbol; +key: one more); -s help "
	           "lists them"),
	OPT_STRING('F', "fields", &report.fields, "key[,key...]",
	           "show these columns (sort keys and figures); +key: one more"),
	OPT_STRING('p', "parent", &report.parent, "regex",
	           "define the sort key parent: the nearest caller whose name matches"),
	OPT_BOOL('x', "exclude-other", &report.exclude_other,
	         "with --parent: show only entries that have one"),
	OPT_BOOL(0, "raw-trace", &report.raw_trace,
	         "print fields of tracepoints as numbers, not by their print format"),
	OPT_STRING(0, "time-quantum", &report.time_quantum, "time",
	           "set the step of the sort key time (such as 10ms; default: 100ms)"),
	OPT_BOOL('b', "branch-stack", &report.branches,
	         "report branches instead of samples (the default where the file has them)",
	         .was_set = &report.branches_said),
	OPT_BOOL(0, "branch-history", &report.branch_history,
	         "continue call chains with the branches before the sample"),
	OPT_BOOL(0, "total-cycles", &report.total_cycles,
	         "report blocks of code between branches, by the cycles they took"),
	OPT_BOOL(0, "mem-mode", &report.mem_mode, "report memory accesses, by latency"),
	OPT_STRING(0, "parallelism", &report.running, "n[,n...]",
	           "use only samples taken while this many threads ran (1-2,5)"),
	OPT_UINT(0, "socket-filter", &report.socket, "n",
	         "show only what ran on this processor socket", .was_set = &report.socket_said),
	OPT_CALLBACK('c', "comms", &report.view.hists.filter.comms, "comm[,comm...]",
	             "show only these commands", common_parse__names),
	OPT_CALLBACK(0, "comm", &report.view.hists.filter.comms, "comm[,comm...]", "the same",
	             common_parse__names, .flags = OPTION_HIDDEN),
	OPT_CALLBACK('d', "dsos", &report.view.hists.filter.dsos, "dso[,dso...]",
	             "show only these dsos", common_parse__names),
	OPT_CALLBACK('S', "symbols", &report.view.hists.filter.symbols, "symbol[,symbol...]",
	             "show only these symbols", common_parse__names),
	OPT_STRING(0, "symbol-filter", &report.view.hists.symbol_part, "text",
	           "show only symbols with this text in their names"),
	OPT_CALLBACK(0, "pid", &report.view.hists.filter.pids, "pid[,pid...]",
	             "show only these processes", parse_numbers),
	OPT_CALLBACK(0, "tid", &report.view.hists.filter.tids, "tid[,tid...]",
	             "show only these threads", parse_numbers),
	OPT_STRING('C', "cpu", &report.cpus_text, "cpu[,cpu...]", "show only these CPUs (0-2,5)"),
	OPT_CALLBACK('w', "column-widths", NULL, "width[,width...]",
	             "set column widths; longer texts are cut; 0: as wide as needed",
	             report__parse_widths),
	OPT_EVENT_SWITCH(&report.event_switch),
	OPT_STRING(0, "time", &report.style.times, "start,stop",
	           "use only this time span; N%/M or A%-B%: a part of the file"),
	OPT_BOOL('U', "hide-unresolved", &report.view.hists.hide_unresolved,
	         "omit entries without a symbol"),
	OPT_CALLBACK(0, "percent-limit", &report.view.percent_limit, "percent",
	             "hide entries and branches below this (on a terminal, entries below 0.5 "
	             "share one line by default)",
	             report__parse_percent_limit, .was_set = &percent_limit_said),
	OPT_CALLBACK(0, "percentage", &report.view.relative, "relative|absolute",
	             "take what the filters let through, or everything (default), as 100 %",
	             report__parse_percentage),
	OPT_GROUP("Columns"),
	OPT_BOOL('n', "show-nr-samples", &report.view.show_samples, "show the number of samples"),
	OPT_BOOL(0, "show-total-period", &report.view.show_period, "show the sum of periods"),
	OPT_BOOL(0, "confidence", &report.confidence,
	         "show the 95 % interval of each share, and ranks that are sure"),
	OPT_BOOL(0, "show-cpu-utilization", &report.view.show_cpu_utilization,
	         "show the shares of kernel and user code"),
	OPT_BOOL(0, "showcpuutilization", &report.view.show_cpu_utilization, "the same",
	         .flags = OPTION_HIDDEN),
	OPT_BOOL(0, "latency", &report.latency,
	         "sort by the share of wall-clock time (record --latency)"),
	OPT_BOOL(0, "ns", &report.view.hists.nanoseconds, "show times with all digits"),
	OPT_STRING('t', "field-separator", &report.style.separator, "separator",
	           "separate columns with this; cells are padded, as in Linux's perf 6.1"),
	OPT_BOOL(0, "skip-empty", &report.style.skip_empty,
	         "omit events without samples (default)"),
	OPT_BOOL(0, "group", &report.group,
	         "show the events of a group in one table (default); if given: all "
	         "events, where there is no group",
	         .was_set = &report.group_said),
	OPT_UINT(0, "group-sort-idx", &report.view.hists.sort_member, "n",
	         "sort a group's table by this event; 0: by the first, then the next ..."),
	OPT_BOOL(0, "hierarchy", &report.view.hierarchy,
	         "show one level per sort key; {key,key} share one"),
	OPT_CALLBACK(0, "stdio-color", &report.color, "always|never|auto",
	             "use colours; auto (default): on a terminal", color__parse,
	             .flags = OPTION_OPTIONAL_ARG | OPTION_NEXT_ARG, .fallback = "always"),
	OPT_GROUP("Call chains"),
	OPT_BOOL(0, "children", &report.children, "count callees with their callers (default)"),
	OPT_CALLBACK('g', "call-graph", &report.view.chain,
	             "mode,threshold[,limit],order,key,value",
	             "set how chains are shown: graph|fractal|flat|folded|none, 0.5, "
	             "caller|callee, function|address|srcline, percent|period|count",
	             report__parse_chain, .flags = OPTION_OPTIONAL_ARG | OPTION_NEXT_ARG),
	OPT_CALLBACK('G', "inverted", &report.view.chain, NULL, "the same as -g caller",
	             parse_inverted, .flags = OPTION_NO_ARG),
	OPT_UNWIND_STYLE(&report.unwind_style),
	OPT_UINT(0, "max-stack", &report.max_stack, "frames",
	         "keep this many frames of each chain, from the leaf (default: 127)"),
	OPT_STRING(0, "ignore-callees", &report.ignored_callees, "regex",
	           "attribute what matching functions call to these functions"),
	OPT_CALLBACK(0, "inline", &report.inline_frames, NULL,
	             "show inlined functions in chains, also of the kernel (default: of "
	             "programs only)",
	             parse_inline, .flags = OPTION_NO_ARG),
	OPT_BOOL(0, "full-source-path", &report.full_source_path,
	         "show whole paths in the sort keys srcline and srcfile"),
	OPT_GROUP("Annotated code in the browser"),
	OPT_ANNOTATE(&report.code),
	OPT_GROUP("Symbols"),
	OPT_SYMBOLS(&report.symbols),
	OPT_BOOL('m', "modules", &report.modules, "accepted: modules are always named"),
	OPT_ADDR2LINE,
	OPT_ADDR2LINE_STYLE,
	OPT_ACCEPTED(0, "disable-order", &report.accepted, ABOUT_NOTHING, NULL, OPTION_NO_ARG),
	OPT_ACCEPTED(0, "itrace", &report.accepted, ABOUT_AUX, "opts", OPTION_OPTIONAL_ARG),
	OPT_ACCEPTED(0, "pretty", &report.accepted, ABOUT_NOTHING, "key", 0),
	OPT_ACCEPTED(0, "samples", &report.accepted, ABOUT_NOTHING, "n", 0),
	OPT_ACCEPTED(0, "show-ref-call-graph", &report.accepted, ABOUT_MIXED_CHAINS, NULL,
	             OPTION_NO_ARG),
	OPT_ACCEPTED(0, "stitch-lbr", &report.accepted, ABOUT_LBR, NULL, OPTION_NO_ARG),
	{ OPTION_END },
};

/* ---- from options to what the rooms below want ---- */

static int parse_running(struct error *err)
{
	struct cpu_map map = CPU_MAP_INIT;

	if (!report.running)
		return 0;
	if (cpu_map__parse(&map, report.running, err) || map.cpus[0] == 0) {
		cpu_map__exit(&map);
		return error__set(err, -EINVAL, "not a list of numbers", report.running,
		                  "for example 1-2,5");
	}
	report.view.hists.running.nr = map.nr;
	report.view.hists.running.ids = (u32 *)map.cpus;
	return 0;
}

/* Everything that options can be wrong about: a usage error, about the option *only. */
int report__check_options(const char **only, struct error *err)
{
	int ret = 0;

	report.list_keys = (report.sort && !strcmp(report.sort, "help")) ||
	                   (report.fields && !strcmp(report.fields, "help"));
	if (!report.list_keys)
		ret = report__set_fields(NULL, only, err);
	/* It may be a field of a tracepoint. */
	if (ret && (!access(report.input, R_OK) || !strcmp(report.input, "-"))) {
		ret = 0;
		*err = (struct error)ERROR_INIT;
	}

	if (!ret) {
		*only = "--cpu";
		ret = sample_filter__parse_cpus(&report.view.hists.filter, report.cpus_text, err);
	}
	if (!ret) {
		*only = "--parallelism";
		ret = parse_running(err);
	}
	if (!ret) {
		*only = "--input";
		ret = report__check_sum(err);
	}
	if (!ret && report.confidence && report.callers_callees) {
		*only = "--confidence";
		ret = error__set(err, -EINVAL, "--confidence and --callers-callees", NULL,
		                 "a sample counts in many of its rows, so they are no parts of a "
		                 "whole that could be ranked; use only one of them");
	}
	if (!ret && report.confidence && report.total_cycles) {
		*only = "--confidence";
		ret = error__set(err, -EINVAL, "--confidence and --total-cycles", NULL,
		                 "each sample brings many blocks at once, which are no draws of "
		                 "their own; use only one of them");
	}
	if (!ret && report.total_cycles &&
	    (report.json || report.mem_mode || report.callers_callees || report.view.hierarchy)) {
		*only = "--total-cycles";
		ret = error__set(
		        err, -EINVAL,
		        "--total-cycles and --json, --mem-mode, --callers-callees or --hierarchy",
		        NULL, "they are tables of different things; use only one of them");
	}
	if (!ret && report.view.hierarchy && report.fields) {
		*only = "--hierarchy";
		ret = error__set(err, -EINVAL, "--hierarchy and --fields", NULL,
		                 "levels are those of --sort; use only one of them");
	}
	if (!ret && report.stats && (report.tasks || report.mmaps)) {
		*only = "--stats";
		ret = error__set(err, -EINVAL, "--tasks and --mmaps", NULL,
		                 "they can't be used together with --stats");
	}
	if (report.style.separator && !*report.style.separator)
		report.style.separator = NULL;
	if (report.style.separator && !strcmp(report.style.separator, "\\t"))
		report.style.separator = "\t";
	report.style.inputs = report.inputs;
	report.style.nr_inputs = report.nr_inputs;
	report.style.colored = color__wanted(report.color) && !report.style.separator;
	report.style.terminal = isatty(STDOUT_FILENO) || pager__is_on();
	report.style.sums_noise = report.style.terminal && !report.style.quiet &&
	                          !report.style.separator && !percent_limit_said;
	report.whole_dsos = report.verbose > 0 && !report.style.quiet;
	report.symbols.config.signatures |= report.whole_dsos;
	report.view.hists.verbose = report.whole_dsos && !report.json; /* its values are no cells */
	report.instead = report.dump || report.losses || report.stack_health || report.tasks ||
	                 report.mmaps || report.stats;
	return ret;
}

/*
 * The one argument is a part of symbol names, as in Linux's perf; but what is a file here was
 * surely meant as one.
 */
static int take_arguments(const char *const *words, struct error *err)
{
	if (words[0] && words[1])
		return error__set(err, -EINVAL, "too many arguments", words[1],
		                  "one part of a symbol's name, or one file, is understood");
	if (words[0] && !access(words[0], F_OK) && report.nr_inputs < 2)
		report.input = words[0];
	else if (words[0])
		report.view.hists.symbol_part = report.operand = words[0];
	report.input_is_default = !report.input;
	report.input = perf_data__input(report.input);
	report.input_is_default &= !!strcmp(report.input, "-");
	return 0;
}

int report__usage(struct error *err, const char *only)
{
	return command_line__usage(err, usage, options, only);
}

void report__free_options(void)
{
	sample_filter__exit(&report.view.hists.filter);
	name_list__exit(&report.callers_of);
	free(report.inputs);
	free(report.spans);
	free(report.widths);
	if (report.parent_compiled)
		regfree(&report.parent_regex);
	if (report.ignored_compiled)
		regfree(&report.ignored_regex);
	free(report.time_key);
	free(report.slice_key);
	free(report.parallelism_key);
	parallelism__exit(&report.parallelism);
	out__exit(&report.recordings);
	free(report.view.hists.running.ids);
	free(report.sort_text);
}

int report__parse_options(int argc, const char **argv)
{
	const char *only = NULL;
	struct error err = ERROR_INIT;
	int rest, ret;

	report.style.skip_empty = true;
	report.verbose = perf_debug.verbose;
	ret = use_config(config_keys);
	if (!ret)
		ret = command_line__parse(argc, argv, usage, options, OPTIONS_PERMUTE, &rest);
	if (ret)
		return ret;
	if (take_arguments(argv + rest, &err) || report__check_options(&only, &err))
		return command_line__usage(&err, usage, options, only);
	return 0;
}
