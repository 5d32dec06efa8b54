// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf report: session -> profile -> names -> entries -> text. What it could not
 * use, and why, goes to stderr before the table. Options: builtin-report-options.c.
 */
#include "builtin-report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/dump/dump.h"
#include "ui/dump/file_stats.h"
#include "ui/dump/header.h"
#include "ui/dump/task_list.h"
#include "ui/json/report_json.h"
#include "ui/options/report_filters.h"
#include "ui/term/diag.h"
#include "ui/term/interrupt.h"
#include "ui/term/pager.h"
#include "ui/term/progress.h"
#include "ui/text/callers_text.h"
#include "ui/text/health_table.h"
#include "ui/text/key_list.h"
#include "ui/text/loss_table.h"
#include "ui/text/report_problems.h"
#include "ui/text/thread_table.h"
#include "util/chains/inlines.h"
#include "util/health/health_judge.h"
#include "util/health/health_text.h"
#include "util/lib/alloc.h"
#include "util/lib/workers.h"
#include "util/stream/stream.h"
#include "util/stream/unwound.h"
#include "util/view/blocks.h"
#include "util/view/confidence.h"
#include "util/view/hist_filter.h"

/* One group of all events for --group; the halves of one stand behind them. */
static void group_all(struct evlist *evlist)
{
	u32 nr = 0;

	while (nr < evlist->nr && evlist->evsels[nr]->same_as == nr)
		nr++;
	for (u32 i = 0; i < nr; i++) {
		evlist->evsels[i]->leader = 0;
		evlist->evsels[i]->nr_members = i ? 1 : nr;
	}
}

/* Which events share a table. */
static void adapt_groups(struct session *session)
{
	struct evlist *evlist = session->evlist;
	bool there = false;

	for (u32 i = 0; i < evlist->nr; i++)
		there |= evlist->evsels[i]->nr_members > 1;
	report.style.group_made = report.group && report.group_said && !there;
	report.view.hists.groups = report.group && (there || report.style.group_made) &&
	                           !report.json && !report.callers_callees;
	if (report.style.group_made)
		group_all(evlist);
}

/* Chains that were not recorded cannot be shown; say so only when they were asked for. */
static void adapt_chains(const struct session *session)
{
	struct chain_options *chain = &report.view.chain;
	struct error err = ERROR_INIT;
	bool there = session__has_chains(session);

	report.chains_missing =
	        !there && !report.branches && (report.children || chain->mode != CHAIN_NONE);
	report.children &= there && !report.confidence;
	if (!there && !report.branch_frames) {
		if (report.chains_asked && chain->mode != CHAIN_NONE) {
			error__set(&err, -EINVAL, "no call chains in", report.input,
			           "it was recorded without them");
			error__advise(&err, "record with -g to see them here");
			diag__warning(&err);
		}
		chain->mode = CHAIN_NONE;
	}
	if (report.branch_history && !report.branch_frames) {
		error__set(&err, -EINVAL, "no branches in", report.input,
		           "it was recorded without them");
		error__advise(&err, "record with -b to see them here");
		diag__warning(&err);
	}
	if (report.branch_history && report.branch_frames && chain->key == CHAIN_BY_FUNCTION)
		chain->key = CHAIN_BY_ADDRESS;
	if (chain->order == CHAIN_ORDER_DEFAULT)
		chain->order =
		        report.children && !report.branch_frames ? CHAIN_CALLER : CHAIN_CALLEE;
}

void report__adapt_to(struct session *session)
{
	adapt_groups(session);
	if (report.branches || report.mem_mode) {
		report.children = false;
		if (!report.chains_asked || report.branches)
			report.view.chain.mode = CHAIN_NONE;
	}
	adapt_chains(session);
	report.children &= !report.view.hierarchy && !report.callers_callees;
	report.view.hists.children = report.children;
	report.view.hists.callers_first = report.children && report.view.chain.mode != CHAIN_NONE;
	report.view.hists.caller_order = report.view.chain.order == CHAIN_CALLER;
}

static bool needs_symbols(void)
{
	const struct hist_options *hists = &report.view.hists;

	return hists->keys.needs & KEY_NEEDS_SYMBOLS || report.view.chain.mode != CHAIN_NONE ||
	       report__needs_parents() || report.ignored_callees || report.callers_callees ||
	       hists->filter.symbols.nr || hists->symbol_part || hists->hide_unresolved;
}

/* ---- the work ---- */

