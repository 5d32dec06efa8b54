// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/profile/health.h"

#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/workers.h"
#include "util/machine/session.h"
#include "util/profile/health_private.h"
#include "util/profile/profile.h"
#include "util/symbol/symbols.h"
#include "util/unwind/start_code.h"

void health__exit(struct health *health)
{
	free(health->entries);
	free(health->leaves);
	u64map__exit(&health->index);
	*health = (struct health){ .nr = 0 };
}

void health__add(struct health *health, const struct health_entry *entry)
{
	u64 key = (u64)entry->evsel << 48 | (u64)entry->end << 40 | (u64)entry->flags << 32 |
	          entry->where;
	u32 *at = u64map__at(&health->index, key);

	if (*at != ID_NONE) {
		health->entries[*at].nr += entry->nr;
		return;
	}
	*at = health->nr++;
	array__reserve(&health->entries, &health->cap, health->nr, sizeof(*entry));
	health->entries[*at] = *entry;
}

void health__append(struct health *into, const struct health *from, u32 shift)
{
	for (u32 i = 0; i < from->nr; i++) {
		struct health_entry entry = from->entries[i];

		if (entry.end == HEALTH_LATE && entry.where != NODE_ROOT)
			entry.where += shift;
		health__add(into, &entry);
	}
	into->nr_recorded += from->nr_recorded;
	into->nr_copies += from->nr_copies;
}

/* ---- judging ---- */

struct judge {
	const struct profile *profile;
	const struct session *session;
	struct symbols *symbols;
	struct unwind_tables *tables;
	struct start_code *start;
	struct u64map start_of_loc; /* enum start_kind */
};

static enum start_kind find_kind(const struct judge *judge, const struct loc *loc)
{
	u64 vaddr;

	if (loc->cpumode != PERF_RECORD_MISC_KERNEL)
		return start_code__kind(judge->start, loc->dso, loc->addr);
	u32 symbol = symbols__find(judge->symbols, loc->dso, loc->addr, &vaddr);

	if (symbol == ID_NONE)
		return START_UNKNOWN;
	return start_kind__of_kernel(symbols__symbol(judge->symbols, loc->dso, symbol)->name);
}

/* What the function at a location is, found once. */
static enum start_kind kind_of(struct judge *judge, u32 id)
{
	const struct loc *loc = &judge->profile->locs[id];

	if (loc->dso == ID_NONE)
		return START_UNKNOWN;
	if (loc->cpumode != PERF_RECORD_MISC_KERNEL && loc->cpumode != PERF_RECORD_MISC_USER)
		return START_UNKNOWN; /* a guest's */
	u32 *known = u64map__at(&judge->start_of_loc, id);

	if (*known == ID_NONE)
		*known = find_kind(judge, loc);
	return *known;
}

/* The outer frames of a chain, from the inside. */
struct outer {
	bool complete; /* one of them starts a thread */
	bool forked;   /* the frame before them is where the kernel sends new threads to */
	u32 where;     /* the dso of the outermost frame that lies in one */
	bool beyond;   /* there are others above it */
	bool nameless; /* nobody knows what that frame is in, or whether the kernel went on */
};

static void look_at(struct judge *judge, u32 node, unsigned flags, struct outer *outer)
{
	const struct profile *profile = judge->profile;
	bool sampled = flags & HEALTH_SAMPLED;

	*outer = (struct outer){ .where = ID_NONE };
	if (flags & HEALTH_IN_CALL) {
		outer->forked = kind_of(judge, profile->nodes[node].loc) == START_CLONE;
		node = profile->nodes[node].parent;
	}
	for (; node != NODE_ROOT; node = profile->nodes[node].parent, sampled = false) {
		const struct loc *loc = &profile->locs[profile->nodes[node].loc];
		enum start_kind kind = kind_of(judge, profile->nodes[node].loc);

		/* In clone() itself both who called it and who is new stand at one address. */
		outer->complete |= kind == START_THREAD ||
		                   (kind == START_CLONE && (!sampled || outer->forked));
		outer->beyond = loc->dso == ID_NONE;
		if (outer->beyond)
			continue;
		outer->where = loc->dso;
		outer->nameless = kind == START_UNKNOWN || loc->cpumode != PERF_RECORD_MISC_USER;
	}
}

