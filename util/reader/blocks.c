// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The data section as blocks of whole records: the first walk, which looks at each record's
 * header once and remembers where the blocks lie, and the reading of a block again.
 *
 * The walk accepts a header whose type and size are possible. At any other, it looks for the next
 * offset where several valid records follow each other, and notes the bytes between as damage. The
 * search goes forward only and looks at a bounded number of headers per byte, so the cost of a
 * broken file is linear in its size, whatever it holds.
 *
 * Bytes come through a window (fill_window) that asks for them in rising order only. Data in
 * several files (a folder) are walked file by file: no record crosses from one into the next.
 */
#include "util/reader/reader_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/file.h"
#include "util/reader/read_ahead.h"
#include "util/reader/time_index.h"

#define WINDOW_SIZE (1024 * 1024) /* room of the window, if there is so much data */
#define BLOCK_SIZE  (512 * 1024)  /* a block is at most about this long; stays in the L2 cache */
#define RECORD_MAX  65535         /* the size is 16 bits wide */

struct walk {
	struct perf_data *data;
	struct error *err;
	u8 *room;      /* of WINDOW_SIZE */
	u8 *buf;       /* the window: a place in the room */
	u64 base;      /* offset of buf[0], as records are counted */
	int fd;        /* what is read: the data, or a piece of them */
	u64 shift;     /* offsets are so much larger than those of fd */
	u64 end;       /* of it */
	size_t filled; /* bytes from buf on */
	struct read_ahead
	        *ahead; /* reads for the window, whose place is then in a chunk; or NULL */
	u64 next;       /* offset of its next chunk */
};

enum scan_end {
	SCAN_WINDOW,  /* the next record is not wholly in the window */
	SCAN_BAD,     /* no record can start here */
	SCAN_PAYLOAD, /* the last record has bytes behind it that are not records */
};

static void add_damage(struct perf_data *data, u64 offset, u64 size)
{
	struct data_damage *last = data->nr_damages ? &data->damages[data->nr_damages - 1] : NULL;

	if (!size)
		return;
	if (last && last->offset + last->size == offset) {
		last->size += size;
		return;
	}
	array__reserve(&data->damages, &data->damages_cap, data->nr_damages + 1,
	               sizeof(*data->damages));
	data->damages[data->nr_damages++] = (struct data_damage){ offset, size };
}

static void end_ahead(struct walk *w)
{
	read_ahead__delete(w->ahead);
	w->ahead = NULL;
}

/* Put the @kept bytes of the window before the next chunk. */
static int fill_ahead(struct walk *w, size_t kept)
{
	ssize_t len;
	u8 *chunk = read_ahead__next(w->ahead, &len);

	if (len < 0)
		return error__set(w->err, len, "cannot read", w->data->path, NULL);
	if (chunk) {
		memcpy(chunk - kept, w->buf, kept);
		w->buf = chunk - kept;
	}
	w->filled += len;
	w->next += len;
	if (len < READ_AHEAD_CHUNK)
		w->end = w->next;
	return 0;
}

/*
 * Make the window start at @pos. If it holds @least bytes then, nothing moves: files with damage at
 * every turn would pay for a whole window each time. Otherwise it is filled up to @want bytes, or
 * to the end of the data. A file that has become shorter ends the data there.
 */
static int fill_window(struct walk *w, u64 pos, size_t least, size_t want)
{
	size_t kept = 0;

	if (pos >= w->base && pos - w->base < w->filled) {
		kept = w->filled - (pos - w->base);
		w->buf += pos - w->base;
	}
	w->base = pos;
	w->filled = kept;
	if (kept >= min_u64(least, w->end - pos))
		return 0;
	if (w->ahead && pos + kept == w->next && kept <= READ_AHEAD_FRONT &&
	    want <= READ_AHEAD_CHUNK + RECORD_MAX)
		return fill_ahead(w, kept);
	memmove(w->room, w->buf, kept);
	w->buf = w->room;
	end_ahead(w); /* it goes on elsewhere: there is damage, or a payload */
	want = min_u64(want, w->end - pos);
	if (want <= w->filled)
		return 0;
	ssize_t got = file__read_some(w->fd, w->buf + w->filled, want - w->filled,
	                              pos + w->filled - w->shift);

	if (got < 0)
		return error__set(w->err, got, "cannot read", w->data->path, NULL);
	w->filled += got;
	if (w->filled < want)
		w->end = pos + w->filled;
	return 0;
}

