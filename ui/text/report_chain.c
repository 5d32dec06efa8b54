// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/report_chain.h"

#include <stdlib.h>

#include "ui/term/color.h"
#include "util/health/health_text.h"
#include "util/lib/alloc.h"

#define MARGIN       12 /* left of a graph */
#define STEM_MARGIN  15 /* left of what follows a first node that has no sibling: "---name" */
#define BRANCH_WIDTH 11 /* "|          " */
#define FLAT_VALUE   11
#define FLAT_FRAME   16

struct chain_printer {
	struct out *out;
	const struct hists *hists;
	const struct chain_options *options;
	const struct chain_tree *tree;
	const struct sym *own;
	u64 total;
	bool colored;
	const struct chain_ends *ends; /* or NULL */
	int margin;
	bool *open; /* per level: a bar goes on below, for siblings still to come */
	size_t cap_open;
};

struct sums {
	u64 period, count;
};

/* ---- text ---- */

static const struct sym *sym_of_frame(const struct chain_printer *p, u32 frame)
{
	const struct names *names = p->hists->names;

	return &names->syms[names->sym_of_loc[p->tree->frames[frame]]];
}

/* "COND_FWD", "CALL": what the branches were that led here. */
static void print_kinds(struct out *out, const struct branch_sum *sum, const char **gap)
{
	for (unsigned kind = 1; kind < BRANCH_KINDS; kind++) {
		if (!(sum->kinds >> kind & 1))
			continue;
		if (kind != BRANCH_CONDITIONAL || sum->forward) {
			out__str(out, *gap);
			out__str(out,
			         kind == BRANCH_CONDITIONAL ? "COND_FWD" : branch_kind__name(kind));
			*gap = " ";
		}
		if (kind == BRANCH_CONDITIONAL && sum->back) {
			out__str(out, *gap);
			out__str(out, "COND_BWD");
			*gap = " ";
		}
	}
}

static void print_share(struct out *out, const char **gap, const char *name, u64 nr, u64 total)
{
	out__printf(out, "%s%s:%.1f%%", *gap, name, 100.0 * nr / total);
	*gap = " ";
}

/* "iter:2 avg_cycles:11": how often loops went on for, but for the round that is shown. */
static void print_loops(struct out *out, const struct branch_sum *sum, const char **gap)
{
	u64 whole = sum->more / sum->nr_loops, tenths = sum->more * 10 / sum->nr_loops % 10;

	out__printf(out, "%siter:%llu", *gap, (unsigned long long)whole);
	if (tenths)
		out__printf(out, ".%u", (unsigned)tenths);
	*gap = " ";
	if (sum->rounds_cycles)
		out__printf(out, " avg_cycles:%llu",
		            (unsigned long long)(sum->rounds_cycles / (sum->more + sum->nr_loops)));
}

/* " (CALL predicted:50.0%)", " (cycles:12 iter:2 avg_cycles:11)", or nothing. */
static void print_branch_sum(struct out *out, const struct branch_sum *sum)
{
	const char *gap = " (";

	if (!sum->nr_targets && !sum->nr_sources) {
		out__str(out, " (calltrace)");
		return;
	}
	if (sum->nr_targets) {
		print_kinds(out, sum, &gap);
		if (sum->nr_mispredicted)
			print_share(out, &gap, "predicted", sum->nr_targets - sum->nr_mispredicted,
			            sum->nr_targets);
		if (sum->nr_aborted)
			print_share(out, &gap, "abort", sum->nr_aborted, sum->nr_targets);
	}
	if (sum->nr_sources && sum->cycles / sum->nr_sources) {
		out__printf(out, "%scycles:%llu", gap,
		            (unsigned long long)(sum->cycles / sum->nr_sources));
		gap = " ";
	}
	if (sum->nr_loops)
		print_loops(out, sum, &gap);
	if (*gap == ' ' && !gap[1])
		out__char(out, ')');
}

static void print_frame(const struct chain_printer *p, u32 frame)
{
	const struct names *names = p->hists->names;
	const struct sym *sym = sym_of_frame(p, frame);
	u32 loc = p->tree->frames[frame];

	if (!sym__named(sym) && sym->dso == ID_NONE && p->ends)
		health_text__unmapped(p->out, sym->vaddr,
		                      chain_ends__at(p->ends, names__built_loc(names, loc)),
		                      names->session);
	else
		chain_options__print_frame(p->options, p->hists, p->out, loc);
	if (p->tree->has_branches &&
	    (p->options->mode == CHAIN_GRAPH || p->options->mode == CHAIN_FRACTAL))
		print_branch_sum(p->out, &p->tree->branches[frame]);
}

