// SPDX-License-Identifier: GPL-2.0-or-later
/* perf top: what runs now, again and again. Options, the run, and what both ways to show it share.
 */
#include "builtin-top.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/options/common_parse.h"
#include "ui/term/diag.h"
#include "util/lib/alloc.h"
#include "util/lib/clock.h"

#define SORT_DEFAULT "dso,symbol"
#define DELAY        2           /* seconds */
#define HALF_LIFE    10000000000 /* ns */

static const char *const usage[] = { "perf top [<options>]", NULL };

static struct top top = { .delay = DELAY };

/* ---- options ---- */

/* One that the recorder has under the same name. */
static int pass_on(const struct option *option, const char *arg, bool unset, struct error *err)
{
	char *word = arg ? xasprintf("--%s=%s", option->name, arg)
	                 : xasprintf("--%s%s", unset ? "no-" : "", option->name);

	(void)err;
	name_list__add(&top.record, word);
	free(word);
	return 0;
}

/* The same, and @value is told. */
static int pass_on_and_keep(const struct option *option, const char *arg, bool unset,
                            struct error *err)
{
	*(const char **)option->value = arg;
	return pass_on(option, arg, unset, err);
}

static int parse_g(const struct option *option, const char *arg, bool unset, struct error *err)
{
	(void)option;
	(void)arg;
	(void)err;
	top.chains = report.chains_asked = !unset;
	return 0;
}

/* "dwarf,4096,caller,0.5": how chains are recorded, if that comes first; then how they are shown.
 */
static int parse_call_graph(const struct option *option, const char *arg, bool unset,
                            struct error *err)
{
	static const char *const modes[] = { "fp", "dwarf", "lbr" };
	size_t len = arg ? strcspn(arg, ",") : 0, at = 0;

	top.chains = report.chains_asked = !unset;
	for (u32 i = 0; arg && i < ARRAY_SIZE(modes); i++)
		if (strlen(modes[i]) == len && !strncmp(arg, modes[i], len))
			at = len;
	if (at && arg[at])
		at += 1 + strspn(arg + at + 1, "0123456789KkMm");
	if (at) {
		char *word = xasprintf("--call-graph=%.*s", (int)(at - (arg[at - 1] == ',')), arg);

		name_list__add(&top.record, word);
		top.dwarf = *arg == 'd';
		free(word);
	}
	if (unset || !arg || !arg[at])
		return 0;
	return report__parse_chain(option, arg + at + (arg[at] == ','), unset, err);
}

static const struct option config_keys[] = {
	OPT_KEY(OPTION_BOOL, "top.children", &report.children),
	OPT_KEY(OPTION_CALLBACK, "top.call-graph", &report.view.chain, .parse = parse_call_graph),
	OPT_SYMBOL_KEYS(&report.symbols),
	OPT_ANNOTATE_KEYS(&report.code),
	OPT_TUI_COLORS(&report.colors),
	OPT_KEY(OPTION_CALLBACK, "color.ui", &report.color, .parse = color__parse),
	OPT_KEY(OPTION_CALLBACK, "hist.percentage", &report.view.relative,
	        .parse = report__parse_percentage),
	{ OPTION_END },
};

static bool overwrite;

