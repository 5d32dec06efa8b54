// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Index and merge. The index holds one small entry per run (27 to 1,400 of them in most files of
 * 10 to 1,000 MB), sorted by first time; a run waits in that list until the merge gets there.
 * Runs are read through windows with pread(), not as whole blocks, because the runs of many CPUs
 * that overlap in time lie in many blocks at once. Short runs, of which a recorder that empties its
 * rings often makes thousands in a MB, lie near each other: they are taken from one piece of the
 * file.
 */
#include "util/reader/ordered.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/reader/time_index.h"

#define WINDOW_SIZE  (64 * 1024)
#define WINDOWS_SIZE (32 * 1024 * 1024) /* of all open runs together; then windows get smaller */
#define WINDOW_MIN   4096
#define PIECE_SIZE   (64 * 1024)
#define SHORT_MAX    (4 * 1024) /* bytes of a run that is taken from the piece */

/* A run that is being read. */
struct open_run {
	u64 time; /* of the record at pos */
	u64 next; /* file offset of the record at pos: breaks ties */
	u64 end;  /* file offset */
	u8 *buf;
	u32 pos, len, cap;
	struct open_run *free; /* of runs that have ended: the next one */
};

struct ordered {
	const struct perf_data *data;
	const struct time_index *index; /* that of @data, or: */
	struct time_index own;
	u32 next_block; /* not in it yet */
	bool swap;
	size_t next_run;           /* not opened yet; of a part, not looked at */
	u64 limit;                 /* later ones must wait */
	struct record_place until; /* the end of the part */

	bool is_part;
	const struct run **active; /* those that do not end before the part */
	size_t nr_active, active_cap;

	struct open_run **heap; /* smallest (time, next) first */
	size_t nr_open, heap_cap;
	struct open_run *last; /* gave the last record, which lies in its window */
	struct open_run *free; /* those that have ended, with their rooms */
	struct piece {
		u64 offset; /* in the file */
		u32 len;
		u8 *bytes; /* room for PIECE_SIZE; NULL: none was wanted */
	} piece;
	struct ordered_stats stats;
};

bool ordered__time_of(const struct ordered *o, const struct record *record, u64 *time)
{
	return time_index__time_of(o->index, record, time);
}

/* ---- the index */

/* Of the blocks that were walked since the last time. */
static int make_index(struct ordered *o)
{
	struct block_buffer buffer = { 0 };
	struct data_block block;
	int ret = 0;

	for (; o->next_block < perf_data__nr_blocks(o->data) && !ret; o->next_block++) {
		ret = perf_data__read_block(o->data, o->next_block, &buffer, &block);
		if (ret)
			break;
		time_index__add(&o->own, &block);
	}
	time_index__finish(&o->own);
	free(buffer.buf);
	o->limit = perf_data__is_live(o->data) ? o->own.promised : UINT64_MAX;
	return ret;
}

static void count(struct ordered *o)
{
	o->stats.nr_records = o->index->nr_records;
	o->stats.nr_runs = o->index->nr_runs + o->index->nr_forgotten;
	o->stats.nr_late = o->index->nr_late;
}

static struct ordered *new_reader(const struct perf_data *data, const struct time_index *index)
{
	struct ordered *o = xcalloc(1, sizeof(*o));

	o->data = data;
	o->swap = perf_data__swapped(data);
	o->index = index ? index : &o->own;
	o->limit = UINT64_MAX;
	o->until = (struct record_place){ UINT64_MAX, UINT64_MAX };
	return o;
}

struct ordered *ordered__new(const struct perf_data *data, struct error *err)
{
	const struct time_index *index = perf_data__times(data);
	struct ordered *o = new_reader(data, index);
	int ret = 0;

	if (!index) {
		time_index__init(&o->own, data);
		ret = make_index(o);
	}
	count(o);
	if (!ret)
		return o;
	error__set(err, ret, "cannot read again", perf_data__path(data), NULL);
	ordered__delete(o);
	return NULL;
}

static void put_back(struct ordered *o, struct open_run *run)
{
	run->free = o->free;
	o->free = run;
}

static void drop_open(struct ordered *o)
{
	for (size_t i = 0; i < o->nr_open; i++)
		put_back(o, o->heap[i]);
	o->nr_open = 0;
	o->last = NULL;
}

void ordered__delete(struct ordered *o)
{
	if (!o)
		return;
	drop_open(o);
	while (o->free) {
		struct open_run *next = o->free->free;

		free(o->free->buf);
		free(o->free);
		o->free = next;
	}
	free(o->piece.bytes);
	free(o->heap);
	free(o->active);
	time_index__exit(&o->own);
	free(o);
}

/* ---- open runs */

