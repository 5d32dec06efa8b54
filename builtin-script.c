// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf script: options, then session -> stream -> lines. What could not be used, and why,
 * goes to stderr at the end.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/dump/header.h"
#include "ui/options/accepted.h"
#include "ui/options/command_line.h"
#include "ui/options/switch_option.h"
#include "ui/options/symbol_options.h"
#include "ui/options/unwind_option.h"
#include "ui/script/dlfilter.h"
#include "ui/script/script.h"
#include "ui/term/diag.h"
#include "ui/term/interrupt.h"
#include "ui/term/pager.h"
#include "ui/term/progress.h"
#include "ui/text/health_table.h"
#include "ui/text/report_problems.h"
#include "util/health/health_judge.h"
#include "util/lib/alloc.h"
#include "util/stream/sample_filter.h"

#define EXIT_TIME 234 /* Linux's: -EINVAL in eight bits */

static const char *const usage[] = { "perf script [<options>]", NULL };

static struct {
	const char *input, *cpus, *times, *trace_script;
	struct event_switch event_switch;
	struct sample_filter_lists lists;
	int verbose;
	bool force, quiet, header, header_only, show_info, fields_given, per_event_dump, debug,
	        list_dlfilters;
	size_t dlargs_cap;
	struct script_options script;
	struct symbol_options symbols;
	struct accepted accepted;
} opts = {
	.script = { .max_stack = 127, .inlines = true },
	.symbols = SYMBOL_OPTIONS_INIT,
};

static int parse_fields(const struct option *option, const char *arg, bool unset, struct error *err)
{
	(void)option;
	opts.fields_given = !unset;
	if (unset) {
		script_fields__init(&opts.script.fields);
		return 0;
	}
	return script_fields__parse(&opts.script.fields, arg, err);
}

/* The fields of traces, and all digits of times. */
static int parse_trace(const struct option *option, const char *arg, bool unset, struct error *err)
{
	(void)arg;
	if (unset)
		return 0;
	opts.script.nanoseconds = opts.fields_given = true;
	return script_fields__parse(&opts.script.fields, option->value, err);
}

static int parse_stop(const struct option *option, const char *arg, bool unset, struct error *err)
{
	(void)option;
	name_list__exit(&opts.script.stop_at);
	return unset ? 0 : name_list__parse(&opts.script.stop_at, arg, err);
}

static int parse_dlarg(const struct option *option, const char *arg, bool unset, struct error *err)
{
	struct script_options *script = &opts.script;

	(void)option;
	(void)err;
	if (unset) {
		script->nr_dlargs = 0;
		return 0;
	}
	array__reserve(&script->dlargs, &opts.dlargs_cap, script->nr_dlargs + 1,
	               sizeof(*script->dlargs));
	script->dlargs[script->nr_dlargs++] = (char *)arg;
	return 0;
}

static int refuse_xed(const struct option *option, const char *arg, bool unset, struct error *err)
{
	(void)option;
	(void)arg;
	if (unset)
		return 0;
	error__set(err, -EOPNOTSUPP, "cannot use", "--xed", "perf runs no other program for it");
	return error__advise(err, "-F +disasm prints the text of instructions");
}

static int refuse_graph(const struct option *option, const char *arg, bool unset, struct error *err)
{
	(void)option;
	(void)arg;
	if (unset)
		return 0;
	error__set(err, -EOPNOTSUPP, "cannot use", "--graph-function",
	           "it follows the calls in traces of processors, and this perf decodes none");
	return error__advise(err, "-S selects samples by function, --stop-bt cuts chains");
}

static int parse_unsorted(const struct option *option, const char *arg, bool unset,
                          struct error *err)
{
	(void)option;
	(void)arg;
	(void)err;
	opts.script.dump = opts.script.unsorted = !unset;
	return 0;
}

static int parse_inline(const struct option *option, const char *arg, bool unset, struct error *err)
{
	(void)option;
	(void)arg;
	(void)err;
	opts.script.inlines = opts.script.inlines_in_kernel = !unset;
	return 0;
}

