// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A row counts once for a function or an edge, however often its chain has it: so the sum of each
 * is that of the nodes with it that have no other such node above.
 */
#include "util/callers/call_tree.h"

#include <stdlib.h>

#include "util/callers/callers.h"
#include "util/lib/alloc.h"

enum node_state {
	IS = 1u << 0,    /* the function that is looked for; */
	BELOW = 1u << 1, /* it, or below it; */
	FIRST = 1u << 2, /* it, and not below another */
};

/* ---- once for all functions ---- */

static u32 function_at(const struct call_tree *tree, u32 node)
{
	return tree->function_of_loc[tree->hists->chains->nodes[node].loc];
}

static void add_row(struct call_tree *tree, u32 id)
{
	const struct chains *chains = tree->hists->chains;
	const struct row *row = &chains->profile->rows[id];
	struct weight weight = { row->period, row->count };
	u32 node = chains__node(chains, id);
	u32 leaf = tree->function_of_loc[callers__leaf(tree->hists, id)];

	weight__add(&tree->self[leaf], weight);
	if (node == NODE_ROOT || function_at(tree, node) != leaf) {
		array__reserve(&tree->others, &tree->cap_others, (size_t)tree->nr_others + 1,
		               sizeof(*tree->others));
		tree->others[tree->nr_others++] = id;
		node = chains->nodes[node].parent;
	}
	weight__add(&tree->sums[node], weight);
}

void call_tree__init(struct call_tree *tree, const struct hists *hists, u32 evsel)
{
	const struct names *names = hists->names;
	u32 nr_nodes = hists->chains->nr_nodes;

	*tree = (struct call_tree){ .hists = hists };
	tree->function_of_loc = xrealloc(NULL, (size_t)names->nr_locs + 1, sizeof(u32));
	for (u32 i = 0; i < names->nr_locs; i++)
		tree->function_of_loc[i] = names__frame_key(names, i);
	tree->sums = xcalloc(nr_nodes, sizeof(*tree->sums));
	tree->self = xcalloc((size_t)names->nr_syms + 1, sizeof(*tree->self));
	tree->state = xcalloc(nr_nodes, sizeof(*tree->state));
	tree->slot_of = xrealloc(NULL, 2 * (size_t)names->nr_syms + 1, sizeof(u32));
	for (u32 i = 0; i < 2 * names->nr_syms; i++)
		tree->slot_of[i] = ID_NONE;
	for (u32 i = 0; i < hists->nr_groups; i++) {
		const struct hist_group *group = &hists->groups[i];

		for (u64 r = 0; group->evsel == evsel && r < group->nr_rows; r++)
			add_row(tree, hists->rows[group->first_row + r]);
	}
	for (u32 i = nr_nodes - 1; i > 0; i--)
		weight__add(&tree->sums[hists->chains->nodes[i].parent], tree->sums[i]);
}

void call_tree__exit(struct call_tree *tree)
{
	free(tree->function_of_loc);
	free(tree->sums);
	free(tree->self);
	free(tree->others);
	free(tree->state);
	free(tree->slot_of);
	*tree = (struct call_tree){ .hists = NULL };
}

/* ---- one function ---- */

struct search {
	struct call_tree *tree;
	const struct node *nodes;
	struct neighbours *found;
	u32 function;
};

static void add_neighbour(struct search *s, bool caller, u32 function, u32 loc,
                          struct weight weight)
{
	struct neighbours *found = s->found;
	struct neighbour **list = caller ? &found->callers : &found->callees;
	u32 *nr = caller ? &found->nr_callers : &found->nr_callees;
	u32 *slot = &s->tree->slot_of[function + (caller ? 0 : s->tree->hists->names->nr_syms)];

	if (*slot == ID_NONE) {
		*slot = (*nr)++;
		array__reserve(list, caller ? &found->cap_callers : &found->cap_callees, *nr,
		               sizeof(**list));
		(*list)[*slot] = (struct neighbour){ .loc = loc };
	}
	weight__add(&(*list)[*slot].sums, weight);
}

/* Is there a call of @callee by @caller at @node or above? */
static bool is_called_above(const struct search *s, u32 node, u32 caller, u32 callee)
{
	const struct call_tree *tree = s->tree;

	for (; node != NODE_ROOT && tree->state[node] & BELOW; node = s->nodes[node].parent) {
		u32 above = s->nodes[node].parent;

		if (above != NODE_ROOT && function_at(tree, node) == callee &&
		    function_at(tree, above) == caller)
			return true;
	}
	return false;
}

