/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inlined functions in call chains: a frame whose code was inlined becomes a frame for each of the
 * functions, those that were inlined below the one that they were inlined into.
 *
 * It is done to a finished profile, once for each of its locations: nodes with such a location
 * become several nodes. Leaf locations of rows stay what they are: what a sample counts for is the
 * symbol, as in Linux's perf.
 */
#ifndef PERF_UTIL_PROFILE_INLINES_H
#define PERF_UTIL_PROFILE_INLINES_H

#include "util/profile/names.h"

enum inlines_flags {
	/*
	 * The addresses of the user's callers are those of their calls, as unwinding of copied
	 * stacks gives them. Else they are where the call returns to, which may be other code
	 * already.
	 */
	INLINES_CALL_ADDRESSES = 1u << 0,
	INLINES_KERNEL = 1u << 1, /* in the kernel's frames, too */
};

/*
 * @names must be those of @profile, with symbols. Reads the debug information of the dsos that
 * frames lie in, with @workers threads.
 */
void inlines__expand(struct names *names, struct profile *profile, unsigned flags,
                     unsigned workers);

#endif