static void print_value(const struct chain_printer *p, struct sums sums, u64 whole)
{
	switch (p->options->value) {
	case CHAIN_COUNT:
		out__dec(p->out, sums.count, 0);
		break;
	case CHAIN_PERIOD:
		out__dec(p->out, sums.period, 0);
		break;
	default:
		color__percent(p->out, p->colored, sums.period, whole, 0);
	}
}

/* ---- graph and fractal ---- */

static void print_bars(const struct chain_printer *p, u32 levels)
{
	out__fill(p->out, ' ', p->margin);
	for (u32 i = 0; i < levels; i++) {
		out__char(p->out, p->open[i] ? '|' : ' ');
		out__fill(p->out, ' ', BRANCH_WIDTH - 1);
	}
}

static void print_branch(const struct chain_printer *p, u32 level, bool last, struct sums sums,
                         u64 whole)
{
	print_bars(p, level);
	out__str(p->out, last ? " --" : "|--");
	print_value(p, sums, whole);
	out__str(p->out, "--");
}

/* The frames of @node, the first of them on the branch line. */
static void print_node(struct chain_printer *p, const struct chain_node *node, u32 level, bool last,
                       u64 whole)
{
	print_branch(p, level, last, (struct sums){ node->total_period, node->total_count }, whole);
	p->open[level] = !last;
	for (u32 i = 0; i < node->nr_frames; i++) {
		if (i)
			print_bars(p, level + 1);
		print_frame(p, node->first_frame + i);
		out__char(p->out, '\n');
	}
}

static u32 nr_shown(const struct chain_printer *p, const struct chain_node *node)
{
	u32 limit = p->options->print_limit;

	return limit && limit < node->nr_children ? limit : node->nr_children;
}

/*
 * What 100 % is for the branches of @node in fractal mode: the entry for the first level, else
 * what goes on below @node, without the chains that end in it.
 */
static struct sums whole_of(const struct chain_printer *p, const struct chain_node *node, u32 level)
{
	const struct chain_node *root = &p->tree->nodes[0];

	if (!level)
		return (struct sums){ root->total_period, root->total_count };
	return (struct sums){ node->total_period - node->period, node->total_count - node->count };
}

/* In fractal mode what is not in the branches shown is summed up in a last one, "[...]". */
static struct sums left_out(const struct chain_printer *p, const struct chain_node *node,
                            struct sums whole)
{
	if (p->options->mode != CHAIN_FRACTAL || !node->nr_children)
		return (struct sums){ 0, 0 };
	for (u32 i = 0; i < nr_shown(p, node); i++) {
		whole.period -= p->tree->nodes[node->first_child + i].total_period;
		whole.count -= p->tree->nodes[node->first_child + i].total_count;
	}
	return whole;
}

/* Recursion is as deep as a chain has branches: --max-stack bounds it. */
static void print_children(struct chain_printer *p, u32 id, u32 level)
{
	const struct chain_node *node = &p->tree->nodes[id];
	struct sums parts = whole_of(p, node, level), rest = left_out(p, node, parts);
	u64 whole = p->options->mode == CHAIN_FRACTAL ? parts.period : p->total;

	array__reserve(&p->open, &p->cap_open, level + 1, sizeof(*p->open));
	for (u32 i = 0; i < nr_shown(p, node); i++) {
		const struct chain_node *child = &p->tree->nodes[node->first_child + i];

		p->open[level] = true;
		print_bars(p, level + 1);
		out__char(p->out, '\n');
		print_node(p, child, level, i + 1 == node->nr_children && !rest.period, whole);
		print_children(p, node->first_child + i, level + 1);
	}
	if (!rest.period)
		return;
	print_branch(p, level, true, rest, whole);
	out__str(p->out, "[...]\n");
}

/* A first node that all of the entry goes through needs no share: "---name". */
static bool has_stem(const struct chain_tree *tree)
{
	const struct chain_node *root = &tree->nodes[0];

	return root->nr_children == 1 &&
	       tree->nodes[root->first_child].total_period == root->total_period;
}