static const struct option options[] = {
	OPT_STRING('i', "input", &opts.input, "file", "input file name", .fallback = "perf.data"),
	OPT_BOOL('f', "force", &opts.force, "read another user's file"),
	OPT_COUNT('v', "verbose", &opts.verbose, "also print what is left out"),
	OPT_BOOL('q', "quiet", &opts.quiet, "print no warnings"),
	OPT_BOOL(0, "header", &opts.header, "also show the file's header"),
	OPT_BOOL(0, "header-only", &opts.header_only, "show only the header"),
	OPT_BOOL('I', "show-info", &opts.show_info, "with --header: the machine's topology, too"),
	OPT_GROUP("What is printed"),
	OPT_CALLBACK(
	        'F', "fields", NULL, "[type:]field[,field...]",
	        "print these fields, or change the default with +field and -field; types hw, sw, "
	        "trace, raw, synth, break, hw_cache, other; fields comm, tid, pid, cpu, "
	        "time, tod, event, "
	        "period, ip, sym, symoff, dso, dsoff, srcline, srccode, insn, insnlen, disasm, "
	        "brstack, brstacksym, brstackoff, brstackinsn, brstackinsnlen, brstackdisasm, "
	        "brcntr, addr, data_src, weight, ins_lat, retire_lat, "
	        "phys_addr, data_page_size, code_page_size, trace, iregs, uregs, cgroup, misc, "
	        "flags, synth, ipc, callindent, machine_pid, vcpu, bpf-output, metric, folded",
	        parse_fields),
	OPT_BOOL(0, "json", &opts.script.json, "print each sample as a JSON object, one per line"),
	OPT_BOOL('G', "hide-call-graph", &opts.script.no_chain,
	         "print only the sampled address, on the sample's line"),
	OPT_UNWIND_STYLE(&opts.script.unwind_style),
	OPT_UINT(0, "max-stack", &opts.script.max_stack, "frames",
	         "print this many frames of each chain, from the leaf (default: 127)"),
	OPT_UINT(0, "max-blocks", &opts.script.max_blocks, "n",
	         "with -F brstackinsn: print only the last n blocks"),
	OPT_CALLBACK(0, "stop-bt", NULL, "symbol[,symbol...]", "end chains at these functions",
	             parse_stop),
	OPT_BOOL('L', "Latency", &opts.script.latency,
	         "print short names of processes and plain CPU numbers"),
	OPT_CALLBACK(0, "insn-trace", (void *)"+insn,-event,-period", NULL,
	             "-F +insn,-event,-period --ns", parse_trace, .flags = OPTION_NO_ARG),
	OPT_CALLBACK(0, "call-trace", (void *)"-ip,-addr,-event,-period,+callindent", NULL,
	             "-F -ip,-addr,-event,-period,+callindent --ns", parse_trace,
	             .flags = OPTION_NO_ARG),
	OPT_CALLBACK(0, "call-ret-trace", (void *)"-ip,-addr,-event,-period,+flags,+callindent",
	             NULL, "like --call-trace, with returns (+flags)", parse_trace,
	             .flags = OPTION_NO_ARG),
	OPT_BOOL(0, "ns", &opts.script.nanoseconds, "print times with nine decimals"),
	OPT_BOOL(0, "reltime", &opts.script.relative_time, "print times since the first sample"),
	OPT_BOOL(0, "deltatime", &opts.script.delta_time, "print times since the preceding sample"),
	OPT_CALLBACK(0, "inline", NULL, NULL,
	             "show inlined functions in chains, also of the kernel (default: of "
	             "programs only)",
	             parse_inline, .flags = OPTION_NO_ARG),
	OPT_BOOL(0, "full-source-path", &opts.script.full_source_path,
	         "print whole paths in the field srcline"),
	OPT_BOOL(0, "show-task-events", &opts.script.show_task,
	         "also print fork, comm and exit records"),
	OPT_BOOL(0, "show-mmap-events", &opts.script.show_mmap, "also print mmap records"),
	OPT_BOOL(0, "show-switch-events", &opts.script.show_switch,
	         "also print context switch records"),
	OPT_BOOL(0, "show-namespace-events", &opts.script.show_namespaces,
	         "also print records of namespaces"),
	OPT_BOOL(0, "show-cgroup-events", &opts.script.show_cgroups, "also print cgroup records"),
	OPT_BOOL(0, "show-bpf-events", &opts.script.show_bpf, "also print records of BPF programs"),
	OPT_BOOL(0, "show-text-poke-events", &opts.script.show_text_pokes,
	         "also print changes of the kernel's text"),
	OPT_BOOL(0, "show-lost-events", &opts.script.show_lost, "also print lost records"),
	OPT_BOOL(0, "show-round-events", &opts.script.show_rounds,
	         "also print the marks of finished rounds"),
	OPT_BOOL('D', "dump-raw-trace", &opts.script.dump,
	         "also print every record: bytes and meaning"),
	OPT_CALLBACK(0, "dump-unsorted-raw-trace", NULL, NULL, "like -D, in the order of the file",
	             parse_unsorted, .flags = OPTION_NO_ARG),
	OPT_BOOL(0, "per-event-dump", &opts.per_event_dump,
	         "write the samples of each event to perf.data.EVENT.dump"),
	OPT_BOOL('d', "debug-mode", &opts.debug, "print at the end how many records came too late"),
	OPT_GROUP("Which samples"),
	OPT_STRING('c', "comms", &opts.lists.comms, "comm[,comm...]", "show only these commands"),
	OPT_STRING(0, "dsos", &opts.lists.dsos, "dso[,dso...]", "print only samples in these dsos"),
	OPT_STRING('S', "symbols", &opts.lists.symbols, "symbol[,symbol...]",
	           "print only samples in these symbols, or at these addresses"),
	OPT_U64(0, "addr-range", &opts.script.addr_range, "bytes",
	        "with -S: take this many bytes from each address"),
	OPT_STRING(0, "pid", &opts.lists.pids, "pid[,pid...]", "show only these processes"),
	OPT_STRING(0, "tid", &opts.lists.tids, "tid[,tid...]", "show only these threads"),
	OPT_STRING('C', "cpu", &opts.cpus, "cpu[,cpu...]", "show only these CPUs (0-2,5)"),
	OPT_EVENT_SWITCH(&opts.event_switch),
	OPT_STRING(0, "time", &opts.times, "start,stop",
	           "use only this time span; N%/M or A%-B%: a part of the file"),
	OPT_STRING(0, "dlfilter", &opts.script.dlfilter, "file",
	           "print only samples that this shared object keeps (perf_dlfilter.h)"),
	OPT_CALLBACK(0, "dlarg", NULL, "text",
	             "pass this argument to the dlfilter; may be repeated", parse_dlarg),
	OPT_BOOL(0, "list-dlfilters", &opts.list_dlfilters,
	         "list installed dlfilters; with -v also what they say of themselves"),
	OPT_GROUP("Symbols"),
	OPT_SYMBOLS(&opts.symbols),
	OPT_ADDR2LINE,
	OPT_ADDR2LINE_STYLE,
	OPT_STRING('s', "script", &opts.trace_script, "name", "not built yet",
	           .flags = OPTION_HIDDEN),
	OPT_NOT_YET('g', "gen-script", "lang", 0),
	OPT_NOT_YET('l', "list", NULL, OPTION_NO_ARG),
	OPT_ACCEPTED('a', "all-cpus", &opts.accepted, ABOUT_NOTHING, NULL, OPTION_NO_ARG),
	OPT_CALLBACK(0, "graph-function", NULL, "symbol[,symbol...]",
	             "refused: it is about decoded traces of processors", refuse_graph,
	             .flags = OPTION_HIDDEN),
	OPT_ACCEPTED(0, "guest-code", &opts.accepted, ABOUT_GUESTS, NULL, OPTION_NO_ARG),
	OPT_ACCEPTED(0, "guestkallsyms", &opts.accepted, ABOUT_GUESTS, "file", 0),
	OPT_ACCEPTED(0, "guestmodules", &opts.accepted, ABOUT_GUESTS, "file", 0),
	OPT_ACCEPTED(0, "guestmount", &opts.accepted, ABOUT_GUESTS, "dir", 0),
	OPT_ACCEPTED(0, "guestvmlinux", &opts.accepted, ABOUT_GUESTS, "file", 0),
	OPT_ACCEPTED(0, "merge-callchains", &opts.accepted, ABOUT_NOTHING, NULL, OPTION_NO_ARG),
	OPT_ACCEPTED(0, "show-kernel-path", &opts.accepted, ABOUT_NOTHING, NULL, OPTION_NO_ARG),
	OPT_ACCEPTED(0, "stitch-lbr", &opts.accepted, ABOUT_LBR, NULL, OPTION_NO_ARG),
	OPT_CALLBACK(0, "xed", NULL, NULL, "refused: instructions are shown by -F +disasm",
	             refuse_xed, .flags = OPTION_NO_ARG | OPTION_HIDDEN),
	OPT_ACCEPTED(0, "itrace", &opts.accepted, ABOUT_AUX, "opts", OPTION_OPTIONAL_ARG),
	{ OPTION_END },
};

