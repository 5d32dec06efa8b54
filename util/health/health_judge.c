// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/health/health_judge.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "util/health/outer_frames.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/lib/workers.h"
#include "util/profile/profile.h"
#include "util/stream/unwound.h"
#include "util/symtab/object_file.h"
#include "util/unwind/calls.h"
#include "util/unwind/frame.h"
#include "util/unwind/start_code.h"

/* Of a node of the profile, as a leaf: its chain from the root. See also inner_of(). */
struct health_node {
	u32 call;  /* the first frame of another mode than the root's; NODE_ROOT: none is */
	u32 outer; /* the last of the first HEALTH_DEPTH frames before it */
};

struct health_judge {
	const struct profile *profile;
	struct unwind_tables *tables;
	struct start_code *start;
	struct session_symbols *symbols;
	struct health_node *nodes;  /* by node */
	u8 *start_of_loc;           /* 1 + enum start_kind; 0: not known yet */
	struct u64map end_of_outer; /* struct row_end, by the outer frames of a chain */
	u64 last_outer;             /* asked for last; UINT64_MAX: none */
	struct row_end last_end;    /* what it said */
	/* 1 + enum frame_kind of a location, as the place that was interrupted and as one behind a
	 * call: for those see find_frame(). 0: not known yet. */
	u8 *frame_of_loc;
	struct u64map machine_of_dso;
	struct calls *calls;
	struct u64map missing; /* see lacks_more() */
};

/* What the function at a location is, found once. */
static enum start_kind start_at(struct health_judge *judge, u32 id)
{
	u8 *known = &judge->start_of_loc[id];

	if (!*known)
		*known = 1 + outer_frames__kind(judge->start, judge->symbols,
		                                &judge->profile->locs[id]);
	return *known - 1;
}

/* The last of the first frames of @node's chain that are all of one mode, as the user's are. */
static u32 inner_of(const struct health_judge *judge, u32 node)
{
	u32 call = judge->nodes[node].call;

	return call == NODE_ROOT ? node : judge->profile->nodes[call].parent;
}

/* Is @node at most at HEALTH_DEPTH? It has one mode with its callers, which are linked. */
static bool is_outer(const struct health_judge *judge, u32 node)
{
	const struct node *nodes = judge->profile->nodes;
	u32 depth = 1;

	if (judge->nodes[nodes[node].parent].outer != nodes[node].parent)
		return false;
	while ((node = nodes[node].parent) != NODE_ROOT && depth <= HEALTH_DEPTH)
		depth++;
	return depth <= HEALTH_DEPTH;
}

static void link_nodes(struct health_judge *judge)
{
	const struct profile *profile = judge->profile;

	judge->nodes = xrealloc(NULL, profile->nr_nodes, sizeof(*judge->nodes));
	judge->nodes[NODE_ROOT] = (struct health_node){ NODE_ROOT, NODE_ROOT };
	for (u32 i = 1; i < profile->nr_nodes; i++) {
		u32 parent = profile->nodes[i].parent;
		struct health_node *node = &judge->nodes[i];

		*node = judge->nodes[parent];
		if (node->call != NODE_ROOT)
			continue;
		if (parent != NODE_ROOT &&
		    profile->locs[profile->nodes[i].loc].cpumode !=
		            profile->locs[profile->nodes[parent].loc].cpumode)
			node->call = i;
		else if (is_outer(judge, i))
			node->outer = i;
	}
}

/* @sampled: the innermost frame of all is among the outer ones. */
static struct outer_frames look_at(struct health_judge *judge, const struct health_node *of,
                                   bool sampled)
{
	const struct profile *profile = judge->profile;
	struct outer_frames outer = OUTER_FRAMES_INIT;

	if (sampled && of->call != NODE_ROOT)
		outer.forked = start_at(judge, profile->nodes[of->call].loc) == START_CLONE;
	for (u32 node = of->outer; node != NODE_ROOT;
	     node = profile->nodes[node].parent, sampled = false) {
		u32 loc = profile->nodes[node].loc;

		outer_frames__add(&outer, &profile->locs[loc], start_at(judge, loc), sampled);
	}
	return outer;
}