static void print_graph(struct chain_printer *p)
{
	u32 top = p->tree->nodes[0].first_child;
	const struct chain_node *stem = &p->tree->nodes[top];
	u32 first = stem->first_frame, end = first + stem->nr_frames;

	p->margin = MARGIN;
	if (!has_stem(p->tree)) {
		print_children(p, 0, 0);
		out__char(p->out, '\n');
		return;
	}
	if (sym_of_frame(p, first) == p->own)
		first++;
	if (first == end && !stem->nr_children)
		return;
	if (first < end) {
		out__fill(p->out, ' ', MARGIN);
		out__str(p->out, "|\n");
		out__fill(p->out, ' ', MARGIN);
		out__str(p->out, "---");
		p->margin = STEM_MARGIN;
	}
	for (u32 frame = first; frame < end; frame++) {
		if (frame > first)
			out__fill(p->out, ' ', STEM_MARGIN);
		print_frame(p, frame);
		out__char(p->out, '\n');
	}
	print_children(p, top, 0);
	out__char(p->out, '\n');
}

/* ---- flat and folded ---- */

struct branch_end {
	u32 node, order; /* in the order of visits */
	u64 period;
};

static int compare_ends(const void *left, const void *right)
{
	const struct branch_end *a = left, *b = right;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	return (b->order > a->order) - (b->order < a->order);
}

/*
 * All nodes where chains end and that weigh enough, the heaviest first. Equal ones stand in the
 * order of the tree, longer chains before the chain they begin with; nodes are visited in exactly
 * the opposite order.
 */
static struct branch_end *list_ends(const struct chain_printer *p, u32 *nr)
{
	const struct chain_tree *tree = p->tree;
	struct branch_end *ends = xrealloc(NULL, tree->nr_nodes, sizeof(*ends));
	u32 *stack = xrealloc(NULL, tree->nr_nodes, sizeof(*stack)), depth = 0;

	*nr = 0;
	stack[depth++] = 0;
	while (depth) {
		u32 id = stack[--depth];
		const struct chain_node *node = &tree->nodes[id];

		if (node->count && !chain_options__prunes(p->options, node->period, p->total)) {
			ends[*nr] = (struct branch_end){ id, *nr, node->period };
			(*nr)++;
		}
		for (u32 i = 0; i < node->nr_children; i++)
			stack[depth++] = node->first_child + i;
	}
	free(stack);
	if (*nr)
		qsort(ends, *nr, sizeof(*ends), compare_ends);
	return ends;
}

/* The frames from the root of the tree to the end of @id. */
static void print_path(const struct chain_printer *p, u32 id)
{
	bool folded = p->options->mode == CHAIN_FOLDED;
	u32 *path = NULL, depth = 0;
	size_t cap = 0;

	for (u32 node = id; node; node = p->tree->nodes[node].parent) {
		array__reserve(&path, &cap, depth + 1, sizeof(*path));
		path[depth++] = node;
	}
	for (u32 d = depth; d-- > 0;) {
		const struct chain_node *node = &p->tree->nodes[path[d]];

		for (u32 i = 0; i < node->nr_frames; i++) {
			if (!folded)
				out__fill(p->out, ' ', FLAT_FRAME);
			else if (i || d + 1 < depth)
				out__char(p->out, ';');
			print_frame(p, node->first_frame + i);
			if (!folded)
				out__char(p->out, '\n');
		}
	}
	out__char(p->out, '\n');
	free(path);
}

static void print_list(const struct chain_printer *p)
{
	bool folded = p->options->mode == CHAIN_FOLDED;
	u32 nr, limit = p->options->print_limit;
	struct branch_end *ends = list_ends(p, &nr);

	if (limit && nr > limit)
		nr = limit;
	for (u32 i = 0; i < nr; i++) {
		const struct chain_node *node = &p->tree->nodes[ends[i].node];

		if (!folded)
			out__fill(p->out, ' ', FLAT_VALUE);
		print_value(p, (struct sums){ node->period, node->count }, p->total);
		out__char(p->out, folded ? ' ' : '\n');
		print_path(p, ends[i].node);
	}
	free(ends);
}

void report_chain__print(struct out *out, const struct hists *hists,
                         const struct chain_options *options, const struct chain_tree *tree,
                         const struct sym *own, u64 total, bool colored,
                         const struct chain_ends *ends)
{
	struct chain_printer p = { out, hists, options, tree, own, total, colored, ends };

	if (!tree->nodes[0].nr_children)
		return;
	if (options->mode == CHAIN_GRAPH || options->mode == CHAIN_FRACTAL)
		print_graph(&p);
	else
		print_list(&p);
	free(p.open);
}