static bool prints_chains(const struct session *session)
{
	u64 print;

	for (u32 i = 0; !opts.script.no_chain && i < session->evlist->nr; i++)
		if (opts.script.json ||
		    (!script_fields__of_event(&opts.script.fields, session->evlist->evsels[i],
		                              &print, NULL) &&
		     print & (FIELD_IP | FIELD_FOLDED)))
			return true;
	return false;
}

static void say_problems(const struct session *session, struct script *script,
                         struct session_symbols *symbols)
{
	const struct profile seen = { .problems = script__problems(script) };
	struct error missing = ERROR_INIT;

	if (opts.debug)
		diag__line("Misordered timestamps: %llu",
		           (unsigned long long)seen.problems.nr_late);
	if (opts.quiet)
		return;
	if (!session->stats.nr_records[PERF_RECORD_SAMPLE])
		diag__say_warning("the '%s' data has no samples", opts.input);
	if (prints_chains(session))
		report_problems__say_stacks(session);
	report_problems__say(session, &seen, symbols, NULL, opts.verbose);
	if (script__trace_error(script))
		diag__warning(script__trace_error(script));
	script__say_formats(script, opts.verbose > 1);
	if (script__missing_sources(script, &missing))
		diag__warning(&missing);
	if (seen.problems.nr_lost)
		diag__say_warning("'%s' changed while it was read; records are missing",
		                  opts.input);
	if (opts.verbose && seen.problems.nr_late)
		diag__say_warning("%llu records were written later than a finished round allows; "
		                  "they stand where their time says",
		                  (unsigned long long)seen.problems.nr_late);
}

