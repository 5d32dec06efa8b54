/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that unwinds (live_chains.h) and writes while the command's thread empties the rings.
 *
 * The command's thread moves records from the rings into batches, so that the kernel has room
 * again; this thread unwinds and writes them. From the first batch to the end of a drain only
 * this thread writes to the file.
 *
 *	live_unwind__new()
 *	live_unwind__tell()	between drains
 *	live_unwind__batch(), live_batch__add() ..., live_unwind__submit()
 *	live_unwind__drain()	when all submitted batches must be in the file
 *	live_unwind__delete()	in any case
 *
 * All functions are for the command's thread. Memory: the limit plus LIVE_QUEUE_MAX bytes of
 * batches, plus the two batches being processed, each no larger than the rings. Beyond that submit
 * waits, as a write would without the thread; samples that the kernel cannot put into the rings
 * meanwhile are counted as lost.
 */
#ifndef PERF_UTIL_RECORD_LIVE_UNWIND_H
#define PERF_UTIL_RECORD_LIVE_UNWIND_H

#include "util/counter/ring.h"
#include "util/lib/error.h"
#include "util/record/live_chains.h"

#define LIVE_LIMIT_DEFAULT (64ull << 20)
#define LIVE_QUEUE_MAX     (64ull << 20)

/* Interval of looking at the rings: objects should be read while their programs run. */
#define LIVE_LOOK_MS 60

struct live_unwind; /* private */

/* Write whole records; @round: they finish a round. 0 or a negative errno. */
typedef int live_write_fn(void *ctx, const u8 *records, size_t len, bool round);

/* @limit: see struct live_load. The new thread calls @write. NULL with @err on failure. */
struct live_unwind *live_unwind__new(const struct evlist *list, u64 limit, live_write_fn *write,
                                     void *ctx, struct error *err);
void live_unwind__delete(struct live_unwind *live); /* NULL is fine; drops waiting batches */

void live_unwind__tell(struct live_unwind *live, const u8 *records, size_t len);

/* An empty batch; submit gives it back. */
struct live_batch *live_unwind__batch(struct live_unwind *live);
void live_batch__add(struct live_batch *batch, const struct ring_span *span);

/* An empty @batch releases a batch that waits for its successor. 0, or an earlier write's errno. */
int live_unwind__submit(struct live_unwind *live, struct live_batch *batch);

/* Wait until everything is written, as far as possible. 0, or an earlier write's errno. */
int live_unwind__drain(struct live_unwind *live);

/* Valid from a drain to the next submit. */
struct live_chains *live_unwind__chains(struct live_unwind *live);
void live_unwind__set_limit(struct live_unwind *live, u64 limit);
const struct live_counts *live_unwind__counts(const struct live_unwind *live);

#endif
