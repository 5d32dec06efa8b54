/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files that judge the chains of a profile (health*.c) only. */
#ifndef PERF_UTIL_PROFILE_HEALTH_PRIVATE_H
#define PERF_UTIL_PROFILE_HEALTH_PRIVATE_H

#include "util/lib/hash.h"
#include "util/profile/profile.h"
#include "util/unwind/frame.h"
#include "util/unwind/start_code.h"

/* A node of the profile taken as a leaf: facts about its chain from the root. */
struct health_node {
	/* The outermost frames of one cpumode, usually the user's: the last of that run ... */
	u32 inner;
	u32 call;  /* ... the frame behind it, of another mode; NODE_ROOT: there is none */
	u32 outer; /* ... the last of the run's first HEALTH_DEPTH frames */
	u8 depth;  /* ... the number of its frames; at most HEALTH_DEPTH */
};

struct health_judge {
	const struct profile *profile;
	struct unwind_tables *tables;
	struct start_code *start;
	struct symbols *symbols;
	struct health_node *nodes;  /* by node */
	struct u64map start_of_loc; /* enum start_kind */
	struct u64map end_of_outer; /* struct row_end, by the outer frames of a chain */
	/* enum frame_kind of a location, both as the interrupted address and as a return address:
	 * see frame_of(). */
	struct u64map frame_of_loc, machine_of_dso;
};

/* Is the function at @loc the start function of a thread? Cached. */
enum start_kind health_judge__start(struct health_judge *judge, u32 loc);

/* health_frames.c: does the function at @loc keep a frame? @exact: it was interrupted at @loc. */
enum frame_kind health_judge__frame(struct health_judge *judge, u32 loc, bool exact);

/*
 * By node, for nodes with wanted[node] and their callers: does the node's function, or a caller of
 * it below the start of the thread, keep no frame, and in which dso? CHAIN_COMPLETE, CHAIN_GAP or
 * CHAIN_GAP_NOT_KNOWN. Known gaps win over unknown ones, then the innermost one. The caller frees
 * the array.
 */
struct row_end *health_judge__gaps(struct health_judge *judge, u8 *wanted);

#endif
