/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of struct perf_data, shared by the files that make it up, each of which calls only
 * those before it: data_source.c (bytes), reader_events.c (attrs, ids), features.c (the sections
 * behind the data), record_search.c and record_source.c (records), folder_form.c, unpack.c (records
 * that lie elsewhere or are compressed), live.c (a stream while it comes), pipe_form.c (a stream's
 * header), ends.c (is it all there?), blocks.c (the data section), reader.c. Nobody else includes
 * this.
 */
#ifndef PERF_UTIL_READER_READER_PRIVATE_H
#define PERF_UTIL_READER_READER_PRIVATE_H

#include <pthread.h>

#include "util/format/event_ids.h"
#include "util/lib/alloc.h"
#include "util/reader/features.h"
#include "util/reader/reader.h"

#define PIPE_HEADER_SIZE 16 /* bytes in front of the records of a stream */

struct feature_section {
	u64 offset, size;
	void *bytes; /* read on first need; one NUL more than size */
	bool present, broken;
};

struct block_extent {
	u64 offset;
	u32 len;
};

/*
 * For data that are, or were, in several files: where the bytes of one file are. No record crosses
 * its end.
 */
struct data_piece {
	int fd;         /* of the copy, if there is one; -1: they are missing */
	u64 start, end; /* as record offsets */
	u64 from;       /* the offset of @start in the file; not above it */
};

/* What the walk learns about a stream's end. */
struct stream_signs {
	bool ours, marked; /* ends.h */
	bool begun;        /* the records made up at the beginning are over */
	bool sorted;       /* may be rewritten in the order of time: rounds mean nothing */
	u64 last;          /* offset of the last record; 0: none */
};

struct perf_data {
	char *path;
	int fd;                    /* of the header, the attrs and the features */
	int data_fd;               /* of the data section: fd, or the copy that unpack.c made */
	struct data_piece *pieces; /* in order, no gaps; each in its fd, or all in data_fd */
	u32 nr_pieces;             /* 0: it is one file */
	bool swap, not_closed;
	struct perf_data_info info;
	struct live *live;    /* NULL: not a live stream */
	u64 walked;           /* how far the walk has come */
	_Atomic u64 *nr_read; /* apart, as readers leave all else as it is */
	u64 data_end;         /* of the bytes that can be read: within data_fd */
	u64 promised_end;     /* its end by the header; from data_end on bytes are missing */

	struct evlist evlist;
	struct event_ids events;
	u16 min_sample_size;   /* of all events: a smaller sample cannot be one */
	u16 exact_sample_size; /* 0: samples have parts of varying size */

	pthread_mutex_t features_lock; /* first reads of the sections */
	struct feature_section features[FEATURE_MAX];
	u64 feature_bytes; /* read so far: never more than the file */

	struct block_extent *blocks;
	size_t nr_blocks, blocks_cap;
	u32 nr_dropped; /* blocks before these, which were forgotten */
	struct data_damage *damages;
	size_t nr_damages, damages_cap;
	bool wants_times;
	struct time_index *times; /* NULL: perf_data__times() */
	struct data_ends ends;
	struct stream_signs signs;
};

/* ---- data_source.c ---- */

/* pread() all @len bytes: 0, -EIO at the file's end, or the negative errno. */
int perf_data__pread(const struct perf_data *data, u64 offset, void *buf, size_t len);

/* [offset, offset + size) lies in the file. */
bool perf_data__in_file(const struct perf_data *data, u64 offset, u64 size);

/* [offset, offset + len) of the data section's file, as perf_data__pread(). */
int perf_data__pread_records(const struct perf_data *data, u64 offset, void *buf, size_t len);

/* ---- reader_events.c ---- */

/* Add an event of the file: attr and ids as the file has them. */
void perf_data__add_event(struct perf_data *data, const u8 *attr, u64 attr_size, const u8 *ids,
                          u64 nr_ids);

/* Call when all events were added. */
void perf_data__make_layouts(struct perf_data *data);

/* ---- features.c ---- */

/* Read the bitmap, the table, and what the features say about the events (names, groups). */
void features__open(struct perf_data *data);
void features__close(struct perf_data *data);
/*
 * Add a feature whose bytes are at @offset of data->fd: for streams, which have no table of them.
 */
void features__add(struct perf_data *data, u64 feature, u64 offset, u64 size);
/* Apply what the features say about the events, after all were added. */
void features__apply(struct perf_data *data);
/* Apply an EVENT_UPDATE record: its event's unit, scale or name. Nonsense is ignored. */
void perf_data__event_update(struct perf_data *data, const struct record *record);

/* ---- record_search.c: which bytes are records ---- */

#define RECORD_TYPE_LIMIT 255 /* higher types are nonsense, lower unknown ones a newer perf's */
#define RECORDS_LOOKAHEAD (7 * 65536)

/* Can a record begin with this type and size? */
static inline __attribute__((always_inline)) bool record_header__is_possible(u32 type, u16 size,
                                                                             u16 exact_sample_size)
{
	return likely(
	        type - 1 < RECORD_TYPE_LIMIT && size >= RECORD_HEADER_SIZE &&
	        (type >= RECORD_HEADER_ATTR || size % 8 == 0) &&
	        (type != PERF_RECORD_SAMPLE || !exact_sample_size || size == exact_sample_size));
}

