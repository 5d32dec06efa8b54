// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows grouped to entries: keys, children sums, filters, order. */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "tests/unit/profile_fixture.h"
#include "util/lib/alloc.h"

static void make_hists(struct fixture *f, struct hists *hists, const char *sort,
                       struct hist_options *options)
{
	struct error err = ERROR_INIT;

	CHECK_EQ(sort_keys__parse(&options->keys, sort, NULL, &err), 0);
	hists__init(hists, &f->chains, &f->names, options);
}

static void check_entries(struct fixture *f, const char *sort, struct hist_options options,
                          const char *want)
{
	struct hists hists;

	make_hists(f, &hists, sort, &options);
	CHECK_STR(fixture__entries(f, &hists), want);
	hists__exit(&hists);
}

TEST(hists_group_by_the_chosen_keys)
{
	struct hist_options flat = { .children = false };
	struct fixture f;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	check_entries(&f, "sym", flat, "50/50 g\n20/20 f\n5/5 ?\n");
	check_entries(&f, "comm", flat, "70/70 prog\n5/5 other\n");
	check_entries(&f, "dso", flat, "70/70 prog\n5/5 [unknown]\n");
	check_entries(&f, "pid,sym", flat, "50/50 g\n20/20 f\n5/5 ?\n");
	fixture__exit(&f);
}

TEST(hists_children_count_callers)
{
	struct hist_options children = { .children = true };
	struct fixture f;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	check_entries(&f, "comm,sym", children,
	              "0/70 main\n20/60 f\n50/50 g\n0/10 h\n5/5 ?\n0/5 ?\n");
	check_entries(&f, "dso", children, "70/70 prog\n5/5 [unknown]\n");
	fixture__exit(&f);
}

/* f calls g calls f: each row counts f once, whatever is the leaf. */
TEST(hists_children_count_recursion_once)
{
	struct hist_options children = { .children = true };
	struct fixture f;

	fixture__init(&f);
	fixture__sample(&f, "main;f;g;f", 10);
	fixture__sample(&f, "main;f;g;f;g", 1);
	fixture__sample(&f, "f+4;f+8;f", 100);
	fixture__profile(&f, 1);
	check_entries(&f, "sym", children, "110/111 f\n1/11 g\n0/11 main\n");
	fixture__exit(&f);
}

TEST(hists_children_count_a_leaf_beside_its_chain)
{
	u64 chain[] = { PERF_CONTEXT_USER, fixture__addr("f"), fixture__addr("main") };
	struct hist_options children = { .children = true };
	struct fixture f;

	fixture__init(&f);
	fixture__raw_sample(&f, fixture__addr("g"), chain, ARRAY_SIZE(chain), 3);
	fixture__profile(&f, 1);
	check_entries(&f, "sym", children, "3/3 g\n0/3 f\n0/3 main\n");
	fixture__exit(&f);
}

TEST(hists_equal_totals_have_an_order)
{
	struct hist_options options = { .children = true };
	struct fixture f;

	fixture__init(&f);
	fixture__sample(&f, "main;z;a", 7);
	fixture__profile(&f, 1);
	check_entries(&f, "sym", options, "7/7 a\n0/7 main\n0/7 z\n"); /* self, then names */
	options.callers_first = options.caller_order = true;
	check_entries(&f, "sym", options, "7/7 a\n0/7 main\n0/7 z\n"); /* a's chain is whole */
	options.caller_order = false;
	check_entries(&f, "sym", options, "0/7 main\n0/7 z\n7/7 a\n");
	fixture__exit(&f);
}

TEST(hists_filters_hide_but_keep_totals)
{
	char *prog[] = { (char *)"prog" }, *g[] = { (char *)"g", (char *)"nosuch" };
	u32 pids[] = { 200 };
	struct hist_options options = { .children = true };
	struct hists hists;
	struct fixture f;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	options.filter.comms = (struct name_list){ .names = prog, .nr = 1 };
	make_hists(&f, &hists, "sym", &options);
	CHECK_STR(fixture__entries(&f, &hists), "0/70 main\n20/60 f\n50/50 g\n0/10 h\n");
	CHECK_EQ(hists.events[0].period, 75);
	CHECK_EQ(hists.events[0].shown_period, 70);
	CHECK_EQ(hists.events[0].count, 4);
	CHECK_EQ(hists.events[0].shown_count, 3);
	hists__exit(&hists);

	options.filter.symbols = (struct name_list){ .names = g, .nr = 2 };
	check_entries(&f, "comm,dso,sym", options, "50/50 g\n");
	check_entries(&f, "comm", options, "50/50 prog\n"); /* rows whose leaf passes */

	options = (struct hist_options){ .filter.pids = { pids, 1 } };
	check_entries(&f, "comm", options, "5/5 other\n");
	options = (struct hist_options){ .filter.tids = { pids, 1 } };
	check_entries(&f, "comm", options, "5/5 other\n");
	options = (struct hist_options){ .filter.dsos = { .names = prog, .nr = 1 } };
	check_entries(&f, "sym", options, "50/50 g\n20/20 f\n");
	options = (struct hist_options){ .symbol_part = "ai", .children = true };
	check_entries(&f, "sym", options, "0/70 main\n");
	fixture__exit(&f);
}

