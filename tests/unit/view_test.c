// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows and cells of a view, before any front end lays them out. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/view_fixture.h"
#include "util/lib/alloc.h"
#include "util/view/view_join.h"

static void make_view(struct fixture *f, struct view *view, const char *sort, const char *chain,
                      struct view_options *options)
{
	struct error err = ERROR_INIT;

	options->chain = (struct chain_options)CHAIN_OPTIONS_INIT;
	CHECK_EQ(chain_options__parse(&options->chain, chain, &err), 0);
	CHECK_EQ(sort_keys__parse(&options->hists.keys, sort, NULL, &err), 0);
	view__init(view, &f->chains, &f->names, options);
}

TEST(view_has_typed_cells)
{
	struct view_options options = { .show_samples = true, .show_period = true };
	struct fixture f;
	struct view view;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	make_view(&f, &view, "comm,dso,sym", "none", &options);
	CHECK_STR(view_fixture__rows(&view), ".|50/75|2|50|prog|prog|[.] g\n"
	                                     ".|20/75|1|20|prog|prog|[.] f\n"
	                                     ".|5/75|1|5|other|[unknown]|[.] 0x0000000000000009\n");
	CHECK_STR(view__heading(&view, 0), "Overhead");
	CHECK_STR(view__heading(&view, 5), "Symbol");
	CHECK_EQ(view__width(&view, 0, 3), strlen("Command"));
	CHECK_EQ(view__width(&view, 0, 4), 16); /* beside an address */
	CHECK_EQ(view__width(&view, 0, 5), strlen("[.] 0x0000000000000009"));
	view__exit(&view);
	fixture__exit(&f);
}

TEST(view_dsos_are_as_wide_as_addresses_only_beside_them)
{
	char *names[] = { (char *)"prog", (char *)"[unknown]" };
	struct view_options options = { .show_samples = false };
	struct fixture f;
	struct view view;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	make_view(&f, &view, "dso", "none", &options);
	CHECK_EQ(view__width(&view, 0, 1), strlen("Shared Object"));
	view__exit(&view);
	options.hists.filter.dsos = (struct name_list){ .names = names, .nr = 2 };
	make_view(&f, &view, "dso,sym", "none", &options);
	CHECK_EQ(view__width(&view, 0, 1), strlen("Shared Object"));
	view__exit(&view);
	options.hists.filter.dsos.nr = 0;
	options.hists.hide_unresolved = true;
	make_view(&f, &view, "dso,sym", "none", &options);
	CHECK_EQ(view__width(&view, 0, 1), strlen("Shared Object"));
	view__exit(&view);
	fixture__exit(&f);
}

/* The same weight: addresses stand as the keys that follow say, and by themselves only then. */
TEST(view_orders_addresses_by_the_keys_that_follow)
{
	struct view_options options = { .show_samples = false };
	struct fixture f;
	struct view view;

	fixture__init(&f);
	fixture__some_samples(&f);
	f.last.pid = f.last.tid = FIXTURE_PID;
	fixture__sample(&f, "?7", 5);
	fixture__sample(&f, "?8", 5);
	fixture__profile(&f, 1);
	make_view(&f, &view, "sym,comm", "none", &options);
	CHECK_STR(view_fixture__rows(&view), ".|50/85|[.] g|prog\n"
	                                     ".|20/85|[.] f|prog\n"
	                                     ".|5/85|[.] 0x0000000000000009|other\n"
	                                     ".|5/85|[.] 0x0000000000000007|prog\n"
	                                     ".|5/85|[.] 0x0000000000000008|prog\n");
	view__exit(&view);
	make_view(&f, &view, "sym", "none", &options);
	CHECK_STR(view_fixture__rows(&view), ".|50/85|[.] g\n"
	                                     ".|20/85|[.] f\n"
	                                     ".|5/85|[.] 0x0000000000000007\n"
	                                     ".|5/85|[.] 0x0000000000000008\n"
	                                     ".|5/85|[.] 0x0000000000000009\n");
	view__exit(&view);
	fixture__exit(&f);
}

