/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of chains in preorder: a node is followed by all that lies below it. A walk over the
 * tree is then a walk through memory, which is what most of a report's time goes to.
 */
#ifndef PERF_UTIL_PROFILE_PREORDER_H
#define PERF_UTIL_PROFILE_PREORDER_H

#include "util/profile/profile.h"

/* Are they in preorder? Parents come first in @nodes, [0] is the root. */
bool preorder__is(const struct node *nodes, u32 nr);

/* By node, its number in preorder; siblings keep their order. Heap. */
u32 *preorder__numbers(const struct node *nodes, u32 nr);

/* @nodes in the order of @numbers. Heap. */
struct node *preorder__apply(const struct node *nodes, u32 nr, const u32 *numbers);

#endif