static const struct option options[] = {
	OPT_COUNT('v', "verbose", &report.verbose, "print more details"),
	OPT_BOOL(0, "stdio", &report.stdio, "print text, also on a terminal"),
	OPT_BOOL(0, "tui", &report.tui, "open the browser (the default on a terminal)"),
	OPT_UINT('d', "delay", &top.delay, "number",
	         "refresh after this many seconds (default: 2)"),
	OPT_BOOL('z', "zero", &top.zero, "start from zero after each refresh"),
	OPT_UINT('E', "entries", &top.nr_entries, "n", "print this many rows of each event"),
	OPT_UINT('f', "count-filter", &top.min_samples, "n",
	         "print only rows with at least this many samples"),
	OPT_BOOL('D', "dump-symtab", &top.dump_symbols,
	         "list at the end the objects that were seen"),
	OPT_GROUP("What to sample"),
	OPT_CALLBACK('e', "event", NULL, "event", "event to sample (see 'perf list')", pass_on),
	OPT_CALLBACK(0, "filter", NULL, "filter", "filter the preceding event in the kernel",
	             pass_on),
	OPT_CALLBACK('F', "freq", NULL, "freq or 'max'",
	             "take this many samples per second (default: 4000)", pass_on),
	OPT_CALLBACK('c', "count", NULL, "n", "take one sample every n events", pass_on),
	OPT_CALLBACK(0, "group", NULL, NULL, "put all events into one group", pass_on,
	             .flags = OPTION_NO_ARG),
	OPT_CALLBACK('g', NULL, NULL, NULL, "record call graphs by frame pointers", parse_g,
	             .flags = OPTION_NO_ARG),
	OPT_CALLBACK(0, "call-graph", &report.view.chain, "mode[,size]",
	             "record call graphs: fp or dwarf; then how to show them, as in report -g",
	             parse_call_graph),
	OPT_BOOL('b', "branch-any", &top.branches, "branch stacks (refused: use perf record -b)"),
	OPT_STRING('j', "branch-filter", &top.branch_filter, "filter",
	           "branch stacks (refused: use perf record -j)"),
	OPT_CALLBACK(0, "namespaces", NULL, NULL, "record the namespaces of tasks", pass_on,
	             .flags = OPTION_NO_ARG),
	OPT_CALLBACK(0, "all-cgroups", NULL, NULL, "record the cgroup of each sample", pass_on,
	             .flags = OPTION_NO_ARG),
	OPT_CALLBACK(0, "no-bpf-event", NULL, NULL, "omit records about BPF programs", pass_on,
	             .flags = OPTION_NO_ARG),
	OPT_CALLBACK('m', "mmap-pages", NULL, "pages",
	             "use rings of this size: pages, or 64K, 2M ...", pass_on),
	OPT_CALLBACK('r', "realtime", NULL, "n", "run the recorder with this real-time priority",
	             pass_on),
	OPT_BOOL(0, "overwrite", &overwrite, "accepted: the recorder empties its rings in time"),
	OPT_CALLBACK(0, "num-thread-synthesize", NULL, "n", "accepted; one is enough", pass_on),
	OPT_CALLBACK(0, "proc-map-timeout", NULL, "ms",
	             "accepted; maps are read without a time limit", pass_on),
	OPT_GROUP("Whom to watch"),
	OPT_CALLBACK('a', "all-cpus", NULL, NULL, "sample the whole system (default)", pass_on,
	             .flags = OPTION_NO_ARG),
	OPT_CALLBACK('C', "cpu", &top.cpus, "list", "sample these CPUs: 0-3,5", pass_on_and_keep),
	OPT_CALLBACK('p', "pid", &top.pids, "pid list", "sample these running processes",
	             pass_on_and_keep),
	OPT_CALLBACK('t', "tid", &top.tids, "tid list", "sample these running threads",
	             pass_on_and_keep),
	OPT_CALLBACK('u', "uid", &top.user, "user", "sample the processes of this user",
	             pass_on_and_keep),
	OPT_CALLBACK('G', "cgroup", NULL, "name",
	             "sample only tasks of this cgroup, for the preceding event", pass_on),
	OPT_CALLBACK('i', "no-inherit", NULL, NULL, "do not follow children", pass_on,
	             .flags = OPTION_NO_ARG),
	OPT_GROUP("What a row is, and which are shown"),
	OPT_STRING('s', "sort", &report.sort, "key[,key2...]",
	           "group by these (default: dso,symbol; +key: one more)"),
	OPT_STRING(0, "fields", &report.fields, "key[,key...]",
	           "show these columns (sort keys and figures); +key: one more"),
	OPT_STRING(0, "parent", &report.parent, "regex",
	           "define the sort key parent: the nearest caller whose name matches"),
	OPT_BOOL('K', "hide_kernel_symbols", &top.hide_kernel, "omit the kernel's code"),
	OPT_BOOL('U', "hide_user_symbols", &top.hide_user, "omit the code of programs"),
	OPT_CALLBACK(0, "comms", &report.view.hists.filter.comms, "comm[,comm...]",
	             "show only these commands", common_parse__names),
	OPT_CALLBACK(0, "dsos", &report.view.hists.filter.dsos, "dso[,dso...]",
	             "show only these dsos", common_parse__names),
	OPT_CALLBACK(0, "symbols", &report.view.hists.filter.symbols, "symbol[,symbol...]",
	             "show only these symbols", common_parse__names),
	OPT_EVENT_SWITCH(&report.event_switch),
	OPT_CALLBACK(0, "percent-limit", &report.view.percent_limit, "percent",
	             "hide rows and branches below this", report__parse_percent_limit),
	OPT_CALLBACK(0, "percentage", &report.view.relative, "relative|absolute",
	             "take what the filters let through, or everything (default), as 100 %",
	             report__parse_percentage),
	OPT_BOOL(0, "raw-trace", &report.raw_trace,
	         "print fields of tracepoints as numbers, not by their print format"),
	OPT_BOOL(0, "hierarchy", &report.view.hierarchy,
	         "show one level per sort key; {key,key} share one"),
	OPT_UINT(0, "group-sort-idx", &report.view.hists.sort_member, "n",
	         "sort a group's table by this event"),
	OPT_GROUP("Columns"),
	OPT_BOOL('n', "show-nr-samples", &report.view.show_samples, "show the number of samples"),
	OPT_BOOL(0, "show-total-period", &report.view.show_period, "show the sum of periods"),
	OPT_CALLBACK('w', "column-widths", NULL, "width[,width...]",
	             "set column widths; longer texts are cut; 0: as wide as needed",
	             report__parse_widths),
	OPT_CALLBACK(0, "stdio-color", &report.color, "always|never|auto",
	             "use colours; auto (default): on a terminal", color__parse,
	             .flags = OPTION_OPTIONAL_ARG | OPTION_NEXT_ARG, .fallback = "always"),
	OPT_GROUP("Call chains"),
	OPT_BOOL(0, "children", &report.children, "count callees with their callers (default)"),
	OPT_UINT(0, "max-stack", &report.max_stack, "frames",
	         "keep this many frames of each chain, from the leaf (default: 127)"),
	OPT_STRING(0, "ignore-callees", &report.ignored_callees, "regex",
	           "attribute what matching functions call to these functions"),
	OPT_ACCEPTED(0, "stitch-lbr", &report.accepted, ABOUT_BRANCHES, NULL, OPTION_NO_ARG),
	OPT_GROUP("Annotated code"),
	OPT_CALLBACK(0, "sym-annotate", &top.annotated, "symbol[,symbol...]",
	             "print the code of these functions below the rows", common_parse__names),
	OPT_ANNOTATE(&report.code),
	OPT_GROUP("Symbols"),
	OPT_BOOL(0, "force", &report.force, "accepted: no file is read"),
	OPT_SYMBOLS(&report.symbols),
	OPT_ADDR2LINE,
	{ OPTION_END },
};

