// SPDX-License-Identifier: GPL-2.0-or-later
/* The code of inlined functions: found in the entry that has their samples, and browsed there. */
#include "util/annotate/inlined_code.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/fake_terminal.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/unit.h"
#include "ui/tui/report_browser.h"
#include "util/callers/callers.h"
#include "util/lib/alloc.h"

/* Let "tiny" be inlined into f from f+4 on: a node more below each such node. */
static void inline_tiny(struct fixture *f)
{
	const struct profile *profile = &f->profile;
	u32 nr = profile->nr_nodes, *node_of_row = xcalloc(profile->nr_rows, sizeof(u32));
	struct node *nodes = xcalloc(2 * (size_t)nr, sizeof(*nodes));
	u32 *below = xcalloc(nr, sizeof(*below)), nr_all = nr;

	memcpy(nodes, profile->nodes, nr * sizeof(*nodes));
	for (u32 i = 1; i < nr; i++) {
		u32 loc = nodes[i].loc, sym = f->names.sym_of_loc[loc];

		below[i] = i;
		if (strcmp(sym__name(&f->names, &f->names.syms[sym]), "f") != 0 ||
		    names__offset(&f->names, loc) < 4)
			continue;
		u32 tiny = names__inlined(&f->names, sym, strtab__add(&f->names.functions, "tiny"));

		below[i] = nr_all;
		nodes[nr_all++] = (struct node){ i, names__add_loc(&f->names, loc, tiny) };
	}
	for (u64 i = 0; i < profile->nr_rows; i++)
		node_of_row[i] = below[profile->rows[i].node];
	free(below);
	chains__replace(&f->chains, nodes, nr_all, node_of_row);
}

static void start(struct fixture *f, struct view *view)
{
	struct view_options options = { .hists.children = true };
	struct error err = ERROR_INIT;

	fixture__init(f);
	fixture__sample(f, "main;f", 100);
	fixture__sample(f, "main;f+4", 20);
	fixture__sample(f, "main;f+8", 15);
	fixture__sample(f, "main;g;f+8", 15);
	fixture__sample(f, "main;f;g", 50);
	fixture__profile(f, 1);
	inline_tiny(f);
	options.chain = (struct chain_options)CHAIN_OPTIONS_INIT;
	CHECK_EQ(chain_options__parse(&options.chain, "graph,0.5,callee", &err), 0);
	CHECK_EQ(sort_keys__parse(&options.hists.keys, "dso,sym", NULL, &err), 0);
	view__init(view, &f->chains, &f->names, &options);
}

static u32 entry_named(const struct view *view, const char *name)
{
	for (u32 i = 0; i < view->hists.nr_entries; i++)
		if (!strcmp(sym__name(view->names,
		                      hist_entry__sym(&view->hists, &view->hists.entries[i])),
		            name))
			return i;
	CHECK(false);
	return 0;
}

TEST(inlined_code_is_hottest_where_its_own_samples_are)
{
	struct fixture f;
	struct view view;

	start(&f, &view);
	const struct hists *hists = &view.hists;
	const struct hist_entry *of_f = &hists->entries[entry_named(&view, "f")],
	                        *of_g = &hists->entries[entry_named(&view, "g")],
	                        *tiny = &hists->entries[entry_named(&view, "tiny")];
	u32 loc = hists->loc_of_key[tiny->key];

	CHECK(sym__inlined(hist_entry__sym(hists, tiny)));
	CHECK_EQ(tiny->period, 0);
	CHECK_EQ(tiny->total_period, 50);
	CHECK_EQ(inlined_code__hottest(hists, of_f, loc), hist_entry__sym(hists, of_f)->addr + 8);
	CHECK_EQ(inlined_code__hottest(hists, of_g, loc), 0);
	view__exit(&view);
	fixture__exit(&f);
}

static int print_code(void *ctx, struct view *view, u32 entry, const struct annotate_style *style,
                      struct out *out, struct annotate_marks *marks, struct error *err)
{
	const struct sym *sym = hist_entry__sym(&view->hists, &view->hists.entries[entry]);

	(void)ctx;
	(void)style;
	(void)err;
	out__printf(out, "Samples of %s\nheading\n", sym__name(view->names, sym));
	for (u32 i = 0; i < 16; i += 4) {
		array__reserve(&marks->list, &marks->cap, (size_t)marks->nr + 1,
		               sizeof(*marks->list));
		marks->list[marks->nr++] = (struct annotate_mark){ .at = out->len,
			                                           .addr = sym->addr + i,
			                                           .percent = i ? 1 : 99 };
		out__printf(out, "insn %u\n", i);
	}
	return 0;
}

