/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Make perf.data files for tests, byte by byte, in either byte order: valid and invalid ones.
 * Nothing here is shared with the code under test.
 *
 *	struct file_builder f;
 *	u64 ids[] = { 7, 8 };
 *	struct perf_event_attr attr = { ... };
 *
 *	file_builder__init(&f, false);
 *	file_builder__event(&f, &attr, ids, 2);
 *	size_t at = builder__begin(&f.data, PERF_RECORD_COMM, 0);
 *	builder__u32(&f.data, pid); ...
 *	builder__end(&f.data, at);
 *	feature string: builder__feature_string(file_builder__feature(&f, FEATURE_HOSTNAME), "x");
 *	path = file_builder__write(&f, "a.data");	(under unit__tmpdir())
 *	file_builder__exit(&f);
 */
#ifndef PERF_TESTS_BUILDER_H
#define PERF_TESTS_BUILDER_H

#include <linux/perf_event.h>

#include "util/lib/types.h"

struct builder {
	u8 *data;
	size_t len, cap;
	bool swap; /* write the byte order opposite to this machine's */
};

void builder__exit(struct builder *b);
void builder__bytes(struct builder *b, const void *data, size_t len);
void builder__zero(struct builder *b, size_t len);
void builder__u8(struct builder *b, u8 value);
void builder__u16(struct builder *b, u16 value);
void builder__u32(struct builder *b, u32 value);
void builder__u64(struct builder *b, u64 value);
void builder__set_u16(struct builder *b, size_t at, u16 value); /* overwrite */
void builder__set_u32(struct builder *b, size_t at, u32 value);
void builder__set_u64(struct builder *b, size_t at, u64 value);
void builder__text(struct builder *b, const char *s);           /* with NUL, zeros to 8 */
void builder__feature_string(struct builder *b, const char *s); /* u32 length, zeros to 64 */

/* Begin a record; builder__end() fills in its size. Returns its offset. */
size_t builder__begin(struct builder *b, u32 type, u16 misc);
void builder__end(struct builder *b, size_t start);

/* Append a perf_event_attr in the builder's byte order, cut or zero-filled to @size bytes. */
void builder__attr(struct builder *b, const struct perf_event_attr *attr, size_t size);

/* The fields of samples and trailers; the sample_type selects those that are written. */
struct built_sample {
	u64 ip, time, addr, id, stream_id, period;
	u32 pid, tid, cpu;
	const u64 *read; /* the words of READ, in the layout of read_format */
	u64 nr_read;
	const u64 *chain;
	u64 nr_chain;
	u32 maj, min; /* of MMAP2; 0: none */
	u64 ino;
};

void builder__sample(struct builder *b, u64 sample_type, u16 misc, const struct built_sample *s);
void builder__trailer(struct builder *b, u64 sample_type, const struct built_sample *s);
void builder__comm(struct builder *b, u64 trailer_type, const struct built_sample *s,
                   const char *name);
void builder__mmap2(struct builder *b, u64 trailer_type, const struct built_sample *s, u16 misc,
                    u64 start, u64 len, u64 pgoff, const char *name);
void builder__task(struct builder *b, u64 trailer_type, const struct built_sample *s, u32 type,
                   u32 ppid, u32 ptid);

struct file_builder {
	bool swap;
	bool not_closed; /* data size 0, no features */
	u64 header_size; /* 104; 72: no features; may be invalid */
	u64 attr_size;   /* 128 */
	u64 data_size;   /* ~0: the true one */
	struct builder attrs, ids, data;
	struct builder features[256];
	bool has_feature[256];
};

void file_builder__init(struct file_builder *f, bool swap);
void file_builder__exit(struct file_builder *f);
void file_builder__event(struct file_builder *f, const struct perf_event_attr *attr, const u64 *ids,
                         u32 nr_ids);
struct builder *file_builder__feature(struct file_builder *f, unsigned feature);

/* Write the whole file to @out. */
void file_builder__finish(const struct file_builder *f, struct builder *out);

/* Write bytes to @name under unit__tmpdir(). Returns the path, valid until the next call. */
const char *builder__write(const struct builder *b, const char *name);
const char *file_builder__write(const struct file_builder *f, const char *name);

/* A plain attr: software cpu-clock with this sample_type and trailers. */
struct perf_event_attr built_attr(u64 sample_type);

#endif
