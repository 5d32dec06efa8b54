/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stack health: how many call chains of each event ended how, and in which dso.
 *
 * An unwinder knows how each chain ended and notes it in the row (struct row_end). A chain that the
 * kernel made by following frame pointers is judged after all samples were read:
 *  - By the names of its outer functions. A chain with the start function of its thread among them
 *    is complete there: above that function the register holds no frame pointer, so frames above
 *    it are meaningless.
 *  - By the unwind tables of its functions: where one keeps no frame, its caller is missing. Of the
 *    innermost that is told apart (struct health_leaves), unless more are missing by what the code
 *    calls (util/unwind/calls.h).
 */
#ifndef PERF_UTIL_PROFILE_HEALTH_H
#define PERF_UTIL_PROFILE_HEALTH_H

#include <linux/perf_event.h>

#include "util/lib/hash.h"
#include "util/unwind/verdict.h"

/* So many frames, from the root, are looked at for the start of a thread. */
#define HEALTH_DEPTH 8

enum row_end_flags {
	ROW_END_BEYOND = 1u << 0,   /* above all frames there is an entry that is not an address */
	ROW_END_AT_LIMIT = 1u << 1, /* the chain is as long as the recording allowed */
	ROW_END_JUDGED = 1u << 2, /* by health__judge(); the two above are then an enum row_leaf */
};

/* Does the innermost user function keep a frame? Of chains that the kernel made. */
enum row_leaf {
	ROW_LEAF_NONE, /* there is none, or another made the chain */
	ROW_LEAF_FRAME,
	ROW_LEAF_FRAMELESS,
	ROW_LEAF_NOT_KNOWN,
};

/* How the chain of a row ended, and what made the chain. */
struct row_end {
	u32 end : 5; /* enum chain_end, or: */
	u32 flags : 3;
	u32 by : 2;   /* enum row_end_by */
	u32 dso : 22; /* ROW_END_NO_DSO: none */
};

#define ROW_END_NONE   NR_CHAIN_ENDS       /* there is no chain, or its end cannot be known */
#define ROW_END_LATE   (NR_CHAIN_ENDS + 1) /* still to be judged */
#define ROW_END_NO_DSO ((1u << 22) - 1)

_Static_assert(ROW_END_LATE < 1 << 5, "ends have five bits");

static inline struct row_end row_end__none(void)
{
	return (struct row_end){ .end = ROW_END_NONE, .dso = ROW_END_NO_DSO };
}

static inline struct row_end row_end__make(enum row_end_by by, unsigned end, u32 dso)
{
	return (struct row_end){ .by = by, .end = end, .dso = min_u64(dso, ROW_END_NO_DSO) };
}

struct health_entry {
	u16 evsel;
	u8 end;       /* enum chain_end */
	bool no_file; /* nothing is known of the dso, as the file that was recorded is not there */
	u32 where;    /* dso or ID_NONE */
	u64 nr;       /* samples */
};

/*
 * For one event whose chains follow frame pointers: did the innermost user functions keep a frame?
 * A function that has not set up its frame (leaf functions need none, nor does most code built
 * without -fno-omit-frame-pointer) is followed by its caller's caller: the caller is missing.
 */
struct health_leaves {
	u64 nr;        /* samples with a user part */
	u64 frameless; /* the caller of the innermost function is missing, or the frames behind it
	                * are accidental */
	u64 not_known; /* there is no unwind information */
};

/* All 0: empty. */
struct health {
	struct health_entry *entries;
	u32 nr;
	size_t cap;
	struct health_leaves *leaves; /* by evsel; once judged */
	u32 nr_leaves;
	/* Unwound chains: by the recorder, and by the reader from stack copies. */
	u64 nr_recorded, nr_copies;
	u64 nr_hidden; /* by the filter */
	u32 max_stack; /* of the reader: the limit behind CHAIN_CUT_READER */
	bool unread;   /* no chains were read, whether there are any or not */
	bool mixed;    /* chains go on with branches: not judged */
	/* Private. */
	struct u64map index;
	u32 last; /* the entry that was added to */
};

/* The kernel's limit for frames of a chain; 127 is kernel.perf_event_max_stack's default. */
static inline u32 health__record_limit(const struct perf_event_attr *attr)
{
	return attr->sample_max_stack ? attr->sample_max_stack : 127;
}

void health__exit(struct health *health);

/* Add entry->nr to the entry equal in all other fields, which is made if new. */
void health__add(struct health *health, const struct health_entry *entry);

/* Sums of a judged ledger. */
struct health_sums {
	u64 nr, not_complete, not_known; /* all; the two others do not count as complete */
	u64 by_end[NR_CHAIN_ENDS];
};

/* The sum over all events. */
struct health_leaves health__leaves(const struct health *health);

/* The sums of event @evsel; of all events if it is negative. */
void health__sum(const struct health *health, int evsel, struct health_sums *sums);

/*
 * The most frequent cause of incomplete chains. Chains with the same remedy that lack the same kind
 * of frames are added up.
 */
struct health_cause {
	const struct health_entry *entry; /* the largest of them; its advice holds for all */
	u64 nr;                           /* chains */
	u32 where;    /* the dso that most of them stop in; ID_NONE: the cause is not in a dso */
	u64 nr_where; /* chains that stop there */
};

/* Unknown ends come last. False: all chains are complete. */
bool health__first_cause(const struct health *health, struct health_cause *cause);

/* Is it unknown whether chains with this end lack frames? */
static inline bool chain_end__is_unknown(unsigned end)
{
	return end == CHAIN_NOT_KNOWN || end == CHAIN_GAP_NOT_KNOWN;
}

#endif
