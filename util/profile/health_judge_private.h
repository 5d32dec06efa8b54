/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What judging the chains of a profile is made of; nobody else includes this. */
#ifndef PERF_UTIL_PROFILE_HEALTH_JUDGE_PRIVATE_H
#define PERF_UTIL_PROFILE_HEALTH_JUDGE_PRIVATE_H

#include "util/lib/hash.h"
#include "util/profile/profile.h"
#include "util/unwind/frame.h"
#include "util/unwind/start_code.h"

/* Of a node of the profile, as a leaf: its chain from the root. */
struct health_node {
	u32 inner; /* the last of its first frames that are all of one mode, as the user's are */
	u32 call;  /* the frame that follows this one, of another mode; NODE_ROOT: none does */
	u32 outer; /* the last of the first HEALTH_DEPTH frames of that mode */
	u8 depth;  /* of frames of that mode; at most HEALTH_DEPTH */
};

struct health_judge {
	const struct profile *profile;
	struct unwind_tables *tables;
	struct start_code *start;
	struct symbols *symbols;
	struct health_node *nodes;  /* by node */
	struct u64map start_of_loc; /* enum start_kind */
	struct u64map end_of_outer; /* struct row_end, by the outer frames of a chain */
	/* enum frame_kind of a location, as the place that was interrupted and as one behind a
	 * call: for those see frame_of(). */
	struct u64map frame_of_loc, machine_of_dso;
};

/* What the function at a location is, found once. */
enum start_kind health_judge__start(struct health_judge *judge, u32 loc);

/* health_frames.c: does the function keep a frame? @exact: it was interrupted there. */
enum frame_kind health_judge__frame(struct health_judge *judge, u32 loc, bool exact);

/*
 * By node, for those with wanted[node] and their callers: does it, or a caller of it below where
 * its thread starts, keep no frame, and in which dso? CHAIN_COMPLETE, CHAIN_GAP or
 * CHAIN_GAP_NOT_KNOWN. Of several the innermost, and what is known first. To be freed.
 */
struct row_end *health_judge__gaps(struct health_judge *judge, u8 *wanted);

#endif
