// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A tree is made from the top down. An *item* is a node of the profile's tree with a weight, and
 * a set of items that agree in the name of their frame becomes a node of the result; the frames
 * that follow (the parents of the items in callee order, their children in caller order) are
 * grouped by name again. Branches below the threshold are dropped before their frames are looked
 * at, so the cost is that of what will be printed. A tree that grows keeps the items of nodes that
 * nobody has asked for, those of siblings in one array.
 *
 * With children the rows of an entry are known by nodes only: those at or below a frame of the
 * entry. Rows whose leaf is the entry count there first (as in Linux's perf): those below a node
 * are a range of the entry's rows, and their weight is taken off the node's sum.
 */
#include "util/view/callchain.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/view/group_trees.h"

#define PREFETCH 8 /* items ahead: what they are about is anywhere in memory */

struct item {
	u32 node; /* of the subtree if there is one, else of the profile */
	bool self;
	struct row_range own; /* rows whose leaf is the entry, at or below the node */
	struct weight weight;
};

struct group {
	u32 key, loc;
	struct weight weight;
	struct branch_sum branches;
	size_t nr, next; /* items; while they are put in order: the place of the next */
};

/* A node of the result whose items wait to be followed. */
struct work {
	u32 node, loc;
	struct branch_sum branches;
	size_t from, to; /* in the pool */
};

/* What builders share. */
struct common {
	struct group_trees *trees; /* with children */
	u32 *keys;                 /* by location: frames with equal ones are one node */
	u32 nr_keys;
	bool by_line; /* keys of one function differ by line */
};

struct chain_builder {
	const struct hists *hists;
	const struct chain_options *options;
	u64 total;
	struct chain_tree tree;

	u32 *scratch;                       /* for subtrees */
	struct subtree own;                 /* of one entry, without children */
	const struct subtree *subtree;      /* the one in use, or NULL */
	const struct hist_entry *own_entry; /* what `own` is of; NULL: nothing */

	struct item *pool; /* a stack: only the items of the work on top are touched */
	size_t nr_items, cap_items;
	struct work *stack;
	size_t nr_work, cap_work;
	struct group *groups;
	size_t nr_groups, cap_groups;
	u32 *group_of; /* by key; ID_NONE outside of group_items() */

	struct common *common;
	bool shares; /* it is another builder's */
};

static bool lists_chains(const struct chain_options *options)
{
	return options->mode == CHAIN_FLAT || options->mode == CHAIN_FOLDED;
}

/* Frames of one function have one key. */
static u32 *number_functions(const struct hists *hists)
{
	const struct names *names = hists->names;
	u32 *function_of_loc = xcalloc(names->nr_locs + 1, sizeof(u32));

	for (u32 loc = 0; loc < names->nr_locs; loc++)
		function_of_loc[loc] = names__frame_key(names, loc);
	return function_of_loc;
}

/* Frames of one function in one line have one key. */
static u32 *number_lines(const struct hists *hists, u32 *nr)
{
	const struct names *names = hists->names;
	const struct source *source = hists->options.source;
	u32 *line_of_loc = xcalloc(names->nr_locs + 1, sizeof(u32));
	struct u64map known = U64MAP_INIT;

	*nr = 0;
	for (u32 loc = 0; loc < names->nr_locs; loc++) {
		u32 built = names__built_loc(names, loc);
		u32 line = source->file_of_loc[built] ? source->line_of_loc[built] : 0;
		u32 *id = u64map__at(&known, (u64)names__frame_key(names, loc) << 32 | line);

		if (*id == ID_NONE)
			*id = (*nr)++;
		line_of_loc[loc] = *id;
	}
	u64map__exit(&known);
	return line_of_loc;
}

static int compare_spots(const void *left, const void *right, void *ctx)
{
	const struct profile *profile = ctx;
	const struct loc *a = &profile->locs[*(const u32 *)left],
	                 *b = &profile->locs[*(const u32 *)right];

	if (a->dso != b->dso)
		return a->dso > b->dso ? 1 : -1;
	if (a->addr != b->addr)
		return a->addr > b->addr ? 1 : -1;
	if (a->cpumode != b->cpumode)
		return a->cpumode > b->cpumode ? 1 : -1;
	return (int)(a->flags & LOC_BRANCH) - (int)(b->flags & LOC_BRANCH);
}

/*
 * Each location has its key. With @branches sources of branches, their targets, and frames of call
 * chains at one address have one each.
 */
static u32 *number_spots(const struct hists *hists, bool branches)
{
	const struct profile *profile = hists->profile;
	u32 nr = hists->names->nr_locs, *spots = xcalloc(nr + 1, sizeof(u32)),
	    *sorted = xcalloc(nr + 1, sizeof(u32));

	for (u32 i = 0; i < nr; i++)
		spots[i] = sorted[i] = i;
	if (branches && profile->nr_locs)
		qsort_r(sorted, profile->nr_locs, sizeof(u32), compare_spots, (void *)profile);
	for (u32 i = 1; branches && i < profile->nr_locs; i++)
		if (!compare_spots(&sorted[i - 1], &sorted[i], (void *)profile))
			spots[sorted[i]] = spots[sorted[i - 1]];
	free(sorted);
	return spots;
}

static struct common *make_common(const struct hists *hists, const struct chain_options *options)
{
	struct common *common = xcalloc(1, sizeof(*common));

	common->by_line = options->key == CHAIN_BY_LINE && hists->options.source;
	if (common->by_line) {
		common->keys = number_lines(hists, &common->nr_keys);
	} else if (options->key == CHAIN_BY_ADDRESS) {
		common->keys = number_spots(hists, options->branches);
		common->nr_keys = hists->names->nr_locs;
	} else {
		common->keys = number_functions(hists);
		common->nr_keys = hists->names->nr_syms;
	}
	common->trees = group_trees__new(hists);
	return common;
}

static void free_common(struct common *common)
{
	group_trees__delete(common->trees);
	free(common->keys);
	free(common);
}

static struct chain_builder *
make_builder(const struct hists *hists, const struct chain_options *options, struct common *common)
{
	struct chain_builder *builder = xcalloc(1, sizeof(*builder));

	builder->hists = hists;
	builder->options = options;
	builder->common = common;
	builder->group_of = xrealloc(NULL, common->nr_keys, sizeof(u32));
	memset(builder->group_of, 0xff, (size_t)common->nr_keys * sizeof(u32));
	return builder;
}

struct chain_builder *chain_builder__new(const struct hists *hists,
                                         const struct chain_options *options)
{
	return make_builder(hists, options, make_common(hists, options));
}

struct chain_builder *chain_builder__share(const struct chain_builder *of)
{
	struct chain_builder *builder = make_builder(of->hists, of->options, of->common);

	builder->shares = true;
	return builder;
}

static void free_tree(struct chain_tree *tree)
{
	free(tree->branches);
	free(tree->nodes);
	free(tree->frames);
}

void chain_builder__delete(struct chain_builder *builder)
{
	if (!builder->shares)
		free_common(builder->common);
	subtree__exit(&builder->own);
	free(builder->scratch);
	free(builder->pool);
	free(builder->stack);
	free(builder->groups);
	free(builder->group_of);
	free_tree(&builder->tree);
	free(builder);
}

/* ---- items ---- */

static u32 loc_of(const struct chain_builder *builder, u32 node)
{
	return builder->subtree ? builder->subtree->nodes[node].loc
	                        : builder->hists->chains->nodes[node].loc;
}

static u32 parent_of(const struct chain_builder *builder, u32 node)
{
	return builder->subtree ? builder->subtree->parent[node]
	                        : builder->hists->chains->nodes[node].parent;
}

/* Neighbours with one node are common in callee order, where branches come together. */
static void push_item(struct chain_builder *builder, size_t from, const struct item *item)
{
	if (builder->nr_items > from) {
		struct item *last = &builder->pool[builder->nr_items - 1];

		if (last->node == item->node && last->self == item->self) {
			weight__add(&last->weight, item->weight);
			return;
		}
	}
	array__reserve(&builder->pool, &builder->cap_items, builder->nr_items + 1,
	               sizeof(*builder->pool));
	builder->pool[builder->nr_items++] = *item;
}

/* What reaches a node of the subtree, apart from the rows @own or among them. */
static struct item item_at(const struct chain_builder *builder, u32 node, bool self,
                           struct row_range own)
{
	struct item item = { node, self, own, { 0, 0 } };

	if (self || own.from != own.to)
		item.weight = subtree__rows_sum(builder->subtree, own);
	if (!self) {
		struct weight sum = subtree__sum(builder->subtree, node);

		weight__sub(&sum, item.weight);
		item.weight = sum;
	}
	return item;
}

/* Push the frames called by the node of @item; returns what of its weight ends there. */
static struct weight push_callees(struct chain_builder *builder, size_t from, struct item item)
{
	const struct subtree *subtree = builder->subtree;
	const struct subtree_node *nodes = subtree->nodes;
	struct row_range own = item.own;

	own.from = subtree__first_row(subtree, own, item.node + 1);
	for (u32 child = item.node + 1; child < nodes[item.node].end; child = nodes[child].end) {
		u32 end = subtree__first_row(subtree, own, nodes[child].end);
		struct item next =
		        item_at(builder, child, item.self, (struct row_range){ own.from, end });

		own.from = end;
		if (!next.weight.count)
			continue;
		push_item(builder, from, &next);
		weight__sub(&item.weight, next.weight);
	}
	return item.weight;
}

/* Push what follows the items [from, to) behind them; returns what ends with them. */
static struct weight push_next(struct chain_builder *builder, size_t from, size_t to)
{
	struct weight ended = { 0, 0 };

	for (size_t i = from; i < to; i++) {
		struct item item = builder->pool[i];

		if (builder->options->order == CHAIN_CALLER) {
			if (i + PREFETCH < to)
				__builtin_prefetch(
				        &builder->subtree
				                 ->nodes[builder->pool[i + PREFETCH].node + 1]);
			weight__add(&ended, push_callees(builder, to, item));
			continue;
		}
		item.node = parent_of(builder, item.node);
		if (item.node == NODE_ROOT)
			weight__add(&ended, item.weight);
		else
			push_item(builder, to, &item);
	}
	return ended;
}

/* ---- groups ---- */

static inline u32 key_of(const struct chain_builder *builder, u32 loc)
{
	return builder->common->keys[loc];
}

static void add_loop(struct branch_sum *sum, u64 branch, u64 count)
{
	u64 more = branch >> LOC_FROM_MORE & 0xffff;

	if (likely(!more))
		return;
	sum->nr_loops += count;
	sum->more += count * more;
	sum->rounds_cycles += count * (branch >> LOC_FROM_ROUNDS_CYCLES);
}

static void add_branch(const struct chain_builder *builder, struct branch_sum *sum, u32 loc,
                       u64 count)
{
	const struct hists *hists = builder->hists;
	const struct loc *of = &hists->profile->locs[names__built_loc(hists->names, loc)];
	unsigned kind = of->branch >> LOC_TO_KIND;

	if (of->flags & LOC_BRANCH_FROM) {
		sum->nr_sources += count;
		sum->cycles += count * (of->branch & 0xffff);
		add_loop(sum, of->branch, count);
	}
	if (!(of->flags & LOC_BRANCH_TO))
		return;
	sum->nr_targets += count;
	sum->nr_mispredicted += of->branch & LOC_TO_MISPREDICTED ? count : 0;
	sum->nr_aborted += of->branch & LOC_TO_ABORTED ? count : 0;
	sum->kinds |= 1ull << kind;
	sum->back |= of->branch & LOC_TO_BACK;
	sum->forward |= kind == BRANCH_CONDITIONAL && !(of->branch & LOC_TO_BACK);
}

/*
 * Inlined functions of one name are one, in whatever function they are: which of their places
 * stands for all must not depend on which came first.
 */
static u32 place_of_both(const struct chain_builder *builder, u32 a, u32 b)
{
	const struct names *names = builder->hists->names;
	const struct sym *left = &names->syms[names->sym_of_loc[a]];
	const struct sym *right = &names->syms[names->sym_of_loc[b]];

	if (left->dso != right->dso)
		return left->dso + 1 > right->dso + 1 ? a : b;
	return left->addr >= right->addr ? a : b;
}

static struct group *group_of_item(struct chain_builder *builder, const struct item *item)
{
	u32 loc = loc_of(builder, item->node), key = key_of(builder, loc);
	u32 *id = &builder->group_of[key];

	if (*id == ID_NONE) {
		*id = builder->nr_groups++;
		array__reserve(&builder->groups, &builder->cap_groups, builder->nr_groups,
		               sizeof(*builder->groups));
		builder->groups[*id] = (struct group){ .key = key, .loc = loc };
	}
	struct group *group = &builder->groups[*id];

	if (loc != group->loc && loc >= builder->hists->profile->nr_locs)
		group->loc = place_of_both(builder, group->loc, loc);
	return group;
}

/* The lines of the locations, if they are known. */
static int compare_lines(const struct chain_builder *builder, u32 a, u32 b)
{
	const struct source *source = builder->hists->options.source;
	u32 x = names__built_loc(builder->hists->names, a),
	    y = names__built_loc(builder->hists->names, b);

	if (!source->file_of_loc[x] || !source->file_of_loc[y])
		return 0;
	return strcmp(strtab__get(&source->texts, source->line_of_loc[x]),
	              strtab__get(&source->texts, source->line_of_loc[y]));
}

/*
 * How branches of equal weight stand to each other: Linux's perf has the later line, dso and
 * higher address first. Those are facts of the file, not of how it was worked on.
 */
static int compare_ties(const struct chain_builder *builder, const struct group *a,
                        const struct group *b)
{
	const struct names *names = builder->hists->names;
	const struct sym *left = &names->syms[names->sym_of_loc[a->loc]];
	const struct sym *right = &names->syms[names->sym_of_loc[b->loc]];

	int line = builder->common->by_line ? compare_lines(builder, a->loc, b->loc) : 0;

	if (line)
		return line > 0 ? -1 : 1;
	if (left->dso != right->dso) /* ID_NONE + 1 is 0: the unknown comes last */
		return left->dso + 1 > right->dso + 1 ? -1 : 1;
	u64 x = left->addr, y = right->addr;

	if (x == y && builder->options->key != CHAIN_BY_FUNCTION) {
		x = builder->hists->profile->locs[names__built_loc(names, a->loc)].addr;
		y = builder->hists->profile->locs[names__built_loc(names, b->loc)].addr;
	}
	if (x != y)
		return x > y ? -1 : 1;
	return sym__compare(names, left, right);
}

static int compare_groups(const void *left, const void *right, void *ctx)
{
	const struct group *a = left, *b = right;
	const struct chain_builder *builder = ctx;

	if (a->weight.period != b->weight.period && !lists_chains(builder->options))
		return a->weight.period > b->weight.period ? -1 : 1;
	return compare_ties(builder, a, b);
}

/* Group the items from @from on; nothing is moved. */
static void group_items(struct chain_builder *builder, size_t from)
{
	builder->nr_groups = 0;
	for (size_t i = from; i < builder->nr_items; i++) {
		struct group *group = group_of_item(builder, &builder->pool[i]);

		group->nr++;
		weight__add(&group->weight, builder->pool[i].weight);
		if (unlikely(builder->options->branches))
			add_branch(builder, &group->branches,
			           loc_of(builder, builder->pool[i].node),
			           builder->pool[i].weight.count);
	}
}

static void forget_groups(struct chain_builder *builder)
{
	for (size_t i = 0; i < builder->nr_groups; i++)
		builder->group_of[builder->groups[i].key] = ID_NONE;
}

/* Drop groups below the threshold and sort the others. */
static void choose_groups(struct chain_builder *builder)
{
	u64 whole = builder->total;
	size_t nr = 0;

	if (builder->options->mode == CHAIN_FRACTAL) {
		whole = 0;
		for (size_t i = 0; i < builder->nr_groups; i++)
			whole += builder->groups[i].weight.period;
	}
	for (size_t i = 0; i < builder->nr_groups; i++)
		if (!chain_options__prunes(builder->options, builder->groups[i].weight.period,
		                           whole))
			builder->groups[nr++] = builder->groups[i];
	builder->nr_groups = nr;
	if (nr)
		qsort_r(builder->groups, nr, sizeof(*builder->groups), compare_groups, builder);
}

/*
 * Move the items from @from on that belong to a group down to @to, group by group. The pool ends
 * behind them.
 */
static void gather_items(struct chain_builder *builder, size_t from, size_t to)
{
	size_t end = builder->nr_items, nr = 0;

	for (size_t i = 0; i < builder->nr_groups; i++) {
		struct group *group = &builder->groups[i];

		builder->group_of[group->key] = i;
		group->next = end + nr;
		nr += group->nr;
	}
	array__reserve(&builder->pool, &builder->cap_items, end + nr, sizeof(*builder->pool));
	for (size_t i = from; i < end; i++) {
		u32 key = key_of(builder, loc_of(builder, builder->pool[i].node));

		if (builder->group_of[key] != ID_NONE)
			builder->pool[builder->groups[builder->group_of[key]].next++] =
			        builder->pool[i];
	}
	forget_groups(builder);
	if (nr)
		memmove(builder->pool + to, builder->pool + end, nr * sizeof(*builder->pool));
	builder->nr_items = to + nr;
}

/* ---- nodes ---- */

static void add_node(struct chain_builder *builder, u32 parent, struct weight weight)
{
	struct chain_tree *tree = &builder->tree;

	array__reserve(&tree->nodes, &tree->cap_nodes, tree->nr_nodes + 1, sizeof(*tree->nodes));
	tree->nodes[tree->nr_nodes++] = (struct chain_node){
		.parent = parent,
		.total_period = weight.period,
		.total_count = weight.count,
	};
}

static void add_frame(struct chain_builder *builder, u32 loc, const struct branch_sum *branches)
{
	struct chain_tree *tree = &builder->tree;

	if (builder->options->branches) {
		array__reserve(&tree->branches, &tree->cap_branches, tree->nr_frames + 1,
		               sizeof(*branches));
		tree->branches[tree->nr_frames] = *branches;
		tree->has_branches |= branches->nr_targets || branches->nr_sources;
	}

	array__reserve(&tree->frames, &tree->cap_frames, tree->nr_frames + 1, sizeof(u32));
	tree->frames[tree->nr_frames++] = loc;
}

/* The items from @from on, grouped before, become children of @parent with their items at @to. */
static void add_children(struct chain_builder *builder, u32 parent, size_t from, size_t to)
{
	forget_groups(builder);
	choose_groups(builder);
	gather_items(builder, from, to);
	builder->tree.nodes[parent].first_child = builder->tree.nr_nodes;
	builder->tree.nodes[parent].nr_children = builder->nr_groups;
	for (size_t i = 0; i < builder->nr_groups; i++) {
		const struct group *group = &builder->groups[i];
		struct work work = { builder->tree.nr_nodes, group->loc, group->branches, to,
			             to + group->nr };

		add_node(builder, parent, group->weight);
		array__reserve(&builder->stack, &builder->cap_work, builder->nr_work + 1,
		               sizeof(work));
		builder->stack[builder->nr_work++] = work;
		to = work.to;
	}
}

/* Follow a node's items as long as they do not branch or end; then make its children. */
static void follow(struct chain_builder *builder, struct work work)
{
	u32 first_frame = builder->tree.nr_frames;
	struct weight ended;

	add_frame(builder, work.loc, &work.branches);
	for (;;) {
		ended = push_next(builder, work.from, work.to);
		group_items(builder, work.to);
		if (ended.count || builder->nr_groups != 1)
			break;
		add_frame(builder, builder->groups[0].loc, &builder->groups[0].branches);
		forget_groups(builder);
		memmove(builder->pool + work.from, builder->pool + work.to,
		        (builder->nr_items - work.to) * sizeof(*builder->pool));
		work.to = builder->nr_items - (work.to - work.from);
		builder->nr_items = work.to;
	}
	struct chain_node *node = &builder->tree.nodes[work.node];

	node->first_frame = first_frame;
	node->nr_frames = builder->tree.nr_frames - first_frame;
	node->period = ended.period;
	node->count = ended.count;
	add_children(builder, work.node, work.to, work.from);
}

/* ---- where trees start ---- */

/* Without children in callee order: the rows of the entry are all there is to know. */
static void start_from_rows(struct chain_builder *builder, const struct hist_entry *entry)
{
	const struct profile *profile = builder->hists->profile;

	for (u64 i = entry->first_row; i < entry->first_row + entry->nr_rows; i++) {
		const struct row *row = &profile->rows[builder->hists->rows[i]];
		u32 node = chains__node(builder->hists->chains, builder->hists->rows[i]);

		if (node != NODE_ROOT)
			push_item(builder, 0,
			          &(struct item){ .node = node,
			                          .weight = { row->period, row->count } });
	}
}

static void use_own_tree(struct chain_builder *builder, const struct hist_entry *entry)
{
	builder->subtree = &builder->own;
	if (builder->own_entry == entry)
		return;
	builder->own_entry = entry;
	subtree__exit(&builder->own);
	subtree__init(&builder->own, builder->hists->chains,
	              builder->hists->rows + entry->first_row, entry->nr_rows,
	              subtree__scratch(&builder->scratch, builder->hists->chains));
}

/* Let the subtree be that of @entry, or of the group it belongs to. */
static void use_entry(struct chain_builder *builder, const struct hist_entry *entry)
{
	builder->subtree = NULL;
	if (builder->hists->options.children)
		builder->subtree =
		        group_trees__at(builder->common->trees, entry->group, &builder->scratch);
	else if (builder->options->order == CHAIN_CALLER)
		use_own_tree(builder, entry);
}

/* The rows of the entry, in those of the subtree of its group. */
static struct row_range rows_of(const struct chain_builder *builder, const struct hist_entry *entry)
{
	u64 first = builder->hists->groups[entry->group].first_row;

	if (!entry->nr_rows)
		return (struct row_range){ 0, 0 };
	return (struct row_range){ entry->first_row - first,
		                   entry->first_row - first + entry->nr_rows };
}

/* Those of @rows at @node or below it. @rows then begins with them. */
static struct row_range take_rows(const struct chain_builder *builder, struct row_range *rows,
                                  u32 node)
{
	const struct subtree *subtree = builder->subtree;

	rows->from = subtree__first_row(subtree, *rows, node);
	return (struct row_range){ rows->from,
		                   subtree__first_row(subtree, *rows, subtree->nodes[node].end) };
}

/* With children, caller order: from the outermost frames of the entry down. */
static void start_from_outermost(struct chain_builder *builder, const struct hist_entry *entry)
{
	const struct subtree *subtree = builder->subtree;
	struct row_range rows = rows_of(builder, entry);
	const struct item self = { .node = NODE_ROOT, .self = true, .own = rows };
	const u32 *frames;
	u32 nr = subtree__frames_of(subtree, builder->hists->key_of_loc, entry->key, &frames);
	u32 end = 0; /* of what lies below the last one */

	for (u32 i = 0; i < nr; i++) {
		u32 node = frames[i];

		if (i + PREFETCH < nr)
			__builtin_prefetch(&subtree->nodes[frames[i + PREFETCH]]);
		if (node < end)
			continue;
		end = subtree->nodes[node].end;
		struct item item = item_at(builder, node, false, take_rows(builder, &rows, node));

		if (item.weight.count)
			push_item(builder, 0, &item);
	}
	push_callees(builder, 0, self);
}

/*
 * With children, callee order: from the innermost frame of the entry up. Frames come before
 * those they call, so what a frame further in counts is taken off again by the time it matters.
 */
static void start_from_innermost(struct chain_builder *builder, const struct hist_entry *entry)
{
	const struct subtree *subtree = builder->subtree;
	struct row_range all = rows_of(builder, entry), rows = all;
	u32 *item_of = subtree__scratch(&builder->scratch, builder->hists->chains);
	const u32 *frames;
	u32 nr_frames =
	        subtree__frames_of(subtree, builder->hists->key_of_loc, entry->key, &frames);
	u32 *open = xrealloc(NULL, nr_frames, sizeof(*open)); /* those that others may lie below */
	u32 nr_open = 0;

	for (u32 i = 0; i < nr_frames; i++) {
		u32 node = frames[i];
		struct item item = item_at(builder, node, false, take_rows(builder, &rows, node));

		while (nr_open && node >= subtree->nodes[open[nr_open - 1]].end)
			nr_open--;
		if (nr_open)
			weight__sub(&builder->pool[item_of[open[nr_open - 1]]].weight, item.weight);
		open[nr_open++] = node;
		item_of[node] = builder->nr_items;
		push_item(builder, 0, &item);
	}
	free(open);
	size_t nr = 0;

	for (size_t i = 0; i < builder->nr_items; i++) {
		item_of[builder->pool[i].node] = ID_NONE;
		if (builder->pool[i].weight.count)
			builder->pool[nr++] = builder->pool[i];
	}
	builder->nr_items = nr;
	for (u32 i = all.from; i < all.to; i++) {
		struct item item = { .node = subtree->node_of_row[i], .self = true };

		item.weight = subtree__rows_sum(subtree, (struct row_range){ i, i + 1 });
		if (item.node != NODE_ROOT)
			push_item(builder, 0, &item);
	}
}

/* The root of builder->tree and, as work, its children. */
static void start_tree(struct chain_builder *builder, const struct hist_entry *entry, u64 total)
{
	bool caller = builder->options->order == CHAIN_CALLER;

	builder->total = total;
	builder->nr_items = builder->tree.nr_nodes = builder->tree.nr_frames = 0;
	builder->tree.has_branches = false;
	add_node(builder, 0, (struct weight){ entry->total_period, entry->total_count });
	/* No branch weighs more than its entry: most entries end here. */
	if (builder->options->mode != CHAIN_FRACTAL &&
	    chain_options__prunes(builder->options, entry->total_period, total))
		return;
	use_entry(builder, entry);
	if (builder->hists->options.children && caller)
		start_from_outermost(builder, entry);
	else if (builder->hists->options.children)
		start_from_innermost(builder, entry);
	else if (caller)
		push_callees(builder, 0, (struct item){ .node = NODE_ROOT });
	else
		start_from_rows(builder, entry);
	group_items(builder, 0);
	add_children(builder, 0, 0, 0);
}

const struct chain_tree *chain_builder__build(struct chain_builder *builder,
                                              const struct hist_entry *entry, u64 total)
{
	start_tree(builder, entry, total);
	while (builder->nr_work)
		follow(builder, builder->stack[--builder->nr_work]);
	return &builder->tree;
}

/* ---- trees that grow ---- */

/* The items of a node's children, one child after the other. */
struct family {
	struct item *items;
	u32 nr_waiting; /* children that still need them */
};

struct growing_node {
	struct family *family; /* NULL: it has been followed */
	size_t from, to;       /* of family->items */
	u32 loc;               /* of its first frame */
};

/* What the builder's work on children of one node is: each of them waits for somebody to ask. */
static void keep_work(struct chain_builder *builder, struct growing_tree *tree)
{
	struct family *family;

	array__reserve(&tree->growing, &tree->cap_growing, tree->tree.nr_nodes,
	               sizeof(*tree->growing));
	if (!builder->nr_work)
		return;
	family = xcalloc(1, sizeof(*family));
	family->items = xrealloc(NULL, builder->nr_items, sizeof(*family->items));
	memcpy(family->items, builder->pool, builder->nr_items * sizeof(*family->items));
	family->nr_waiting = builder->nr_work;
	while (builder->nr_work) {
		const struct work *work = &builder->stack[--builder->nr_work];

		tree->growing[work->node] =
		        (struct growing_node){ family, work->from, work->to, work->loc };
	}
}

static void leave_family(struct growing_node *node)
{
	struct family *family = node->family;

	node->family = NULL;
	if (family && !--family->nr_waiting) {
		free(family->items);
		free(family);
	}
}

void growing_tree__init(struct growing_tree *tree, struct chain_builder *builder,
                        const struct hist_entry *entry, u64 total)
{
	struct chain_tree of_builder = builder->tree;

	*tree = (struct growing_tree){ .entry = entry, .total = total };
	builder->tree = tree->tree;
	start_tree(builder, entry, total);
	tree->tree = builder->tree;
	builder->tree = of_builder;
	keep_work(builder, tree);
	tree->growing[0].family = NULL;
}

void growing_tree__exit(struct growing_tree *tree)
{
	for (u32 i = 0; i < tree->tree.nr_nodes; i++)
		leave_family(&tree->growing[i]);
	free(tree->growing);
	free_tree(&tree->tree);
}

const struct chain_node *growing_tree__node(struct growing_tree *tree,
                                            struct chain_builder *builder, u32 id)
{
	struct growing_node *node = &tree->growing[id];
	struct chain_tree of_builder = builder->tree;
	size_t nr = node->to - node->from;

	if (!node->family)
		return &tree->tree.nodes[id];
	use_entry(builder, tree->entry);
	builder->total = tree->total;
	array__reserve(&builder->pool, &builder->cap_items, nr, sizeof(*builder->pool));
	memcpy(builder->pool, node->family->items + node->from, nr * sizeof(*builder->pool));
	builder->nr_items = nr;
	builder->tree = tree->tree;
	follow(builder, (struct work){ .node = id, .loc = node->loc, .from = 0, .to = nr });
	tree->tree = builder->tree;
	builder->tree = of_builder;
	leave_family(node);
	keep_work(builder, tree);
	return &tree->tree.nodes[id];
}
