/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that stand where a record can be, but whose body cannot be of their type: counted, and
 * the first of them kept with their places.
 */
#ifndef PERF_UTIL_FORMAT_BROKEN_H
#define PERF_UTIL_FORMAT_BROKEN_H

#include "util/format/record.h"

struct broken_record {
	u64 offset; /* as record->offset */
	u32 type;
	u16 size;
};

/* Zero-initialise. */
struct broken_records {
	u64 nr;
	struct broken_record *kept; /* in the order in which they were added */
	u32 nr_kept;                /* at most BROKEN_RECORDS_KEPT */
	size_t cap;
};

#define BROKEN_RECORDS_KEPT 1000

void broken_records__add(struct broken_records *self, const struct record *record);
void broken_records__exit(struct broken_records *self);

/*
 * Can this be the body of such a record, as far as size, counts and ends of names tell? True for
 * samples (sample__decode) and types that are not known here.
 */
bool record__body_fits(const struct record *record, bool swap);

#endif
