/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call-chain trees, built from rows for one entry at a time, when it is printed or opened.
 *
 * In callee order a tree starts at the entry and goes towards its callers. In caller order without
 * children it ends at the entry. In caller order with children it starts at the entry and goes
 * towards its callees; rows whose leaf is the entry keep their whole chain from the root.
 * A node is a run of frames without branches. Frames by line need hist_options.source; without it
 * they are by function.
 */
#ifndef PERF_UTIL_VIEW_CALLCHAIN_H
#define PERF_UTIL_VIEW_CALLCHAIN_H

#include "util/lib/error.h"
#include "util/view/hists.h"

enum chain_mode {
	CHAIN_NONE,
	CHAIN_GRAPH,   /* shares of the event's total */
	CHAIN_FRACTAL, /* shares of the parent branch */
	CHAIN_FLAT,    /* a list of whole chains, one frame per line */
	CHAIN_FOLDED,  /* the same, one chain per line */
};

enum chain_order { CHAIN_ORDER_DEFAULT, CHAIN_CALLEE, CHAIN_CALLER };
/* What makes frames the same. By line: of those whose line is known; others are by function. */
enum chain_key { CHAIN_BY_FUNCTION, CHAIN_BY_ADDRESS, CHAIN_BY_LINE };
enum chain_value { CHAIN_PERCENT, CHAIN_PERIOD, CHAIN_COUNT };

struct chain_options {
	enum chain_mode mode;
	enum chain_order order;
	enum chain_value value;
	bool branches; /* chains have frames of branch stacks (profile_options.branch_frames) */
	enum chain_key key;
	double threshold; /* percent; branches below it are left out */
	u32 print_limit;  /* branches shown below one node; 0: all */
};

#define CHAIN_OPTIONS_INIT                                                                         \
	{                                                                                          \
		.mode = CHAIN_GRAPH, .threshold = 0.5                                              \
	}

/* "graph,0.5,caller,function,percent": the words in any order. -EINVAL with @err filled. */
int chain_options__parse(struct chain_options *options, const char *text, struct error *err);

/* Of the branches that a frame stands for, weighed by samples. */
struct branch_sum {
	u64 nr_targets, nr_mispredicted, nr_aborted; /* where it is the target of branches */
	u64 nr_sources, cycles;                      /* where they came from */
	u64 nr_loops, more,
	        rounds_cycles; /* where rounds of loops end: those but one, cycles of all */
	u64 kinds;             /* a bit for each kind */
	bool back, forward;    /* among the conditional ones */
};

struct chain_node {
	u32 parent;
	u32 first_frame, nr_frames;    /* of tree->frames */
	u32 first_child, nr_children;  /* of tree->nodes; those above the threshold, in order */
	u64 period, count;             /* of chains that end with this node's last frame */
	u64 total_period, total_count; /* of all chains through it */
};

struct chain_tree {
	struct chain_node *nodes; /* [0] is the root: no frames, its totals are the entry's */
	u32 nr_nodes;
	u32 *frames; /* locs; for equal frames, one of their locs */
	u32 nr_frames;
	struct branch_sum *branches; /* by frame, with chain_options.branches; else NULL */
	bool has_branches;           /* of the frames so far, one is */
	size_t cap_nodes, cap_frames, cap_branches;
};

struct chain_builder; /* private */

/* @hists and @options (whose order must not be DEFAULT) must outlive the builder. */
struct chain_builder *chain_builder__new(const struct hists *hists,
                                         const struct chain_options *options);
void chain_builder__delete(struct chain_builder *builder);

/*
 * One more that shares with @of, which must outlive it, what is made once: they may build at the
 * same time, each on a thread of its own.
 */
struct chain_builder *chain_builder__share(const struct chain_builder *of);

/*
 * The tree of @entry; @total is 100 %. In the modes that list whole chains siblings
 * stand in the order of ties. Valid until the next call.
 */
const struct chain_tree *chain_builder__build(struct chain_builder *builder,
                                              const struct hist_entry *entry, u64 total);

/*
 * A tree that is built as it is looked at: a node has its frames and children when it was asked
 * for. The builder may work on other trees in between; it must not be used for another view.
 */
struct growing_node; /* private */

struct growing_tree {
	struct chain_tree tree; /* [0] is whole; children of others are not there yet */
	const struct hist_entry *entry;
	u64 total;
	struct growing_node *growing; /* by node */
	size_t cap_growing;
};

void growing_tree__init(struct growing_tree *tree, struct chain_builder *builder,
                        const struct hist_entry *entry, u64 total);
void growing_tree__exit(struct growing_tree *tree);

/* The node, whole; valid until the next call. It costs its own frames and their branches. */
const struct chain_node *growing_tree__node(struct growing_tree *tree,
                                            struct chain_builder *builder, u32 id);

/* A frame as the options want it: "main", "main+0x1e", "main prog.c:12". */
void chain_options__print_frame(const struct chain_options *options, const struct hists *hists,
                                struct out *out, u32 loc);

/*
 * Is the branch's share too small to be shown? @whole is the event's total, of which the limit is
 * rounded down, as in Linux's perf; or the parent's.
 */
bool chain_options__prunes(const struct chain_options *options, u64 period, u64 whole);

#endif
