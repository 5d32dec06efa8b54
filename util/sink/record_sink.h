/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the records that come out of the rings: writes them to a file, looks at them, or changes
 * them and gives them to the next sink.
 *
 *	rings -> ring_drain -> sink -> sink ... -> the last one
 *
 * A sink is a struct with a struct record_sink as its first member. Sinks of `perf record`:
 * file_sink.h, pack_sink.h, unwritten.h and, in util/record, those that unwind, hold back and sift.
 * One that makes profiles needs no file: tests/workloads/own_sink.c is an example.
 *
 * Bytes. Those of a batch belong to the kernel, or to the sink before, and are valid until take()
 * returns; then the kernel may overwrite them. Who needs them for longer copies them. The pieces of
 * a batch, put together, are whole records: for each ring that was visited all that was in it, in
 * the order in which the kernel wrote it. A single record may be split over two pieces or more,
 * where its ring wraps. record_walk__next() puts it together.
 *
 * Order. Records of one ring come in order, those of different rings do not. A pass is a visit of
 * all rings; @round says that all records that come later are younger than the youngest of the pass
 * before. So whoever sorts may sort up to there.
 *
 * Time. A pass comes at least each 200 ms (RING_DRAIN_PASS_MS), however little there is, so what is
 * killed lacks 250 ms at most. While take() works the kernel has no room but what is left in the
 * ring: a sink that is slow loses records, and says in @slow_ms for how long it waited for others.
 *
 * Threads. Only one thread calls a sink at a time. A sink may use another thread to call the next
 * one: settle() then returns when that has nothing to do any more, and tell() is only called
 * between settle() and the next take(). With several ring_drains (--threads), each has sinks of its
 * own.
 *
 * Errors. A negative errno from take() or passed() ends the recording, after the bytes were given
 * back to the kernel. Sinks are called again after an error (what is in the rings at the end);
 * those that write then return the same error, and write nothing.
 */
#ifndef PERF_UTIL_SINK_RECORD_SINK_H
#define PERF_UTIL_SINK_RECORD_SINK_H

#include <errno.h>
#include <sys/uio.h>

#include "util/format/record.h"
#include "util/lib/types.h"

#define RECORD_BATCH_PIECES 63 /* at most: with one more they are one writev */

struct record_batch {
	const struct iovec *pieces;
	u32 nr;
	u32 ring;   /* index of the last piece's ring */
	bool round; /* behind these records a round ends; there may be no pieces then */

	/* Set by take(); 0 before. */
	u64 kept;    /* after an error: so many bytes are safe nevertheless */
	u64 slow_ms; /* the time taken by slow writes */
};

struct record_sink {
	int (*take)(struct record_sink *sink, struct record_batch *batch);
	/*
	 * A pass has ended, also one that found nothing; the rings have their room again. So here
	 * is the place to wait; *slow_ms gets the time that slow writes took. NULL: to the next.
	 */
	int (*passed)(struct record_sink *sink, u64 *slow_ms);
	/*
	 * Whole records that perf made itself, of what existed before or who owns the counters.
	 * They come between passes, and before the records that they are about. NULL: to the next.
	 */
	int (*tell)(struct record_sink *sink, const void *records, size_t len);
	/* Give all that was taken to the next sink, and wait until it has it. NULL: nothing waits.
	 */
	int (*settle)(struct record_sink *sink);
	struct record_sink *next; /* borrowed; NULL: it is the last */

	/* What it asks of the ring_drain. */
	bool apart;    /* a batch has records of one ring only */
	bool together; /* rings tell about each other: a pass takes all that is in any */
	u32 pass_ms;   /* a pass at least so often; 0: RING_DRAIN_PASS_MS */
};

/* Give @len bytes of whole records to @sink. */
int record_sink__put(struct record_sink *sink, const void *records, size_t len, bool round);

/* From @sink on, that of the first which has one. */
int record_sink__passed(struct record_sink *sink, u64 *slow_ms);
int record_sink__tell(struct record_sink *sink, const void *records, size_t len);

/* Of @sink and all that follow, in their order. */
int record_sink__settle(struct record_sink *sink);

/* Is this error that of a full disk? */
static inline bool record_sink__is_full(int error)
{
	return error == -ENOSPC || error == -EDQUOT || error == -EFBIG;
}

/* The records of a batch, each in one piece. */
struct record_walk {
	const struct iovec *pieces;
	u32 nr;
	size_t at;  /* in the first piece */
	u64 passed; /* bytes of all records so far */
	u8 *whole;  /* a record that was split */
};

void record_walk__init(struct record_walk *walk, const struct record_batch *batch);
/* @record is valid until the next call, as long as the batch is. False: there are no more. */
bool record_walk__next(struct record_walk *walk, struct record *record);
void record_walk__exit(struct record_walk *walk);

#endif
