/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwind while recording (record --unwind-live): replace stack copies in records by call chains.
 *
 * Records from the rings go in. Samples come out with a call chain instead of registers and stack
 * copy, other records unchanged.
 *
 * File layout. Events and samples are those of any recording with stack copies. A sample has one of
 * two forms (util/unwind/chain_record.h): with a chain and its verdict, without registers and copy;
 * or, if unwinding fell behind, with the copy, for the reader to unwind. An event has one layout,
 * so both forms may alternate, and every perf reads either.
 *
 * Order. A sample must be unwound with the maps of its time, which may be in other CPUs' rings.
 * All records of one pass over the rings are a batch. The map of a sample's code was written to its
 * ring before the sample was written to its own, so it is in the sample's batch, or in the next one
 * if the map's ring was read earlier in the pass. Hence a batch waits for the next. Then its
 * records are sorted by time, together with the next batch's records about tasks and maps up to
 * the batch's last time stamp. They are written in that order.
 *
 * Falling behind. Waiting records take memory, up to a limit. While there are more, samples keep
 * their copies, oldest first: writing those is little work.
 *
 * Objects. Their unwind tables are read when a program maps them, so that the program may end, and
 * its file be removed, before its samples are unwound. Only objects mapped before the recording
 * began are read when a sample needs them. When the tables exceed LIVE_TABLES_MAX bytes, they are
 * dropped and read again.
 *
 * For one thread, that of live_unwind.h.
 */
#ifndef PERF_UTIL_RECORD_LIVE_CHAINS_H
#define PERF_UTIL_RECORD_LIVE_CHAINS_H

#include "util/event/evsel.h"
#include "util/lib/out.h"
#include "util/lib/types.h"
#include "util/record/call_graph_choice.h"

#define LIVE_TABLES_MAX (512u << 20)

/* The records of one pass over the rings: whole ones, ring after ring. */
struct live_batch {
	u8 *data;
	size_t len, cap;
	struct live_batch *next; /* for the owner's queue */
};

struct live_counts {
	u64 nr_unwound; /* samples */
	u64 nr_kept;    /* samples that kept their stack copy because unwinding fell behind */
};

/* The amount of waiting data. @waiting is read and reduced atomically; other threads may add. */
struct live_load {
	u64 *waiting; /* bytes of all unfinished batches, this one included */
	u64 limit;    /* while more are waiting, copies are kept */
};

struct live_chains; /* private */

/* @list is borrowed; its ids must be set, and all records must carry times. */
struct live_chains *live_chains__new(const struct evlist *list);
void live_chains__delete(struct live_chains *chains);

/* Can samples of any event of @list be unwound? */
bool live_chains__wanted(const struct evlist *list);

/* Take synthesized records about existing tasks and maps, in order; they are not written here. */
void live_chains__tell(struct live_chains *chains, const u8 *records, size_t len);

/*
 * Append the result of @batch to @out. @next: the batch after it, which is only read; NULL: there
 * is none to wait for, because the recording stops here for now.
 */
void live_chains__run(struct live_chains *chains, const struct live_batch *batch,
                      const struct live_batch *next, const struct live_load *load, struct out *out);

/*
 * Between start and end samples carry both kinds of chains, and each is evidence for the pilot,
 * which @chains owns. After the end @list is recorded. A second start makes a new pilot.
 */
void live_chains__start_pilot(struct live_chains *chains);
const struct call_graph_pilot *live_chains__pilot(const struct live_chains *chains);
void live_chains__end_pilot(struct live_chains *chains, const struct evlist *list);

const struct live_counts *live_chains__counts(const struct live_chains *chains);

#endif
