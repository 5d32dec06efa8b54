// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole perf.data file to the text of a report: machine, profile, names, entries, call chains.
 * No real file is opened for symbols (symfs), so that runs are quick and equal everywhere.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "ui/text/health_table.h"
#include "ui/text/report_stdio.h"
#include "util/health/health_judge.h"
#include "util/health/health_text.h"
#include "util/machine/session.h"
#include "util/reader/reads.h"

struct reported {
	struct session *session;
	struct profile profile;
	struct session_symbols *symbols;
};

/* Nothing in it may steer a terminal, whatever names the file has. */
static void check_text(const char *text)
{
	for (; *text; text++)
		FUZZ_CHECK(*text == '\n' || *text == '\t' || (u8)*text >= ' ');
}

/* Every row has its cells, and each sample is in one entry. */
static void open_rows(struct view *view)
{
	for (u32 evsel = 0; evsel < view->names->session->evlist->nr; evsel++) {
		u64 count = 0;

		view__open_all(view, evsel, true);
		for (u32 i = 0; i < view__nr_rows(view, evsel); i++) {
			struct view_row row;
			struct cell cell;

			view__row(view, evsel, i, &row);
			for (u32 c = 0; c < view->nr_columns; c++)
				view__cell(view, &row, c, &cell);
			if (row.kind == VIEW_FRAME)
				check_text(view__frame(view, &row));
			else if (row.kind == VIEW_ENTRY)
				count += row.count;
		}
		FUZZ_CHECK(count == view->hists.events[evsel].count);
	}
}

static void print(struct reported *r, const char *keys, bool children, enum chain_order order)
{
	struct view_options options = { .hists.children = children,
		                        .chain = CHAIN_OPTIONS_INIT,
		                        .show_samples = true };
	struct report_style style = { .quiet = false };
	struct chains chains;
	struct names names;
	struct view view;
	struct out out;

	options.chain.order = order;
	FUZZ_CHECK(!sort_keys__parse(&options.hists.keys, keys, NULL, NULL));
	options.hists.callers_first = children;
	options.hists.caller_order = order == CHAIN_CALLER;
	chains__init(&chains, &r->profile);
	names__init(&names, &r->profile, r->session, r->symbols, NAMES_SYMBOLS, 1);
	view__init(&view, &chains, &names, &options);
	out__init(&out, -1);
	report_stdio__print(&out, &view, &style);
	open_rows(&view);
	options.hierarchy = true;
	view__change(&view, &options);
	open_rows(&view);
	check_text(out__take(&out));
	out__exit(&out);
	view__exit(&view);
	chains__exit(&chains);
	names__exit(&names);
}

/* Each chain has one end. */
static void print_health(const struct reported *r)
{
	const struct health *health = &r->profile.health;
	struct health_sums sums;
	struct out out;

	health__sum(health, -1, &sums);
	FUZZ_CHECK(sums.nr <= r->profile.nr_samples);
	out__init(&out, -1);
	health_table__print(&out, health, r->session);
	health_text__json(&out, health, r->session, 0);
	check_text(out__take(&out));
	out__exit(&out);
}

static void check_sums(const struct reported *r)
{
	const struct session_stats *stats = &r->session->stats;
	const struct profile *profile = &r->profile;
	u64 count = 0;

	for (u64 i = 0; i < profile->nr_rows; i++) {
		count += profile->rows[i].count;
		FUZZ_CHECK(profile->rows[i].node < profile->nr_nodes);
		FUZZ_CHECK(profile->rows[i].leaf_loc < profile->nr_locs);
	}
	for (u32 i = 1; i < profile->nr_nodes; i++)
		FUZZ_CHECK(profile->nodes[i].parent < i &&
		           profile->nodes[i].loc < profile->nr_locs);
	FUZZ_CHECK(count == profile->nr_samples);
	if (!perf_data__has_counts(r->session->data))
		FUZZ_CHECK(count <= stats->nr_records[PERF_RECORD_SAMPLE]);
}

static void report(struct session *session)
{
	struct profile_options options = { .chains = true, .max_stack = 127, .workers = 1 };
	struct symbol_config config = { .symfs = "/nonexistent",
		                        .demangle = true,
		                        .no_live_kernel = true };
	struct reported r = { .session = session };

	options.objects = &config;
	if (profile__build(&r.profile, session, &options, NULL))
		return;
	r.symbols = session_symbols__new(&session->dsos, &config);
	check_sums(&r);
	health__judge(&r.profile, session, r.symbols, NULL);
	print_health(&r);
	print(&r, "comm,dso,symbol", true, CHAIN_CALLER);
	print(&r, "pid,tid", false, CHAIN_CALLEE);
	session_symbols__delete(r.symbols);
	profile__exit(&r.profile);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct session session;

	if (session__open(&session, fuzz__file(bytes, size), PERF_DATA_FORCE, NULL))
		return 0;
	if (!session__scan(&session, NULL))
		report(&session);
	session__close(&session);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	fuzz__perf_data_seeds(add);
}
