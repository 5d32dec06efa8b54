/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stack health: how many call chains of each event ended how, and in which dso. Workers count
 * while they build a profile, each into a ledger of its own; the ledgers are added up.
 *
 * Who unwinds a chain knows how it ended. A chain that the kernel made by following frame pointers
 * only shows its outer frames: such a chain is counted as HEALTH_LATE with these, and judged when
 * all samples were read, by the names of their functions: few chains begin differently. One that
 * has the start of its thread among them is complete there: what made that keeps other things
 * than a frame pointer in the register, and what seems to lie above it means nothing.
 */
#ifndef PERF_UTIL_PROFILE_HEALTH_H
#define PERF_UTIL_PROFILE_HEALTH_H

#include <linux/perf_event.h>

#include "util/lib/hash.h"
#include "util/unwind/verdict.h"

struct error;
struct profile;
struct profile_options;
struct session;
struct symbols;

#define HEALTH_LATE NR_CHAIN_ENDS /* not judged yet */

/* So many frames, from the root, are looked at. */
#define HEALTH_DEPTH 8

/* Of a HEALTH_LATE entry, whose `where` is the last frame to be looked at. */
enum health_flags {
	HEALTH_BEYOND = 1u << 0,   /* above all frames there is an entry that is no address */
	HEALTH_SAMPLED = 1u << 1,  /* `where` is the user frame that was interrupted itself */
	HEALTH_IN_CALL = 1u << 2,  /* that is the parent of `where`, which is in the kernel */
	HEALTH_AT_LIMIT = 1u << 3, /* the chain is as long as the recording allowed */
};

struct health_entry {
	u16 evsel;
	u8 end; /* enum chain_end or HEALTH_LATE */
	u8 flags;
	u32 where; /* dso or ID_NONE; of HEALTH_LATE: a node of the profile, NODE_ROOT: none */
	u64 nr;    /* samples */
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

/* Add all of @from; nodes are @shift higher than there (but NODE_ROOT). */
void health__append(struct health *into, const struct health *from, u32 shift);

/*
 * Judge what is HEALTH_LATE, with the names that @symbols has for few places of @profile, and put
 * all in order: by event, complete first, then by number. Once; nothing is added later.
 */
void health__judge(struct health *health, const struct profile *profile,
                   const struct session *session, struct symbols *symbols);

/*
 * Read a scanned session for this alone, with the limits and filters of @options: a judged ledger;
 * or a negative errno with @err.
 */
int health__collect(struct health *health, const struct session *session,
                    const struct profile_options *options, struct symbols *symbols,
                    struct error *err);

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
 * What stops chains most often, but for CHAIN_COMPLETE, and CHAIN_NOT_KNOWN where anything else is
 * known; NULL: nothing does. Its evsel is one for which that is so.
 */
const struct health_entry *health__first_cause(const struct health *health);

#endif
