/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The subtrees of the groups of entries, with children: of all rows of a group, made on first need
 * and kept for all entries of it. Shared by builders of chains that work at the same time. Internal
 * to util/view/callchain.c.
 */
#ifndef PERF_UTIL_VIEW_GROUP_TREES_H
#define PERF_UTIL_VIEW_GROUP_TREES_H

#include "util/view/hists.h"
#include "util/view/subtree.h"

struct group_trees; /* private */

/* @hists must outlive it. */
struct group_trees *group_trees__new(const struct hists *hists);
void group_trees__delete(struct group_trees *trees); /* NULL is fine */

/* Of group @group, indexed by the keys of @hists. @scratch is the caller's: see subtree__scratch().
 */
const struct subtree *group_trees__at(struct group_trees *trees, u32 group, u32 **scratch);

#endif
