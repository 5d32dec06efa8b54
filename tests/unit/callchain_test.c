// SPDX-License-Identifier: GPL-2.0-or-later
/* Call-chain trees and how they are drawn: what is expected was worked out by hand. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/profile_fixture.h"
#include "ui/text/report_chain.h"
#include "ui/text/report_stdio.h"
#include "util/lib/out.h"

struct drawing {
	struct fixture *f;
	struct hists hists;
	struct chain_options options;
	struct out out;
};

static void drawing__init(struct drawing *v, struct fixture *f, const char *chain, bool children)
{
	struct hist_options options = { .children = children };
	struct error err = ERROR_INIT;

	*v = (struct drawing){ .f = f, .options = CHAIN_OPTIONS_INIT };
	CHECK_EQ(chain_options__parse(&v->options, chain, &err), 0);
	options.caller_order = v->options.order == CHAIN_CALLER;
	CHECK_EQ(sort_keys__parse(&options.keys, "sym", NULL, &err), 0);
	hists__init(&v->hists, &f->chains, &f->names, &options);
	out__init(&v->out, -1);
}

static void drawing__exit(struct drawing *v)
{
	hists__exit(&v->hists);
	out__exit(&v->out);
}

static const struct hist_entry *find_entry(const struct drawing *v, const char *name)
{
	for (u32 i = 0; i < v->hists.nr_entries; i++) {
		const struct hist_entry *entry = &v->hists.entries[i];
		const char *text = sym__name(v->hists.names, hist_entry__sym(&v->hists, entry));

		if (text && !strcmp(text, name))
			return entry;
	}
	unit__fail(__FILE__, __LINE__, "no entry %s", name);
	return &v->hists.entries[0];
}

/* The text below the entry of @name. */
static const char *drawn(struct drawing *v, const char *name)
{
	struct chain_builder *builder = chain_builder__new(&v->hists, &v->options);
	u64 total = v->hists.events[0].period;

	v->out.len = 0;
	report_chain__print(&v->out, &v->hists, &v->options,
	                    chain_builder__build(builder, find_entry(v, name), total), NULL, total,
	                    false, NULL);
	chain_builder__delete(builder);
	return out__take(&v->out);
}

static void check_drawn(struct fixture *f, const char *chain, bool children, const char *name,
                        const char *want)
{
	struct drawing v;

	drawing__init(&v, f, chain, children);
	CHECK_STR(drawn(&v, name), want);
	drawing__exit(&v);
}

/* g is called from f (60, of that 20 through a) and from h (40). */
static void some_samples(struct fixture *f)
{
	fixture__sample(f, "main;f;g", 40);
	fixture__sample(f, "main;a;f;g", 20);
	fixture__sample(f, "main;h;g+4", 40);
}

TEST(callchain_callee_starts_at_the_leaf)
{
	struct fixture f;

	fixture__init(&f);
	some_samples(&f);
	fixture__profile(&f, 1);
	check_drawn(&f, "graph,0.5,callee", false, "g",
	            "            |\n"
	            "            ---g\n"
	            "               |          \n"
	            "               |--60.00%--f\n"
	            "               |          |          \n"
	            "               |          |--40.00%--main\n"
	            "               |          |          \n"
	            "               |           --20.00%--a\n"
	            "               |                     main\n"
	            "               |          \n"
	            "                --40.00%--h\n"
	            "                          main\n"
	            "\n");
	fixture__exit(&f);
}

TEST(callchain_caller_starts_at_the_root)
{
	struct fixture f;

	fixture__init(&f);
	some_samples(&f);
	fixture__profile(&f, 1);
	check_drawn(&f, "graph,0.5,caller", false, "g",
	            "            |\n"
	            "            ---main\n"
	            "               |          \n"
	            "               |--40.00%--h\n"
	            "               |          g\n"
	            "               |          \n"
	            "               |--40.00%--f\n"
	            "               |          g\n"
	            "               |          \n"
	            "                --20.00%--a\n"
	            "                          f\n"
	            "                          g\n"
	            "\n");
	fixture__exit(&f);
}