static void drop_rest(struct ordered *o, struct open_run *run)
{
	o->stats.nr_lost++;
	run->end = run->next;
	run->pos = run->len = 0;
}

/* @size bytes at @offset, of a short run. */
static int read_short(struct ordered *o, u64 offset, u8 *buf, u32 size)
{
	struct piece *piece = &o->piece;

	if (offset < piece->offset || offset + size > piece->offset + piece->len) {
		if (!piece->bytes)
			piece->bytes = xmalloc(PIECE_SIZE);
		piece->offset = offset;
		piece->len = min_u64(PIECE_SIZE, o->index->end - offset);
		if (perf_data__read_bytes(o->data, offset, piece->bytes, piece->len)) {
			piece->len = 0; /* it reaches beyond the file of the run */
			return perf_data__read_bytes(o->data, offset, buf, size);
		}
	}
	memcpy(buf, piece->bytes + (offset - piece->offset), size);
	return 0;
}

static int read_run(struct ordered *o, const struct open_run *run, u32 size)
{
	return run->end - run->next <= SHORT_MAX
	               ? read_short(o, run->next, run->buf, size)
	               : perf_data__read_bytes(o->data, run->next, run->buf, size);
}

/* Read on from the record at run->next. False: the run is at its end, or cannot be read. */
static bool fill(struct ordered *o, struct open_run *run, u32 want)
{
	u64 room = WINDOWS_SIZE / (o->nr_open + 1), left = run->end - run->next;
	u32 size;

	if (!left)
		return false;
	room = room > WINDOW_SIZE ? WINDOW_SIZE : room < WINDOW_MIN ? WINDOW_MIN : room;
	size = min_u64(max_u64(room, want), left);
	if (size > run->cap) {
		free(run->buf);
		run->buf = xmalloc(size);
		run->cap = size;
	}
	run->pos = run->len = 0;
	if (size < want || read_run(o, run, size)) {
		drop_rest(o, run);
		return false;
	}
	run->len = size;
	return true;
}

/*
 * Make the record at run->next lie whole in the window and take its time. The file may have
 * changed since the index was made, so sizes are checked again.
 */
static bool load_record(struct ordered *o, struct open_run *run)
{
	struct record r;
	u16 size;
	u64 time;

	if (run->len - run->pos < RECORD_HEADER_SIZE && !fill(o, run, RECORD_HEADER_SIZE))
		return false;
	size = load_u16(run->buf + run->pos + 6, o->swap);
	if (size < RECORD_HEADER_SIZE || size > run->end - run->next) {
		drop_rest(o, run);
		return false;
	}
	if (size > run->len - run->pos && !fill(o, run, size))
		return false;
	r = (struct record){ .data = run->buf + run->pos,
		             .type = load_u32(run->buf + run->pos, o->swap),
		             .size = load_u16(run->buf + run->pos + 6, o->swap) };
	if (r.size != size) {
		drop_rest(o, run);
		return false;
	}
	if (time_index__time_of(o->index, &r, &time))
		run->time = time;
	return true;
}

static inline struct record_place place_of(const struct open_run *run)
{
	return (struct record_place){ run->time, run->next };
}

static inline bool is_before(const struct open_run *a, const struct open_run *b)
{
	return record_place__is_before(place_of(a), place_of(b));
}

static void sift_down(struct ordered *o)
{
	struct open_run **heap = o->heap, *run = heap[0];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= o->nr_open)
			break;
		if (child + 1 < o->nr_open && is_before(heap[child + 1], heap[child]))
			child++;
		if (!is_before(heap[child], run))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = run;
}

