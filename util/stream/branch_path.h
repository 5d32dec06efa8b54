/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The branches of a sample as the path that led to it: loops, which would fill it, once.
 *
 * A round is a sequence of branches that follows itself: the same places and flags, whatever the
 * cycles. Rounds side by side are one, with their number. The shortest sequence counts, so a loop
 * with loops in it is folded where its rounds are alike.
 */
#ifndef PERF_UTIL_STREAM_BRANCH_PATH_H
#define PERF_UTIL_STREAM_BRANCH_PATH_H

#include "util/format/sample.h"

/* As many branches as a round may have. */
#define BRANCH_ROUND_MAX 64

struct branch_step {
	u64 from, to, flags;
	u32 cycles; /* from the branch before it; of a round: on average, rounded down */
	u32 more;   /* at the oldest branch of a round: how many rounds there were before it */
	u64 rounds_cycles; /* there: of all rounds */
};

/* Private to each user, which is one thread. */
struct branch_path {
	struct branch_step *steps; /* the newest first */
	u32 nr;
	size_t cap;
};

/* Of the newest @max branches. What @path held is gone. */
void branch_path__read(struct branch_path *path, const struct u64_span *branches, bool swap,
                       u32 max);
void branch_path__exit(struct branch_path *path);

#endif