struct scan {
	size_t len;  /* of whole records */
	size_t last; /* where the last of them is */
	u64 payload;
	enum scan_end end;
};

/*
 * ID_INDEX: which CPU and task each counter belongs to. Those of no task count for all that run on
 * the CPU, however the event is inherited.
 */
static void note_cpu_counters(struct perf_data *data, const u8 *p, u16 size)
{
	struct cursor c =
	        cursor__make(p + RECORD_HEADER_SIZE, size - RECORD_HEADER_SIZE, data->swap);
	u64 nr = cursor__u64(&c);

	for (u64 i = 0; i < nr && cursor__left(&c) >= 32; i++) {
		u64 id = cursor__u64(&c);

		cursor__bytes(&c, 16); /* ring and CPU */
		u64 tid = cursor__u64(&c);
		u32 idx = tid == UINT64_MAX ? u64map__get(&data->events.by_id, id) : ID_NONE;

		if (idx != ID_NONE)
			data->events.layouts[idx].counts_by_thread = false;
	}
}

static enum scan_end scan_own_type(struct walk *w, struct scan *s, const u8 *p, u32 type, u16 size)
{
	bool swap = w->data->swap;

	ends__note(w->data, type, load_u16(p + 4, swap));
	if (type == RECORD_EVENT_UPDATE) {
		struct record r = { .data = p, .type = type, .size = size };

		perf_data__event_update(w->data, &r);
	}
	if (type == RECORD_ID_INDEX)
		note_cpu_counters(w->data, p, size);
	/* Those that could be unpacked are not here any more. */
	if (type == RECORD_COMPRESSED || type == RECORD_COMPRESSED2)
		add_damage(w->data, w->base + (p - w->buf), size);
	s->payload = record__payload_size(p, type, size, swap);
	if (!s->payload)
		return SCAN_WINDOW;
	u64 left = w->end - (w->base + (p - w->buf) + size);

	return s->payload > left ? SCAN_BAD : SCAN_PAYLOAD;
}

/* Follow the records from the window's start. */
static inline __attribute__((always_inline)) struct scan scan_records(struct walk *w, size_t limit,
                                                                      bool swap)
{
	struct scan s = { .end = SCAN_WINDOW };
	const u8 *p = w->buf, *last = p, *end = w->buf + w->filled;
	const u8 *stop = w->buf + min_u64(limit, w->filled);
	u16 exact_sample_size = w->data->exact_sample_size;

	while (p < stop) {
		if (end - p < RECORD_HEADER_SIZE)
			break;
		u32 type = load_u32(p, swap);
		u16 size = load_u16(p + 6, swap);

		if (!record_header__is_possible(type, size, exact_sample_size)) {
			s.end = SCAN_BAD;
			break;
		}
		if (size > end - p)
			break;
		if (unlikely(type >= RECORD_HEADER_ATTR)) {
			s.end = scan_own_type(w, &s, p, type, size);
			if (s.end == SCAN_BAD)
				break;
			last = p;
			p += size;
			if (s.end == SCAN_PAYLOAD)
				break;
			continue;
		}
		last = p;
		p += size;
	}
	s.last = last - w->buf;
	s.len = p - w->buf;
	return s;
}