TEST(view_orders_threads_by_number_with_its_sign)
{
	struct view_options options = { .show_samples = false };
	struct fixture f;
	struct view view;

	fixture__init(&f);
	f.last.pid = f.last.tid = FIXTURE_PID;
	fixture__sample(&f, "?7", 5);
	f.last.pid = f.last.tid = -1;
	fixture__sample(&f, "?7", 5);
	fixture__profile(&f, 1);
	make_view(&f, &view, "pid", "none", &options);
	CHECK_STR(view_fixture__rows(&view), ".|5/10|     -1::-1\n.|5/10|    100:prog\n");
	view__exit(&view);
	fixture__exit(&f);
}

/* What filters leave one value of has no column, unless that were all columns. */
TEST(view_keeps_columns_where_no_other_would_be_left)
{
	char *prog[] = { (char *)"prog" };
	struct view_options options = { .show_samples = false };
	struct fixture f;
	struct view view;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	options.hists.filter.comms = (struct name_list){ .names = prog, .nr = 1 };
	make_view(&f, &view, "comm,dso", "none", &options);
	CHECK_STR(view_fixture__rows(&view), ".|70/75|prog\n");
	CHECK_STR(view__heading(&view, 1), "Shared Object");
	view__exit(&view);
	make_view(&f, &view, "comm", "none", &options);
	CHECK_STR(view_fixture__rows(&view), ".|70/75|prog\n");
	view__exit(&view);
	options.hists.filter.dsos = options.hists.filter.comms;
	make_view(&f, &view, "comm,dso", "none", &options);
	CHECK_STR(view_fixture__rows(&view), ".|70/75|prog|prog\n");
	view__exit(&view);
	fixture__exit(&f);
}

TEST(view_of_each_key)
{
	static const struct {
		const char *sort, *want;
	} cases[] = {
		{ "pid", ".|70/75|    100:prog\n.|5/75|    200:other\n" },
		{ "tid", ".|70/75|    100:prog\n.|5/75|    200:other\n" },
		{ "cpu", ".|75/75|000\n" },
		{ "dso", ".|70/75|prog\n.|5/75|[unknown]\n" },
		{ "comm,tid", ".|70/75|prog|    100:prog\n.|5/75|other|    200:other\n" },
	};
	struct view_options options = { .show_samples = false };
	struct fixture f;
	struct view view;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		make_view(&f, &view, cases[i].sort, "none", &options);
		CHECK_STR(view_fixture__rows(&view), cases[i].want);
		view__exit(&view);
	}
	fixture__exit(&f);
}

TEST(view_with_children_has_both_shares)
{
	struct view_options options = { .hists.children = true };
	struct fixture f;
	struct view view;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	make_view(&f, &view, "sym", "none", &options);
	CHECK_STR(view_fixture__rows(&view), ".|70/75|0/75|[.] main\n"
	                                     ".|60/75|20/75|[.] f\n"
	                                     ".|50/75|50/75|[.] g\n"
	                                     ".|10/75|0/75|[.] h\n"
	                                     ".|5/75|5/75|[.] 0x0000000000000009\n"
	                                     ".|5/75|0/75|[.] 0x0000000000000007\n");
	view__exit(&view);
	fixture__exit(&f);
}