TEST(hists_hide_unresolved_leaves_rows_out)
{
	struct hist_options options = { .children = true, .hide_unresolved = true };
	struct hists hists;
	struct fixture f;

	fixture__init(&f);
	fixture__some_samples(&f);
	f.last.pid = f.last.tid = FIXTURE_PID;
	fixture__sample(&f, "?7;main", 2);
	fixture__profile(&f, 1);
	make_hists(&f, &hists, "sym", &options);
	CHECK_STR(fixture__entries(&f, &hists), "2/72 main\n20/60 f\n50/50 g\n0/10 h\n");
	CHECK_EQ(hists.events[0].period, 72);
	hists__exit(&hists);
	fixture__exit(&f);
}

/* Two threads of one tid (a pid used again) are one entry by tid. */
TEST(hists_by_thread_means_its_number)
{
	struct hist_options flat = { .children = false };
	struct fixture f;

	fixture__init(&f);
	f.last.pid = f.last.tid = 300;
	fixture__sample(&f, "?1", 1);
	builder__task(&f.file.data, FIXTURE_TYPE, &f.last, PERF_RECORD_FORK, FIXTURE_PID,
	              FIXTURE_PID);
	fixture__sample(&f, "?1", 2);
	f.last.tid = 301;
	fixture__sample(&f, "?1", 4);
	fixture__profile(&f, 1);
	check_entries(&f, "tid", flat, "4/4 \n3/3 \n");
	fixture__exit(&f);
}

/* ... shown as the latest of them, whichever row comes first. */
TEST(hists_by_thread_shows_the_latest)
{
	struct hist_options flat = { .children = false };

	for (unsigned later_first = 0; later_first < 2; later_first++) {
		struct hists hists;
		struct fixture f;

		fixture__init(&f);
		f.last.pid = f.last.tid = 300;
		builder__comm(&f.file.data, FIXTURE_TYPE, &f.last, "first");
		f.last.time = 2000;
		builder__task(&f.file.data, FIXTURE_TYPE, &f.last, PERF_RECORD_FORK, FIXTURE_PID,
		              FIXTURE_PID);
		for (unsigned i = 0; i < 2; i++) {
			f.last.time = i == later_first ? 1000 : 3000;
			fixture__sample(&f, "?1", 1);
		}
		fixture__profile(&f, 1);
		CHECK_EQ(f.profile.nr_rows, 2);
		u32 earlier = f.profile.rows[later_first].thread;
		u32 later = f.profile.rows[!later_first].thread;

		CHECK(later > earlier);
		make_hists(&f, &hists, "tid", &flat);
		CHECK_EQ(hists.nr_entries, 1);
		CHECK_EQ(u64map__get(&hists.data.threads, 300), later);
		hists__exit(&hists);
		fixture__exit(&f);
	}
}

TEST(hists_without_rows)
{
	struct hist_options options = { .children = true };
	struct fixture f;

	fixture__init(&f);
	fixture__profile(&f, 3);
	check_entries(&f, "comm,dso,sym", options, "");
	fixture__exit(&f);
}

/*
 * So many groups that parts of their hashes are alike by accident: these are no reason to take two
 * for one.
 */
TEST(hists_groups_with_like_hashes_stay_apart)
{
	enum { CPUS = 60000 };
	struct hist_options flat = { .children = false };
	struct fixture f;
	struct hists hists;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	struct row *rows = xcalloc(2 * CPUS, sizeof(*rows));
	const u32 comms[] = { f.profile.rows[0].comm, f.profile.rows[f.profile.nr_rows - 1].comm };

	CHECK(comms[0] != comms[1]);
	for (u32 i = 0; i < 2 * CPUS; i++) {
		rows[i] = f.profile.rows[0];
		rows[i].cpu = i % CPUS;
		rows[i].comm = comms[i / CPUS];
	}
	free(f.profile.rows);
	f.profile.rows = rows;
	f.profile.nr_rows = 2 * CPUS;
	make_hists(&f, &hists, "comm,cpu", &flat);
	CHECK_EQ(hists.nr_contexts, 2 * CPUS);
	hists__exit(&hists);
	fixture__exit(&f);
}