static void push(struct ordered *o, struct open_run *run)
{
	size_t at = o->nr_open++;

	array__reserve(&o->heap, &o->heap_cap, o->nr_open, sizeof(*o->heap));
	while (at && is_before(run, o->heap[(at - 1) / 2])) {
		o->heap[at] = o->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	o->heap[at] = run;
	o->stats.nr_open = max_u64(o->stats.nr_open, o->nr_open);
}

/* From the record at @from, up to the offset @end. NULL: it cannot be read. */
static struct open_run *open_run(struct ordered *o, struct record_place from, u64 end)
{
	struct open_run *open = o->free;

	if (open)
		o->free = open->free;
	else
		open = xcalloc(1, sizeof(*open));
	open->pos = open->len = 0;
	open->next = from.offset;
	open->end = end;
	if (load_record(o, open)) {
		/* An unchanged file gives this time again; the index's word is what was sorted. */
		open->time = from.time;
		return open;
	}
	put_back(o, open);
	return NULL;
}

static void open_next_run(struct ordered *o)
{
	const struct run *run = &o->index->runs[o->next_run++];
	struct open_run *open = open_run(o, run->first, run->end);

	if (open)
		push(o, open);
}

/* To its next record. False: it has none. */
static inline bool step(struct ordered *o, struct open_run *run)
{
	u16 size = load_u16(run->buf + run->pos + 6, o->swap);

	run->pos += size;
	run->next += size;
	return run->next < run->end && load_record(o, run);
}

/* The run that gave the last record goes on to its next one, or is closed. */
static void advance(struct ordered *o)
{
	struct open_run *run = o->last;

	o->last = NULL;
	if (!step(o, run)) {
		o->heap[0] = o->heap[--o->nr_open];
		put_back(o, run);
	}
	if (o->nr_open)
		sift_down(o);
}

/* A run that has not been opened yet may be the one to go on with. */
static inline bool must_open(const struct ordered *o)
{
	const struct run *run = &o->index->runs[o->next_run];

	if (o->is_part || o->next_run == o->index->nr_runs || run->first.time > o->limit)
		return false;
	return !o->nr_open || record_place__is_before(run->first, place_of(o->heap[0]));
}

static inline bool is_past(const struct ordered *o, const struct open_run *run)
{
	return run->time > o->limit || !record_place__is_before(place_of(run), o->until);
}

bool ordered__next(struct ordered *o, struct record *record, u64 *time)
{
	struct open_run *run;

	if (o->last)
		advance(o);
	while (must_open(o))
		open_next_run(o);
	if (!o->nr_open || is_past(o, o->heap[0]))
		return false;
	run = o->last = o->heap[0];
	*record = (struct record){
		.data = run->buf + run->pos,
		.type = load_u32(run->buf + run->pos, o->swap),
		.misc = load_u16(run->buf + run->pos + 4, o->swap),
		.size = load_u16(run->buf + run->pos + 6, o->swap),
		.offset = run->next,
	};
	*time = o->index->timed ? run->time : ~0ull;
	return true;
}

/* ---- parts */

struct ordered *ordered__new_part(const struct ordered *whole)
{
	struct ordered *o = new_reader(whole->data, whole->index);

	o->is_part = true;
	return o;
}

/* Open the run where the part begins in it, if it has records there. */
static void open_part(struct ordered *o, const struct run *run, struct record_place from)
{
	struct open_run *open = open_run(o, time_index__before(o->index, run, from),
	                                 time_index__behind(o->index, run, o->until));
	bool more = open;

	while (more && record_place__is_before(place_of(open), from))
		more = step(o, open);
	if (more)
		push(o, open);
	else if (open)
		put_back(o, open);
}

/* Does it end before @from? */
static bool is_over(const struct run *run, struct record_place from)
{
	return run->last_time < from.time ||
	       (run->last_time == from.time && run->end <= from.offset);
}

void ordered__begin_part(struct ordered *o, struct record_place from, struct record_place until)
{
	const struct time_index *index = o->index;
	size_t nr = 0;

	drop_open(o);
	o->until = until;
	for (; o->next_run < index->nr_runs &&
	       record_place__is_before(index->runs[o->next_run].first, until);
	     o->next_run++) {
		array__reserve(&o->active, &o->active_cap, o->nr_active + 1, sizeof(*o->active));
		o->active[o->nr_active++] = &index->runs[o->next_run];
	}
	for (size_t i = 0; i < o->nr_active; i++)
		if (!is_over(o->active[i], from))
			o->active[nr++] = o->active[i];
	o->nr_active = nr;
	for (size_t i = 0; i < nr; i++)
		open_part(o, o->active[i], from);
}

/* ---- live streams */

u64 ordered__wants_from(const struct ordered *o)
{
	const struct time_index *index = o->index;
	u64 offset = index->end;

	for (size_t i = o->next_run; i < index->nr_runs; i++)
		offset = min_u64(offset, index->runs[i].first.offset);
	for (size_t i = 0; i < o->nr_open; i++)
		offset = min_u64(offset, o->heap[i]->next);
	return offset;
}

int ordered__more(struct ordered *o, struct error *err)
{
	if (o->index != &o->own)
		return 0; /* it was whole */
	/* Runs that were opened are not needed again. */
	time_index__forget(&o->own, o->next_run);
	o->next_run = 0;
	int ret = make_index(o);

	count(o);
	if (ret)
		error__set(err, ret, "cannot read again", perf_data__path(o->data), NULL);
	return ret;
}

struct record_place ordered__next_place(const struct ordered *o)
{
	if (!o->last)
		return (struct record_place){ 0, 0 };
	return (struct record_place){ o->last->time, o->last->next + 1 };
}

const struct time_index *ordered__index(const struct ordered *o)
{
	return o->index;
}

const struct ordered_stats *ordered__stats(const struct ordered *o)
{
	return &o->stats;
}