/* Rows of chains are there when they are opened, and the cells tell no more than before. */
TEST(view_opens_and_closes)
{
	struct view_options options = { .show_samples = true };
	struct fixture f;
	struct view view;
	struct view_row row;
	u64 ended = 0;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	make_view(&f, &view, "sym", "caller", &options);
	const char *closed = "+|50/75|2|[.] g\n+|20/75|1|[.] f\n+|5/75|1|[.] 0x0000000000000009\n";

	CHECK_STR(view_fixture__rows(&view), closed);
	view__open(&view, 0, 0, true);
	CHECK_STR(view_fixture__rows(&view), "-|50/75|2|[.] g\n"
	                                     " +|50/75|2|-main\n"
	                                     "+|20/75|1|[.] f\n"
	                                     "+|5/75|1|[.] 0x0000000000000009\n");
	view__open(&view, 0, 1, true);
	CHECK_STR(view_fixture__rows(&view), "-|50/75|2|[.] g\n"
	                                     " -|50/75|2|-main\n"
	                                     "  +|40/75|1|-f\n"
	                                     "  +|10/75|1|-h\n"
	                                     "+|20/75|1|[.] f\n"
	                                     "+|5/75|1|[.] 0x0000000000000009\n");
	view__open(&view, 0, 3, true);
	CHECK_STR(view_fixture__rows(&view), "-|50/75|2|[.] g\n"
	                                     " -|50/75|2|-main\n"
	                                     "  +|40/75|1|-f\n"
	                                     "  -|10/75|1|-h\n"
	                                     "   .|10/75|1|-g\n"
	                                     "+|20/75|1|[.] f\n"
	                                     "+|5/75|1|[.] 0x0000000000000009\n");
	view__open(&view, 0, 4, true); /* nothing is in it */
	view__open(&view, 0, 1, false);
	view__open(&view, 0, 0, false);
	CHECK_STR(view_fixture__rows(&view), closed);
	view__open_all(&view, 0, true);
	CHECK_STR(view_fixture__rows(&view), "-|50/75|2|[.] g\n"
	                                     " -|50/75|2|-main\n"
	                                     "  -|40/75|1|-f\n"
	                                     "   .|40/75|1|-g\n"
	                                     "  -|10/75|1|-h\n"
	                                     "   .|10/75|1|-g\n"
	                                     "-|20/75|1|[.] f\n"
	                                     " -|20/75|1|-main\n"
	                                     "  .|20/75|1|-f\n"
	                                     "-|5/75|1|[.] 0x0000000000000009\n"
	                                     " -|5/75|1|-0x7\n"
	                                     "  .|5/75|1|-0x9\n");
	for (u32 i = 0; i < view__nr_rows(&view, 0); i++) {
		view__row(&view, 0, i, &row);
		ended += row.kind == VIEW_FRAME ? row.period : 0;
	}
	CHECK_EQ(ended, 75); /* each chain ends once */
	view__open_all(&view, 0, false);
	CHECK_STR(view_fixture__rows(&view), closed);
	view__exit(&view);
	fixture__exit(&f);
}

TEST(view_in_levels)
{
	struct view_options options = { .hierarchy = true };
	struct fixture f;
	struct view view;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	make_view(&f, &view, "comm,dso,sym", "none", &options);
	CHECK_STR(view_fixture__rows(&view), "+|70/75|prog|-|-\n+|5/75|other|-|-\n");
	view__open_all(&view, 0, true);
	CHECK_STR(view_fixture__rows(&view), "-|70/75|prog|-|-\n"
	                                     " -|70/75|-|prog|-\n"
	                                     "  .|50/75|-|-|[.] g\n"
	                                     "  .|20/75|-|-|[.] f\n"
	                                     "-|5/75|other|-|-\n"
	                                     " -|5/75|-|[unknown]|-\n"
	                                     "  .|5/75|-|-|[.] 0x0000000000000009\n");
	view__open(&view, 0, 1, false);
	CHECK_EQ(view__nr_rows(&view, 0), 5);
	view__exit(&view);
	fixture__exit(&f);
}

/* The same profile in other ways: nothing is read again, and the first way comes out as before. */
TEST(view_changes)
{
	struct view_options options = { .show_samples = false }, other;
	struct fixture f;
	struct view view;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	make_view(&f, &view, "sym", "none", &options);
	other = options;
	CHECK_EQ(sort_keys__parse(&other.hists.keys, "comm", NULL, NULL), 0);
	view__change(&view, &other);
	CHECK_STR(view_fixture__rows(&view), ".|70/75|prog\n.|5/75|other\n");
	other.hists.symbol_part = "f";
	other.relative = true;
	view__change(&view, &other);
	CHECK_STR(view_fixture__rows(&view), ".|20/20|prog\n");
	other = options;
	other.percent_limit = 10;
	view__change(&view, &other);
	CHECK_STR(view_fixture__rows(&view), ".|50/75|[.] g\n.|20/75|[.] f\n");
	view__change(&view, &options);
	CHECK_STR(view_fixture__rows(&view),
	          ".|50/75|[.] g\n.|20/75|[.] f\n.|5/75|[.] 0x0000000000000009\n");
	view__exit(&view);
	fixture__exit(&f);
}