static void add_word(const char *word)
{
	name_list__add(&top.record, word);
}

/* What the recorder is to do, beside what was said. */
static void complete_record_words(void)
{
	bool mode_said = false;

	for (u32 i = 0; i < top.record.nr; i++)
		mode_said |= !strncmp(top.record.names[i], "--call-graph", 12);
	if (!top.cpus && !top.pids && !top.tids && !top.user)
		add_word("--all-cpus");
	if (top.chains && !mode_said)
		add_word("-g");
	if (top.dwarf) /* we get chains, not stacks */
		add_word("--unwind-live");
}

/* 0 to go on, or the exit status after a message. */
static int parse_options(int argc, const char **argv)
{
	const char *only = NULL;
	struct error err = ERROR_INIT;
	int rest, ret;

	report.default_sort = SORT_DEFAULT;
	report.input = "-"; /* fields of tracepoints may be keys: checked when they are known */
	report.inline_frames = false;
	report.style.no_hint = report.style.skip_empty = true;
	report.verbose = perf_debug.verbose;
	ret = use_config(config_keys);
	if (!ret)
		ret = command_line__parse(argc, argv, usage, options, 0, &rest);
	if (ret)
		return ret;
	if (rest < argc)
		ret = error__set(&err, -EINVAL, "too many arguments", argv[rest],
		                 "it shows what runs: perf record and report show a command");
	if (!ret && top.pids && top.tids) {
		only = "--tid";
		ret = error__set(&err, -EINVAL, "-p and -t", NULL, "use only one of them");
	}
	if (!ret && !top.delay) {
		only = "--delay";
		ret = error__set(&err, -EINVAL, "-d wants seconds", "0", "at least 1");
	}
	if (!ret)
		ret = report__check_options(&only, &err);
	if (ret)
		return command_line__usage(&err, usage, options, only);
	complete_record_words();
	return 0;
}