static int print_all(struct script *script, struct session *session, struct out *out,
                     struct error *err)
{
	int ret;

	do {
		script__print(script);
		out__flush(out);
		ret = script__more(script, session, err);
	} while (ret > 0);
	return script__end(script, ret ? NULL : err) && !ret ? -EINVAL : ret;
}

/* Each event's entries in a file of its own, the rest on @out. */
static int print_apart(struct script *script, struct session *session, struct out *out,
                       struct error *err)
{
	int ret = print_all(script, session, out, err);
	int closed = script_dumps__close(opts.script.dumps, !ret, out, ret ? NULL : err);

	return ret ? ret : closed;
}

static int print_with(struct session *session, struct session_symbols *symbols, struct out *out,
                      struct error *err)
{
	if (sample_filter__parse_lists(&opts.script.filter, &opts.lists, err))
		return EXIT_ERROR;
	if (opts.per_event_dump) {
		opts.script.dumps = script_dumps__new(session->evlist, opts.input, err);
		if (!opts.script.dumps)
			return EXIT_ERROR;
	}
	struct script *script = script__new(session, symbols, &opts.script, out, err);
	int ret = EXIT_ERROR;

	if (script) {
		ret = (opts.script.dumps ? print_apart : print_all)(script, session, out, err);
		ret = ret ? EXIT_ERROR : 0;
		say_problems(session, script, symbols);
	}
	if (!ret && !out->error && !opts.quiet)
		script__say_filters(script);
	script__delete(script);
	script_dumps__delete(opts.script.dumps);
	return ret;
}