/* The chains are shown in other ways, and as they were built again; the profile stays. */
TEST(view_of_chains_made_in_another_way)
{
	struct view_options options = { .show_samples = false };
	struct fixture f;
	struct view view;

	fixture__init(&f);
	fixture__sample(&f, "main;?7;f", 3);
	fixture__profile(&f, 1);
	u32 nr_locs = f.names.nr_locs, leaf = f.profile.rows[0].node;

	make_view(&f, &view, "sym", "caller", &options);
	view__open_all(&view, 0, true);
	CHECK_STR(view_fixture__rows(&view),
	          "-|3/3|[.] f\n -|3/3|-main\n  .|3/3|-0x7\n  .|3/3|-f\n");
	chains__drop_unnamed(&f.chains, &f.names);
	CHECK_EQ(names__add_loc(&f.names, 0, 0), nr_locs);
	view__change(&view, &options);
	view__open_all(&view, 0, true);
	CHECK_STR(view_fixture__rows(&view), "-|3/3|[.] f\n -|3/3|-main\n  .|3/3|-f\n");
	CHECK_EQ(f.profile.rows[0].node, leaf);
	chains__exit(&f.chains);
	chains__init(&f.chains, &f.profile);
	names__drop_locs(&f.names);
	CHECK_EQ(f.names.nr_locs, nr_locs);
	view__change(&view, &options);
	view__open_all(&view, 0, true);
	CHECK_STR(view_fixture__rows(&view),
	          "-|3/3|[.] f\n -|3/3|-main\n  .|3/3|-0x7\n  .|3/3|-f\n");
	view__exit(&view);
	fixture__exit(&f);
}

/* ---- several views ---- */

/* "comm entry: shares of the members"; the members have their ids in different orders. */
static const char *joined(struct view_member *members, u32 nr)
{
	static char text[1024];
	struct view_join join;
	int len = 0;

	text[0] = '\0';
	view_join__init(&join, members, nr);
	for (u32 i = 0; i < join.nr_rows; i++) {
		for (u32 m = 0; m < nr; m++) {
			struct view_row row;
			struct cell cell;

			if (!view_join__row(&join, i, m, &row)) {
				len += snprintf(text + len, sizeof(text) - len, "- ");
				continue;
			}
			view__cell(members[m].view, &row, members[m].view->nr_columns - 1, &cell);
			len += snprintf(text + len, sizeof(text) - len, "%s %llu ", cell.text,
			                (unsigned long long)row.period);
		}
		len += snprintf(text + len, sizeof(text) - len, "\n");
	}
	view_join__exit(&join);
	return text;
}

TEST(views_are_joined_by_what_keys_say)
{
	struct view_options options[2] = { { .relative = false } };
	struct fixture f[2];
	struct view view[2];

	for (unsigned i = 0; i < 2; i++)
		fixture__init(&f[i]);
	fixture__sample(&f[0], "main;f", 30);
	fixture__sample(&f[0], "main;g", 20);
	fixture__sample(&f[0], "main;h", 10);
	f[1].last.pid = f[1].last.tid = 200; /* another comm: its f is not the one above */
	builder__comm(&f[1].file.data, FIXTURE_TYPE, &f[1].last, "other");
	fixture__sample(&f[1], "?7", 9);
	f[1].last.pid = f[1].last.tid = FIXTURE_PID;
	fixture__sample(&f[1], "main;k", 1);
	fixture__sample(&f[1], "main;g", 5);
	fixture__sample(&f[1], "main;f", 7);
	for (unsigned i = 0; i < 2; i++) {
		fixture__profile(&f[i], 1);
		make_view(&f[i], &view[i], "comm,sym", "none", &options[i]);
	}
	CHECK(f[0].names.sym_of_loc[f[0].profile.rows[0].leaf_loc] !=
	      f[1].names.sym_of_loc[f[1].profile.rows[3].leaf_loc]); /* the naive way fails */
	struct view_member members[] = { { &view[0], 0 }, { &view[1], 0 } };

	CHECK_STR(joined(members, 2), "[.] f 30 [.] f 7 \n"
	                              "[.] g 20 [.] g 5 \n"
	                              "[.] h 10 - \n"
	                              "- [.] 0x0000000000000007 9 \n"
	                              "- [.] k 1 \n");
	for (unsigned i = 0; i < 2; i++) {
		view__exit(&view[i]);
		fixture__exit(&f[i]);
	}
}

