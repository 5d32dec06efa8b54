// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/callers/callers.h"

#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/hash.h"

struct walk {
	struct callers *callers;
	const struct hists *hists;
	struct u64map function_of; /* by frame key */
	struct u64map edge_of;     /* by caller << 32 | callee */
	size_t cap_functions, cap_edges;
};

static u32 function_at(struct walk *walk, u32 loc)
{
	struct callers *callers = walk->callers;
	u32 *id = u64map__at(&walk->function_of, names__frame_key(walk->hists->names, loc));

	if (*id == ID_NONE) {
		*id = callers->nr_functions++;
		array__reserve(&callers->functions, &walk->cap_functions, callers->nr_functions,
		               sizeof(*callers->functions));
		callers->functions[*id] = (struct call_function){ .loc = loc, .last_row = ID_NONE };
	}
	return *id;
}

static struct call_edge *edge_at(struct walk *walk, u32 caller, u32 callee)
{
	struct callers *callers = walk->callers;
	u32 *id = u64map__at(&walk->edge_of, (u64)caller << 32 | callee);

	if (*id == ID_NONE) {
		*id = callers->nr_edges++;
		array__reserve(&callers->edges, &walk->cap_edges, callers->nr_edges,
		               sizeof(*callers->edges));
		callers->edges[*id] = (struct call_edge){ .caller = caller,
			                                  .callee = callee,
			                                  .last_row = ID_NONE };
	}
	return &callers->edges[*id];
}

static void count_once(struct weight *sums, u32 *last_row, u32 row, struct weight weight)
{
	if (*last_row == row)
		return;
	*last_row = row;
	weight__add(sums, weight);
}

u32 callers__leaf(const struct hists *hists, u32 id)
{
	const struct chains *chains = hists->chains;
	const struct names *names = hists->names;
	u32 leaf = chains__leaf(chains, id), loc = chains->nodes[chains__node(chains, id)].loc;

	if (loc == ID_NONE || names__built_loc(names, loc) != leaf ||
	    !sym__inlined(&names->syms[names->sym_of_loc[loc]]))
		return leaf;
	return loc;
}

/* From the leaf to the root. */
static void walk_row(struct walk *walk, u32 id)
{
	const struct chains *chains = walk->hists->chains;
	const struct row *row = &chains->profile->rows[id];
	struct weight weight = { row->period, row->count };
	u32 node = chains__node(chains, id);
	u32 callee = function_at(walk, callers__leaf(walk->hists, id));
	struct call_function *function = &walk->callers->functions[callee];

	weight__add(&function->self, weight);
	count_once(&function->total, &function->last_row, id, weight);
	if (node != NODE_ROOT)
		node = chains->nodes[node].parent;
	for (; node != NODE_ROOT; node = chains->nodes[node].parent) {
		u32 caller = function_at(walk, chains->nodes[node].loc);
		struct call_edge *edge = edge_at(walk, caller, callee);

		function = &walk->callers->functions[caller];
		count_once(&edge->sums, &edge->last_row, id, weight);
		count_once(&function->total, &function->last_row, id, weight);
		callee = caller;
	}
	weight__add(&walk->callers->functions[callee].outermost, weight);
}

/* ---- order ---- */

struct order {
	const struct callers *callers;
	const struct names *names;
	bool by_caller;
};

static int compare_sums(struct weight a, struct weight b)
{
	return a.period == b.period ? 0 : a.period > b.period ? -1 : 1;
}

static int compare_names(const struct names *names, u32 a, u32 b)
{
	int ret = sym__compare(names, &names->syms[names->sym_of_loc[a]],
	                       &names->syms[names->sym_of_loc[b]]);

	return ret ? ret : (a > b) - (a < b);
}

