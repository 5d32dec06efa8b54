// SPDX-License-Identifier: GPL-2.0-or-later
/* One function with its callers and callees has the figures that it has among all of them. */
#include "util/callers/call_tree.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/profile_fixture.h"
#include "tests/unit/unit.h"
#include "util/callers/callers.h"

static u32 random_below(u32 nr)
{
	static u64 state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % nr;
}

/* Chains of few functions, which are recursive, then; some samples are of another one. */
static void add_samples(struct fixture *f, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		u32 depth = 1 + random_below(9);
		char chain[64] = "";
		u64 raw[10] = { 0 };

		for (u32 n = 0; n < depth; n++)
			snprintf(chain + strlen(chain), sizeof(chain) - strlen(chain), "%s%c",
			         n ? ";" : "", 'a' + (char)random_below(4));
		if (random_below(8)) {
			fixture__sample(f, chain, 1 + random_below(1000));
			continue;
		}
		raw[0] = PERF_CONTEXT_USER;
		for (u32 n = 0; n < depth; n++)
			raw[n + 1] = fixture__addr((char[]){ 'a' + (char)random_below(4), '\0' });
		fixture__raw_sample(f, fixture__addr("d"), raw, random_below(4) ? depth + 1 : 0,
		                    1 + random_below(1000));
	}
}

static void check_weight(struct weight got, struct weight want)
{
	CHECK_EQ(got.period, want.period);
	CHECK_EQ(got.count, want.count);
}

/* Each edge of the whole is in the list; equal ones may stand in another order. */
static void check_list(const struct names *names, const struct callers *all, const u32 *edges,
                       bool callers, const struct neighbour *list, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		const struct call_edge *edge = &all->edges[edges[i]];
		u32 other = callers ? edge->caller : edge->callee, at = 0;
		u32 key = names__frame_key(names, all->functions[other].loc);

		while (at < nr && names__frame_key(names, list[at].loc) != key)
			at++;
		CHECK(at < nr);
		if (at < nr)
			check_weight(list[at].sums, edge->sums);
		CHECK(!i || list[i - 1].sums.period >= list[i].sums.period);
	}
}

static void check_all(const struct fixture *f, const struct hists *hists)
{
	struct callers all;
	struct call_tree tree;

	callers__init(&all, hists, 0);
	call_tree__init(&tree, hists, 0);
	CHECK_EQ(all.nr_functions, 4);
	for (u32 i = 0; i < all.nr_functions; i++) {
		const struct call_function *want = &all.functions[i];
		struct neighbours got;

		call_tree__find(&tree, want->loc, &got);
		check_weight(got.total, want->total);
		check_weight(got.self, want->self);
		check_weight(got.outermost, want->outermost);
		CHECK_EQ(got.nr_callers, want->nr_callers);
		CHECK_EQ(got.nr_callees, want->nr_callees);
		if (got.nr_callers == want->nr_callers)
			check_list(&f->names, &all, all.by_callee + want->first_caller, true,
			           got.callers, got.nr_callers);
		if (got.nr_callees == want->nr_callees)
			check_list(&f->names, &all, all.by_caller + want->first_callee, false,
			           got.callees, got.nr_callees);
		neighbours__exit(&got);
	}
	call_tree__exit(&tree);
	callers__exit(&all);
}

TEST(call_tree_has_the_figures_of_all_callers)
{
	for (u32 run = 0; run < 8; run++) {
		struct hist_options options = { .children = false };
		struct error err = ERROR_INIT;
		struct fixture f;
		struct hists hists;

		fixture__init(&f);
		add_samples(&f, run < 4 ? 30 : 400);
		fixture__profile(&f, 1 + run % 2);
		CHECK_EQ(sort_keys__parse(&options.keys, run & 1 ? "sym" : "comm", NULL, &err), 0);
		hists__init(&hists, &f.chains, &f.names, &options);
		check_all(&f, &hists);
		hists__exit(&hists);
		fixture__exit(&f);
	}
}

TEST(call_tree_of_a_function_without_samples)
{
	struct hist_options options = { .children = false };
	struct error err = ERROR_INIT;
	struct neighbours got;
	struct call_tree tree;
	struct fixture f;
	struct hists hists;
	u32 other = 200;

	fixture__init(&f);
	fixture__sample(&f, "main;f", 10);
	f.last.pid = f.last.tid = other;
	builder__comm(&f.file.data, FIXTURE_TYPE, &f.last, "other");
	fixture__sample(&f, "?7;?9", 5);
	fixture__profile(&f, 1);
	options.filter.pids = (struct id_list){ &other, 1 };
	CHECK_EQ(sort_keys__parse(&options.keys, "sym", NULL, &err), 0);
	hists__init(&hists, &f.chains, &f.names, &options);
	call_tree__init(&tree, &hists, 0);
	call_tree__find(&tree, f.profile.rows[0].leaf_loc, &got);
	CHECK_EQ(got.total.count + got.self.count + got.outermost.count, 0);
	CHECK_EQ(got.nr_callers + got.nr_callees, 0);
	neighbours__exit(&got);
	call_tree__exit(&tree);
	hists__exit(&hists);
	fixture__exit(&f);
}
