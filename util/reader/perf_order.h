/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the records of a file in the order in which Linux's perf 6.1 processes them, for the dump
 * (-D). A record without a time of its own (perf's own records, times 0 and all-ones) comes at its
 * position in the file. The others wait for the second FINISHED_ROUND after them, or the end; then
 * all that are not newer than the newest one there when the round before ended come in the order of
 * time.
 *
 * Without sample_id_all every record comes at its position in the file.
 *
 * This combines one walk in file order with the ordered reader, so memory is bounded as there.
 * Records that break the promise of a round come by their time, not at their position.
 */
#ifndef PERF_UTIL_READER_PERF_ORDER_H
#define PERF_UTIL_READER_PERF_ORDER_H

#include "util/reader/ordered.h"

struct delivery; /* private */

/* @data (borrowed) must have been walked. NULL with @err when it cannot be read again. */
struct delivery *delivery__new(const struct perf_data *data, struct error *err);

/*
 * Call before the first record: no record with a time comes before the end of the file, as when
 * perf inject of 6.1 sorts records.
 */
void delivery__hold(struct delivery *delivery);

/* Call before the first record: all come in file order (script --show-round-events). */
void delivery__in_file_order(struct delivery *delivery);
void delivery__delete(struct delivery *delivery);

/*
 * The next record, valid until the next call. False at the end, or until delivery__more(); *error
 * is then a negative errno if the file could not be read to its end.
 */
bool delivery__next(struct delivery *delivery, struct record *record, int *error);

/* As ordered__more() and ordered__wants_from(). */
int delivery__more(struct delivery *delivery, struct error *err);
u64 delivery__wants_from(const struct delivery *delivery);

const struct ordered_stats *delivery__stats(const struct delivery *delivery);

#endif
