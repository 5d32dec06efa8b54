/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of one event with numbered samples, and the result of a walk, for reader_*_test.c. */
#ifndef PERF_TESTS_READER_FIXTURE_H
#define PERF_TESTS_READER_FIXTURE_H

#include "tests/unit/builder.h"
#include "util/reader/reader.h"

#define READER_FIXTURE_TYPE                                                                        \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

/* The result of a walk. */
struct seen {
	struct perf_data *data;
	u64 nr[RECORD_TYPE_MAX], nr_unknown, nr_records, bytes;
	u64 first_time, last_time; /* of samples, as a check of content */
	bool wrong;                /* there was an invalid block or record */
	int stop;                  /* return this from the callback */
};

/* For perf_data__walk(); @ctx is a struct seen with its data. */
int reader_fixture__look(void *ctx, const struct data_block *block);

/* Walk, then read each block again and compare with the walk. */
struct seen reader_fixture__walk_twice(struct perf_data *data);

/* Write the file and open it; if that fails, a failed check and NULL. */
struct perf_data *reader_fixture__open(const struct file_builder *f);

/* A file whose one event has the id 7; then samples @from, @from + 1 ... (time: number + 1). */
void reader_fixture__begin(struct file_builder *f, bool swap, u64 type);
struct built_sample reader_fixture__sample(u64 i);
void reader_fixture__add_samples(struct file_builder *f, u64 type, u64 from, u64 nr);

#endif