static enum chain_end end_of(const struct outer *outer, unsigned flags)
{
	if (outer->complete)
		return CHAIN_COMPLETE;
	if (flags & HEALTH_AT_LIMIT && !outer->beyond)
		return CHAIN_CUT_RECORD;
	if (outer->nameless)
		return CHAIN_NOT_KNOWN;
	return outer->beyond || flags & HEALTH_BEYOND ? CHAIN_UNMAPPED : CHAIN_LEFT_STACK;
}

static void judge_entry(struct judge *judge, struct health_entry *entry)
{
	struct outer outer;

	look_at(judge, entry->where, entry->flags, &outer);
	entry->where = outer.where;
	entry->end = end_of(&outer, entry->flags);
}

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

void health__judge(struct health *health, const struct profile *profile,
                   const struct session *session, struct symbols *symbols)
{
	struct unwind_tables *tables = unwind_tables__new(&session->dsos, symbols__config(symbols));
	struct judge judge = {
		.profile = profile,
		.session = session,
		.symbols = symbols,
		.tables = tables,
		.start = start_code__new(&session->dsos, symbols, tables),
	};
	struct health judged = { .max_stack = health->max_stack,
		                 .nr_recorded = health->nr_recorded,
		                 .nr_copies = health->nr_copies };

	for (u32 i = 0; i < health->nr; i++) {
		struct health_entry entry = health->entries[i];

		if (entry.end == HEALTH_LATE)
			judge_entry(&judge, &entry);
		if (entry.end == CHAIN_COMPLETE)
			entry.where = ID_NONE; /* where complete chains end is of no interest */
		entry.flags = 0;
		health__add(&judged, &entry);
	}
	if (health->nr)
		health_leaves__count(&judged, profile, session, judge.start, tables);
	u64map__exit(&judge.start_of_loc);
	start_code__delete(judge.start);
	unwind_tables__delete(tables);
	if (judged.nr)
		qsort(judged.entries, judged.nr, sizeof(*judged.entries), compare_entries);
	u64map__exit(&judged.index);
	health__exit(health);
	*health = judged;
}

int health__collect(struct health *health, const struct session *session,
                    const struct profile_options *options, struct symbols *symbols,
                    struct error *err)
{
	struct profile_options with = *options;
	struct profile profile;

	with.chains = true;
	with.objects = symbols__config(symbols);
	with.workers = workers__default();
	int ret = profile__build(&profile, session, &with, err);

	*health = (struct health){ .nr = 0 };
	if (ret)
		return ret;
	health__judge(&profile.health, &profile, session, symbols);
	*health = profile.health;
	profile.health = (struct health){ .nr = 0 };
	profile__exit(&profile);
	return 0;
}

/* ---- asking ---- */

void health__sum(const struct health *health, int evsel, struct health_sums *sums)
{
	*sums = (struct health_sums){ .nr = 0 };
	for (u32 i = 0; i < health->nr; i++) {
		const struct health_entry *entry = &health->entries[i];

		if (entry->end >= NR_CHAIN_ENDS || (evsel >= 0 && entry->evsel != evsel))
			continue;
		sums->nr += entry->nr;
		sums->by_end[entry->end] += entry->nr;
	}
	sums->not_known = sums->by_end[CHAIN_NOT_KNOWN];
	sums->not_complete = sums->nr - sums->by_end[CHAIN_COMPLETE] - sums->not_known;
}

const struct health_entry *health__first_cause(const struct health *health)
{
	struct health_sums sums;
	const struct health_entry *first = NULL;
	unsigned end = CHAIN_NOT_KNOWN;

	health__sum(health, -1, &sums);
	for (unsigned i = CHAIN_COMPLETE + 1; i < CHAIN_NOT_KNOWN; i++)
		if (sums.by_end[i] > (end == CHAIN_NOT_KNOWN ? 0 : sums.by_end[end]))
			end = i;
	for (u32 i = 0; i < health->nr; i++)
		if (health->entries[i].end == end && (!first || health->entries[i].nr > first->nr))
			first = &health->entries[i];
	return first;
}
