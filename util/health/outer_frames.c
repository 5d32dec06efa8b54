// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/health/outer_frames.h"

#include <linux/perf_event.h>

enum start_kind outer_frames__kind(struct start_code *start, struct session_symbols *symbols,
                                   const struct loc *loc)
{
	u64 vaddr;

	if (loc->dso == ID_NONE)
		return START_UNKNOWN;
	if (loc->cpumode == PERF_RECORD_MISC_USER)
		return start_code__kind(start, loc->dso, loc->addr);
	if (loc->cpumode != PERF_RECORD_MISC_KERNEL)
		return START_UNKNOWN; /* a guest's */
	u32 symbol = session_symbols__find_code(symbols, loc->dso, loc->addr, &vaddr);

	if (symbol == ID_NONE)
		return START_UNKNOWN;
	return start_kind__of_kernel(session_symbols__symbol(symbols, loc->dso, symbol)->name);
}

void outer_frames__add(struct outer_frames *outer, const struct loc *loc, enum start_kind kind,
                       bool sampled)
{
	/* In clone() itself both who called it and who is new stand at one address. */
	outer->complete |=
	        kind == START_THREAD || (kind == START_CLONE && (!sampled || outer->forked));
	outer->beyond = loc->dso == ID_NONE;
	if (outer->beyond)
		return;
	outer->where = loc->dso;
	outer->nameless = kind == START_UNKNOWN || loc->cpumode != PERF_RECORD_MISC_USER;
}

enum chain_end outer_frames__end(const struct outer_frames *outer, unsigned flags)
{
	if (outer->complete)
		return CHAIN_COMPLETE;
	if (flags & ROW_END_AT_LIMIT && !outer->beyond)
		return CHAIN_CUT_RECORD;
	if (outer->nameless)
		return CHAIN_NOT_KNOWN;
	return outer->beyond || flags & ROW_END_BEYOND ? CHAIN_UNMAPPED : CHAIN_LEFT_STACK;
}
