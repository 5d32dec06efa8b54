/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that unwinds while the command's thread moves records: that one empties the rings
 * into batches, so that the kernel has room again; this one does to them what live_chains.h says,
 * and writes them. From the first batch to the end of a drain only this thread writes to the file.
 *
 *	live_unwind__new()
 *	live_unwind__tell()	between drains
 *	live_unwind__batch(), live_batch__add() ..., live_unwind__submit()
 *	live_unwind__drain()	when all that was submitted must be in the file
 *	live_unwind__delete()	in any case
 *
 * All functions are for the command's thread. Memory: the limit, and LIVE_QUEUE_MAX bytes of
 * batches more, then submit waits (as a write does without the thread, and what the kernel cannot
 * put into the rings meanwhile it counts as lost); the two batches at work come on top of it, each
 * no larger than the rings.
 */
#ifndef PERF_UTIL_RECORD_LIVE_UNWIND_H
#define PERF_UTIL_RECORD_LIVE_UNWIND_H

#include "util/counter/ring.h"
#include "util/lib/error.h"
#include "util/record/live_chains.h"

#define LIVE_LIMIT_DEFAULT (64ull << 20)
#define LIVE_QUEUE_MAX     (64ull << 20)

/* Objects should be read while their programs run, so the rings are looked at so often. */
#define LIVE_LOOK_MS 60

struct live_unwind; /* private */

/* Where whole records go, and whether a round is finished with them: 0 or a negative errno. */
typedef int live_write_fn(void *ctx, const u8 *records, size_t len, bool round);

/* @limit: see struct live_load. @write is called by the thread. NULL with @err on failure. */
struct live_unwind *live_unwind__new(const struct evlist *list, u64 limit, live_write_fn *write,
                                     void *ctx, struct error *err);
void live_unwind__delete(struct live_unwind *live); /* NULL is fine; what waits is thrown away */

void live_unwind__tell(struct live_unwind *live, const u8 *records, size_t len);

/* An empty batch; it is given back by submit. */
struct live_batch *live_unwind__batch(struct live_unwind *live);
void live_batch__add(struct live_batch *batch, const struct ring_span *span);

/* An empty one is for what waits for it, if anything does. 0, or the errno of a write so far. */
int live_unwind__submit(struct live_unwind *live, struct live_batch *batch);

/* Everything is written, as far as that was possible. 0, or the errno of a write so far. */
int live_unwind__drain(struct live_unwind *live);

/* Behind a drain, until the next submit. */
struct live_chains *live_unwind__chains(struct live_unwind *live);
void live_unwind__set_limit(struct live_unwind *live, u64 limit);
const struct live_counts *live_unwind__counts(const struct live_unwind *live);

#endif
