/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict on a call chain: how it ended. Each reader or unwinder of a chain gives one; reports
 * add them up, because a profile made of chains that were cut in silence is a wrong profile.
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
	CHAIN_UNREADABLE,  /* memory outside the copy, not above it; or invalid rules */
	CHAIN_UNMAPPED,    /* a return address at which nothing was mapped */
	CHAIN_LEFT_STACK,  /* a frame-pointer chain that does not end in the start of its thread */
	CHAIN_OTHER_STACK, /* a signal handler has a stack of its own, and that was copied */
	CHAIN_NOT_UNWOUND, /* the chosen library does not support this architecture */
	CHAIN_NOT_KNOWN,   /* it is not known what the outermost frame is in */
	CHAIN_GAP,         /* complete but for the caller of a function in the middle, in the dso,
	                      which keeps no frame */
	CHAIN_GAP_NOT_KNOWN, /* the same, but it is not known whether it keeps one */
	CHAIN_CUT_BOTH,      /* the depth limit of the reader; above it the copied part ends, too */
	CHAIN_CUT_PAGE, /* the copy ended at a page that was not in memory: of a large frame which
	                   is hardly used; or what is wanted is beyond the stack */
	NR_CHAIN_ENDS,
};

/* What made a chain. */
enum row_end_by {
	ROW_END_BY_KERNEL, /* by following frame pointers */
	ROW_END_BY_READER,
	ROW_END_BY_RECORDER, /* record --unwind-live */
	ROW_END_BY_PILOT,    /* record --call-graph auto, before it had chosen */
};

struct chain_verdict {
	enum chain_end end;
	u32 dso;   /* of the last frame, where something is missing; ID_NONE: none */
	u32 depth; /* bytes of the copied stack, from its lower end, that were needed */
};

#endif