/* Many chains begin alike: looked at once. */
static struct row_end end_by_outer(struct health_judge *judge, const struct row *row)
{
	const struct health_node *of = &judge->nodes[row->node];
	/* What follows the outer frames matters where the innermost of all is among them. */
	bool sampled = of->outer == inner_of(judge, row->node),
	     in_call = sampled && of->call != NODE_ROOT;
	u64 key = (u64)(in_call ? of->call : of->outer) << 4 | in_call << 3 | sampled << 2 |
	          row->end.flags;
	struct row_end end;

	if (key == judge->last_outer)
		return judge->last_end;
	u32 *known = u64map__at(&judge->end_of_outer, key);

	if (*known == ID_NONE) {
		const struct outer_frames outer = look_at(judge, of, sampled);

		end = row_end__make(ROW_END_BY_KERNEL, outer_frames__end(&outer, row->end.flags),
		                    outer.where);
		memcpy(known, &end, sizeof(end));
	}
	memcpy(&end, known, sizeof(end));
	judge->last_outer = key;
	judge->last_end = end;
	return end;
}

/*
 * ---- gaps ----
 *
 * The kernel finds the frame of the first function that keeps one, and goes on from there: the
 * caller of one that does not is missing.
 */

/* Files are opened once: places in them come in any order. */
static u16 machine_of(struct health_judge *judge, u32 dso)
{
	u32 *known = u64map__at(&judge->machine_of_dso, dso);

	if (*known == ID_NONE)
		*known = start_code__machine(judge->start, dso);
	return *known;
}

/* Does the function keep a frame? @exact: it was interrupted there. */
static enum frame_kind find_frame(struct health_judge *judge, u32 id, bool exact)
{
	const struct loc *loc = &judge->profile->locs[id];

	if (loc->dso == ID_NONE)
		return FRAME_NOT_KNOWN;
	u8 *known = &judge->frame_of_loc[2 * (size_t)id + exact];

	/* Behind a call may be another function, where the call never returns. */
	if (!*known)
		*known = 1 + frame_kind__find(judge->tables, loc->dso, loc->addr - !exact,
		                              machine_of(judge, loc->dso));
	return *known - 1;
}

static struct row_end gap_at(struct health_judge *judge, u32 node, struct row_end above)
{
	u32 id = judge->profile->nodes[node].loc;
	const struct loc *loc = &judge->profile->locs[id];

