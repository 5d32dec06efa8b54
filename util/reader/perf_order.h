/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a file in the order in which Linux's perf 6.1 takes them up, for the dump (-D),
 * which shows each where it came. What has no time of its own (perf's own records, times 0 and
 * all-ones) is taken up where it stands in the file. The others wait for the second FINISHED_ROUND
 * behind them, or the end, and then come in the order of time: all that are not younger than the
 * youngest that was there when the round before ended.
 *
 * Without sample_id_all every record is taken up where it stands.
 *
 * Made of one walk in file order beside the ordered reader, so memory stays as bounded as its.
 * Records that break the promise of a round come where their time says, not where they stand.
 */
#ifndef PERF_UTIL_READER_PERF_ORDER_H
#define PERF_UTIL_READER_PERF_ORDER_H

#include "util/reader/ordered.h"

struct delivery; /* private */

/* @data (borrowed) must have been walked. NULL with @err when it cannot be read again. */
struct delivery *delivery__new(const struct perf_data *data, struct error *err);

/*
 * Before the first record: nothing with a time comes before the end of the file, as when perf
 * inject of 6.1 puts records in order.
 */
void delivery__hold(struct delivery *delivery);

/* Before the first record: all are taken up where they stand (script --show-round-events). */
void delivery__in_file_order(struct delivery *delivery);
void delivery__delete(struct delivery *delivery);

/*
 * Valid until the next call. False at the end, or until delivery__more(); then *error says if it
 * came too early.
 */
bool delivery__next(struct delivery *delivery, struct record *record, int *error);

/* As of the ordered reader: a live stream was walked on, and from where on it is still wanted. */
int delivery__more(struct delivery *delivery, struct error *err);
u64 delivery__wants_from(const struct delivery *delivery);

const struct ordered_stats *delivery__stats(const struct delivery *delivery);

#endif