/* Can a record begin with these RECORD_HEADER_SIZE bytes, as far as type and size tell? */
bool record_header__may_begin(const struct perf_data *data, const u8 *header);
/*
 * Find the first offset in @buf[*at..@len) where several records follow each other; buf[*at] is
 * @distance bytes after the damage. @at_end: no data after @len; otherwise the last offsets cannot
 * be judged yet. False: none, up to *at.
 */
bool records__find(const struct perf_data *data, const u8 *buf, size_t len, u64 distance,
                   bool at_end, size_t *at);

/* ---- record_source.c: records one after another, and past damage ---- */

#define RECORD_SOURCE_SIZE (1024 * 1024) /* more than a search for the next record looks at */

struct record_source {
	const struct perf_data *data;
	const char *path;
	int fd;
	u64 pos, end; /* in the file: after buf, and of its end (0: a stream, see at_end) */
	u8 *buf;
	size_t len, at; /* bytes in buf; of these, bytes that were looked at */
	u64 payload;    /* that many of the next bytes belong to the record before them */
	bool at_end;    /* nothing comes behind buf */
	bool searching; /* there was damage: for the next offset where records go on ... */
	u64 gap;        /* ... that many bytes after it so far */
	u32 type;       /* of the record at buf[at] */
	u16 size;
};

enum record_found {
	FOUND_NOTHING, /* more bytes are needed, or all were looked at */
	FOUND_RECORD,  /* at buf[at], wholly there: type and size */
	FOUND_DAMAGE,  /* at buf[at]; FOUND_GAP_END comes next */
	FOUND_GAP_END, /* records go on at buf[at], @gap bytes after the damage */
};

/* Forget what was looked at and read on. 0 or a negative errno with @err. */
int record_source__fill(struct record_source *s, struct error *err);

/* Look at buf[at], after what belongs to the last record. Go on by record_source__pass(). */
enum record_found record_source__next(struct record_source *s);

/* Move past the record, or past the first byte of the damage. */
void record_source__pass(struct record_source *s, enum record_found found);

/* Is the record a compressed one? */
bool record_source__is_packed(const struct record_source *s);

/* Are the samples of [@from, @end) of this file in compressed records? */
bool records__hold_packed(const struct perf_data *data, int fd, u64 from, u64 end);

/* ---- folder_form.c ---- */

/* The N of each file data.N of the folder, ascending; *nr of them, at most 65536. malloc'ed. */
u32 *folder_form__numbers(const char *folder, u32 *nr);
/* Open one of them; -1: it cannot be read. */
int folder_form__open_part(const char *path, u64 *size);
/*
 * Use these files as pieces of the data. False: that is not possible, because their records are
 * compressed, or there are too many to hold open.
 */
bool folder_form__open(struct perf_data *data, const char *folder);
void folder_form__close(struct perf_data *data);

/* ---- unpack.c ---- */

/*
 * If records are compressed (record -z), or a folder has too many files, write all records, in
 * order, to a file without a name and make that data_fd. Files of other folders are read in place.
 * Records that cannot be unpacked are damage.
 */
int unpack__open(struct perf_data *data, const char *folder, struct error *err);

/*
 * For a live stream: data->data_fd becomes a copy of it with all records unpacked, so that
 * unpack__open() has nothing to do.
 */
struct unpack_stream;
struct unpack_stream *unpack_stream__new(struct perf_data *data);
void unpack_stream__delete(struct unpack_stream *self);
/* Read what @pipe has now, or wait for it. Bytes, 0 at the end, or a negative errno with @err. */
int unpack_stream__take(struct unpack_stream *self, int pipe, struct error *err);
/* Bytes in the copy. */
u64 unpack_stream__copied(const struct unpack_stream *self);
/* Bytes in it up to the end of the last FINISHED_ROUND; 0: there was none. */
u64 unpack_stream__round_end(const struct unpack_stream *self);
/* The stream was damaged somewhere: rounds after that mean nothing. */
bool unpack_stream__doubtful(const struct unpack_stream *self);

/* ---- live.c ---- */

/*
 * Replace data->fd, a pipe, by a copy of the stream up to its first FINISHED_ROUND, or of all of it
 * if it is damaged there.
 */
int live__open(struct perf_data *data, struct error *err);
/* Call when the beginning was read; it ends at @behind_head. */
void live__begin(struct perf_data *data, u64 behind_head);
void live__close(struct perf_data *data);
/* Free the copy's space before @offset. False: it is no live stream, or not worth it yet. */
bool live__forget(struct perf_data *data, u64 offset);

/* ---- pipe_form.c ---- */

/* Copy what comes from @fd to a file without a name: its descriptor, or a negative errno. */
int pipe_form__spool(const char *path, int fd, struct error *err);
/* Read events and features from the records at the beginning of a stream (data->fd, from 16 on). */
int pipe_form__open(struct perf_data *data, struct error *err);

/* ---- ends.c ---- */

/* Read what the header says; @folder: the one that the file is in, or NULL. */
void ends__open(struct perf_data *data, const char *folder);
/* Note a record of perf's own that the walk meets; judge a stream when the walk is at its end. */
void ends__note(struct perf_data *data, u32 type, u16 misc);
void ends__of_stream(struct perf_data *data);

#endif