/* ---- a key made at run time ---- */

/* Which of the stretches of 20 ns a sample is in; @since is what only the recording knows. */
struct stretch_key {
	struct key key;
	u64 since;
};

static u64 stretch_of(const struct key *key, const struct sample *sample)
{
	return (sample->time - ((const struct stretch_key *)key)->since) / 20;
}

static u64 parity_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->period % 2 ? 1000000000 : 0;
}

static u64 weekday_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->period % 7;
}

TEST(keys_of_samples_tell_rows_apart)
{
	const struct stretch_key stretch = {
		.key = { .name = "stretch",
		         .heading = "Stretch",
		         .scope = KEY_OF_SAMPLE,
		         .extract = stretch_of,
		         .sample_type = PERF_SAMPLE_TIME,
		         .recorded = "--timestamp" },
		.since = 1010,
	};
	const struct key parity = {
		.name = "parity", .heading = "Odd", .scope = KEY_OF_SAMPLE, .extract = parity_of
	};
	const struct key *const more[] = { &parity, &stretch.key, NULL }, *list[SAMPLE_KEYS_MAX];

	for (unsigned workers = 1; workers < 8; workers += 3) {
		struct view_options options = { .chain.mode = CHAIN_NONE };
		struct error err = ERROR_INIT;
		struct fixture f;
		struct view view;

		fixture__init(&f);
		for (unsigned i = 0; i < 3; i++) {
			fixture__sample(&f, "main;f;g", 40); /* two of each stretch, then one */
			fixture__sample(&f, "main;f;g", 1);
		}
		fixture__sample(&f, "main;f", 7);
		CHECK_EQ(sort_keys__parse(&options.hists.keys, "parity,sym,stretch", more, &err),
		         0);
		f.options.nr_sample_keys = sort_keys__of_samples(&options.hists.keys, list);
		f.options.sample_keys = list;
		CHECK_EQ(f.options.nr_sample_keys, 2);
		fixture__profile(&f, workers);
		CHECK_EQ(sort_keys__check(&options.hists.keys, f.session.evlist, &err), 0);
		view__init(&view, &f.chains, &f.names, &options);
		CHECK_STR(view_fixture__rows(&view), ".|40/130|0|[.] g|0\n"
		                                     ".|40/130|0|[.] g|1\n"
		                                     ".|40/130|0|[.] g|2\n"
		                                     ".|7/130|1000000000|[.] f|3\n"
		                                     ".|1/130|1000000000|[.] g|0\n"
		                                     ".|1/130|1000000000|[.] g|1\n"
		                                     ".|1/130|1000000000|[.] g|2\n");
		CHECK_EQ(view__width(&view, 0, 1), strlen("1000000000"));
		CHECK_EQ(view__width(&view, 0, 3), strlen("Stretch"));
		CHECK_EQ(sort_keys__parse(&options.hists.keys, "sym,stretch", more, &err), 0);
		view__change(&view, &options);
		CHECK_STR(view_fixture__rows(&view), ".|41/130|[.] g|0\n"
		                                     ".|41/130|[.] g|1\n"
		                                     ".|41/130|[.] g|2\n"
		                                     ".|7/130|[.] f|3\n");
		view__exit(&view);
		fixture__exit(&f);
	}
}

