/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Basic blocks by the cycles that went by in them (`perf report --total-cycles`): code that ran
 * from the target of one branch to the next branch, both in one function. The second branch tells
 * how many cycles passed since the first.
 *
 * Made of a profile with profile_options.blocks, and block_start and block_cycles among its keys.
 */
#ifndef PERF_UTIL_VIEW_BLOCKS_H
#define PERF_UTIL_VIEW_BLOCKS_H

#include "util/view/hist_filter.h"

struct block {
	u32 start, end; /* locations: the target of a branch, and the next branch */
	u16 evsel;
	u64 count, cycles; /* how often it was seen, and in how many cycles altogether */
};

struct block_event {
	u32 first, nr;   /* of blocks.list: the one with most cycles first */
	u64 cycles;      /* of all branches, 100 %: also of those that end no block */
	double averages; /* the sum of cycles / count of its blocks */
};

struct blocks {
	struct block *list;
	struct block_event *events; /* by evsel */
};

/*
 * @filter says which rows make blocks. @relative: 100 % are the cycles of these rows alone. All is
 * borrowed, for this call.
 */
void blocks__init(struct blocks *blocks, const struct hist_filter *filter, bool relative);
void blocks__exit(struct blocks *blocks);

#endif
