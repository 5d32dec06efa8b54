/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inlined functions as frames of call chains: one frame for each inlined function, below its
 * caller. A node at inlined code becomes several nodes. The leaf locations of rows stay: a sample
 * counts for the symbol, as in Linux's perf.
 */
#ifndef PERF_UTIL_CHAINS_INLINES_H
#define PERF_UTIL_CHAINS_INLINES_H

#include "util/chains/chains.h"

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
 * @chains as they were built; @names must be those of their profile, with symbols, and get the
 * locations of the new frames. Reads the debug information of the dsos in the chains, with @workers
 * threads.
 */
void inlines__expand(struct chains *chains, struct names *names, unsigned flags, unsigned workers);

#endif
