// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chain trees of thousands of random chains, with recursion and several commands, by one worker and
 * by several: each chain that a tree lists is worked out again from the texts of the samples.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/profile_fixture.h"
#include "tests/unit/unit.h"
#include "tests/unit/view_fixture.h"
#include "ui/text/report_chain.h"
#include "util/lib/alloc.h"
#include "util/lib/out.h"
#include "util/profile/preorder.h"
#include "util/view/view_print.h"

#define NR_CHAINS 3000
#define DEPTH_MAX 12

struct chain {
	char frames[DEPTH_MAX]; /* names of one letter, callers first */
	u32 depth, period, task;
};

static struct chain chains[NR_CHAINS];

static void make_chains(struct fixture *f)
{
	static const char *const comms[] = { "prog", "other", "third" };
	static const char names[] = "abcdefgh";

	for (u32 i = 0; i < NR_CHAINS; i++) {
		struct chain *chain = &chains[i];
		char text[2 * DEPTH_MAX + 1] = "";

		chain->task = view_fixture__below(ARRAY_SIZE(comms));
		chain->period = 1 + view_fixture__below(9);
		chain->depth = 1 + view_fixture__below(DEPTH_MAX);
		for (u32 n = 0; n < chain->depth; n++) {
			chain->frames[n] = names[view_fixture__below(sizeof(names) - 1)];
			snprintf(text + 2 * n, 3, "%c;", chain->frames[n]);
		}
		f->last.tid = FIXTURE_PID + chain->task;
		if (i < 30)
			builder__comm(&f->file.data, FIXTURE_TYPE, &f->last, comms[chain->task]);
		fixture__sample(f, text, chain->period);
	}
}

/* ---- what a tree is to list ---- */

struct listing {
	char (*lines)[2 * DEPTH_MAX];
	u64 *periods;
	u32 nr;
};

static void add_line(struct listing *listing, const char *line, u64 period)
{
	for (u32 i = 0; i < listing->nr; i++)
		if (!strcmp(listing->lines[i], line)) {
			listing->periods[i] += period;
			return;
		}
	listing->lines = realloc(listing->lines, (listing->nr + 1) * sizeof(*listing->lines));
	listing->periods = realloc(listing->periods, (listing->nr + 1) * sizeof(u64));
	snprintf(listing->lines[listing->nr], sizeof(*listing->lines), "%s", line);
	listing->periods[listing->nr++] = period;
}

/* The part of the chain that belongs to the entry @name; false: none does. */
static bool part_of(const struct chain *chain, char name, bool caller, u32 *from, u32 *to)
{
	*from = 0;
	*to = chain->depth;
	if (chain->frames[chain->depth - 1] == name)
		return true; /* the leaf: all of it */
	for (u32 i = 0; i < chain->depth; i++) {
		u32 n = caller ? i : chain->depth - 1 - i;

		if (chain->frames[n] != name)
			continue;
		if (caller)
			*from = n;
		else
			*to = n + 1;
		return true;
	}
	return false;
}

static void expect(struct listing *listing, u32 task, char name, bool caller)
{
	for (u32 i = 0; i < NR_CHAINS; i++) {
		char line[2 * DEPTH_MAX];
		u32 from, to, len = 0;

		if (chains[i].task != task || !part_of(&chains[i], name, caller, &from, &to))
			continue;
		for (u32 n = from; n < to; n++) {
			line[len++] = chains[i].frames[caller ? n : to - 1 - (n - from)];
			line[len++] = ';';
		}
		line[len - 1] = '\0';
		add_line(listing, line, chains[i].period);
	}
}

/*
 * Each line of @text, to the next row, is one of the expected, with its period; and there are no
 * others. Returns where the next row begins.
 */
static const char *check_lines(struct listing *want, const char *text)
{
	const char *line = text;
	u32 nr = 0;

	for (; *line && *line != '='; line = strchr(line, '\n') + 1, nr++) {
		unsigned long long period;
		char chain[2 * DEPTH_MAX];
		u32 i = 0;

		CHECK_EQ(sscanf(line, "%llu %23[^\n]", &period, chain), 2);
		while (i < want->nr && strcmp(want->lines[i], chain) != 0)
			i++;
		CHECK(i < want->nr);
		if (i < want->nr)
			CHECK_EQ(period, want->periods[i]);
	}
	CHECK_EQ(nr, want->nr);
	free(want->lines);
	free(want->periods);
	return line;
}

/* ---- rows, as "=NUMBER" and the lines of their trees */

struct printer {
	struct view *view;
	struct out *out;
};