/* The first place behind @pos where records go on, or the data's end. */
static int find_records(struct walk *w, u64 pos, u64 *found)
{
	u64 at = pos + 1;

	while (at < w->end) {
		int ret = fill_window(w, at, RECORDS_LOOKAHEAD + RECORD_MAX, WINDOW_SIZE);
		size_t passed = 0;

		if (ret)
			return ret;
		if (records__find(w->data, w->buf, w->filled, at - pos,
		                  w->base + w->filled >= w->end, &passed)) {
			*found = at + passed;
			return 0;
		}
		at += passed;
	}
	*found = w->end;
	return 0;
}

static u32 add_block(struct perf_data *data, u64 offset, size_t len)
{
	array__reserve(&data->blocks, &data->blocks_cap, data->nr_blocks + 1,
	               sizeof(*data->blocks));
	data->blocks[data->nr_blocks] = (struct block_extent){ offset, len };
	return data->nr_dropped + data->nr_blocks++;
}

static const struct block_extent *block_at(const struct perf_data *data, u32 index)
{
	BUG_ON(index < data->nr_dropped);
	return &data->blocks[index - data->nr_dropped];
}

/* One window: its records to @fn, then what follows them. *pos moves on. */
static int walk_window(struct walk *w, u64 *pos,
                       int (*fn)(void *ctx, const struct data_block *block), void *ctx)
{
	struct perf_data *data = w->data;
	int ret = fill_window(w, *pos, 2 * RECORD_MAX, BLOCK_SIZE + RECORD_MAX);

	if (ret || !w->filled)
		return ret;
	struct scan s =
	        data->swap ? scan_records(w, BLOCK_SIZE, true) : scan_records(w, BLOCK_SIZE, false);

	if (s.len) {
		struct data_block block = { w->buf, s.len, *pos, add_block(data, *pos, s.len) };

		data->signs.last = *pos + s.last;
		ret = fn(ctx, &block);
		if (ret)
			return ret;
		if (data->times)
			time_index__add(data->times, &block);
	}
	*pos += s.len;
	if (s.end == SCAN_PAYLOAD)
		*pos += s.payload;
	/* The window could have held it: what is left is less than the record says. */
	bool cut = s.end == SCAN_WINDOW && !s.len;

	if (s.end == SCAN_BAD || cut) {
		u64 found = *pos;

		ret = find_records(w, *pos, &found);
		if (ret)
			return ret;
		add_damage(data, *pos, found - *pos);
		*pos = found;
	}
	return 0;
}

/* From where the walk is to @end, or as far as there are bytes: then w->end is there. */
static int walk_piece(struct walk *w, int fd, u64 shift, u64 end,
                      int (*fn)(void *ctx, const struct data_block *block), void *ctx)
{
	int ret = 0;

	w->fd = fd;
	w->shift = shift;
	w->end = end;
	w->buf = w->room;
	w->filled = 0;
	w->next = w->data->walked;
	w->ahead = w->next < end ? read_ahead__new(fd, w->next - shift, end - shift) : NULL;
	while (!ret && w->data->walked < w->end) {
		u64 from = w->data->walked;

		ret = walk_window(w, &w->data->walked, fn, ctx);
		*w->data->nr_read += w->data->walked - from;
	}
	end_ahead(w);
	return ret;
}

int perf_data__walk(struct perf_data *data, int (*fn)(void *ctx, const struct data_block *block),
                    void *ctx, struct error *err)
{
	data->nr_blocks = data->nr_dropped = 0;
	data->nr_damages = 0;
	data->signs = (struct stream_signs){ .ours = false };
	data->walked = data->info.data_offset;
	if (data->wants_times && !perf_data__is_live(data)) {
		if (data->times)
			time_index__exit(data->times);
		else
			data->times = xcalloc(1, sizeof(*data->times));
		time_index__init(data->times, data);
	}
	int ret = perf_data__walk_on(data, fn, ctx, err);

	if (data->times)
		time_index__finish(data->times);
	return ret;
}

const struct time_index *perf_data__times(const struct perf_data *data)
{
	return data->times;
}

