// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What perf report sorts by and shows: from -s, -F, -p and their kin to keys and figures, with the
 * defaults that depend on the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-report.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/reader/feature_cursor.h"
#include "util/reader/features.h"

#define PARENT_DEFAULT "^sys_|^do_page_fault"
#define SORT_BRANCHES  "comm,dso_from,symbol_from,symbol_to,cycles"
#define SORT_HISTORY   "srcline,symbol,dso"
#define SORT_BLOCKS    "dso,symbol" /* what filters are about */
#define SORT_MEMORY                                                                                \
	"local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat"
/* Linux's perf says it with a key that only powerpc has. */
#define SORT_MEMORY_SAID SORT_MEMORY ",local_p_stage_cyc"

/* "10ms": a number with its unit. */
static int parse_quantum(const char *text, u64 *ns, struct error *err)
{
	static const struct {
		const char *name;
		u64 ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	char *end;
	double number = strtod(text, &end);

	for (u32 i = 0; i < ARRAY_SIZE(units); i++) {
		*ns = number > 0 && number < 1e9 ? number * units[i].ns : 0;
		if (!strcmp(end, units[i].name) && *ns)
			return 0;
	}
	return error__set(err, -EINVAL, "not a span of time", text, "for example 10ms");
}

static int make_time_key(struct error *err)
{
	u64 quantum = 0;
	int ret = parse_quantum(report.time_quantum, &quantum, err);

	if (!ret) {
		free(report.time_key);
		report.time_key = key_time__new(quantum);
	}
	return ret;
}

/* Once: *@compiled. */
static int compile(regex_t *regex, bool *compiled, const char *pattern, struct error *err)
{
	char why[128];

	if (*compiled)
		return 0;
	int ret = regcomp(regex, pattern, REG_EXTENDED | REG_NOSUB);

	if (ret) {
		regerror(ret, regex, why, sizeof(why));
		return error__set(err, -EINVAL, "not a regular expression", pattern, "%s", why);
	}
	*compiled = true;
	return 0;
}

static int compile_functions(const char **only, struct error *err)
{
	int ret = 0;

	if (report__needs_parents()) {
		*only = "--parent";
		ret = compile(&report.parent_regex, &report.parent_compiled,
		              report.parent ? report.parent : PARENT_DEFAULT, err);
		report.view.hists.parent = &report.parent_regex;
	}
	if (!ret && report.ignored_callees) {
		*only = "--ignore-callees";
		ret = compile(&report.ignored_regex, &report.ignored_compiled,
		              report.ignored_callees, err);
	}
	return ret;
}

bool report__needs_parents(void)
{
	return report.view.hists.keys.needs & KEY_NEEDS_PARENT || report.exclude_other;
}

static enum key_kind kind_of_rows(void)
{
	return report.branches ? KEY_OF_BRANCHES : report.mem_mode ? KEY_OF_MEMORY : KEY_PLAIN;
}

static bool has_only_tracepoints(const struct session *session)
{
	const struct evlist *evlist = session->evlist;
	u32 i = 0;

	while (i < evlist->nr && evsel__is_tracepoint(evlist->evsels[i]))
		i++;
	return i && i == evlist->nr;
}

/* What stands for -s, and what it adds to with "+". */
static const char *default_sort(const struct session *session)
{
	if (report.blocks)
		return SORT_BLOCKS;
	if (report.branch_history)
		return SORT_HISTORY;
	if (report.branches)
		return SORT_BRANCHES;
	if (report.mem_mode)
		return SORT_MEMORY;
	return session && has_only_tracepoints(session) ? "trace" : report.default_sort;
}

/* The list of sort keys as one text, to be freed; NULL: none was given where -F says it all. */
static char *sort_text(const struct session *session)
{
	const char *sort = report.blocks ? NULL : report.sort;
	char *text;

	if (!sort && report.fields && *report.fields != '+')
		return NULL;
	text = sort && *sort == '+' ? xasprintf("%s,%s", default_sort(session), sort + 1)
	                            : xstrdup(sort ? sort : default_sort(session));
	if (!report.parent)
		return text;
	char *with = xasprintf("%s,parent", text);

	free(text);
	return with;
}

/* Intervals need to know when samples were taken. */
static int check_confidence(const struct session *session, struct error *err)
{
	if (!report.confidence)
		return 0;
	for (u32 i = 0; i < session->evlist->nr; i++)
		if (session->evlist->evsels[i]->attr.sample_type & PERF_SAMPLE_TIME)
			return 0;
	error__set(err, -ENODATA, "no --confidence for", report.input,
	           "its samples have no times, by which bursts are found");
	return error__advise(err, "record with -T to have them");
}

static int check_fields(const struct session *session, struct error *err)
{
	const struct sort_keys *keys = &report.view.hists.keys;

	/* Without the file it is not known yet whether it is about branches. */
	if (!session)
		return 0;
	int ret = sort_keys__check_kind(keys, kind_of_rows(), err);

	if (!ret)
		ret = sort_keys__check(keys, session->evlist, err);
	if (!ret)
		ret = check_confidence(session, err);
	if (!ret && keys->needs & KEY_NEEDS_CHAINS && !session__has_chains(session)) {
		error__set(err, -ENODATA, "cannot sort by", "parent", "no sample has a call chain");
		ret = error__advise(err, "record with -g to have them");
	}
	return ret;
}

bool report__has_branches(const struct session *session, bool *shown)
{
	bool feature = perf_data__has_feature(session->data, FEATURE_BRANCH_STACK);
	u64 types = 0, kinds = 0;

	for (u32 i = 0; i < session->evlist->nr; i++) {
		types |= session->evlist->evsels[i]->attr.sample_type;
		kinds |= session->evlist->evsels[i]->attr.branch_sample_type;
	}
	bool there = feature || types & PERF_SAMPLE_BRANCH_STACK;

	*shown = feature || (there && !(kinds & PERF_SAMPLE_BRANCH_CALL_STACK));
	return there;
}

static int use_branches(const struct session *session, struct error *err)
{
	bool shown, there = report__has_branches(session, &shown);

	if (!report.branches_said)
		report.branches = shown && !report.mem_mode;
	report.branch_frames = there && (report.branch_history || report.view.chain.branches);
	report.view.chain.branches = report.branch_frames;
	report.branches &= !report.branch_history;
	report.blocks = report.total_cycles && there;
	report.branches |= report.blocks;
	if (!report.branches || there)
		return 0;
	error__set(err, -ENODATA, "no branches in", report.input, "no sample has them");
	return error__advise(err, "record with -b to have them");
}

/* Entries of --mem-mode count with the weights of samples. */
static int use_weights(const struct session *session, struct error *err)
{
	u64 types = 0;

	for (u32 i = 0; i < session->evlist->nr; i++)
		types |= session->evlist->evsels[i]->attr.sample_type;
	if (!report.mem_mode || types & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		return 0;
	error__set(err, -ENODATA, "no accesses to memory in", report.input,
	           "no sample has a weight, with which they count");
	return error__advise(err, "record with -W -d, of an event of memory accesses");
}

/* @text, which is freed, with the fields of tracepoints in place of the words that mean them. */
static char *expand(char *text)
{
	if (!text || !report.trace_keys)
		return text;
	char *expanded = trace_keys__expand(report.trace_keys, text);

	free(text);
	return expanded;
}

/* Keys that only this command line and this file have: for sort_keys__find(). */
static const struct key **list_of_made_keys(void)
{
	const struct key *const *traced =
	        report.trace_keys ? trace_keys__list(report.trace_keys) : NULL;
	const struct key **list;
	u32 nr = 0, at = 0;

	while (traced && traced[nr])
		nr++;
	list = xcalloc(nr + 3, sizeof(*list));
	if (report.time_key)
		list[at++] = report.time_key;
	if (report.parallelism_key)
		list[at++] = report.parallelism_key;
	for (u32 i = 0; i < nr; i++)
		list[at++] = traced[i];
	return list;
}

/* Was it recorded with --latency? */
static bool is_about_latency(const struct session *session)
{
	struct cursor c = perf_data__feature_cursor(session->data, FEATURE_CMDLINE);
	u32 nr = cursor__u32(&c);

	for (u32 i = 0; i < nr && !c.failed; i++) {
		const char *word = cursor__feature_string(&c);

		if (!c.failed && !strcmp(word, "--latency"))
			return true;
	}
	return false;
}

/* Which latencies are shown, and whether they are needed at all. */
static void set_latency(const struct session *session)
{
	struct view_options *view = &report.view;
	bool named = view->sort.names_latency || view_fields__has(&view->fields, VIEW_LATENCY);

	view->latency_leads = report.latency;
	report.latency_said = report.latency || named || view->hists.running.nr ||
	                      sort_keys__has(&view->hists.keys, report.parallelism_key);
	view->show_latency =
	        report.latency || named || (is_about_latency(session) && report.nr_inputs < 2);
	view->hists.parallelism =
	        report.latency_said || view->show_latency ? report.parallelism_key : NULL;
}

/* An unknown word that is near no key may be near a field of this file. */
static void propose_trace(struct error *err)
{
	if (err && !strcmp(err->what, SORT_KEYS_UNKNOWN) && !*err->advice && report.trace_keys)
		trace_keys__propose(report.trace_keys, err->subject, err);
}

int report__set_fields(const struct session *session, const char **only, struct error *err)
{
	struct sort_keys *keys = &report.view.hists.keys;
	const struct key **more;
	int ret = 0;

	*only = "--time-quantum";
	if (report.time_quantum)
		ret = make_time_key(err);
	if (!ret && session)
		ret = use_branches(session, err);
	if (!ret && session)
		ret = use_weights(session, err);
	if (ret)
		return ret;
	if (session && !report.trace_keys)
		report.trace_keys = trace_keys__new(session, report.raw_trace);
	if (!report.parallelism_key)
		report.parallelism_key = key_parallelism__new(&report.parallelism);
	char *fields = expand(report.fields && !report.blocks ? xstrdup(report.fields) : NULL),
	     *sort = expand(sort_text(session));

	more = list_of_made_keys();

	*keys = (struct sort_keys){ .nr = 0 };
	*only = "--fields";
	ret = view_fields__parse(&report.view.fields, fields, keys, more, err);
	if (!ret) {
		*only = "--sort";
		ret = view_fields__parse(&report.view.sort, sort, keys, more, err);
	}
	propose_trace(err);
	if (report.blocks)
		keys->needs |= KEY_NEEDS_SOURCE;
	if (!ret && session)
		set_latency(session);
	if (!ret)
		ret = check_fields(session, err);
	if (!ret)
		ret = compile_functions(only, err);
	free(more);
	free(fields);
	free(report.sort_text);
	report.sort_text = sort;
	report.view.hists.parents_only = report.exclude_other;
	report.view.hists.has_socket = report.socket_said;
	report.view.hists.socket = report.socket;
	report.style.memory_order = !report.mem_mode                       ? NULL
	                            : report.sort || report.branch_history ? sort
	                                                                   : SORT_MEMORY_SAID;
	return ret;
}
