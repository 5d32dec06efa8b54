/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call-chain trees of entries that will be asked for soon, built by several workers at a time.
 * Internal to util/view/view_lines.c.
 */
#ifndef PERF_UTIL_VIEW_TREES_AHEAD_H
#define PERF_UTIL_VIEW_TREES_AHEAD_H

#include "util/view/callchain.h"

#define TREES_AHEAD 64 /* at most so many entries */

struct trees_ahead; /* private */

/* @builder is the first worker's, and must outlive it. @workers: at least 2. */
struct trees_ahead *trees_ahead__new(struct chain_builder *builder, unsigned workers);
void trees_ahead__delete(struct trees_ahead *ahead); /* NULL is fine */

/* The options have changed: what was built is of no use. */
void trees_ahead__forget(struct trees_ahead *ahead);

/* The tree of @entry, if it was built; valid until the next call of trees_ahead__build(). */
const struct chain_tree *trees_ahead__find(struct trees_ahead *ahead,
                                           const struct hist_entry *entry);

/*
 * Forget what there is, and build the trees of the @nr @entries; or of fewer, but of the first one
 * anyway, where they are large. @total is 100 %.
 */
void trees_ahead__build(struct trees_ahead *ahead, const struct hist_entry *const *entries, u32 nr,
                        u64 total);

#endif
