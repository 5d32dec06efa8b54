/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call chain at work, root first. Neighbouring samples share most of their chain (84 to 91 %
 * of the frames in measured files), counted from the root: a new chain is read on top of the last
 * one, and what both have in common is compared word by word but never taken apart again.
 */
#ifndef PERF_UTIL_PROFILE_PATH_H
#define PERF_UTIL_PROFILE_PATH_H

#include "util/format/sample.h"
#include "util/profile/profile.h"
#include "util/profile/resolve.h"

struct path_frame {
	u64 ip;
	u8 cpumode;
	/* The user's; kept with the frame. */
	u32 node, loc;
	struct validity valid;
};

struct path {
	struct path_frame *frames; /* root first */
	u32 nr;
	u32 max;      /* frames of a chain. May be set to up to twice what path__init() was told */
	u32 nr_cut;   /* frames beyond the root of it: more than max_stack */
	bool unknown; /* it was cut at a marker that nobody knows */
	/* Private. */
	struct path_frame *fresh; /* leaf first */
	u64 *words;               /* of the last chain, as the file has them, root first */
	u16 *frames_at;           /* how many frames words[0..i] are */
	u32 nr_words;             /* 0: the last chain is not to be continued */
};

/* Chains are cut to the @max_stack frames nearest the leaf. */
void path__init(struct path *path, u32 max_stack);
void path__exit(struct path *path);

/*
 * Take a sample's chain; @cpumode is the sample's. Returns how many frames, counted from the root,
 * are those of the last chain, untouched. What cannot be used is counted in @counts.
 */
u32 path__read(struct path *path, const struct u64_span *chain, bool swap, u8 cpumode,
               struct profile *counts);

#endif