/* The function itself, below @parent. */
static void meet(struct search *s, u32 parent, u32 loc, struct weight weight)
{
	u8 above = s->tree->state[parent];

	if (!(above & BELOW))
		weight__add(&s->found->total, weight);
	if (parent == NODE_ROOT) {
		weight__add(&s->found->outermost, weight);
		return;
	}
	u32 caller = function_at(s->tree, parent);

	if (above & BELOW && is_called_above(s, parent, caller, s->function))
		return;
	add_neighbour(s, true, caller, s->nodes[parent].loc, weight);
	if (above & IS)
		add_neighbour(s, false, s->function, loc, weight);
}

/* Another function, which it calls: it is @parent. */
static void meet_callee(struct search *s, u32 parent, u32 function, u32 loc, struct weight weight)
{
	if (s->tree->state[parent] & FIRST || !is_called_above(s, parent, s->function, function))
		add_neighbour(s, false, function, loc, weight);
}

static void search_nodes(struct search *s)
{
	const struct call_tree *tree = s->tree;
	const u32 *function_of_loc = tree->function_of_loc;
	const struct node *nodes = s->nodes;
	u32 nr = tree->hists->chains->nr_nodes, wanted = s->function;
	u8 *state = tree->state;

	state[NODE_ROOT] = 0;
	for (u32 i = 1; i < nr; i++) {
		u32 parent = nodes[i].parent, function = function_of_loc[nodes[i].loc];
		u8 above = state[parent];

		if (function == wanted) {
			state[i] = IS | BELOW | (above & BELOW ? 0 : FIRST);
			if (tree->sums[i].count)
				meet(s, parent, nodes[i].loc, tree->sums[i]);
		} else {
			state[i] = above & BELOW;
			if (above & IS && tree->sums[i].count)
				meet_callee(s, parent, function, nodes[i].loc, tree->sums[i]);
		}
	}
}

static void search_others(struct search *s)
{
	const struct call_tree *tree = s->tree;
	const struct chains *chains = tree->hists->chains;

	for (u32 i = 0; i < tree->nr_others; i++) {
		u32 id = tree->others[i], parent = s->nodes[chains__node(chains, id)].parent;
		u32 loc = callers__leaf(tree->hists, id), function = tree->function_of_loc[loc];
		const struct row *row = &chains->profile->rows[id];
		struct weight weight = { row->period, row->count };

		if (function == s->function)
			meet(s, parent, loc, weight);
		else if (tree->state[parent] & IS)
			meet_callee(s, parent, function, loc, weight);
	}
}

static int compare_neighbours(const void *left, const void *right, void *ctx)
{
	const struct neighbour *a = left, *b = right;
	const struct names *names = ctx;

	if (a->sums.period != b->sums.period)
		return a->sums.period > b->sums.period ? -1 : 1;
	int ret = sym__compare(names, &names->syms[names->sym_of_loc[a->loc]],
	                       &names->syms[names->sym_of_loc[b->loc]]);

	return ret ? ret : (a->loc > b->loc) - (a->loc < b->loc);
}

static void finish(struct call_tree *tree, struct neighbour *list, u32 nr, u32 *slot_of)
{
	for (u32 i = 0; i < nr; i++)
		slot_of[tree->function_of_loc[list[i].loc]] = ID_NONE;
	if (nr)
		qsort_r(list, nr, sizeof(*list), compare_neighbours, (void *)tree->hists->names);
}

void call_tree__find(struct call_tree *tree, u32 loc, struct neighbours *neighbours)
{
	struct search s = { .tree = tree,
		            .nodes = tree->hists->chains->nodes,
		            .found = neighbours,
		            .function = tree->function_of_loc[loc] };

	*neighbours = (struct neighbours){ .self = tree->self[s.function] };
	search_nodes(&s);
	search_others(&s);
	finish(tree, neighbours->callers, neighbours->nr_callers, tree->slot_of);
	finish(tree, neighbours->callees, neighbours->nr_callees,
	       tree->slot_of + tree->hists->names->nr_syms);
}

void neighbours__exit(struct neighbours *neighbours)
{
	free(neighbours->callers);
	free(neighbours->callees);
	*neighbours = (struct neighbours){ .nr_callers = 0 };
}
