/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stack health: how many call chains of each event ended how, and in which dso.
 *
 * Who unwinds a chain knows how it ended, and tells each row (struct row_end). A chain that the
 * kernel made by following frame pointers is judged when all samples were read:
 *  - By the names of its outer functions. One that has the start of its thread among them reached
 *    it: what made that keeps other things than a frame pointer in the register, and what seems
 *    to lie above it means nothing.
 *  - By the unwind tables of its callers: the caller of each that keeps no frame is missing.
 */
#ifndef PERF_UTIL_PROFILE_HEALTH_H
#define PERF_UTIL_PROFILE_HEALTH_H

#include <linux/perf_event.h>

#include "util/lib/hash.h"
#include "util/unwind/verdict.h"

/* So many frames, from the root, are looked at for the start of a thread. */
#define HEALTH_DEPTH 8

enum row_end_flags {
	ROW_END_BEYOND = 1u << 0,   /* above all frames there is an entry that is no address */
	ROW_END_AT_LIMIT = 1u << 1, /* the chain is as long as the recording allowed */
};

enum row_end_by {
	ROW_END_BY_KERNEL, /* which followed frame pointers */
	ROW_END_BY_READER,
	ROW_END_BY_RECORDER, /* record --unwind-live */
	ROW_END_BY_PILOT,    /* record --call-graph auto, before it had chosen */
};

/* How the chain of a row ended, and who made it. */
struct row_end {
	u32 end : 5; /* enum chain_end, or: */
	u32 flags : 2;
	u32 by : 2;   /* enum row_end_by */
	u32 dso : 23; /* ROW_END_NO_DSO: none */
};

#define ROW_END_NONE   NR_CHAIN_ENDS       /* there is no chain, or nobody can tell */
#define ROW_END_LATE   (NR_CHAIN_ENDS + 1) /* it is to be judged */
#define ROW_END_NO_DSO ((1u << 23) - 1)

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
 * Of one event whose chains the kernel made of frame pointers: in which function user code was.
 * One that has not set up its frame (leaf functions need none, nor does most code built without
 * -fno-omit-frame-pointer) is followed by its caller's caller: the caller itself is missing.
 */
struct health_leaves {
	u64 nr;        /* samples with a user part */
	u64 frameless; /* the caller of its first function is missing, or what follows is accident
	                */
	u64 not_known; /* no unwind information tells */
};

/* All 0: empty. */
struct health {
	struct health_entry *entries;
	u32 nr;
	size_t cap;
	struct health_leaves *leaves; /* by evsel; once judged */
	u32 nr_leaves;
	/* Of the chains that are unwound: by who recorded, and by the reader from copies. */
	u64 nr_recorded, nr_copies;
	u64 nr_hidden; /* by the filter */
	u32 max_stack; /* of the reader: what CHAIN_CUT_READER was cut to */
	/* Private. */
	struct u64map index;
};

/* How many frames the kernel wrote of a chain at most: kernel.perf_event_max_stack's default. */
static inline u32 health__record_limit(const struct perf_event_attr *attr)
{
	return attr->sample_max_stack ? attr->sample_max_stack : 127;
}

void health__exit(struct health *health);

/* Add entry->nr to the equal entry (all other fields), which is made if new. */
void health__add(struct health *health, const struct health_entry *entry);

/* Sums of a judged ledger. */
struct health_sums {
	u64 nr, not_complete, not_known; /* of all; neither of the two others counts as complete */
	u64 by_end[NR_CHAIN_ENDS];
};

/* Those of all events together. */
struct health_leaves health__leaves(const struct health *health);

/* Of event @evsel; all events where it is negative. */
void health__sum(const struct health *health, int evsel, struct health_sums *sums);

/*
 * What stops most chains: those that one advice helps, and that lack the same kind of frames, are
 * added up.
 */
struct health_cause {
	const struct health_entry *entry; /* the largest of them: its advice is that of all */
	u64 nr;                           /* chains */
	u32 where;    /* the dso that most of them stop in; ID_NONE: no dso has to do with it */
	u64 nr_where; /* so many of them */
};

/* What is not known comes last. False: all chains are complete. */
bool health__first_cause(const struct health *health, struct health_cause *cause);

/* Can nobody tell whether chains that end so lack frames? */
static inline bool chain_end__is_unknown(unsigned end)
{
	return end == CHAIN_NOT_KNOWN || end == CHAIN_GAP_NOT_KNOWN;
}

#endif