int perf_data__walk_on(struct perf_data *data, int (*fn)(void *ctx, const struct data_block *block),
                       void *ctx, struct error *err)
{
	struct walk w = { .data = data, .err = err };
	int ret = 0;

	w.room = w.buf = xmalloc(min_u64(WINDOW_SIZE, data->data_end - data->walked));
	if (!data->nr_pieces) {
		ret = walk_piece(&w, data->data_fd, 0, data->data_end, fn, ctx);
		data->data_end = w.end;
	}
	for (u32 i = 0; i < data->nr_pieces && !ret; i++) {
		const struct data_piece *piece = &data->pieces[i];

		if (piece->fd >= 0)
			ret = walk_piece(&w, piece->fd, piece->start - piece->from, piece->end, fn,
			                 ctx);
		if (!ret) /* what it lacks */
			add_damage(data, data->walked, piece->end - data->walked);
		data->walked = piece->end;
	}
	free(w.room);
	if (!ret && perf_data__missing(data))
		add_damage(data, data->data_end, perf_data__missing(data));
	if (!ret && perf_data__is_pipe_form(data) && !perf_data__is_live(data))
		ends__of_stream(data);
	return ret;
}

u64 perf_data__nr_read(const struct perf_data *data)
{
	return *data->nr_read;
}

u64 perf_data__nr_to_read(const struct perf_data *data)
{
	return perf_data__is_live(data) ? 0 : data->promised_end - data->info.data_offset;
}

void perf_data__skip_block(const struct perf_data *data, u32 index)
{
	*data->nr_read += block_at(data, index)->len;
}

u32 perf_data__nr_blocks(const struct perf_data *data)
{
	return data->nr_dropped + data->nr_blocks;
}

u64 perf_data__block_offset(const struct perf_data *data, u32 index)
{
	return index < perf_data__nr_blocks(data) ? block_at(data, index)->offset : data->walked;
}

void perf_data__forget(struct perf_data *data, u64 offset)
{
	u32 drop = 0;

	/* What the end of the stream is judged by stays. */
	offset = min_u64(offset, data->signs.last);
	if (!live__forget(data, offset))
		return;
	while (drop < data->nr_blocks &&
	       data->blocks[drop].offset + data->blocks[drop].len <= offset)
		drop++;
	data->nr_dropped += drop;
	data->nr_blocks -= drop;
	memmove(data->blocks, data->blocks + drop, data->nr_blocks * sizeof(*data->blocks));
}

const struct data_damage *perf_data__damages(const struct perf_data *data, u32 *nr)
{
	*nr = data->nr_damages;
	return data->damages;
}

/* The file may have been changed since the walk: users of the block rely on its sizes. */
static bool block_is_whole(const u8 *p, size_t len, bool swap)
{
	while (len >= RECORD_HEADER_SIZE) {
		u16 size = load_u16(p + 6, swap);

		if (size < RECORD_HEADER_SIZE || size > len)
			return false;
		p += size;
		len -= size;
	}
	return !len;
}

int perf_data__read_block(const struct perf_data *data, u32 index, struct block_buffer *buffer,
                          struct data_block *block)
{
	if (index >= perf_data__nr_blocks(data))
		return -EINVAL;
	const struct block_extent *extent = block_at(data, index);

	perf_data__skip_block(data, index);
	array__reserve(&buffer->buf, &buffer->cap, extent->len, 1);
	int ret = perf_data__pread_records(data, extent->offset, buffer->buf, extent->len);

	if (ret)
		return ret;
	if (!block_is_whole(buffer->buf, extent->len, data->swap))
		return -EBADMSG;
	*block = (struct data_block){ buffer->buf, extent->len, extent->offset, index };
	return 0;
}

int perf_data__read_bytes(const struct perf_data *data, u64 offset, void *buf, size_t len)
{
	return perf_data__pread_records(data, offset, buf, len);
}