/* ---- the run ---- */

bool top__take(struct top *self)
{
	self->ret = live_profile__take(&self->live, &self->err);
	self->ended |= self->ret <= 0;
	return !self->ended;
}

void top__set_zero(struct top *self, bool zero)
{
	self->zero = zero;
	self->live.half_life = zero ? 0 : HALF_LIFE;
}

void top__hide(struct top *self, bool *hidden)
{
	*hidden = !*hidden;
	live_profile__clear(&self->live);
}

void top__look(struct top *self)
{
	if (self->has_view)
		report__close_view(&self->view);
	live_profile__look(&self->live);
	report__open_view(&self->view, &self->live.session, &self->live.profile, &self->live.names);
	self->has_view = true;
	if (self->zero)
		live_profile__clear(&self->live);
	self->shown_at = clock__now_ns();
}

/* CPU time of ours and of the recorder's. */
static u64 cost(const struct top *self)
{
	struct rusage usage = { 0 };
	struct timespec ts = { 0 };
	clockid_t clock;

	getrusage(RUSAGE_SELF, &usage);
	if (!clock_getcpuclockid(self->recorder.pid, &clock))
		clock_gettime(clock, &ts);
	return (u64)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + ts.tv_sec) * 1000000000 +
	       (u64)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000 + ts.tv_nsec;
}

void top__print_event(const struct top *self, struct out *out)
{
	const struct evlist *evlist = self->live.session.evlist;
	const struct evsel *evsel = evlist->evsels[0];

	if (self->nr_events > 1)
		return out__printf(out, "%u events", self->nr_events);
	for (u32 i = evlist->nr; i > 0; i--)
		if (!evsel__is_dummy(evlist->evsels[i - 1]))
			evsel = evlist->evsels[i - 1];
	if (evsel->attr.freq)
		out__printf(out, "%lluHz ", (unsigned long long)evsel->attr.sample_freq);
	else
		out__printf(out, "%llu ", (unsigned long long)evsel->attr.sample_period);
	out__name(out, evsel->name);
}

/* "(all, 2 CPUs)" */
static void print_target(const struct top *self, struct out *out)
{
	long nr = sysconf(_SC_NPROCESSORS_ONLN);

	out__char(out, '(');
	if (self->pids)
		out__printf(out, "target_pid: %s", self->pids);
	else if (self->tids)
		out__printf(out, "target_tid: %s", self->tids);
	else if (self->user)
		out__printf(out, "uid: %s", self->user);
	else if (self->cpus)
		out__printf(out, "all, CPU%s: %s",
		            self->cpus[strspn(self->cpus, "0123456789")] ? "s" : "", self->cpus);
	else
		out__printf(out, "all, %ld CPU%s", nr, nr == 1 ? "" : "s");
	out__char(out, ')');
}

static double share(u64 part, u64 whole)
{
	return whole ? 100.0 * part / whole : 0;
}

void top__figures(struct top *self, struct top_figures *f)
{
	const struct live_counts *now = &self->live.counts, *then = &self->before;
	const struct session_stats *stats = &self->live.session.stats;
	u64 nr = now->all - then->all, spent = cost(self), span = clock__now_ns() - self->began_at;

	*f = (struct top_figures){
		.rate = span ? nr * 1e9 / span : 0,
		.kernel = share(now->kernel - then->kernel, nr),
		.exact = share(now->exact - then->exact, nr),
		.cost = share(spent - self->cost_before, span),
		.all_lost = stats->lost + stats->lost_samples,
		.throttled = stats->nr_records[PERF_RECORD_THROTTLE],
	};
	f->lost = f->all_lost - self->lost_before;
	self->before = *now;
	self->lost_before = f->all_lost;
	self->cost_before = spent;
	self->began_at += span;
}

void top__print_cost(const struct top *self, const struct top_figures *f, struct out *out)
{
	print_target(self, out);
	out__printf(out, "  perf: %.1f%% of a CPU", f->cost);
	if (f->throttled)
		out__printf(out, "  throttled: %llu", (unsigned long long)f->throttled);
	if (self->live.hide_kernel)
		out__str(out, "  without the kernel");
	if (self->live.hide_user)
		out__str(out, "  without programs");
	if (self->stopped)
		out__str(out, "  stopped");
	if (self->ended)
		out__str(out, "  the recording has ended");
}