static int compare_functions(const void *left, const void *right, void *ctx)
{
	const struct order *order = ctx;
	const struct call_function *a = &order->callers->functions[*(const u32 *)left];
	const struct call_function *b = &order->callers->functions[*(const u32 *)right];
	int ret = compare_sums(a->total, b->total);

	if (!ret)
		ret = compare_sums(a->self, b->self);
	return ret ? ret : compare_names(order->names, a->loc, b->loc);
}

static int compare_edges(const void *left, const void *right, void *ctx)
{
	const struct order *order = ctx;
	const struct callers *callers = order->callers;
	const struct call_edge *a = &callers->edges[*(const u32 *)left];
	const struct call_edge *b = &callers->edges[*(const u32 *)right];
	u32 of_a = order->by_caller ? a->caller : a->callee;
	u32 of_b = order->by_caller ? b->caller : b->callee;
	int ret = (of_a > of_b) - (of_a < of_b);

	if (!ret)
		ret = compare_sums(a->sums, b->sums);
	if (ret)
		return ret;
	of_a = order->by_caller ? a->callee : a->caller;
	of_b = order->by_caller ? b->callee : b->caller;
	return (of_a > of_b) - (of_a < of_b); /* functions are sorted */
}

static u32 *make_indices(u32 nr)
{
	u32 *list = xrealloc(NULL, nr, sizeof(*list));

	for (u32 i = 0; i < nr; i++)
		list[i] = i;
	return list;
}

static void sort_functions(struct callers *callers, const struct names *names)
{
	struct order order = { callers, names, false };
	u32 *list = make_indices(callers->nr_functions);
	u32 *rank = xrealloc(NULL, callers->nr_functions, sizeof(*rank));
	struct call_function *sorted = xrealloc(NULL, callers->nr_functions, sizeof(*sorted));

	qsort_r(list, callers->nr_functions, sizeof(*list), compare_functions, &order);
	for (u32 i = 0; i < callers->nr_functions; i++) {
		sorted[i] = callers->functions[list[i]];
		rank[list[i]] = i;
	}
	for (u32 i = 0; i < callers->nr_edges; i++) {
		callers->edges[i].caller = rank[callers->edges[i].caller];
		callers->edges[i].callee = rank[callers->edges[i].callee];
	}
	free(callers->functions);
	callers->functions = sorted;
	free(rank);
	free(list);
}

static u32 *sort_edges(struct callers *callers, bool by_caller)
{
	struct order order = { callers, NULL, by_caller };
	u32 *list = make_indices(callers->nr_edges);

	if (callers->nr_edges)
		qsort_r(list, callers->nr_edges, sizeof(*list), compare_edges, &order);
	for (u32 i = 0; i < callers->nr_edges; i++) {
		const struct call_edge *edge = &callers->edges[list[i]];
		struct call_function *of =
		        &callers->functions[by_caller ? edge->caller : edge->callee];
		u32 *nr = by_caller ? &of->nr_callees : &of->nr_callers;

		if (!(*nr)++)
			*(by_caller ? &of->first_callee : &of->first_caller) = i;
	}
	return list;
}

void callers__init(struct callers *callers, const struct hists *hists, u32 evsel)
{
	struct walk walk = { .callers = callers,
		             .hists = hists,
		             .function_of = U64MAP_INIT,
		             .edge_of = U64MAP_INIT };

	*callers = (struct callers){ .nr_functions = 0 };
	for (u32 i = 0; i < hists->nr_groups; i++) {
		const struct hist_group *group = &hists->groups[i];

		for (u64 r = 0; group->evsel == evsel && r < group->nr_rows; r++)
			walk_row(&walk, hists->rows[group->first_row + r]);
	}
	u64map__exit(&walk.function_of);
	u64map__exit(&walk.edge_of);
	sort_functions(callers, hists->names);
	callers->by_callee = sort_edges(callers, false);
	callers->by_caller = sort_edges(callers, true);
}

void callers__exit(struct callers *callers)
{
	free(callers->functions);
	free(callers->edges);
	free(callers->by_callee);
	free(callers->by_caller);
}
