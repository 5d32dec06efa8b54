/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads perf.data: the file header, attrs, ids, features, and the data section as *blocks* of whole
 * records. Formats: Documentation/perf.data-file-format.txt.
 *
 * Use: open; walk once (in file order: cuts the data into blocks, finds damage); then any block
 * can be read again, by several threads at once, each with a buffer of its own. No byte of the
 * file is mapped, so a file that shrinks under us is an error and not a SIGBUS.
 *
 * Damage (a malformed header, a cut end) never loses what is around it: the walk looks for the next
 * offset where records follow each other again, and remembers what it skipped.
 */
#ifndef PERF_UTIL_READER_READER_H
#define PERF_UTIL_READER_READER_H

#include "util/event/evsel.h"
#include "util/format/record.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

struct perf_data; /* private */
struct time_index;

enum perf_data_open_flags {
	PERF_DATA_FORCE = 1u << 0, /* -f: accept another user's file */
	PERF_DATA_LIVE = 1u << 1,  /* do not wait for the end of a stream: perf_data__more() */
	PERF_DATA_TIMES = 1u << 2, /* the walk makes a time index: perf_data__times() */
};

/* What the file header says, checked against the file. */
struct perf_data_info {
	u64 file_size;
	s64 captured;               /* seconds since 1970: last change of the file */
	u64 header_size;            /* 104, or 72 without features */
	u64 attr_size;              /* of the file's attrs, without the id section */
	u64 data_offset, data_size; /* as written: size 0 when not closed */
	u64 feature_offset;         /* of the feature table */
	u64 feature_end;            /* of the last section that it promises; 0: none */
	u32 nr_unknown_attr_bytes;  /* non-zero bytes of attrs from a newer perf: not understood */
	u32 nr_lost_ids;            /* id lists that could not be read */
	u32 nr_features;            /* sections that the header promises ... */
	u32 nr_cut_features;        /* ... and those of them that the file does not have */
};

/* Bytes of the data section that are not records. */
struct data_damage {
	u64 offset, size;
};

/*
 * What a recording lacks, by its own marks or by how it ends:
 * Documentation/perf.data-file-format.txt, "Ends". For a stream this is known after the walk, at
 * its end.
 */
struct data_ends {
	bool cut_stream;      /* it has no end, or stops in the middle of a pass over the rings */
	bool incomplete;      /* records were missing when it was written */
	bool sizes_known;     /* of the parts: perf has ended */
	u32 nr_parts;         /* of a folder; 0: not told */
	u32 nr_missing_parts; /* not there */
	u32 nr_cut_parts;     /* too short */
	u32 cut_part;         /* the first of those */
	u64 missing_bytes;    /* of those */
	u32 nr_long_parts;    /* longer than what was written: not those of this recording */
	u32 long_part;        /* the first of those */
};

struct data_block {
	const u8 *data; /* whole records, back to back, every size checked: 8 <= size <= rest */
	size_t len;
	u64 offset; /* of data[0] in the file */
	u32 index;  /* running number */
};

/*
 * The path that a reading command opens: @given; without it (NULL or "") standard input if that is
 * a pipe, else "perf.data".
 */
const char *perf_data__input(const char *given);

/*
 * Open @path; "-" is standard input. What comes through a pipe or FIFO is copied to a temporary
 * file first, as are compressed records (the files of a folder are not). NULL with @err filled on
 * failure.
 */
struct perf_data *perf_data__open(const char *path, unsigned flags, struct error *err);
void perf_data__close(struct perf_data *data);

const char *perf_data__path(const struct perf_data *data);
bool perf_data__swapped(const struct perf_data *data);    /* the other byte order */
struct evlist *perf_data__evlist(struct perf_data *data); /* owned by @data */
/* perf did not end: data size 0, and no features either. */
bool perf_data__not_closed(const struct perf_data *data);
u64 perf_data__size(const struct perf_data *data);          /* bytes of the file */
bool perf_data__is_pipe_form(const struct perf_data *data); /* written to a pipe: no sections */
const struct perf_data_info *perf_data__info(const struct perf_data *data);

/* Raw bytes of a header feature (util/reader/features.h); NULL when absent or unreadable. The bytes
 * are owned by @data; thread-safe. */
const void *perf_data__feature(const struct perf_data *data, unsigned feature, size_t *size);
bool perf_data__has_feature(const struct perf_data *data, unsigned feature);

/*
 * The first walk. @fn gets each block in file order and returns 0 to go on; its other values end
 * the walk and are returned. Must be called once before the functions below. What perf's own
 * records say about events is set on the way: names, units and scales (EVENT_UPDATE), and which of
 * them belong to a CPU (ID_INDEX).
 */
