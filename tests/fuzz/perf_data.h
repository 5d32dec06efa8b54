/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole perf.data files for the harnesses that start from one. */
#ifndef PERF_TESTS_FUZZ_PERF_DATA_H
#define PERF_TESTS_FUZZ_PERF_DATA_H

#include "tests/unit/builder.h"

struct perf_data;

void fuzz__perf_data_seeds(void (*add)(const void *data, size_t size));

/* Add the file that @f makes, which ends with it. */
void fuzz__add_file(struct file_builder *f, void (*add)(const void *data, size_t size));

/* Add side-band records and @nr samples, in the order in which perf writes them. */
void fuzz__add_records(struct builder *b, u64 sample_type, unsigned nr);

/* Append @bytes as compressed records, each of @piece bytes; uncompressed without libzstd. */
void fuzz__pack(struct builder *out, const u8 *bytes, size_t size, size_t piece);

/* Add each feature once. The other byte order needs HOSTNAME among them. */
void fuzz__add_features(struct file_builder *f);

/*
 * Walk all blocks of @data, and read each again by itself. Check that records are adjacent and the
 * same both times, and pass them to all their decoders. Returns the number of records.
 */
u64 fuzz__walk_twice(struct perf_data *data);

#endif