static int wait_for_end(struct session *session, struct error *err)
{
	bool changed;
	int ret;

	do
		ret = session__more(session, &changed, err);
	while (ret > 0);
	return ret;
}

/* With --header: how far chains can be believed, so all of a stream must be here. */
static int print_health(struct session *session, struct session_symbols *symbols, struct out *out,
                        struct error *err)
{
	const struct profile_options options = {
		.max_stack = opts.script.max_stack,
		.unwind_style = opts.script.unwind_style,
		.filter.times = opts.script.filter.times,
	};
	struct health health;
	int ret;

	bool waits = perf_data__is_live(session->data);

	/* A stream of which no chains are printed is not waited for. */
	if (!opts.header || !session__has_chains(session) || (waits && !prints_chains(session)))
		return 0;
	ret = wait_for_end(session, err);
	if (ret)
		return ret;
	ret = health__collect(&health, session, &options, symbols, err);
	health_table__print_summary(out, &health, session);
	health__exit(&health);
	return ret;
}

static int run(struct session *session, struct out *out, struct error *err)
{
	struct session_symbols *symbols;
	int ret;

	if (session__scan(session, err) || accepted__check(&opts.accepted, session, err) ||
	    (opts.cpus && report_problems__need_cpus(session, err)))
		return EXIT_ERROR;
	if (opts.times &&
	    time_ranges__parse(&opts.script.filter.times, opts.times, session->stats.first_time,
	                       session->stats.last_time, err))
		return EXIT_TIME;
	if (event_switch__find(&opts.event_switch, session, &opts.script.filter, err))
		return EXIT_ERROR;
	switch_option__say(&opts.event_switch, &opts.script.filter);
	opts.symbols.config.signatures |= opts.verbose > 0;
	opts.script.counter_names = opts.verbose > 0;
	symbols = symbol_options__start(&opts.symbols, session);
	ret = print_health(session, symbols, out, err) ? EXIT_ERROR
	                                               : print_with(session, symbols, out, err);
	symbol_options__end(&opts.symbols, symbols, opts.verbose);
	return ret;
}

/* Parts of the whole need all of a stream first. */
static unsigned open_flags(void)
{
	bool whole = (opts.times && strchr(opts.times, '%')) || opts.header_only ||
	             event_switch__is_given(&opts.event_switch);

	return (opts.force ? PERF_DATA_FORCE : 0) | (whole ? 0 : PERF_DATA_LIVE) | PERF_DATA_TIMES;
}

static int script_file(struct out *out)
{
	struct error err = ERROR_INIT;
	struct session session;
	int ret = EXIT_ERROR;

	opts.input = perf_data__input(opts.input);
	if (!opts.quiet && !opts.header && !opts.header_only && !isatty(STDOUT_FILENO) &&
	    !pager__is_on())
		progress__start("reading the recording");
	interrupt__leave_first(opts.input);
	if (!session__open(&session, opts.input, open_flags(), &err)) {
		progress__read(session.data);
		if (opts.header || opts.header_only)
			header__print(out, session.data, opts.show_info);
		ret = opts.header_only ? 0 : run(&session, out, &err);
		if (opts.header_only) {
			out__flush(out);
			report_problems__say_file(session.data);
		}
		progress__stop();
		session__close(&session);
	}
	progress__stop();
	interrupt__back();
	if (ret && err.code)
		diag__error(&err);
	return ret;
}

static int list_dlfilters(struct out *out)
{
	struct error err = ERROR_INIT;

	if (!dlfilter__list(out, opts.verbose > 0, &err))
		return 0;
	out__flush(out);
	diag__error(&err);
	return EXIT_ERROR;
}

