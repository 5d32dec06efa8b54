/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a call chain ended. Whoever reads or unwinds a chain gives it one verdict; reports add them
 * up, because a profile made of chains that were cut in silence is a wrong profile.
 */
#ifndef PERF_UTIL_UNWIND_VERDICT_H
#define PERF_UTIL_UNWIND_VERDICT_H

#include "util/lib/types.h"

enum chain_end {
	CHAIN_COMPLETE,    /* reached the outermost frame of its thread */
	CHAIN_CUT_COPY,    /* the copied part of the stack ended (--call-graph dwarf,SIZE) */
	CHAIN_CUT_RECORD,  /* the depth limit of the recording (kernel.perf_event_max_stack,
	                      max-stack) */
	CHAIN_CUT_READER,  /* the depth limit of the reader (--max-stack) */
	CHAIN_NO_TABLES,   /* the dso at hand has no unwind information for the address */
	CHAIN_NO_REGS,     /* registers the rules need are not in the sample */
	CHAIN_UNREADABLE,  /* memory outside the copy, not above it; or rules that make no sense */
	CHAIN_UNMAPPED,    /* a return address at which nothing was mapped */
	CHAIN_LEFT_STACK,  /* a frame-pointer chain that does not end in the start of its thread */
	CHAIN_OTHER_STACK, /* a signal handler has a stack of its own, and that was copied */
	CHAIN_NOT_UNWOUND, /* the library asked for does not know code of this architecture */
	CHAIN_NOT_KNOWN,   /* nobody can tell what the outermost frame is in */
	CHAIN_GAP,         /* reached it, but a function in the middle, in the dso, keeps no frame:
	                      its caller is missing */
	CHAIN_GAP_NOT_KNOWN, /* the same, but nobody can tell whether it keeps one */
	CHAIN_CUT_BOTH, /* by the copied part of the stack, above the depth limit of the reader */
	NR_CHAIN_ENDS,
};

struct chain_verdict {
	enum chain_end end;
	u32 dso; /* which the last frame is in (what is missing is missing there); ID_NONE: none */
	u32 depth; /* bytes of the copied stack, from its lower end, that were needed */
};

#endif