/* Each row is checked against what was put in. Returns how many rows all workers made. */
static u32 check_many_samples(unsigned workers)
{
	static const char *const chains[] = { "main;f;g", "main;g", "main;f" };
	const struct key weekday = {
		.name = "weekday", .heading = "Day", .scope = KEY_OF_SAMPLE, .extract = weekday_of
	};
	const struct key *list[] = { &weekday }, *const more[] = { &weekday, NULL };
	struct view_options options = { .chain.mode = CHAIN_NONE, .show_samples = true };
	u64 periods[7][2] = { { 0 } };
	struct fixture f;
	struct view view;

	fixture__init(&f);
	for (u32 i = 0; i < 60000; i++) {
		u32 chain = view_fixture__below(3), period = 1 + view_fixture__below(100);

		fixture__sample(&f, chains[chain], period);
		periods[period % 7][chain == 2] += period; /* of g, of f */
	}
	CHECK_EQ(sort_keys__parse(&options.hists.keys, "weekday,sym", more, NULL), 0);
	f.options.nr_sample_keys = 1;
	f.options.sample_keys = list;
	fixture__profile(&f, workers);
	u32 nr_rows = f.profile.nr_rows;

	view__init(&view, &f.chains, &f.names, &options);
	CHECK_EQ(view__nr_rows(&view, 0), 14);
	for (u32 i = 0; i < view__nr_rows(&view, 0); i++) {
		struct view_row row;
		struct cell day, sym;

		view__row(&view, 0, i, &row);
		view__cell(&view, &row, 2, &day);
		view__cell(&view, &row, 3, &sym);
		CHECK_EQ(row.period, periods[day.number][!strcmp(sym.text, "[.] f")]);
	}
	view__exit(&view);
	fixture__exit(&f);
	return nr_rows;
}

TEST_WITH_THREADS(keys_of_samples_with_chains_and_workers)
{
	u32 alone = check_many_samples(1), together = alone;

	/* On a busy machine one of several workers may find all blocks taken. */
	for (u32 i = 0; i < 200 && together == alone; i++)
		together = check_many_samples(4);
	CHECK(together > alone);
}

/* The period, shifted by what the key says. */
struct shift_key {
	struct key key;
	char name[8];
	u32 shift;
};

static u64 shifted(const struct key *key, const struct sample *sample)
{
	return sample->period << ((const struct shift_key *)key)->shift;
}

TEST(keys_up_to_the_most_there_can_be)
{
	struct shift_key keys[SORT_KEYS_MAX + 1];
	const struct key *more[SORT_KEYS_MAX + 2] = { NULL }, *list[SAMPLE_KEYS_MAX];
	struct view_options options = { .chain.mode = CHAIN_NONE };
	struct error err = ERROR_INIT;
	struct fixture f;
	struct view view;
	struct view_row row;
	struct cell cell;
	char sort[2048] = "";

	for (u32 i = 0; i <= SORT_KEYS_MAX; i++) {
		keys[i] = (struct shift_key){
			.key = { .heading = "", .scope = KEY_OF_SAMPLE, .extract = shifted },
			.shift = i % 50,
		};
		snprintf(keys[i].name, sizeof(keys[i].name), "x%03u", i);
		keys[i].key.name = keys[i].name;
		more[i] = &keys[i].key;
		strcat(strcat(sort, keys[i].name), ",");
	}
	CHECK_EQ(sort_keys__parse(&options.hists.keys, sort, more, NULL), -E2BIG);
	CHECK_EQ(sort_keys__parse(&options.hists.keys, sort, more, &err), -E2BIG);
	CHECK_STR(err.subject, "x256");
	sort[5 * SORT_KEYS_MAX] = '\0';
	CHECK_EQ(sort_keys__parse(&options.hists.keys, sort, more, &err), 0);
	fixture__init(&f);
	f.options.nr_sample_keys = sort_keys__of_samples(&options.hists.keys, list);
	f.options.sample_keys = list;
	fixture__sample(&f, "main;f", 3);
	fixture__sample(&f, "main;g", 3);
	fixture__sample(&f, "main;g", 5);
	fixture__profile(&f, 1);
	view__init(&view, &f.chains, &f.names, &options);
	CHECK_EQ(view.nr_columns, SORT_KEYS_MAX + 1);
	CHECK_EQ(view__nr_rows(&view, 0), 2);
	view__row(&view, 0, 0, &row);
	CHECK_EQ(row.period, 6);
	for (u32 i = 0; i < SORT_KEYS_MAX; i++) {
		view__cell(&view, &row, 1 + i, &cell);
		CHECK_EQ(cell.number, 3ull << i % 50);
	}
	view__exit(&view);
	fixture__exit(&f);
}

