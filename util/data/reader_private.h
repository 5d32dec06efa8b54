/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of struct perf_data, shared by the files of util/data that make it up: reader.c
 * (header, attrs, ids), blocks.c (the data section), features.c (the sections behind it). Nobody
 * else includes this.
 */
#ifndef PERF_UTIL_DATA_READER_PRIVATE_H
#define PERF_UTIL_DATA_READER_PRIVATE_H

#include <pthread.h>

#include "util/data/features.h"
#include "util/data/reader.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"

struct feature_section {
	u64 offset, size;
	void *bytes; /* read on first need; one NUL more than size */
	bool present, broken;
};

struct block_place {
	u64 offset;
	u32 len;
};

struct perf_data {
	char *path;
	int fd;
	bool swap, not_closed;
	struct perf_data_info info;
	u64 data_end; /* of the bytes that can be read: within the file */

	struct evlist evlist;
	struct sample_layout *layouts; /* by evsel idx */
	struct u64map ids;             /* kernel id -> evsel idx */
	u8 id_at;                      /* offset of a sample's id; 0: samples carry none */
	u8 id_from_end;      /* distance of a trailer's id from the record's end; 0: none */
	u16 min_sample_size; /* of all events: a smaller sample cannot be one */

	pthread_mutex_t features_lock; /* first reads of the sections */
	struct feature_section features[FEATURE_MAX];
	u64 feature_bytes; /* read so far: never more than the file */

	struct block_place *blocks;
	size_t nr_blocks, blocks_cap;
	struct data_damage *damages;
	size_t nr_damages, damages_cap;
};

/* pread() the whole of it: 0, -EIO at the file's end, or the negative errno. */
int perf_data__pread(const struct perf_data *data, u64 offset, void *buf, size_t len);

/* [offset, offset + size) lies in the file. */
bool perf_data__in_file(const struct perf_data *data, u64 offset, u64 size);

/* features.c */
/* The bitmap, the table, and what the features say about the events (names, groups). */
void features__open(struct perf_data *data);
void features__close(struct perf_data *data);
/* -EOPNOTSUPP for kinds of files that the features announce and this perf cannot read. */
int features__check_supported(const struct perf_data *data, struct error *err);

/* An EVENT_UPDATE record changes its event's unit, scale or name; nonsense is ignored. */
void perf_data__event_update(struct perf_data *data, const struct record *record);

#endif