static void *begin_rows(const void *ctx, struct view *view, struct out *out)
{
	struct printer *p = xcalloc(1, sizeof(*p));

	(void)ctx;
	*p = (struct printer){ view, out };
	return p;
}

static void print_row(void *printer, u32 i)
{
	struct printer *p = printer;
	struct view_row row;

	view__row(p->view, 0, i, &row);
	out__printf(p->out, "=%u\n", i);
	report_chain__print(p->out, &p->view->hists, &p->view->options.chain,
	                    view__tree(p->view, row.entry), NULL, view__total(p->view, 0), false,
	                    NULL);
}

static void end_rows(void *ctx, void *printer)
{
	++*(u32 *)ctx;
	free(printer);
}

static void check_view(struct fixture *f, bool caller, unsigned workers)
{
	struct view_options options = { .workers = workers, .hists.children = true };
	struct error err = ERROR_INIT;
	static const struct row_printing how = { begin_rows, print_row, end_rows };
	u32 nr_printers = 0;
	struct view_row row;
	struct view view;
	struct out out;

	options.chain = (struct chain_options)CHAIN_OPTIONS_INIT;
	options.hists.caller_order = caller;
	CHECK_EQ(chain_options__parse(&options.chain,
	                              caller ? "folded,0,caller,period" : "folded,0,callee,period",
	                              &err),
	         0);
	CHECK_EQ(sort_keys__parse(&options.hists.keys, "tid,sym", NULL, &err), 0);
	view__init(&view, &f->chains, &f->names, &options);
	CHECK_EQ(view__nr_rows(&view, 0), 3 * 8);
	out__init(&out, -1);
	view__print_rows(&view, 0, &out, &how, &nr_printers);
	CHECK_EQ(nr_printers, workers);
	const char *text = out__take(&out);

	for (u32 i = 0; i < view__nr_rows(&view, 0); i++) {
		struct listing want = { .nr = 0 };
		char heading[16];
		int len = snprintf(heading, sizeof(heading), "=%u\n", i);

		view__row(&view, 0, i, &row);
		const struct hist_entry *entry = &view.hists.entries[row.entry];
		const struct thread *thread = machine__thread(f->session.host, entry->thread);

		expect(&want, thread->tid - FIXTURE_PID,
		       *sym__name(&f->names, hist_entry__sym(&view.hists, entry)), caller);
		CHECK(!strncmp(text, heading, len));
		if (!strncmp(text, heading, len))
			text = check_lines(&want, text + len);
	}
	CHECK_EQ(*text, '\0');
	out__exit(&out);
	view__exit(&view);
}

TEST_WITH_THREADS(chain_trees_list_what_the_samples_say)
{
	struct fixture f;

	fixture__init(&f);
	make_chains(&f);
	fixture__profile(&f, 3);
	CHECK(f.chains.nr_nodes > 8192); /* else no worker works ahead */
	CHECK(preorder__is(f.chains.nodes, f.chains.nr_nodes));
	for (unsigned caller = 0; caller < 2; caller++) {
		check_view(&f, caller, 1);
		check_view(&f, caller, 3);
	}
	fixture__exit(&f);
}

/* ---- preorder ---- */

TEST(preorder_keeps_siblings_in_order)
{
	/* 1 and 2 below the root, 3 and 5 below 1, 4 below 2, 6 below 3; loc is 10 times the id. */
	const struct node nodes[] = { { 0, ID_NONE }, { 0, 10 }, { 0, 20 }, { 1, 30 },
		                      { 2, 40 },      { 1, 50 }, { 3, 60 } };
	const u32 locs[] = { ID_NONE, 10, 30, 60, 50, 20, 40 };
	const u32 parents[] = { 0, 0, 1, 2, 1, 0, 5 };
	u32 *numbers = preorder__numbers(nodes, ARRAY_SIZE(nodes));
	struct node *ordered = preorder__apply(nodes, ARRAY_SIZE(nodes), numbers);

	CHECK(!preorder__is(nodes, ARRAY_SIZE(nodes)));
	CHECK(preorder__is(ordered, ARRAY_SIZE(nodes)));
	for (u32 i = 0; i < ARRAY_SIZE(nodes); i++) {
		CHECK_EQ(ordered[i].loc, locs[i]);
		CHECK_EQ(ordered[i].parent, parents[i]);
		CHECK_EQ(ordered[numbers[i]].loc, nodes[i].loc);
	}
	free(numbers);
	free(ordered);
	CHECK(preorder__is(nodes, 1)); /* the root alone */
}