TEST(keys_that_no_sample_has_are_said)
{
	const struct key weight = { .name = "weight",
		                    .scope = KEY_OF_SAMPLE,
		                    .sample_type = PERF_SAMPLE_WEIGHT,
		                    .recorded = "-W" };
	const struct key moment = { .name = "moment",
		                    .scope = KEY_OF_SAMPLE,
		                    .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_WEIGHT };
	const struct key *const more[] = { &weight, &moment, NULL };
	struct error err = ERROR_INIT;
	struct sort_keys keys;
	struct fixture f;

	fixture__init(&f);
	fixture__profile(&f, 1);
	CHECK_EQ(sort_keys__parse(&keys, "comm,weig", more, &err), 0);
	CHECK_EQ(sort_keys__check(&keys, f.session.evlist, &err), -ENODATA);
	CHECK_STR(err.advice, "record with -W to have it");
	CHECK_EQ(sort_keys__parse(&keys, "comm,moment", more, &err), 0); /* one bit is enough */
	CHECK_EQ(sort_keys__check(&keys, f.session.evlist, &err), 0);
	fixture__exit(&f);
}

/* ---- keys whose values say the same ---- */

static u64 task_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	(void)by;
	return data->profile->rows[row].thread;
}

static int compare_tasks(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	(void)data;
	(void)key;
	(void)a;
	(void)b;
	return 0;
}

static void task_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                      struct out *text, struct cell *cell)
{
	(void)data;
	(void)by;
	(void)row;
	(void)text;
	*cell = cell__text("task");
}

/* As functions of one name in one file do: entries of their own, with the same text. */
static const struct key task_key = {
	.name = "task",
	.heading = "Task",
	.scope = KEY_OF_ROW,
	.value = task_value,
	.compare = compare_tasks,
	.cell = task_cell,
};

TEST(entries_that_say_the_same_stay_apart)
{
	const struct key *const more[] = { &task_key, NULL };
	struct view_options options = { .chain.mode = CHAIN_NONE };
	struct fixture f;
	struct view view;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	CHECK_EQ(sort_keys__parse(&options.hists.keys, "task", more, NULL), 0);
	view__init(&view, &f.chains, &f.names, &options);
	CHECK_STR(view_fixture__rows(&view), ".|70/75|task\n.|5/75|task\n");
	struct view_member members[] = { { &view, 0 }, { &view, 0 } };

	CHECK_STR(joined(members, 2), "task 70 task 70 \ntask 5 task 5 \n");
	options.hierarchy = true;
	view__change(&view, &options);
	CHECK_STR(view_fixture__rows(&view), ".|70/75|task\n.|5/75|task\n");
	CHECK_EQ(sort_keys__parse(&options.hists.keys, "task,comm", more, NULL), 0);
	view__change(&view, &options);
	view__open_all(&view, 0, true);
	CHECK_STR(view_fixture__rows(&view), "-|75/75|task|-\n .|70/75|-|prog\n .|5/75|-|other\n");
	view__exit(&view);
	fixture__exit(&f);
}

/* A filter that passes one comm leaves its column out, but not the level. */
TEST(view_in_levels_with_a_filter)
{
	struct view_options options = { .hierarchy = true };
	struct fixture f;
	struct view view;
	struct view_row row;
	struct cell cell;

	fixture__init(&f);
	fixture__some_samples(&f);
	fixture__profile(&f, 1);
	CHECK_EQ(name_list__parse(&options.hists.filter.comms, "prog", NULL), 0);
	make_view(&f, &view, "comm,sym", "none", &options);
	view__open_all(&view, 0, true);
	CHECK_STR(view_fixture__rows(&view),
	          "-|70/75|prog|-\n .|50/75|-|[.] g\n .|20/75|-|[.] f\n");
	view__entry_row(&view, view.hists.events[0].first_entry, &row);
	view__cell(&view, &row, 2, &cell);
	CHECK_EQ(cell.kind, CELL_TEXT);
	CHECK_STR(cell.text, "[.] g");
	view__exit(&view);
	name_list__exit(&options.hists.filter.comms);
	fixture__exit(&f);
}

/* ---- filters ---- */

static struct name_list one_name(const char **name)
{
	return (struct name_list){ .names = (char **)name, .nr = *name ? 1 : 0 };
}