/* Frames of the kernel are expanded only for --inline: its debug information is large. */
static void expand_inlines(const struct session *session, struct names *names,
                           struct chains *chains)
{
	if (!report.inline_frames || !needs_symbols() || report.branch_frames)
		return;
	inlines__expand(chains, names,
	                (unwound__in_all(session) ? INLINES_CALL_ADDRESSES : 0) |
	                        (report.inline_asked ? INLINES_KERNEL : 0),
	                workers__default());
}

static bool is_shown(const void *ctx, const struct row *row)
{
	return hist_filter__shows(ctx, row);
}

/* Judging how far chains can be believed, while functions are named and rows put in order. */
struct judging {
	const struct session *session;
	struct profile *profile;
	struct session_symbols *symbols;
	bool filters;
	struct hist_filter filter; /* if so; it reads ... */
	struct names names;        /* ... these, as they were found: others add to them meanwhile */
	struct chains chains;      /* as built: of the filter */
	pthread_t thread;
	bool apart; /* on a thread of its own */
};

static void *judge(void *ctx)
{
	struct judging *self = ctx;
	const struct row_filter shown = { is_shown, &self->filter };

	health__judge(self->profile, self->session, self->symbols, self->filters ? &shown : NULL);
	return NULL;
}

/*
 * @names need not be found yet if @options filter nothing. @beside: there is something else to do
 * until judging__wait().
 */
static void judging__start(struct judging *self, const struct session *session,
                           struct profile *profile, const struct names *names,
                           const struct hist_options *options, bool beside)
{
	*self = (struct judging){
		.session = session,
		.profile = profile,
		.symbols = names->symbols,
		.filters = hist_options__filter(options),
	};
	chains__init(&self->chains, profile);
	if (self->filters) {
		size_t size = names->nr_locs * sizeof(*names->sym_of_loc);

		self->names = *names;
		self->names.sym_of_loc = xmalloc(size + 1);
		memcpy(self->names.sym_of_loc, names->sym_of_loc, size);
		hist_filter__init(&self->filter, &self->chains, &self->names, options);
	}
	self->apart = beside && names->flags & NAMES_SYMBOLS && workers__default() > 1 &&
	              !workers__start(&self->thread, NULL, judge, self);
}

static void judging__wait(struct judging *self)
{
	if (self->apart)
		pthread_join(self->thread, NULL);
	else
		judge(self);
	if (self->filters) {
		hist_filter__exit(&self->filter);
		free(self->names.sym_of_loc);
	}
}

void report__judge(const struct session *session, struct profile *profile,
                   const struct names *names, const struct hist_options *options)
{
	struct judging judging;

	judging__start(&judging, session, profile, names, options, false);
	judging__wait(&judging);
}

/* What could not be used or named of what is shown. */
static void say_problems(const struct session *session, const struct view *view)
{
	struct hist_filter filter;
	const struct row_filter shown = { is_shown, &filter };

	hist_filter__init(&filter, view->chains, view->names, &report.view.hists);
	if (report.children || report.view.chain.mode != CHAIN_NONE)
		report_problems__say_stacks(session);
	report_problems__say(session, view->chains->profile, view->names->symbols,
	                     hist_options__filter(&report.view.hists) ? &shown : NULL,
	                     report.verbose);
	hist_filter__exit(&filter);
}

/* Sampled in lockstep with the work: nothing that is shown tells how the time was really spent. */
static void say_lockstep(const struct view *view)
{
	const struct evlist *evlist = view->names->session->evlist;

	for (u32 i = 0; view->confidence && i < evlist->nr; i++) {
		const struct event_lockstep *found = &view->confidence->events[i].lockstep;
		struct error err = ERROR_INIT;
		char what[96];

		if (!found->round)
			continue;
		snprintf(what, sizeof(what), "%llu samples were taken in lockstep with the work by",
		         (unsigned long long)found->nr_samples);
		error__set(&err, -EINVAL, what, evlist->evsels[i]->name,
		           "always the same %u moments of it were hit, so shares may be wrong, and "
		           "more samples do not help",
		           found->round);
		error__advise(&err, "record with a period that is no round number (-F 997)");
		diag__warning(&err);
	}
}

static int print_json(struct out *out, const struct session *session, struct view *view,
                      struct error *err)
{
	struct losses losses;

	if (report.nr_inputs > 1) {
		report_json__print_sum(out, view, out__take(&report.recordings));
		return 0;
	}
	int ret = losses__collect(&losses, session, err);

	if (!ret)
		report_json__print(out, view, &losses);
	losses__exit(&losses);
	return ret;
}

