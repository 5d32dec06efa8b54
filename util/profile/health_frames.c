// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find the functions in a chain of frame pointers that keep none. The kernel goes from one kept
 * frame to the next, so the caller of a function that keeps none is missing.
 */
#include <linux/perf_event.h>

#include "util/lib/alloc.h"
#include "util/profile/health_private.h"

/* Files are opened once: places in them come in any order. */
static u16 machine_of(struct health_judge *judge, u32 dso)
{
	u32 *known = u64map__at(&judge->machine_of_dso, dso);

	if (*known == ID_NONE)
		*known = start_code__machine(judge->start, dso);
	return *known;
}

enum frame_kind health_judge__frame(struct health_judge *judge, u32 id, bool exact)
{
	const struct loc *loc = &judge->profile->locs[id];

	if (loc->dso == ID_NONE)
		return FRAME_NOT_KNOWN;
	u32 *known = u64map__at(&judge->frame_of_loc, (u64)id << 1 | exact);

	/* Behind a call may be another function, where the call never returns. */
	if (*known == ID_NONE)
		*known = frame_kind__find(judge->tables, loc->dso, loc->addr - !exact,
		                          machine_of(judge, loc->dso));
	return *known;
}

static struct row_end gap_at(struct health_judge *judge, u32 node, struct row_end above)
{
	u32 id = judge->profile->nodes[node].loc;
	const struct loc *loc = &judge->profile->locs[id];

	if (loc->cpumode != PERF_RECORD_MISC_USER)
		return above;
	if (judge->nodes[node].outer == node) {
		enum start_kind kind = health_judge__start(judge, id);

		if (kind == START_THREAD || kind == START_CLONE)
			return row_end__make(ROW_END_BY_KERNEL, CHAIN_COMPLETE, ID_NONE);
	}
	switch (health_judge__frame(judge, id, false)) {
	case FRAME_KEPT:
		return above;
	case FRAME_NOT_KNOWN:
		return above.end == CHAIN_GAP
		               ? above
		               : row_end__make(ROW_END_BY_KERNEL, CHAIN_GAP_NOT_KNOWN, loc->dso);
	default:
		return row_end__make(ROW_END_BY_KERNEL, CHAIN_GAP, loc->dso);
	}
}

struct row_end *health_judge__gaps(struct health_judge *judge, u8 *wanted)
{
	const struct profile *profile = judge->profile;
	struct row_end *gaps = xrealloc(NULL, profile->nr_nodes, sizeof(*gaps));

	gaps[NODE_ROOT] = row_end__make(ROW_END_BY_KERNEL, CHAIN_COMPLETE, ID_NONE);
	for (u32 i = profile->nr_nodes; i-- > 1;)
		wanted[profile->nodes[i].parent] |= wanted[i];
	for (u32 i = 1; i < profile->nr_nodes; i++)
		if (wanted[i])
			gaps[i] = gap_at(judge, i, gaps[profile->nodes[i].parent]);
	return gaps;
}