/* What is shown of the stream that has begun. 0, or an exit status after a message, or @err. */
static int prepare(struct top *self, struct error *err)
{
	struct session *session = &self->live.session;
	u32 nr_tracepoints = 0;
	const char *only;

	for (u32 i = 0; i < session->evlist->nr; i++) {
		self->nr_events += !evsel__is_dummy(session->evlist->evsels[i]);
		nr_tracepoints += evsel__is_tracepoint(session->evlist->evsels[i]);
	}
	if (nr_tracepoints && nr_tracepoints == self->nr_events)
		report.default_sort = "trace";
	int ret = report__set_fields(session, &only, err);

	if (ret == -EINVAL)
		return command_line__usage(err, usage, options, only);
	if (ret)
		return ret;
	report__adapt_to(session);
	self->symbols = symbol_options__start(&report.symbols, session);
	trace_keys__use(report.trace_keys, session, self->symbols);
	return 0;
}

static int watch(struct top *self, struct error *err)
{
	int ret = prepare(self, err);

	if (ret)
		return ret;
	struct profile_options profile = report__profile_options();
	const struct live_options live = { .profile = &profile,
		                           .event_switch = &report.event_switch,
		                           .symbols = self->symbols,
		                           .trace_keys = report.trace_keys };

	top__set_zero(self, self->zero);
	self->live.hide_kernel = self->hide_kernel;
	self->live.hide_user = self->hide_user;
	ret = live_profile__start(&self->live, &live, err);
	self->began_at = self->shown_at = clock__now_ns();
	self->cost_before = cost(self);
	if (!ret)
		ret = report__browses() ? top__browse(self) : top__print_text(self, err);
	return ret;
}

static void dump_symbols(const struct top *self)
{
	const struct names *names = &self->live.names;

	for (u32 i = 0; i < names->nr_dso_names; i++)
		diag__line("dso: %s", names__dso(names, i));
	for (u32 i = 0; i < names->nr_syms; i++) {
		const char *name = sym__name(names, &names->syms[i]);

		if (name)
			diag__line("%16llx %s", (unsigned long long)names->syms[i].addr, name);
	}
}

static int run(struct top *self)
{
	struct error err = ERROR_INIT;
	char path[32];
	int ret = top_recorder__start(&self->recorder, &self->record, &err);

	if (ret) {
		diag__error(&err);
		return EXIT_ERROR;
	}
	signal(SIGPIPE, SIG_IGN);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", self->recorder.stream);
	ret = live_profile__open(&self->live, path, &err);
	if (ret) { /* the recorder has said why, as a rule */
		int status = top_recorder__stop(&self->recorder, false);

		if (!status)
			diag__error(&err);
		return status ? status : EXIT_ERROR;
	}
	top_recorder__note_begin(&self->recorder);
	ret = watch(self, &err);
	if (self->dump_symbols && self->live.named)
		dump_symbols(self);
	if (self->has_view)
		report__close_view(&self->view);
	symbol_options__end(&report.symbols, self->symbols, report.verbose);
	trace_keys__delete(report.trace_keys);
	live_profile__close(&self->live);
	int status = top_recorder__stop(&self->recorder, ret || self->left || !self->ended);

	if (!ret && self->ret < 0)
		err = self->err;
	if (err.code && ret <= 0) /* else it was said with the usage */
		diag__error(&err);
	return ret > 0 ? ret : ret || self->ret < 0 ? EXIT_ERROR : status;
}

int cmd_top(int argc, const char **argv)
{
	top.words = argv;
	top.nr_words = argc;
	int ret = parse_options(argc, argv);

	if (!ret && (top.branches || top.branch_filter)) {
		diag__say_error("cannot record branch stacks: top shows where samples are, not "
		                "what led there\n"
		                "perf record -b keeps branches, and perf report shows them");
		ret = EXIT_ERROR;
	}
	if (!ret)
		ret = run(&top);
	name_list__exit(&top.record);
	name_list__exit(&top.annotated);
	report__free_options();
	return ret;
}
