/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile: all samples of a session reduced to a few rows of integers. Sorting, filtering,
 * call graphs and every view derive from it; nothing re-reads the file.
 *
 *	loc   where code was: (dso, address inside it), interned
 *	node  call-chain tree, root first: parent is the caller; parent < child always
 *	row   (node, leaf, comm, evsel, cpu, end, thread) with count and period
 *
 * Workers fill private profiles from blocks of the file; inside one everything is unique. To join
 * them, equal locations are merged, and nodes and rows are appended: a chain or row may then occur
 * once per worker. Views add up rows by content, so they print the same bytes for any number
 * of workers. (Merging nodes, too, would cost half as much as all the rest.)
 */
#ifndef PERF_UTIL_PROFILE_PROFILE_H
#define PERF_UTIL_PROFILE_PROFILE_H

#include "util/lib/types.h"
#include "util/machine/session.h"
#include "util/profile/branch_stats.h"
#include "util/profile/health.h"
#include "util/stream/read_problems.h"
#include "util/stream/resolve.h"
#include "util/stream/sample_filter.h"
#include "util/symbol/session_symbols.h"
#include "util/unwind/unwind.h"

#define NODE_ROOT 0 /* node 0: the empty chain; its parent is itself, its loc ID_NONE */

struct node {
	u32 parent;
	u32 loc;
};

struct row {
	u32 node;     /* leaf node of the chain; NODE_ROOT: no chain */
	u32 leaf_loc; /* of the sample's ip */
	u32 comm;
	u16 evsel;
	u16 cpu; /* 0xffff unless a key or filter asked for it (and it was recorded) */
	struct row_end end;
	u32 thread; /* by profile_options.any_thread and .by_number: see row_threads.h */
	u64 count, period;
};

/* Which rows of a profile count. */
struct row_filter {
	bool (*pass)(const void *ctx, const struct row *row);
	const void *ctx;
};

struct key;

struct profile {
	struct loc *locs;
	u32 nr_locs;
	struct node *nodes;
	u32 nr_nodes;
	struct row *rows;
	u64 nr_rows;
	u64 *first_rows; /* of recordings that were added (util/sum/join.h), each */
	u32 nr_added;
	/* With keys of samples: their values, nr_sample_keys of them for each of values_of_row. */
	u32 *values_of_row;
	u64 *sample_values;
	u32 nr_sample_keys;
	const struct key *const *sample_keys; /* those of the options, borrowed */
	u32 generation;       /* of snapshots (builder.h): while it stays, so do numbers of locs */
	struct health health; /* how the chains of rows ended: empty until health__judge() */
	/* What the build saw and could not use; the commands report all of these. */
	u64 nr_samples;  /* reduced to rows */
	u64 nr_filtered; /* by the build's own filters */
	u32 most_kinds;  /* of samples that waited to be settled at one time (sample_counts.h) */
	struct read_problems problems;
	struct branch_stats branch_stats; /* of profile_options.branches */
};

#define SETTLE_EARLY 16384 /* for profile_options.settle_early: 1 MB of kinds */

struct profile_options {
	bool chains;        /* intern call chains (else every row has NODE_ROOT) */
	bool cpu;           /* fill row.cpu */
	bool branches;      /* rows are the branches of samples; no chains */
	bool blocks;        /* these as blocks: from the target of the one before to the branch */
	bool branch_frames; /* chains go on with the branches of the sample, the oldest first */
	bool weights;       /* periods are the weights of samples */
	/* Threads of one command share rows: where many come and go rows are as few as what they
	 * do. */
	bool any_thread;
	/* Else: threads of one pid and tid share rows, whoever had them; the row has the latest. */
	bool by_number;
	/*
	 * So many kinds of samples, or records of tasks, may gather before the scan settles what is
	 * finished; with any_thread or by_number the machine then forgets processes that were
	 * replaced. 0: nothing is settled early.
	 */
	u32 settle_early;
	unsigned max_stack; /* keep this many frames nearest the leaf; 127 default */
	unsigned workers;
	/* Where unwinding finds objects. NULL: nothing is unwound. */
	const struct symbol_config *objects;
	enum unwind_style unwind_style;
	struct sample_filter filter; /* borrowed; by CPU and time: the rest is for views */
	/* Keys of samples (util/profile/key.h) that rows are told apart by, too. None costs
	 * nothing. */
	const struct key *const *sample_keys;
	u32 nr_sample_keys;
};

/* The value of sample key @slot that row @row has. */
static inline u64 profile__sample_value(const struct profile *profile, u32 row, u32 slot)
{
	return profile
	        ->sample_values[(size_t)profile->values_of_row[row] * profile->nr_sample_keys +
	                        slot];
}

/* Of which recording is row @row? 0 is the first. */
static inline u32 profile__recording(const struct profile *profile, u64 row)
{
	u32 added = profile->nr_added;

	while (added && row < profile->first_rows[added - 1])
		added--;
	return added;
}

/* Build from a scanned session. 0 or a negative errno with @err. */
int profile__build(struct profile *profile, const struct session *session,
                   const struct profile_options *options, struct error *err);

/*
 * Scan an opened session for what must be known before its profile is built, as profile__build() of
 * these options needs it. If session->forgot then, where processes come and go, only
 * profile__scan_and_build() builds.
 */
int profile__scan(struct session *session, const struct profile_options *options,
                  struct error *err);

/* Scan an opened session, then build; cheaper when one pass is enough (see sample_counts.h). */
int profile__scan_and_build(struct profile *profile, struct session *session,
                            const struct profile_options *options, struct error *err);
void profile__exit(struct profile *profile);

#endif
