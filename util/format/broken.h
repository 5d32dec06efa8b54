/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts records whose body does not fit their type, and keeps type, size and offset of the first.
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
 * Does the body fit the record's type, by its size, counts and NUL-ended names? True for samples
 * (see sample__decode) and for types that are not known here.
 */
bool record__body_fits(const struct record *record, bool swap);

#endif