/* What was meant by a word that is no option. */
static const char *advice_for(const char *name)
{
	static char text[256];
	struct script_fields fields;

	script_fields__init(&fields);
	if (!strcmp(name, "flamegraph"))
		return "perf script | stackcollapse-perf.pl | flamegraph.pl > out.svg";
	if (opts.force && !script_fields__parse(&fields, name, NULL)) {
		snprintf(text, sizeof(text), "fields are chosen by -F: perf script -F %.200s",
		         name);
		return text;
	}
	return "to read a file other than perf.data, use -i FILE";
}

/* Lines that are no objects do not go with --json; nor do fields, which objects have their own of.
 */
static int check_json(struct error *err)
{
	const struct script_options *s = &opts.script;
	const struct {
		bool given;
		const char *name;
	} others[] = {
		{ opts.fields_given, "-F" },
		{ opts.header || opts.header_only, "--header" },
		{ s->dump, "-D" },
		{ s->show_task || s->show_mmap || s->show_switch || s->show_lost ||
		          s->show_rounds || s->show_namespaces || s->show_cgroups || s->show_bpf ||
		          s->show_text_pokes,
		  "--show-...-events" },
	};

	for (size_t i = 0; s->json && i < ARRAY_SIZE(others); i++)
		if (others[i].given) {
			error__set(err, -EINVAL, "cannot use", others[i].name,
			           "--json prints an object for each sample, and nothing else");
			return error__advise(err, "perf-data(1) lists what is in an object");
		}
	return 0;
}

static int check_dlargs(struct error *err)
{
	if (!opts.script.nr_dlargs || opts.script.dlfilter)
		return 0;
	return error__set(err, -EINVAL, "cannot use", "--dlarg",
	                  "it is an argument for the filter of --dlfilter, and there is none");
}

/* What stands behind the options would be the name of a trace script. */
static int refuse_script(const char *name)
{
	struct error err = ERROR_INIT;

	if (!strcmp(name, "record") || !strcmp(name, "report"))
		error__set(&err, -EOPNOTSUPP, "cannot do 'perf script' with", name,
		           "this perf does not run trace scripts yet");
	else
		error__set(&err, -ENOENT, "Couldn't find script", name,
		           "this perf does not run trace scripts yet");
	error__advise(&err, "%s", advice_for(name));
	diag__error(&err);
	return EXIT_USAGE;
}

int cmd_script(int argc, const char **argv)
{
	struct error err = ERROR_INIT;
	struct out out;
	int rest, ret;

	script_fields__init(&opts.script.fields);
	opts.verbose = perf_debug.verbose;
	use_config((const struct option[]){ OPT_SYMBOL_KEYS(&opts.symbols), { OPTION_END } });
	ret = command_line__parse(argc, argv, usage, options, 0, &rest);
	if (ret)
		return ret;
	if (rest < argc)
		return refuse_script(argv[rest]);
	if (opts.trace_script) {
		diag__say_error("cannot run '%.200s': this perf does not run trace scripts yet",
		                opts.trace_script);
		return EXIT_ERROR;
	}
	if (opts.script.relative_time && opts.script.delta_time) {
		diag__say_error("--reltime and --deltatime exclude each other");
		return EXIT_ERROR;
	}
	if (check_json(&err) || check_dlargs(&err) ||
	    (opts.cpus && sample_filter__parse_cpus(&opts.script.filter, opts.cpus, &err))) {
		diag__error(&err);
		return EXIT_ERROR;
	}
	opts.script.fields.no_chain = opts.script.no_chain;
	opts.script.terminal = isatty(STDOUT_FILENO) || pager__is_on();
	out__init(&out, STDOUT_FILENO);
	ret = opts.list_dlfilters ? list_dlfilters(&out) : script_file(&out);
	out__exit(&out);
	if (!ret && diag__cannot_write(out.error, "cannot write the output", NULL))
		ret = 1;
	free(opts.script.dlargs);
	name_list__exit(&opts.script.stop_at);
	sample_filter__exit(&opts.script.filter);
	return ret;
}