static void print_callers(struct out *out, struct view *view)
{
	const struct callers_style style = { .functions = &report.callers_of,
		                             .quiet = report.style.quiet,
		                             .colored = report.style.colored };

	report_filters__say_symbols(&view->hists, &report.callers_of);
	callers_text__print(out, view, &style);
}

static void print_blocks(struct out *out, struct view *view)
{
	struct hist_filter filter;
	struct blocks blocks;

	hist_filter__init(&filter, view->chains, view->names, &report.view.hists);
	blocks__init(&blocks, &filter, report.view.relative);
	report.style.blocks = &blocks;
	report_stdio__print(out, view, &report.style);
	report.style.blocks = NULL;
	blocks__exit(&blocks);
	hist_filter__exit(&filter);
}

static int print_view(struct out *out, const struct session *session, struct profile *profile,
                      struct view *view, struct error *err)
{
	int ret = 0;

	report.style.lost =
	        (struct loss_view){ .cpu_set = report.view.hists.filter.cpu_set,
		                    .nr_cpu_set = report.view.hists.filter.nr_cpu_set,
		                    .times = report.view.hists.filter.times,
		                    .filtered = hist_options__filter(&report.view.hists) };
	if (report.operand && profile->nr_rows)
		ret = report_filters__check_operand(&view->hists, report.operand, err);
	/* Before the table: behind 600 lines nobody reads it. */
	if (!report.style.quiet) {
		say_problems(session, view);
		say_lockstep(view);
		if (!ret)
			report_filters__say(&view->hists);
	}
	if (!ret && report.callers_callees)
		print_callers(out, view);
	else if (!ret && report.json)
		ret = print_json(out, session, view, err);
	else if (!ret && report.blocks)
		print_blocks(out, view);
	else if (!ret && !(report__browses() && !report__browse(session, profile, view)))
		report_stdio__print(out, view, &report.style);
	return ret;
}

static bool needs_source(void)
{
	const struct chain_options *chain = &report.view.chain;

	return report.view.hists.keys.needs & KEY_NEEDS_SOURCE ||
	       (chain->mode != CHAIN_NONE &&
	        (chain->key == CHAIN_BY_LINE ||
	         (chain->key == CHAIN_BY_ADDRESS && report.branch_frames)));
}

void report__open_view(struct report_view *self, const struct session *session,
                       const struct profile *profile, struct names *names)
{
	chains__init(&self->chains, profile);
	expand_inlines(session, names, &self->chains);
	if (report.view.hists.hide_unresolved)
		chains__drop_unnamed(&self->chains, names);
	if (report.ignored_callees)
		chains__ignore_callees(&self->chains, names, &report.ignored_regex);
	self->has_source = needs_source();
	if (self->has_source) {
		source__init(&self->source, names, profile,
		             report.full_source_path ? SOURCE_FULL_PATH : 0, workers__default());
		report.view.hists.source = &self->source;
	}
	progress__say("putting rows in order");
	report.view.show_confidence = report.confidence;
	report.view.workers = workers__default();
	view__init(&self->view, &self->chains, names, &report.view);
	if (report.confidence) {
		confidence__init(&self->confidence, &self->view, report.slice_key);
		self->view.confidence = &self->confidence;
	}
	progress__stop();
}

void report__judge_again(struct report_view *self)
{
	confidence__exit(&self->confidence);
	confidence__init(&self->confidence, &self->view, report.slice_key);
}

void report__close_view(struct report_view *self)
{
	if (self->view.confidence)
		confidence__exit(&self->confidence);
	view__exit(&self->view);
	if (self->has_source)
		source__exit(&self->source);
	chains__exit(&self->chains);
}

static int print_report(struct out *out, const struct session *session, struct profile *profile,
                        struct session_symbols *symbols, struct error *err)
{
	const struct hist_options *options = &report.view.hists;
	bool filters = hist_options__filter(options);
	struct report_view view;
	struct judging judging;
	struct names names;

	progress__say("naming functions");
	names__load(&names, profile, session, symbols,
	            (needs_symbols() ? NAMES_SYMBOLS : 0) |
	                    (report.whole_dsos ? NAMES_WHOLE_DSOS : 0),
	            workers__default());
	if (!filters)
		judging__start(&judging, session, profile, &names, options, true);
	names__find(&names);
	if (filters)
		judging__start(&judging, session, profile, &names, options, true);
	report__open_view(&view, session, profile, &names);
	judging__wait(&judging);
	int ret = print_view(out, session, profile, &view.view, err);

	report__close_view(&view);
	names__exit(&names);
	return ret;
}

