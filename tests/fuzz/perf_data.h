/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole perf.data files for the harnesses that start from one. */
#ifndef PERF_TESTS_FUZZ_PERF_DATA_H
#define PERF_TESTS_FUZZ_PERF_DATA_H

#include "tests/unit/builder.h"

struct perf_data;

void fuzz__perf_data_seeds(void (*add)(const void *data, size_t size));

/* Side-band records and @nr samples, in the order in which perf writes them. */
void fuzz__add_records(struct builder *b, u64 sample_type, unsigned nr);

/* Compressed records that stand for @bytes, each for @piece of them; without libzstd as they are.
 */
void fuzz__pack(struct builder *out, const u8 *bytes, size_t size, size_t piece);

/* Each feature once. Needs HOSTNAME in it for the other byte order. */
void fuzz__add_features(struct file_builder *f);

/*
 * All blocks of @data, and each once more by itself: records lie back to back, are decoded by all
 * that could decode them, are the same both times. How many there are.
 */
u64 fuzz__walk_twice(struct perf_data *data);

#endif