TEST(callchain_threshold_drops_small_branches)
{
	struct fixture f;

	fixture__init(&f);
	some_samples(&f);
	fixture__profile(&f, 1);
	check_drawn(&f, "graph,30,callee", false, "g",
	            "            |\n"
	            "            ---g\n"
	            "               |          \n"
	            "               |--60.00%--f\n"
	            "               |          |          \n"
	            "               |           --40.00%--main\n"
	            "               |          \n"
	            "                --40.00%--h\n"
	            "                          main\n"
	            "\n");
	check_drawn(&f, "graph,101,callee", false, "g", "");
	fixture__exit(&f);
}

TEST(callchain_fractal_shares_are_of_the_branch)
{
	struct fixture f;

	fixture__init(&f);
	some_samples(&f);
	fixture__profile(&f, 1);
	check_drawn(&f, "fractal,40,callee", false, "g",
	            "            |\n"
	            "            ---g\n"
	            "               |          \n"
	            "               |--60.00%--f\n"
	            "               |          |          \n"
	            "               |          |--66.67%--main\n"
	            "               |           --33.33%--[...]\n"
	            "               |          \n"
	            "                --40.00%--h\n"
	            "                          main\n"
	            "\n");
	fixture__exit(&f);
}

TEST(callchain_print_limit_and_values)
{
	struct fixture f;

	fixture__init(&f);
	some_samples(&f);
	fixture__sample(&f, "main;h;g+4", 1);
	fixture__profile(&f, 1);
	check_drawn(&f, "graph,0,1,callee,count", false, "g",
	            "            |\n"
	            "            ---g\n"
	            "               |          \n"
	            "               |--2--f\n"
	            "               |          |          \n"
	            "               |          |--1--main\n"
	            "\n");
	check_drawn(&f, "fractal,0,1,caller,period", false, "g",
	            "            |\n"
	            "            ---main\n"
	            "               |          \n"
	            "               |--41--h\n"
	            "               |          g\n"
	            "                --60--[...]\n"
	            "\n");
	fixture__exit(&f);
}

TEST(callchain_lists_whole_chains)
{
	struct fixture f;

	fixture__init(&f);
	some_samples(&f);
	fixture__sample(&f, "g", 20);
	fixture__profile(&f, 1);
	/* Of equal chains the longer stands before the one it goes on from. */
	check_drawn(&f, "folded,0,callee,period", false, "g",
	            "40 g;h;main\n40 g;f;main\n20 g;f;a;main\n20 g\n");
	check_drawn(&f, "folded,0,2,caller,count", false, "g", "1 main;h;g\n1 main;f;g\n");
	check_drawn(&f, "folded,30,caller", false, "g", "33.33% main;h;g\n33.33% main;f;g\n");
	check_drawn(&f, "flat,30,1,callee", false, "g",
	            "           33.33%\n"
	            "                g\n"
	            "                h\n"
	            "                main\n"
	            "\n");
	fixture__exit(&f);
}

TEST(callchain_addresses_tell_frames_apart)
{
	struct fixture f;

	fixture__init(&f);
	fixture__sample(&f, "main;f;g", 1);
	fixture__sample(&f, "main;f+4;g", 2);
	fixture__profile(&f, 1);
	check_drawn(&f, "folded,0,callee,period", false, "g", "3 g;f;main\n");
	check_drawn(&f, "folded,0,callee,period,address", false, "g",
	            "2 g;f+0x4;main\n1 g;f;main\n");
	fixture__exit(&f);
}