static void random_filter(struct view_options *options)
{
	static const char *parts[] = { NULL, NULL, "f", "main", "nowhere" };
	static const char *comms[] = { NULL, NULL, "prog", "other", "nobody" };
	static const char *dsos[] = { NULL, NULL, NULL, "prog", "[unknown]" };
	static const char *symbols[] = { NULL, NULL, NULL, "g", "z" };
	static u32 tids[] = { FIXTURE_PID, FIXTURE_PID + 2 };
	struct sample_filter *filter = &options->hists.filter;

	options->hists.symbol_part = parts[view_fixture__below(ARRAY_SIZE(parts))];
	filter->comms = one_name(&comms[view_fixture__below(ARRAY_SIZE(comms))]);
	filter->dsos = one_name(&dsos[view_fixture__below(ARRAY_SIZE(dsos))]);
	filter->symbols = one_name(&symbols[view_fixture__below(ARRAY_SIZE(symbols))]);
	filter->tids = (struct id_list){ .ids = &tids[view_fixture__below(2)],
		                         .nr = !view_fixture__below(4) };
	options->percent_limit = view_fixture__below(3) ? 0 : view_fixture__below(30);
	options->relative = view_fixture__below(2);
}

TEST(view_filters_as_if_made_again)
{
	static char text[1 << 16];

	for (u32 profile = 0; profile < 12; profile++) {
		struct view_options options;
		struct view view, again;
		struct fixture f;

		fixture__init(&f);
		view_fixture__random_samples(&f, 1 + view_fixture__below(60));
		fixture__profile(&f, 1 + view_fixture__below(4));
		view_fixture__random_options(&options);
		if (view_fixture__below(2))
			random_filter(&options);
		view__init(&view, &f.chains, &f.names, &options);
		options = view.options;
		for (u32 change = 0; change < 40; change++) {
			random_filter(&options);
			view__filter(&view, &options);
			view__init(&again, &f.chains, &f.names, &options);
			CHECK_EQ(view__total(&view, 0), view__total(&again, 0));
			CHECK_EQ(view.hists.events[0].shown_count,
			         again.hists.events[0].shown_count);
			CHECK_EQ(view.hists.events[0].count, again.hists.events[0].count);
			strcpy(text, view_fixture__rows(&view));
			CHECK_STR(text, view_fixture__rows(&again));
			view__open_all(&view, 0, true);
			view__open_all(&again, 0, true);
			strcpy(text, view_fixture__rows(&view));
			CHECK_STR(text, view_fixture__rows(&again));
			view__exit(&again);
		}
		view__exit(&view);
		fixture__exit(&f);
	}
}

/* Where entries tell what passes, they are only looked at; or the rows would be sorted again. */
TEST(hists_are_filtered_as_they_are)
{
	static const struct {
		const char *sort;
		bool by_comm, by_part, by_tid;
	} cases[] = {
		{ "comm,sym", true, true, false },
		{ "sym", false, true, false },
		{ "comm", true, false, false },
		{ "tid,sym", false, true, true },
	};
	static char name[] = "prog", *prog = name;
	static u32 tid = FIXTURE_PID;

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		struct hist_options options = { .symbol_part = NULL }, other;
		struct fixture f;
		struct hists hists;

		fixture__init(&f);
		fixture__some_samples(&f);
		fixture__profile(&f, 1);
		CHECK_EQ(sort_keys__parse(&options.keys, cases[i].sort, NULL, NULL), 0);
		hists__init(&hists, &f.chains, &f.names, &options);
		other = hists.options;
		other.filter.comms = (struct name_list){ .names = &prog, .nr = 1 };
		CHECK_EQ(hists__refilter(&hists, &other), cases[i].by_comm);
		other = hists.options;
		other.symbol_part = "f";
		CHECK_EQ(hists__refilter(&hists, &other), cases[i].by_part);
		other = hists.options;
		other.filter.tids = (struct id_list){ .ids = &tid, .nr = 1 };
		CHECK_EQ(hists__refilter(&hists, &other), cases[i].by_tid);
		other = hists.options;
		other.children = true;
		CHECK(!hists__refilter(&hists, &other));
		hists__exit(&hists);
		fixture__exit(&f);
	}
}
