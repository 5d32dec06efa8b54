/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinding while recording (record --call-graph dwarf --unwind-live): records from the rings go
 * in, what is to be written comes out: samples with call chains in the place of registers and
 * copies of the stack, all else as it is.
 *
 * What the file looks like. The events are those of any recording with copies of stacks, and so
 * are the samples, in one of two forms (util/unwind/chain_record.h): with the chain, registers and
 * copy left out and the verdict told; or, where unwinding fell behind, with the copy, to be unwound
 * by whoever reads the file. One event, one layout: both forms may follow each other, and every
 * perf reads either.
 *
 * Order. A sample must be unwound with the maps of its moment, which other CPUs' rings may tell.
 * What comes from all rings in one pass is a batch. A map that code of a sample lies in was
 * written to its ring before the sample was to its own, so it is in the batch of the sample, or,
 * where its ring had been read already in that pass, in the next one. Hence a batch waits for the
 * next; then its records are put in the order of time, together with what the next tells about
 * tasks and maps up to the batch's last moment. That order is also the one they are written in.
 *
 * Falling behind. Records that wait take memory, and no more than a limit of them may. As long as
 * more do, samples keep their copies, oldest first: writing those is little work.
 *
 * Objects. Their unwind tables are read when a program maps them, so that a program may end, and
 * its file be removed, before its samples are looked at. Only what was mapped before the recording
 * began is read when a sample needs it. The tables take LIVE_TABLES_MAX bytes; when they have
 * grown over that, they are forgotten and read again.
 *
 * One thread; which one: live_unwind.h.
 */
#ifndef PERF_UTIL_RECORD_LIVE_CHAINS_H
#define PERF_UTIL_RECORD_LIVE_CHAINS_H

#include "util/event/evsel.h"
#include "util/lib/out.h"
#include "util/lib/types.h"
#include "util/record/call_graph_choice.h"

#define LIVE_TABLES_MAX (512u << 20)

/* What one pass over the rings gave: whole records, ring after ring. */
struct live_batch {
	u8 *data;
	size_t len, cap;
	struct live_batch *next; /* of who queues them */
};

struct live_counts {
	u64 nr_unwound; /* samples */
	u64 nr_kept;    /* samples with their copy of the stack, as unwinding fell behind */
};

/* How much is waiting. @waiting is read and taken from with atomics, for others may add to it. */
struct live_load {
	u64 *waiting; /* bytes of all batches that are not yet done, this one included */
	u64 limit;    /* as long as more wait, copies are kept */
};

struct live_chains; /* private */

/* @list, borrowed, has its ids, and times in all records. */
struct live_chains *live_chains__new(const struct evlist *list);
void live_chains__delete(struct live_chains *chains);

/* Can samples of any event of @list be unwound? */
bool live_chains__wanted(const struct evlist *list);

/* Records that perf made up about what was there before, in order; they are not written here. */
void live_chains__tell(struct live_chains *chains, const u8 *records, size_t len);

/*
 * Append to @out what @batch becomes. @next: what came behind it, which is not used up; NULL: the
 * recording stops here for now, nothing more is waited for.
 */
void live_chains__run(struct live_chains *chains, const struct live_batch *batch,
                      const struct live_batch *next, const struct live_load *load, struct out *out);

/*
 * From now on samples carry both kinds of chains, and each is evidence for the pilot, which
 * belongs to @chains; until the end, from when on @list is recorded. Started again: a new one.
 */
void live_chains__start_pilot(struct live_chains *chains);
const struct call_graph_pilot *live_chains__pilot(const struct live_chains *chains);
void live_chains__end_pilot(struct live_chains *chains, const struct evlist *list);

const struct live_counts *live_chains__counts(const struct live_chains *chains);

#endif