static int print_samples(void *ctx, struct view *view, const struct sample_filter *filter,
                         const char *fields, struct out *out, struct error *err)
{
	(void)ctx;
	(void)view;
	(void)fields;
	(void)err;
	for (u32 i = 0; i < filter->symbols.nr; i++)
		out__printf(out, "symbol %s\n", filter->symbols.names[i]);
	return 0;
}

static const char *browse(const int *keys)
{
	const struct report_texts texts = { .code = { .print = print_code,
		                                      .samples = print_samples } };
	struct fixture f;
	struct view view;

	start(&f, &view);
	fake__start(12, 60, keys);
	CHECK(!report_browser__run(&tui, &view, &texts));
	fake__stop();
	view__exit(&view);
	fixture__exit(&f);
	return fake.screen;
}

static const struct call_function *function_named(const struct view *view,
                                                  const struct callers *callers, const char *name)
{
	const struct names *names = view->names;

	for (u32 i = 0; i < callers->nr_functions; i++) {
		const struct call_function *function = &callers->functions[i];

		if (!strcmp(sym__name(names, &names->syms[names->sym_of_loc[function->loc]]), name))
			return function;
	}
	CHECK(false);
	return &callers->functions[0];
}

TEST(callers_of_an_inlined_function_are_those_it_was_inlined_into)
{
	struct callers callers;
	struct fixture f;
	struct view view;

	start(&f, &view);
	callers__init(&callers, &view.hists, 0);
	const struct call_function *tiny = function_named(&view, &callers, "tiny"),
	                           *into = function_named(&view, &callers, "f");

	CHECK_EQ(tiny->total.period, 50);
	CHECK_EQ(tiny->self.period, 50);
	CHECK_EQ(tiny->nr_callers, 1);
	CHECK_EQ(callers.edges[callers.by_callee[tiny->first_caller]].caller,
	         into - callers.functions);
	CHECK_EQ(into->total.period, 200);
	CHECK_EQ(into->self.period, 100);
	CHECK_EQ(into->nr_callees, 2); /* and g */
	CHECK_EQ(callers.edges[callers.by_caller[into->first_callee]].sums.period, 50);
	callers__exit(&callers);
	view__exit(&view);
	fixture__exit(&f);
}

#define KEYS(...) ((const int[]){ __VA_ARGS__, 0 })

TEST(inlined_code_is_browsed_where_its_samples_are)
{
	const char *screen = browse(KEYS('/', 't', 'i', 'n', 'y', KEYS_ENTER));

	CHECK(strstr(screen, "  [.] tiny (inlined)\n") && !strstr(screen, "[.] f\n"));
	screen = browse(KEYS('/', 't', 'i', 'n', 'y', KEYS_ENTER, 'a'));
	CHECK(!strncmp(screen, "Samples of f\n", 13));
	CHECK_EQ(fake.chosen, 4); /* the third instruction */
	browse(KEYS('/', 't', 'i', 'n', 'y', KEYS_ENTER, 'a', 'H'));
	CHECK_EQ(fake.chosen, 2);
	/* As a frame. */
	screen = browse(KEYS('/', 't', 'i', 'n', 'y', KEYS_ENTER, 'E', KEYS_DOWN, 'a'));
	CHECK(!strncmp(screen, "Samples of f\n", 13));
	CHECK_EQ(fake.chosen, 4);
	/* In the pane of callers and callees. */
	screen = browse(KEYS('/', 't', 'i', 'n', 'y', KEYS_ENTER, 'b', 'a'));
	CHECK(!strncmp(screen, "Samples of f\n", 13));
	CHECK_EQ(fake.chosen, 4);
}

/* Samples are of symbols, none of which is called as what was inlined. */
TEST(samples_of_an_inlined_function_are_those_of_its_symbol)
{
	const char *screen = browse(KEYS('/', 't', 'i', 'n', 'y', KEYS_ENTER, 'r', KEYS_ENTER));

	CHECK(!strncmp(screen, "Samples taken in f, which has the inlined tiny\nsymbol f\n", 56));
	screen = browse(KEYS('/', 't', 'i', 'n', 'y', KEYS_ENTER, 'E', KEYS_DOWN, 'r', KEYS_ENTER));
	CHECK(!strncmp(screen, "Samples taken in f, which ", 26));
}
