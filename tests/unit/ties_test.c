// SPDX-License-Identifier: GPL-2.0-or-later
/* What is equal but for its place stands in one order, whichever sample came first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/elf_builder.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/unit.h"
#include "ui/text/report_chain.h"
#include "util/lib/alloc.h"
#include "util/profile/key.h"
#include "util/view/view.h"

static void init_view(struct fixture *f, struct view *view, const char *keys, const char *chain)
{
	struct view_options options = { .hists.children = false };
	struct error err = ERROR_INIT;

	options.chain = (struct chain_options)CHAIN_OPTIONS_INIT;
	CHECK_EQ(chain_options__parse(&options.chain, chain, &err), 0);
	CHECK_EQ(sort_keys__parse(&options.hists.keys, keys, NULL, &err), 0);
	view__init(view, &f->chains, &f->names, &options);
}

/* "tiny", inlined into each function of the profile that is seen 8 bytes from its start. */
static void inline_tiny(struct fixture *f)
{
	u32 nr = f->profile.nr_nodes, *node_of_row = xcalloc(f->profile.nr_rows, sizeof(u32));
	struct node *nodes = xcalloc(2 * (size_t)nr, sizeof(*nodes));
	u32 *moved = xcalloc(nr, sizeof(*moved)), nr_all = 1;

	nodes[0] = f->profile.nodes[0];
	for (u32 i = 1; i < nr; i++) {
		u32 loc = f->profile.nodes[i].loc, sym = f->names.sym_of_loc[loc];

		nodes[nr_all] = (struct node){ moved[f->profile.nodes[i].parent], loc };
		moved[i] = nr_all++;
		if (names__offset(&f->names, loc) != 8)
			continue;
		loc = names__add_loc(
		        &f->names, loc,
		        names__inlined(&f->names, sym, strtab__add(&f->names.functions, "tiny")));
		nodes[nr_all] = (struct node){ moved[i], loc };
		moved[i] = nr_all++;
	}
	for (u64 i = 0; i < f->profile.nr_rows; i++)
		node_of_row[i] = moved[f->profile.rows[i].node];
	free(moved);
	chains__replace(&f->chains, nodes, nr_all, node_of_row);
}

/* The callers of z, the samples in the order that @first tells. */
static void print_callers(bool first, char *text, size_t size)
{
	struct fixture f;
	struct view view;
	struct out out;

	fixture__init(&f);
	fixture__sample(&f, first ? "main;b+8;z" : "main;m+8;z", 10);
	fixture__sample(&f, first ? "main;m+8;z" : "main;b+8;z", 10);
	fixture__sample(&f, "main;g;z", 20);
	fixture__profile(&f, 1);
	inline_tiny(&f);
	init_view(&f, &view, "sym", "graph,0,callee,function,period");
	CHECK_EQ(view__nr_rows(&view, 0), 1);
	out__init(&out, -1);
	report_chain__print(&out, &view.hists, &view.options.chain, view__tree(&view, 0), NULL,
	                    view__total(&view, 0), false, NULL);
	snprintf(text, size, "%s", out__take(&out));
	out__exit(&out);
	view__exit(&view);
	fixture__exit(&f);
}

/* Of b and m, where "tiny" is, one is before and one behind g, which has the same period. */
TEST(ties_of_inlined_functions_do_not_depend_on_the_first_sample)
{
	char one[1024], other[1024];

	print_callers(true, one, sizeof(one));
	print_callers(false, other, sizeof(other));
	CHECK_STR(one, other);
	const char *tiny = strstr(one, "tiny"), *g = strstr(one, "--g\n");

	CHECK(tiny && g && tiny < g); /* the place that counts is in m */
}

/* The object of the parent that row @row is about. */
static const char *dso_of_parent(struct view *view, u32 row)
{
	const struct hists *hists = &view->hists;
	struct view_row of;

	view__row(view, 0, row, &of);
	u32 any = hist_entry__subject(hists, &hists->entries[of.entry], &key_parent);

	return names__dso(view->names, view->names->syms[hists->parents[any]].dso_name);
}

/* Two objects with the same functions: parents of one name, told apart by their object. */
TEST(ties_of_parents_of_one_name_are_told_apart)
{
	for (unsigned first = 0; first < 2; first++) {
		struct fixture f;
		char other[512];
		regex_t parents;
		struct view view;

		fixture__init(&f);
		snprintf(other, sizeof(other), "%s-2", f.elf);
		CHECK_EQ(link(f.elf, other), 0);
		builder__mmap2(&f.file.data, FIXTURE_TYPE, &f.last, PERF_RECORD_MISC_USER,
		               FIXTURE_START + 0x100000, ELF_TEXT_SIZE, ELF_TEXT_OFFSET, other);
		for (unsigned i = 0; i < 2; i++) {
			u64 moved = i == first ? 0 : 0x100000;
			const u64 chain[] = { PERF_CONTEXT_USER, fixture__addr("z"),
				              fixture__addr("f") + moved, fixture__addr("main") };

			fixture__raw_sample(&f, fixture__addr("z"), chain, ARRAY_SIZE(chain), 10);
		}
		fixture__profile(&f, 1);
		CHECK_EQ(regcomp(&parents, "^f$", REG_EXTENDED), 0);
		struct view_options options = { .hists.parent = &parents };
		struct error err = ERROR_INIT;

		CHECK_EQ(sort_keys__parse(&options.hists.keys, "parent", NULL, &err), 0);
		view__init(&view, &f.chains, &f.names, &options);
		CHECK_EQ(view__nr_rows(&view, 0), 2);
		CHECK_STR(dso_of_parent(&view, 0), "prog");
		CHECK_STR(dso_of_parent(&view, 1), "prog-2");
		view__exit(&view);
		regfree(&parents);
		unlink(other);
		fixture__exit(&f);
	}
}

TEST(ties_of_what_is_in_no_object_come_last)
{
	struct fixture f;
	struct view view;
	struct cell cell;
	struct view_row row;

	fixture__init(&f);
	f.options.chains = false;
	fixture__sample(&f, "?7", 10);
	fixture__sample(&f, "main", 10);
	fixture__profile(&f, 1);
	init_view(&f, &view, "dso", "none");
	CHECK_EQ(view__nr_rows(&view, 0), 2);
	view__row(&view, 0, 0, &row);
	view__cell(&view, &row, view.nr_columns - 1, &cell);
	CHECK_STR(cell.text, "prog"); /* '[' is a smaller letter */
	view__row(&view, 0, 1, &row);
	view__cell(&view, &row, view.nr_columns - 1, &cell);
	CHECK_STR(cell.text, "[unknown]");
	view__exit(&view);
	fixture__exit(&f);
}