/* When it was recorded, or each of several was. */
static void advise_times(const struct session *session, struct error *err)
{
	char spans[sizeof(err->advice)] = "";
	size_t len = 0;

	for (u32 i = 0; i < report.nr_spans && len < sizeof(spans); i++)
		len += snprintf(spans + len, sizeof(spans) - len, "%s'%s' is from %.6f to %.6f",
		                i ? ", " : "", report.inputs[i], report.spans[i].first / 1000 / 1e6,
		                report.spans[i].last / 1000 / 1e6);
	if (report.nr_spans > 1)
		error__advise(err, "%s", spans);
	else
		error__advise(err, "the recording is from %.6f to %.6f",
		              session->stats.first_time / 1000 / 1e6,
		              session->stats.last_time / 1000 / 1e6);
}

/* Why there are no rows. */
static void say_empty(const struct session *session)
{
	const struct sample_filter *passing = &report.view.hists.filter;
	const char *filter = passing->in_parts     ? "--switch-on, --switch-off"
	                     : !report.style.times ? "-C"
	                     : passing->cpu_set    ? "-C and --time"
	                                           : "--time";
	u64 nr = session->stats.nr_records[PERF_RECORD_SAMPLE]; /* of several -i, of all */
	struct error err = ERROR_INIT;
	char what[96];

	if (!nr) {
		diag__say_warning("the '%s' data has no samples", report.input);
	} else if (passing->cpu_set || report.style.times || passing->in_parts) {
		snprintf(what, sizeof(what), "none of the %llu samples passes %s",
		         (unsigned long long)nr, filter);
		error__set(&err, -ENODATA, what, NULL, "%s", "");
		if (report.style.times)
			advise_times(session, &err);
		else if (passing->cpu_set)
			error__advise(&err, "--sort cpu without -C shows which CPUs have samples");
		diag__warning(&err);
	}
}

static int print_threads(const struct session *session, struct out *out, struct error *err)
{
	struct thread_counts counts;
	int ret = report.threads ? thread_counts__collect(&counts, session, err) : 0;

	if (report.threads) {
		thread_table__print(out, &counts);
		thread_counts__exit(&counts);
	}
	return ret;
}

static int print_profile(struct session *session, struct out *out, struct error *err)
{
	struct profile profile;
	const char *only;
	int ret = report.view.hists.filter.cpu_set ? report_problems__need_cpus(session, err) : 0;

	if (!ret && report.socket_said)
		ret = report_problems__need_sockets(session, err);
	if (ret)
		return ret;
	ret = report__set_fields(session, &only, err);
	if (ret == -EINVAL) {
		ret = report__usage(err, only);
		*err = (struct error)ERROR_INIT;
	}
	if (ret)
		return ret;
	ret = report__check_sum_keys(err);
	if (ret)
		return ret;
	report__adapt_to(session);

	struct session_symbols *symbols = NULL;

	ret = report__build(session, &report.view.hists.filter, &profile, &symbols, err);
	if (!ret)
		ret = report__add_files(session, &profile, err);
	if (ret)
		return ret;
	if (!symbols)
		symbols = symbol_options__start(&report.symbols, session);
	ret = print_report(out, session, &profile, symbols, err);
	if (!ret)
		ret = print_threads(session, out, err);
	out__flush(out);
	if (!profile.nr_rows)
		say_empty(session);
	symbol_options__end(&report.symbols, symbols, report.verbose);
	profile__exit(&profile);
	return ret;
}

static int print_dump(struct session *session, struct out *out, struct error *err)
{
	const struct stream_options order = { .order = STREAM_AS_PERF };
	struct stream *stream = stream__new(session, &order, err);
	const struct record *record;

	if (!stream)
		return err->code;
	struct session_symbols *symbols = symbol_options__start(&report.symbols, session);
	struct dump *dump = dump__new(session, symbols, out, 0);

	if (!report.style.no_hint && !report.style.quiet)
		report_stdio__hint(out);
	while (!out->error && (record = stream__record(stream)))
		dump__record(dump, record);
	file_stats__print(out, session, report.style.skip_empty ? FILE_STATS_SKIP_EMPTY : 0);
	out__flush(out);
	int ret = stream__error(stream, err);

	if (!report.style.quiet) {
		struct profile seen = { .problems.nr_broken = dump__counts(dump)->nr_broken };

		report_problems__say(session, &seen, symbols, NULL, report.verbose);
	}
	dump__delete(dump);
	stream__delete(stream);
	symbol_options__end(&report.symbols, symbols, report.verbose);
	return ret;
}