	if (loc->cpumode != PERF_RECORD_MISC_USER)
		return above;
	if (judge->nodes[node].outer == node) {
		enum start_kind kind = start_at(judge, id);

		if (kind == START_THREAD || kind == START_CLONE)
			return row_end__make(ROW_END_BY_KERNEL, CHAIN_COMPLETE, ID_NONE);
	}
	switch (find_frame(judge, id, false)) {
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

/*
 * By node, for those whose gaps[node] is still to be judged and their callers: does it, or a caller
 * of it below where its thread starts, keep no frame, and in which dso? CHAIN_COMPLETE, CHAIN_GAP
 * or CHAIN_GAP_NOT_KNOWN. Of several the innermost, and what is known first.
 */
static void find_gaps(struct health_judge *judge, struct row_end *gaps)
{
	const struct profile *profile = judge->profile;

	for (u32 i = profile->nr_nodes; i-- > 1;)
		if (gaps[i].end == ROW_END_LATE)
			gaps[profile->nodes[i].parent].end = ROW_END_LATE;
	gaps[NODE_ROOT] = row_end__make(ROW_END_BY_KERNEL, CHAIN_COMPLETE, ID_NONE);
	for (u32 i = 1; i < profile->nr_nodes; i++)
		if (gaps[i].end == ROW_END_LATE)
			gaps[i] = gap_at(judge, i, gaps[profile->nodes[i].parent]);
}

/*
 * Below the innermost function, which keeps no frame: has the one that the chain leaves out not
 * called it either? Asked once for each address and what it returns to.
 */
static bool lacks_more(struct health_judge *judge, u32 leaf)
{
	const struct node *nodes = judge->profile->nodes;
	u32 back = nodes[leaf].parent, id = nodes[leaf].loc;
	const struct loc *loc = &judge->profile->locs[id],
	                 *to = &judge->profile->locs[nodes[back].loc];

	if (back == NODE_ROOT || loc->dso == ID_NONE || to->dso == ID_NONE ||
	    to->cpumode != PERF_RECORD_MISC_USER || find_frame(judge, id, true) != FRAME_NONE)
		return false;
	u32 *known = u64map__at(&judge->missing, (u64)nodes[back].loc << 32 | id);

	if (*known == ID_NONE)
		*known = calls__are_missing(judge->calls, &(struct code_place){ to->dso, to->addr },
		                            &(struct code_place){ loc->dso, loc->addr });
	return *known;
}

/* ---- the whole ledger ---- */

/* By event, then what is to be looked at first. Dsos by name: ids depend on nothing that counts. */
static int compare_entries(const void *a, const void *b)
{
	const struct health_entry *x = a, *y = b;

	if (x->evsel != y->evsel)
		return x->evsel < y->evsel ? -1 : 1;
	if ((x->end == CHAIN_COMPLETE) != (y->end == CHAIN_COMPLETE))
		return x->end == CHAIN_COMPLETE ? -1 : 1;
	if (x->nr != y->nr)
		return x->nr > y->nr ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->where < y->where ? -1 : x->where > y->where;
}

/* The innermost user frame of a chain; NODE_ROOT: none. */
static u32 user_leaf(const struct health_judge *judge, const struct row *row)
{
	const struct profile *profile = judge->profile;
	u32 node = inner_of(judge, row->node);

	if (node == NODE_ROOT ||
	    profile->locs[profile->nodes[node].loc].cpumode != PERF_RECORD_MISC_USER)
		return NODE_ROOT;
	return node;
}

static bool counts(const struct row *row, const struct row_filter *filter)
{
	return row->end.end != ROW_END_NONE && (!filter || filter->pass(filter->ctx, row));
}

/*
 * Which chains that the kernel made reach the start of their thread; into row->end. Of those that
 * do, the callers of the innermost function are to be judged.
 */
static void judge_ends(struct health_judge *judge, struct profile *profile,
                       const struct row_filter *filter, struct row_end *gaps)
{
	for (u64 i = 0; i < profile->nr_rows; i++) {
		struct row *row = &profile->rows[i];

		if (row->end.end != ROW_END_LATE || !counts(row, filter))
			continue; /* or it has been settled */
		row->end = end_by_outer(judge, row);
		u32 leaf = user_leaf(judge, row);

		if (row->end.end == CHAIN_COMPLETE && leaf != NODE_ROOT)
			gaps[profile->nodes[leaf].parent].end = ROW_END_LATE;
	}
}

static enum row_leaf leaf_of(struct health_judge *judge, const struct session *session,
                             const struct row *row)
{
	const struct perf_event_attr *attr = &session->evlist->evsels[row->evsel]->attr;
	u32 leaf = user_leaf(judge, row);

	if (row->end.by != ROW_END_BY_KERNEL || leaf == NODE_ROOT)
		return ROW_LEAF_NONE;
	enum frame_kind frame = find_frame(judge, judge->profile->nodes[leaf].loc, true);
	/* With its register in the sample the caller is put in: util/stream/unwound.h. */
	bool linked = frame == FRAME_LINK && attr->sample_type & PERF_SAMPLE_REGS_USER &&
	              attr->sample_regs_user >> ARM64_LINK_REGISTER & 1;

	if (frame == FRAME_NOT_KNOWN)
		return ROW_LEAF_NOT_KNOWN;
	return frame == FRAME_KEPT || linked ? ROW_LEAF_FRAME : ROW_LEAF_FRAMELESS;
}

/* The last word on a row; see judge_ends(). */
static void settle_row(struct health_judge *judge, const struct session *session, struct row *row,
                       const struct row_end *gaps)
{
	u32 leaf = user_leaf(judge, row);

	if (row->end.by == ROW_END_BY_KERNEL && row->end.end == CHAIN_COMPLETE && leaf != NODE_ROOT)
		row->end = gaps[judge->profile->nodes[leaf].parent];
	if (row->end.by == ROW_END_BY_KERNEL && row->end.end == CHAIN_COMPLETE &&
	    leaf != NODE_ROOT && lacks_more(judge, leaf))
		row->end = row_end__make(ROW_END_BY_KERNEL, CHAIN_GAP,
		                         judge->profile->locs[judge->profile->nodes[leaf].loc].dso);
	row->end.flags = ROW_END_JUDGED | leaf_of(judge, session, row);
}

/* Rows with equal ends, which are few, on their way into the ledger. */
struct tally {
	u64 nr;
	u16 evsel;
	struct row_end end;
};

#define TALLIES 64 /* a power of two */

static void count(struct health *health, const struct tally *tally)
{
	const struct row_end end = tally->end;
	struct health_leaves *leaves = &health->leaves[tally->evsel];
	enum row_leaf leaf = end.flags & ~ROW_END_JUDGED;

	health->nr_recorded += end.by == ROW_END_BY_RECORDER ? tally->nr : 0;
	health->nr_copies += end.by == ROW_END_BY_READER ? tally->nr : 0;
	/* Where complete chains end is of no interest. */
	bool no_dso = end.end == CHAIN_COMPLETE || end.dso == ROW_END_NO_DSO;

	health__add(health, &(struct health_entry){ .evsel = tally->evsel,
	                                            .end = end.end,
	                                            .where = no_dso ? ID_NONE : end.dso,
	                                            .nr = tally->nr });
	leaves->nr += leaf != ROW_LEAF_NONE ? tally->nr : 0;
	leaves->frameless += leaf == ROW_LEAF_FRAMELESS ? tally->nr : 0;
	leaves->not_known += leaf == ROW_LEAF_NOT_KNOWN ? tally->nr : 0;
}

static u32 bits_of(struct row_end end)
{
	u32 bits;

	memcpy(&bits, &end, sizeof(bits));
	return bits;
}

static void count_rows(struct health *health, const struct profile *profile,
                       const struct row_filter *filter)
{
	struct tally tallies[TALLIES] = { { .nr = 0 } };

	for (u64 i = 0; i < profile->nr_rows; i++) {
		const struct row *row = &profile->rows[i];
		u32 bits = bits_of(row->end);
		struct tally *tally = &tallies[(bits ^ bits >> 10 ^ row->evsel) % TALLIES];

		if (row->end.end == ROW_END_NONE)
			continue;
		if (!counts(row, filter)) {
			health->nr_hidden += row->count;
			continue;
		}
		if (tally->nr && (bits_of(tally->end) != bits || tally->evsel != row->evsel)) {
			count(health, tally);
			tally->nr = 0;
		}
		tally->end = row->end;
		tally->evsel = row->evsel;
		tally->nr += row->count;
	}
	for (u32 i = 0; i < TALLIES; i++)
		if (tallies[i].nr)
			count(health, &tallies[i]);
}

/* Does nobody know more for want of the recorded file? What a recorder told it knew itself. */
static void look_for_files(struct health *health, const struct session *session,
                           const struct unwind_tables *tables)
{
	struct object_files files;

	for (u32 i = 0; i < health->nr && !health->nr_recorded; i++) {
		struct health_entry *entry = &health->entries[i];

		if (entry->end != CHAIN_NO_TABLES && !chain_end__is_unknown(entry->end))
			continue;
		if (entry->where == ID_NONE ||
		    dsos__at(&session->dsos, entry->where)->kind != DSO_USER)
			continue;
		entry->no_file = unwind_tables__open(tables, entry->where, false, &files) != 0;
		if (!entry->no_file)
			object_files__close(&files);
	}
}

/* Of the rows that pass, those that were not judged by another filter before. */
static void settle(struct health_judge *judge, struct profile *profile,
                   const struct session *session, const struct row_filter *filter)
{
	struct row_end *gaps = xcalloc(profile->nr_nodes, sizeof(*gaps));

	judge->start_of_loc = xcalloc(profile->nr_locs, 1);
	judge->frame_of_loc = xcalloc(2 * (size_t)profile->nr_locs, 1);
	link_nodes(judge);
	judge_ends(judge, profile, filter, gaps);
	find_gaps(judge, gaps);
	for (u64 i = 0; i < profile->nr_rows; i++) {
		struct row *row = &profile->rows[i];

		if (!(row->end.flags & ROW_END_JUDGED) && counts(row, filter))
			settle_row(judge, session, row, gaps);
	}
	free(gaps);
	free(judge->nodes);
	free(judge->start_of_loc);
	free(judge->frame_of_loc);
	u64map__exit(&judge->end_of_outer);
	u64map__exit(&judge->machine_of_dso);
	u64map__exit(&judge->missing);
}

static bool all_are_settled(const struct profile *profile, const struct row_filter *filter)
{
	for (u64 i = 0; i < profile->nr_rows; i++) {
		const struct row *row = &profile->rows[i];

		if (!(row->end.flags & ROW_END_JUDGED) && counts(row, filter))
			return false;
	}
	return true;
}

/* An empty ledger. */
static void begin(struct health *health, u32 nr_evsels)
{
	struct health kept = { .max_stack = health->max_stack,
		               .unread = health->unread,
		               .mixed = health->mixed };

	health__exit(health);
	*health = kept;
	health->nr_leaves = nr_evsels;
	health->leaves = xcalloc(nr_evsels, sizeof(*health->leaves));
}

void health__judge(struct profile *profile, const struct session *session,
                   struct session_symbols *symbols, const struct row_filter *filter)
{
	const struct symbol_config *config = session_symbols__config(symbols);
	struct unwind_tables *tables = unwind_tables__new(&session->dsos, config);
	struct health_judge judge = {
		.profile = profile,
		.tables = tables,
		.start = start_code__new(&session->dsos, symbols, tables),
		.symbols = symbols,
		.calls = calls__new(&session->dsos, config, tables),
		.last_outer = UINT64_MAX,
	};
	struct health *health = &profile->health;

	if (!all_are_settled(profile, filter))
		settle(&judge, profile, session, filter);
	begin(health, session->evlist->nr);
	if (!health->mixed)
		count_rows(health, profile, filter);
	if (health->nr)
		qsort(health->entries, health->nr, sizeof(*health->entries), compare_entries);
	look_for_files(health, session, tables);
	u64map__exit(&health->index);
	calls__delete(judge.calls);
	start_code__delete(judge.start);
	unwind_tables__delete(tables);
}

int health__collect(struct health *health, const struct session *session,
                    const struct profile_options *options, struct session_symbols *symbols,
                    struct error *err)
{
	struct profile_options with = *options;
	struct profile profile;

	with.chains = true;
	with.objects = session_symbols__config(symbols);
	with.workers = workers__default();
	int ret = profile__build(&profile, session, &with, err);

	*health = (struct health){ .nr = 0 };
	if (ret)
		return ret;
	health__judge(&profile, session, symbols, NULL);
	*health = profile.health;
	profile.health = (struct health){ .nr = 0 };
	profile__exit(&profile);
	return 0;
}
