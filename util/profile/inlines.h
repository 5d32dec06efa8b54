/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expand inlined functions in call chains: one frame for each inlined function, below its caller.
 *
 * This is done to a finished profile, once per location: a node at inlined code becomes several
 * nodes. The leaf locations of rows stay: a sample counts for the symbol, as in Linux's perf.
 */
#ifndef PERF_UTIL_PROFILE_INLINES_H
#define PERF_UTIL_PROFILE_INLINES_H

#include "util/profile/names.h"

enum inlines_flags {
	/*
	 * Addresses of user callers are those of the call instructions, as unwinding of copied
	 * stacks yields. Else they are return addresses, which may belong to other code
	 * already.
	 */
	INLINES_CALL_ADDRESSES = 1u << 0,
	INLINES_KERNEL = 1u << 1, /* in the kernel's frames, too */
};

/*
 * @names must be those of @profile, with symbols. Reads the debug information of the dsos in the
 * chains, with @workers threads.
 */
void inlines__expand(struct names *names, struct profile *profile, unsigned flags,
                     unsigned workers);

#endif