/* Callers show what they call; rows whose leaf is the entry come with their whole chain. */
TEST(callchain_children_in_caller_order)
{
	struct fixture f;

	fixture__init(&f);
	some_samples(&f);
	fixture__sample(&f, "main;f", 10);
	fixture__profile(&f, 1);
	check_drawn(&f, "folded,0,caller,period", true, "f", "60 f;g\n10 main;f\n");
	check_drawn(&f, "folded,0,caller,period", true, "main",
	            "40 main;h;g\n40 main;f;g\n20 main;a;f;g\n10 main;f\n");
	check_drawn(&f, "graph,1,caller", true, "f",
	            "            |          \n"
	            "            |--54.55%--f\n"
	            "            |          g\n"
	            "            |          \n"
	            "             --9.09%--main\n"
	            "                       f\n"
	            "\n");
	fixture__exit(&f);
}

/* Many functions beside those of some_samples(), so that few of all nodes lead to an entry. */
static void many_others(struct fixture *f)
{
	char name[16];

	for (u32 i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "?%u", 1000 + i);
		fixture__sample(f, name, 1);
	}
}

TEST(callchain_children_among_many_others)
{
	struct fixture f;

	fixture__init(&f);
	some_samples(&f);
	fixture__sample(&f, "main;f", 10);
	many_others(&f);
	fixture__profile(&f, 1);
	check_drawn(&f, "folded,0,caller,period", true, "f", "60 f;g\n10 main;f\n");
	check_drawn(&f, "folded,0,caller,period", true, "main",
	            "40 main;h;g\n40 main;f;g\n20 main;a;f;g\n10 main;f\n");
	check_drawn(&f, "folded,0,callee,period", true, "f", "50 f;main\n20 f;a;main\n");
	fixture__exit(&f);
}

TEST(callchain_children_in_callee_order)
{
	struct fixture f;

	fixture__init(&f);
	some_samples(&f);
	fixture__sample(&f, "main;f", 10);
	fixture__profile(&f, 1);
	check_drawn(&f, "folded,0,callee,period", true, "f", "50 f;main\n20 f;a;main\n");
	check_drawn(&f, "folded,0,callee,period", true, "main", "110 main\n");
	fixture__exit(&f);
}

/* f;g;f;h: for f the outermost frame counts in caller order, the innermost in callee order. */
TEST(callchain_children_with_recursion)
{
	struct fixture f;

	fixture__init(&f);
	fixture__sample(&f, "main;f;g;f;h", 4);
	fixture__sample(&f, "main;f;h", 2);
	fixture__sample(&f, "main;f;g;f", 1);
	fixture__profile(&f, 1);
	check_drawn(&f, "folded,0,caller,period", true, "f", "4 f;g;f;h\n2 f;h\n1 main;f;g;f\n");
	check_drawn(&f, "folded,0,callee,period", true, "f", "5 f;g;f;main\n2 f;main\n");
	check_drawn(&f, "folded,0,callee,period", true, "h", "4 h;f;g;f;main\n2 h;f;main\n");
	fixture__exit(&f);
}

/* Entries after one another must not see each other's marks. */
static void use_again(bool among_others)
{
	struct chain_builder *builder;
	struct fixture f;
	struct drawing v;

	fixture__init(&f);
	some_samples(&f);
	if (among_others)
		many_others(&f);
	fixture__profile(&f, 1);
	drawing__init(&v, &f, "folded,0,caller,period", true);
	builder = chain_builder__new(&v.hists, &v.options);
	for (unsigned round = 0; round < 2; round++)
		for (u32 i = 0; i < v.hists.nr_entries; i++) {
			const struct hist_entry *entry = &v.hists.entries[i];
			const struct chain_tree *tree = chain_builder__build(builder, entry, 100);
			u64 sum = 0;

			for (u32 n = 0; n < tree->nr_nodes; n++)
				sum += tree->nodes[n].period;
			CHECK_EQ(sum, entry->total_period);
			CHECK_EQ(tree->nodes[0].total_count, entry->total_count);
		}
	chain_builder__delete(builder);
	drawing__exit(&v);
	fixture__exit(&f);
}

TEST(callchain_builder_can_be_used_again)
{
	use_again(false);
	use_again(true);
}

