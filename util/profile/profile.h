/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile: all samples of a session reduced to few rows of integers. Sorting, filtering,
 * call graphs and every view derive from it; nothing re-reads the file.
 *
 *	loc   where code was: (dso, address inside it), interned
 *	node  call-chain tree, root first: parent is the caller; parent < child always
 *	row   (node, leaf, thread, comm, evsel, cpu, end) with count and period
 *
 * Workers fill private profiles over blocks of the file, in which everything is unique. They are
 * put together by making locations one and lining up nodes and rows: so a chain or row may occur
 * once for each worker, and views, which add up rows by content, print the same bytes whatever
 * the number of workers. (Making nodes one, too, costs as much as half of the whole work.)
 */
#ifndef PERF_UTIL_PROFILE_PROFILE_H
#define PERF_UTIL_PROFILE_PROFILE_H

#include "util/lib/time_range.h"
#include "util/lib/types.h"
#include "util/machine/session.h"
#include "util/profile/health.h"
#include "util/symbol/session_symbols.h"
#include "util/unwind/unwind.h"

enum loc_flags {
	LOC_BEFORE_EXEC = 1u << 0, /* named by a map older than the last exec */
};

struct loc {
	u64 addr; /* inside the dso where mapped (see session_symbols__find), raw where dso is
	             ID_NONE */
	u32 dso;
	u8 cpumode; /* PERF_RECORD_MISC_KERNEL, _USER ... */
	u8 flags;
	u16 unused; /* 0 */
};

#define NODE_ROOT 0 /* node 0: the empty chain; its parent is itself, its loc ID_NONE */

struct node {
	u32 parent;
	u32 loc;
};

struct row {
	u32 node;     /* leaf node of the chain; NODE_ROOT without one */
	u32 leaf_loc; /* of the sample's ip */
	u32 thread;
	u32 comm;
	u16 evsel;
	u16 cpu; /* 0xffff unless a key or filter asked for it (and it was recorded) */
	struct row_end end;
	u64 count, period;
};

/* Which rows of a profile count. */
struct row_filter {
	bool (*pass)(const void *ctx, const struct row *row);
	const void *ctx;
};

struct profile {
	struct loc *locs;
	u32 nr_locs;
	struct node *nodes;
	u32 nr_nodes;
	struct row *rows;
	u64 nr_rows;
	struct health health; /* how the chains of rows ended: empty until health__judge() */
	/* What the build saw and could not use; all are said by the commands. */
	u64 nr_samples;         /* reduced to rows */
	u64 nr_filtered;        /* by the build's own filters */
	u64 nr_cut_frames;      /* beyond max_stack */
	u64 nr_unknown_context; /* chains cut at a PERF_CONTEXT_* marker that nobody knows */
	u64 nr_broken;          /* undecodable samples */
	u64 nr_clock_misses;    /* frames that a map less than 1 ms later would have named */
};

struct profile_options {
	bool chains;        /* intern call chains (else every row has NODE_ROOT) */
	bool cpu;           /* fill row.cpu */
	unsigned max_stack; /* frames nearest the leaf that are kept; 127 default */
	unsigned workers;
	/* For chains that are to be unwound: where objects are found. NULL: they are not unwound.
	 */
	const struct symbol_config *objects;
	enum unwind_style unwind_style; /* by whom */
	/* Filters that need the sample: NULL / empty for none. */
	const u8 *cpu_set; /* cpu_set[cpu] != 0 passes, for cpu < nr_cpu_set */
	u32 nr_cpu_set;
	struct time_ranges times; /* borrowed */
};

/* Do the filters that need the sample let it through? */
static inline bool profile_options__pass(const struct profile_options *options,
                                         const struct sample *sample)
{
	if (!time_ranges__pass(&options->times, sample->time))
		return false;
	return !options->nr_cpu_set ||
	       (sample->cpu < options->nr_cpu_set && options->cpu_set[sample->cpu]);
}

/* From a session that was scanned. */
int profile__build(struct profile *profile, const struct session *session,
                   const struct profile_options *options, struct error *err);

/* Scan an opened session, and the same; cheaper where one pass is enough (see sample_counts.h). */
int profile__scan_and_build(struct profile *profile, struct session *session,
                            const struct profile_options *options, struct error *err);
void profile__exit(struct profile *profile);

#endif