static int print_losses(const struct session *session, struct out *out, struct error *err)
{
	struct losses losses;
	int ret = losses__collect(&losses, session, err);
	bool filtered = report.view.hists.filter.cpu_set || report.view.hists.filter.times.nr ||
	                hist_options__filter(&report.view.hists);

	if (filtered && !report.json)
		out__str(out, "# The whole recording: filters do not apply to --losses\n");
	if (report.json)
		loss_table__print_json(out, &losses, session->evlist);
	else if (report.losses_by_time)
		loss_table__print_slots(out, &losses);
	else
		loss_table__print(out, &losses, session->evlist);
	losses__exit(&losses);
	return ret;
}

static int print_health(struct session *session, struct out *out, struct error *err)
{
	const struct hist_options *filters = &report.view.hists;
	struct session_symbols *symbols = symbol_options__start(&report.symbols, session);
	struct profile_options options = report__profile_options();
	struct profile profile;
	struct names names;

	options.chains = true;
	report.view.hists.children = report.children;
	int ret = profile__build(&profile, session, &options, err);

	if (!ret) {
		names__init(&names, &profile, session, symbols,
		            filters->filter.symbols.nr || filters->symbol_part ? NAMES_SYMBOLS : 0,
		            workers__default());
		report__judge(session, &profile, &names, &report.view.hists);
		if (report.json) {
			health_text__json(out, &profile.health, session, 0);
			out__char(out, '\n');
		} else {
			health_table__print(out, &profile.health, session);
		}
		names__exit(&names);
		profile__exit(&profile);
	}
	symbol_options__end(&report.symbols, symbols, report.verbose);
	return ret;
}

/* What is shown instead of the profile. */
static int print_lists(struct session *session, struct out *out, struct error *err)
{
	unsigned skip = report.style.skip_empty ? FILE_STATS_SKIP_EMPTY : 0;
	int ret = session__scan(session, err);

	if (ret)
		return ret;
	if (report.dump)
		return print_dump(session, out, err);
	if (report.losses || report.stack_health)
		ret = report__find_parts(session, &report.view.hists.filter, err);
	if (ret)
		return ret;
	if (report.losses)
		ret = print_losses(session, out, err);
	else if (report.stack_health)
		ret = print_health(session, out, err);
	else if (report.tasks || report.mmaps)
		task_list__print(out, session, report.mmaps);
	else
		file_stats__print(out, session, FILE_STATS_LOST | skip);
	out__flush(out);
	if (!report.style.quiet)
		report_problems__say_records(session, report.verbose);
	return ret;
}

static int run(struct session *session, struct out *out, struct error *err)
{
	int ret = accepted__check(&report.accepted, session, err);

	if (ret)
		return ret;
	if (report.instead)
		return print_lists(session, out, err);
	return print_profile(session, out, err);
}

static int report_file(struct out *out)
{
	struct error err = ERROR_INIT;
	struct session session;

	/* A symbol was surely not meant where none is looked for. */
	if (report.operand && (report.instead || report.header_only ||
	                       (report.input_is_default && access(report.input, F_OK)))) {
		report_filters__no_file(report.operand, &err);
		diag__error(&err);
		return EXIT_ERROR;
	}
	if (!report.instead && !report.header && !report.header_only && !report.style.quiet &&
	    !pager__is_on())
		progress__start("reading the recording");
	interrupt__leave_first(report.input);
	int ret = session__open(&session, report.input, report.force ? PERF_DATA_FORCE : 0, &err);

	interrupt__back();
	if (!ret) {
		progress__read(session.data);
		if ((report.header && !report.json) || report.header_only)
			header__print(out, session.data, report.show_info);
		report.style.no_hint = report.header;
		if (!report.header_only) {
			ret = run(&session, out, &err);
		} else {
			out__flush(out);
			report_problems__say_file(session.data);
		}
		progress__stop();
		trace_keys__delete(report.trace_keys);
		report.trace_keys = NULL;
		session__close(&session);
	}
	progress__stop();
	if (!ret)
		return 0;
	if (err.code)
		diag__error(&err);
	return ret > 0 ? ret : EXIT_ERROR;
}

int cmd_report(int argc, const char **argv)
{
	struct out out;
	int ret = report__parse_options(argc, argv);

	if (!ret) {
		if (!report__browses())
			page_output();
		out__init(&out, STDOUT_FILENO);
		if (report.list_keys)
			key_list__print(&out);
		else
			ret = report_file(&out);
		out__exit(&out);
		if (!ret && diag__cannot_write(out.error, "cannot write the report", NULL))
			ret = 1;
	}
	report__free_options();
	return ret;
}