int perf_data__walk(struct perf_data *data, int (*fn)(void *ctx, const struct data_block *block),
                    void *ctx, struct error *err);

/* For the ordered reader; NULL: it was not asked for, or the stream is live. After the walk. */
const struct time_index *perf_data__times(const struct perf_data *data);

/*
 * True: @data is a stream opened with PERF_DATA_LIVE. Its records up to the last FINISHED_ROUND so
 * far are there, and more may follow. False for files, and for streams that are damaged at their
 * beginning: those are read to the end when opened.
 */
bool perf_data__is_live(const struct perf_data *data);

/*
 * Wait for the next round of a live stream, or its end, and read what came meanwhile.
 * 1: perf_data__walk_on() may find new blocks; 0: the stream had ended before; or a negative errno
 * with @err.
 */
int perf_data__more(struct perf_data *data, struct error *err);

/* perf_data__walk() for the blocks behind the last one. */
int perf_data__walk_on(struct perf_data *data, int (*fn)(void *ctx, const struct data_block *block),
                       void *ctx, struct error *err);

/*
 * The records of a live stream before @offset are not needed again: the copy's space is freed, and
 * blocks before it are no more. Numbers of later ones stay.
 */
void perf_data__forget(struct perf_data *data, u64 offset);

const struct data_ends *perf_data__ends(const struct perf_data *data);
/* Closed, without damage, and all there as far as can be told. After the walk. */
bool perf_data__is_whole(const struct perf_data *data);

/*
 * How many bytes of records have been read by now, by walks and as blocks, and how many one time
 * through the file are; of a live stream, 0. From any thread.
 */
u64 perf_data__nr_read(const struct perf_data *data);
u64 perf_data__nr_to_read(const struct perf_data *data);

/* The block is not needed: it counts as read. */
void perf_data__skip_block(const struct perf_data *data, u32 index);

u32 perf_data__nr_blocks(const struct perf_data *data);
/* Of a block; behind the last one: how far the walk has come. */
u64 perf_data__block_offset(const struct perf_data *data, u32 index);
/* Bytes of records that the header promises and the file does not have; also damage of the walk. */
u64 perf_data__missing(const struct perf_data *data);
const struct data_damage *perf_data__damages(const struct perf_data *data, u32 *nr);

/* A reader's own buffer. Zero-initialise; free(buf) at the end. */
struct block_buffer {
	u8 *buf;
	size_t cap;
};

/*
 * Thread-safe. Fills @block (data points into @buffer). 0 or a negative errno: -EIO when the file
 * shrank since the walk, -EBADMSG when it changed.
 */
int perf_data__read_block(const struct perf_data *data, u32 index, struct block_buffer *buffer,
                          struct data_block *block);

/*
 * Thread-safe. Read @len bytes of the file at @offset (of a record that the walk gave), for readers
 * that go through the file in another order than blocks. The bytes are untrusted: sizes must be
 * checked again. 0 or a negative errno (-EIO: the file shrank).
 */
int perf_data__read_bytes(const struct perf_data *data, u64 offset, void *buf, size_t len);

/*
 * Iterate: start with record->data NULL. False at the block's end.
 *	for (struct record r = { 0 }; data_block__next(&block, swap, &r);)
 */
static inline bool data_block__next(const struct data_block *block, bool swap, struct record *r)
{
	const u8 *next = r->data ? r->data + r->size : block->data;

	if (next >= block->data + block->len)
		return false;
	r->data = next;
	r->type = load_u32(next, swap);
	r->misc = load_u16(next + 4, swap);
	r->size = load_u16(next + 6, swap);
	r->offset = block->offset + (next - block->data);
	return true;
}

/*
 * Which event a sample (or trailer) belongs to: by id, or the only event there is. NULL when the
 * id is unknown (counted by the caller). A trailer with id 0 (records that perf made up itself)
 * belongs to the first event.
 */
struct evsel *perf_data__find_evsel(const struct perf_data *data, const struct record *record);

/*
 * Does the sample match its event's attr, to the last byte? True where that cannot be judged,
 * because parts are of a newer kernel. In a file with nonsense attrs no sample matches.
 */
bool perf_data__sample_agrees(const struct perf_data *data, const struct record *record);

/* The event whose counter has this id, or the only event there is; NULL: none. */
struct evsel *perf_data__evsel_of_id(const struct perf_data *data, u64 id);

/* The layout of @evsel's samples (evsel must be of this file). */
const struct sample_layout *perf_data__layout(const struct perf_data *data,
                                              const struct evsel *evsel);

#endif