TEST(callchain_names_addresses_that_nothing_covers)
{
	struct fixture f;

	fixture__init(&f);
	fixture__sample(&f, "?0;?7f;g", 1);
	fixture__profile(&f, 1);
	check_drawn(&f, "folded,0,caller,count", false, "g", "1 0;0x7f;g\n");
	fixture__exit(&f);
}

static struct out printed(struct fixture *f, const char *chain, struct view_options *options,
                          const struct report_style *style)
{
	struct error err = ERROR_INIT;
	struct view view;
	struct out out;

	options->chain = (struct chain_options)CHAIN_OPTIONS_INIT;
	CHECK_EQ(chain_options__parse(&options->chain, chain, &err), 0);
	CHECK_EQ(sort_keys__parse(&options->hists.keys, "sym", NULL, &err), 0);
	view__init(&view, &f->chains, &f->names, options);
	out__init(&out, -1);
	report_stdio__print(&out, &view, style);
	view__exit(&view);
	return out;
}

/* A whole report; every byte of it is what scripts were written for. */
TEST(report_stdio_has_the_known_layout)
{
	struct report_style style = { .skip_empty = true };
	struct fixture f;
	struct view_options options = { .show_samples = true };

	fixture__init(&f);
	some_samples(&f);
	fixture__sample(&f, "?7", 100);
	fixture__profile(&f, 1);
	struct out out = printed(&f, "graph,25,callee", &options, &style);

	*strstr((char *)out__take(&out), "# (Tip") = '\0';
	CHECK_STR(out.buf,
	          "# To display the perf.data header info, please use --header/--header-only "
	          "options.\n"
	          "#\n"
	          "#\n"
	          "# Total Lost Samples: 0\n"
	          "#\n"
	          "# Samples: 4  of event 'cpu-clock:HG'\n"
	          "# Event count (approx.): 200\n"
	          "#\n"
	          "# Overhead       Samples  Symbol                \n"
	          "# ........  ............  ......................\n"
	          "#\n"
	          "    50.00%             3  [.] g\n"
	          "            |          \n"
	          "             --30.00%--f\n"
	          "\n"
	          "    50.00%             1  [.] 0x0000000000000007\n"
	          "\n"
	          "\n"
	          "#\n");
	out__exit(&out);
	fixture__exit(&f);
}

TEST(report_stdio_with_separator_and_quiet)
{
	struct report_style style = { .quiet = true, .separator = "," };
	struct fixture f;
	struct view_options options = { .hists.children = true };

	fixture__init(&f);
	some_samples(&f);
	fixture__profile(&f, 1);
	struct out out = printed(&f, "none", &options, &style);

	CHECK_STR(out__take(&out), " 100.00%, 100.00%,[.] g\n"
	                           " 100.00%, 0.00%  ,[.] main\n"
	                           " 60.00% , 0.00%  ,[.] f\n"
	                           " 40.00% , 0.00%  ,[.] h\n"
	                           " 20.00% , 0.00%  ,[.] a\n"
	                           "\n\n");
	out__exit(&out);
	fixture__exit(&f);
}

/* Entries by what is printed: people count those of a pipe. */
TEST(report_stdio_sums_up_what_is_printed_as_less_than_half_a_percent)
{
	struct report_style style = { .quiet = true, .sums_noise = true };
	struct view_options options = { .show_samples = false };
	struct fixture f;

	fixture__init(&f);
	fixture__sample(&f, "main;g", 98992);
	fixture__sample(&f, "main;f", 496);
	fixture__sample(&f, "main;h", 494);
	fixture__sample(&f, "main;a", 18);
	fixture__profile(&f, 1);
	struct out out = printed(&f, "none", &options, &style);

	CHECK_STR(out__take(&out),
	          "    98.99%  [.] g\n"
	          "     0.50%  [.] f\n"
	          "     0.51%  [2 more below 0.5 %: --percent-limit 0 shows them]\n"
	          "\n\n");
	out__exit(&out);
	fixture__exit(&f);
}
