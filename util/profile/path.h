/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The current call chain, root first, read incrementally from one sample to the next.
 *
 * Neighbouring samples share most of their chain from the root (84 to 91 % of the frames in
 * measured files). A new chain is compared with the last one word by word, and only the words that
 * differ are decoded.
 */
#ifndef PERF_UTIL_PROFILE_PATH_H
#define PERF_UTIL_PROFILE_PATH_H

#include "util/profile/profile.h"
#include "util/stream/frame_walk.h"
#include "util/stream/resolve.h"

struct path_frame {
	u64 ip;
	u8 cpumode;
	/* Set by the caller; kept with the frame. */
	u32 node, loc;
	struct validity valid;
};

struct path {
	struct path_frame *frames; /* root first */
	u32 nr;
	u32 max;      /* frames of a chain; may be set to up to twice the value at path__init() */
	u32 nr_cut;   /* frames cut off at the root: those beyond max_stack */
	bool unknown; /* it was cut at an unknown marker */
	/* Private. */
	struct frame *fresh; /* leaf first */
	u64 *words;          /* of the last chain, as in the file, root first */
	u16 *frames_at;      /* the number of frames in words[0..i] */
	u32 nr_words;        /* 0: the last chain cannot be continued */
};

/* Chains are cut to the @max_stack frames nearest the leaf. */
void path__init(struct path *path, u32 max_stack);
void path__exit(struct path *path);

/*
 * Read a sample's chain; @cpumode is the sample's. Returns the number of frames, from the root,
 * that are unchanged from the last chain. Unusable parts are counted in @problems.
 */
u32 path__read(struct path *path, const struct u64_span *chain, bool swap, u8 cpumode,
               struct read_problems *problems);

#endif
