// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whose caller is missing: chains of frame pointers that begin in a function without a frame. The
 * unwind tables tell for each address whether the caller's frame is found through the frame
 * pointer; where it is found through the stack pointer, the frame pointer is still the caller's.
 */
#include <linux/perf_event.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "util/lib/alloc.h"
#include "util/profile/health_private.h"
#include "util/profile/profile.h"

#define OP_BREG0 0x70 /* DW_OP_breg0: an expression that begins with a register */

enum frame { FRAME_SET_UP, FRAME_NONE, FRAME_NOT_KNOWN };

struct leaves {
	const struct profile *profile;
	struct start_code *start;
	struct unwind_tables *tables;
	struct u64map frame_of_loc, machine_of_dso;
	u32 *first_user; /* by node: the innermost user frame of the chain; NODE_ROOT: none */
};

/* Files are opened once: places in them come in any order. */
static u16 machine_of(struct leaves *leaves, u32 dso)
{
	u32 *known = u64map__at(&leaves->machine_of_dso, dso);

	if (*known == ID_NONE)
		*known = start_code__machine(leaves->start, dso);
	return *known;
}

static enum frame find_frame(struct leaves *leaves, const struct loc *loc)
{
	u16 machine = machine_of(leaves, loc->dso);
	const struct arch *arch = arch__of_object(machine);
	const struct cfi *cfi;
	struct cfi_row row;

	if (!arch->sp ||
	    unwind_tables__row(leaves->tables, loc->dso, loc->addr, machine, &row, &cfi))
		return FRAME_NOT_KNOWN;
	if (row.cfa.kind == CFI_REGISTER)
		return row.cfa.reg == arch->fp ? FRAME_SET_UP : FRAME_NONE;
	if (row.cfa.kind != CFI_VAL_EXPRESSION || !row.cfa.len)
		return FRAME_NOT_KNOWN;
	/* Stacks that were aligned anew are found through a copy beside the frame pointer. */
	return cfi->section.data[row.cfa.value] == OP_BREG0 + arch->fp ? FRAME_SET_UP : FRAME_NONE;
}

static enum frame frame_of(struct leaves *leaves, u32 id)
{
	const struct loc *loc = &leaves->profile->locs[id];

	if (loc->dso == ID_NONE)
		return FRAME_NOT_KNOWN;
	u32 *known = u64map__at(&leaves->frame_of_loc, id);

	if (*known == ID_NONE)
		*known = find_frame(leaves, loc);
	return *known;
}

static void find_first_users(struct leaves *leaves)
{
	const struct profile *profile = leaves->profile;

	leaves->first_user = xcalloc(profile->nr_nodes, sizeof(*leaves->first_user));
	for (u32 i = 1; i < profile->nr_nodes; i++) {
		const struct node *node = &profile->nodes[i];

		leaves->first_user[i] = profile->locs[node->loc].cpumode == PERF_RECORD_MISC_USER
		                                ? i
		                                : leaves->first_user[node->parent];
	}
}

void health_leaves__count(struct health *health, const struct profile *profile,
                          const struct session *session, struct start_code *start,
                          struct unwind_tables *tables)
{
	struct leaves leaves = { .profile = profile, .start = start, .tables = tables };

	health->nr_leaves = session->evlist->nr;
	health->leaves = xcalloc(health->nr_leaves, sizeof(*health->leaves));
	find_first_users(&leaves);
	for (u64 i = 0; i < profile->nr_rows; i++) {
		const struct row *row = &profile->rows[i];
		const struct evsel *evsel = session->evlist->evsels[row->evsel];
		struct health_leaves *sums = &health->leaves[row->evsel];
		u32 node = leaves.first_user[row->node];

		if (node == NODE_ROOT || evsel->attr.sample_type & PERF_SAMPLE_STACK_USER)
			continue;
		enum frame frame = frame_of(&leaves, profile->nodes[node].loc);

		sums->nr += row->count;
		sums->frameless += frame == FRAME_NONE ? row->count : 0;
		sums->not_known += frame == FRAME_NOT_KNOWN ? row->count : 0;
	}
	free(leaves.first_user);
	u64map__exit(&leaves.frame_of_loc);
	u64map__exit(&leaves.machine_of_dso);
}

struct health_leaves health__leaves(const struct health *health)
{
	struct health_leaves all = { .nr = 0 };

	for (u32 i = 0; i < health->nr_leaves; i++) {
		all.nr += health->leaves[i].nr;
		all.frameless += health->leaves[i].frameless;
		all.not_known += health->leaves[i].not_known;
	}
	return all;
}
