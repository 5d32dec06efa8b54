/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the records of a file in the order of time, for commands that depend on it (script, sched,
 * trace). Reports do not need it: the machine is a timeline.
 *
 * Recordings are a mix of streams (one per CPU), none of which is certain to be sorted. One pass
 * over the record headers cuts the file, in file order, into maximal ascending runs; these are
 * merged with a heap, ties by file offset. A run is opened when its first time is reached, so few
 * are open at once, each with a small window of the file: memory does not grow with the file.
 *
 * The time of a record:
 *  - samples and kernel records with a trailer: their TIME. 0 and all-ones (records that perf made
 *    up at the start) mean "from the beginning": they come first, in file order;
 *  - records without a time (perf's own, or no sample_id_all): that of the record before them;
 *  - events without TIME, and files whose other records have no trailer (sample_id_all, before
 *    Linux 2.6.38): file order, because the time of those is unknown.
 *
 * A live stream (perf_data__is_live()) yields the records that its rounds promise to be complete,
 * and the rest when it has come.
 *
 * A FINISHED_ROUND promises that no later record is older than the newest one that was there when
 * the round before it ended. Records that break the promise are sorted by their time and counted.
 */
#ifndef PERF_UTIL_READER_ORDERED_H
#define PERF_UTIL_READER_ORDERED_H

#include "util/lib/error.h"
#include "util/lib/types.h"
#include "util/reader/reader.h"
#include "util/reader/time_index.h"

struct ordered; /* private */

struct ordered_stats {
	u64 nr_records; /* all of the file */
	u64 nr_runs;    /* ascending stretches */
	u64 nr_late;    /* older than a finished round allows */
	u64 nr_lost;    /* indexed, but not readable again: the file changed or shrank */
	u64 nr_open;    /* runs open at once, at most */
};

/*
 * @data (borrowed) must have been walked. NULL with @err filled when the file cannot be read
 * again.
 */
struct ordered *ordered__new(const struct perf_data *data, struct error *err);
void ordered__delete(struct ordered *ordered);

/*
 * Call this after a live stream was walked on: ordered__next() goes on with the new records. 0 or a
 * negative errno with @err.
 */
int ordered__more(struct ordered *ordered, struct error *err);

/* Offset of the first record that has not been returned yet. */
u64 ordered__wants_from(const struct ordered *ordered);

/*
 * The next record in time order: true, with *time as said above (~0 where the file has no time at
 * all). The record is valid until the next call. False at the end, or until ordered__more().
 */
bool ordered__next(struct ordered *ordered, struct record *record, u64 *time);

/*
 * The time that @record itself has; 0 for one that holds from the beginning. False: it has none.
 */
bool ordered__time_of(const struct ordered *ordered, const struct record *record, u64 *time);

/*
 * A reader of a part of what @whole reads, a file that is not live, for another thread. @whole and
 * its data must outlive it. Parts are given in rising order; a new one begins where it begins,
 * whatever was read of the one before. Of its stats only nr_lost and nr_open count.
 */
struct ordered *ordered__new_part(const struct ordered *whole);
void ordered__begin_part(struct ordered *part, struct record_place from, struct record_place until);

/* The place behind the last record. */
struct record_place ordered__next_place(const struct ordered *ordered);

/* Where to cut it into parts: time_index__cuts(). */
const struct time_index *ordered__index(const struct ordered *ordered);

const struct ordered_stats *ordered__stats(const struct ordered *ordered);

#endif
