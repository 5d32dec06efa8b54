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

#include "util/format/sample.h"
#include "util/lib/alloc.h"

#define WINDOW_SIZE  (64 * 1024)
#define WINDOWS_SIZE (32 * 1024 * 1024) /* of all open runs together; then windows get smaller */
#define WINDOW_MIN   4096
#define PIECE_SIZE   (64 * 1024)
#define SHORT_MAX    (4 * 1024) /* bytes of a run that is taken from the piece */

/* An ascending stretch of the file, back to back records [offset, end). */
struct run {
	u64 first_time;
	u64 offset, end;
};

/* A run that is being read. */
struct open_run {
	u64 time; /* of the record at pos */
	u64 next; /* file offset of the record at pos: breaks ties */
	u64 end;  /* file offset */
	u8 *buf;
	u32 pos, len, cap;
	struct open_run *free; /* of runs that have ended: the next one */
};

struct indexer {
	struct run run;   /* being extended; end 0: none yet */
	u64 time;         /* of the last record ... */
	u64 end;          /* ... and the offset behind it */
	u64 newest;       /* of all so far */
	u64 promised;     /* nothing older than this is to come ... */
	u64 next_promise; /* ... and after the next FINISHED_ROUND */
};

struct ordered {
	const struct perf_data *data;
	struct indexer indexer;
	u32 next_block; /* not indexed yet */
	u64 limit;      /* later ones must wait */
	bool swap, timed;
	/* Where TIME lies if that is so for all events; else each record's event is looked up. */
	bool uniform;
	u8 time_at, trailer_at, trailer_size;

	struct run *runs; /* sorted by (first_time, offset) */
	size_t nr_runs, runs_cap;
	size_t next_run; /* not opened yet */

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

/* ---- the time of a record */

static void look_at_layouts(struct ordered *o, const struct evlist *evlist)
{
	bool told = true;

	o->uniform = evlist->nr > 0;
	for (u32 i = 0; i < evlist->nr; i++) {
		const struct sample_layout *l = perf_data__layout(o->data, evlist->evsels[i]);

		o->timed |= l->time || l->t_time;
		told &= evlist->evsels[i]->attr.sample_id_all;
		if (!i) {
			o->time_at = l->time;
			o->trailer_at = l->t_time;
			o->trailer_size = l->trailer_size;
		}
		o->uniform &= o->time_at == l->time && o->trailer_at == l->t_time &&
		              o->trailer_size == l->trailer_size;
	}
	o->timed &= told;
}

/* False: it has none. */
static inline bool record_time(const struct ordered *o, const struct record *r, u64 *time)
{
	u8 time_at = o->time_at, trailer_at = o->trailer_at, trailer_size = o->trailer_size;

	if (r->type >= RECORD_HEADER_ATTR || !o->timed)
		return false;
	if (unlikely(!o->uniform)) {
		const struct evsel *evsel = perf_data__find_evsel(o->data, r);
		const struct sample_layout *l = evsel ? perf_data__layout(o->data, evsel) : NULL;

		if (!l)
			return false;
		time_at = l->time;
		trailer_at = l->t_time;
		trailer_size = l->trailer_size;
	}
	if (r->type == PERF_RECORD_SAMPLE) {
		if (!time_at || r->size < time_at + 8)
			return false;
		*time = load_u64(r->data + time_at, o->swap);
	} else {
		if (!trailer_at || r->size < RECORD_HEADER_SIZE + trailer_size)
			return false;
		*time = load_u64(r->data + r->size - trailer_at, o->swap);
	}
	if (*time == ~0ull)
		*time = 0;
	return true;
}

bool ordered__time_of(const struct ordered *o, const struct record *record, u64 *time)
{
	return record_time(o, record, time);
}

/* ---- the index */

static void close_run(struct ordered *o)
{
	struct indexer *x = &o->indexer;

	if (!x->run.end)
		return;
	array__reserve(&o->runs, &o->runs_cap, o->nr_runs + 1, sizeof(*o->runs));
	o->runs[o->nr_runs++] = x->run;
	o->stats.nr_runs++;
	x->run.end = 0;
}

static void index_record(struct ordered *o, const struct record *r)
{
	struct indexer *x = &o->indexer;
	u64 time;

	if (!record_time(o, r, &time))
		time = x->time;
	else if (time && time < x->promised)
		o->stats.nr_late++;
	o->stats.nr_records++;
	if (r->type == RECORD_FINISHED_ROUND) {
		x->promised = x->next_promise;
		x->next_promise = x->newest;
	}
	if (!x->run.end || time < x->time || r->offset != x->run.end) {
		close_run(o);
		x->run.first_time = time;
		x->run.offset = r->offset;
	}
	x->run.end = x->end = r->offset + r->size;
	x->time = time;
	x->newest = max_u64(x->newest, time);
}

static int compare_runs(const void *a, const void *b)
{
	const struct run *one = a, *two = b;

	if (one->first_time != two->first_time)
		return one->first_time < two->first_time ? -1 : 1;
	return one->offset < two->offset ? -1 : one->offset > two->offset;
}

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
		for (struct record r = { 0 }; data_block__next(&block, o->swap, &r);)
			index_record(o, &r);
	}
	close_run(o);
	free(buffer.buf);
	if (o->nr_runs)
		qsort(o->runs, o->nr_runs, sizeof(*o->runs), compare_runs);
	o->limit = perf_data__is_live(o->data) ? o->indexer.promised : UINT64_MAX;
	return ret;
}

struct ordered *ordered__new(const struct perf_data *data, struct error *err)
{
	struct ordered *o = xcalloc(1, sizeof(*o));
	int ret;

	o->data = data;
	o->swap = perf_data__swapped(data);
	/* The list is only looked at; there is no accessor for a const perf_data. */
	look_at_layouts(o, perf_data__evlist((struct perf_data *)data));
	ret = make_index(o);
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

void ordered__delete(struct ordered *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->nr_open; i++)
		put_back(o, o->heap[i]);
	while (o->free) {
		struct open_run *next = o->free->free;

		free(o->free->buf);
		free(o->free);
		o->free = next;
	}
	free(o->piece.bytes);
	free(o->heap);
	free(o->runs);
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
		piece->len = min_u64(PIECE_SIZE, o->indexer.end - offset);
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
	if (record_time(o, &r, &time))
		run->time = time;
	return true;
}

static inline bool is_before(const struct open_run *a, const struct open_run *b)
{
	return a->time != b->time ? a->time < b->time : a->next < b->next;
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

static void open_next_run(struct ordered *o)
{
	const struct run *run = &o->runs[o->next_run++];
	struct open_run *open = o->free;

	if (open)
		o->free = open->free;
	else
		open = xcalloc(1, sizeof(*open));
	open->pos = open->len = 0;
	open->time = run->first_time;
	open->next = run->offset;
	open->end = run->end;
	if (load_record(o, open)) {
		/* An unchanged file gives first_time again; the index's word is what was sorted. */
		open->time = run->first_time;
		push(o, open);
		return;
	}
	put_back(o, open);
}

/* The run that gave the last record goes on to its next one, or is closed. */
static void advance(struct ordered *o)
{
	struct open_run *run = o->last;
	u16 size = load_u16(run->buf + run->pos + 6, o->swap);

	o->last = NULL;
	run->pos += size;
	run->next += size;
	if (run->next >= run->end || !load_record(o, run)) {
		o->heap[0] = o->heap[--o->nr_open];
		put_back(o, run);
	}
	if (o->nr_open)
		sift_down(o);
}

/* A run that has not been opened yet may be the one to go on with. */
static inline bool must_open(const struct ordered *o)
{
	const struct run *run = &o->runs[o->next_run];

	if (o->next_run == o->nr_runs || run->first_time > o->limit)
		return false;
	return !o->nr_open || run->first_time < o->heap[0]->time ||
	       (run->first_time == o->heap[0]->time && run->offset < o->heap[0]->next);
}

bool ordered__next(struct ordered *o, struct record *record, u64 *time)
{
	struct open_run *run;

	if (o->last)
		advance(o);
	while (must_open(o))
		open_next_run(o);
	if (!o->nr_open || o->heap[0]->time > o->limit)
		return false;
	run = o->last = o->heap[0];
	*record = (struct record){
		.data = run->buf + run->pos,
		.type = load_u32(run->buf + run->pos, o->swap),
		.misc = load_u16(run->buf + run->pos + 4, o->swap),
		.size = load_u16(run->buf + run->pos + 6, o->swap),
		.offset = run->next,
	};
	*time = o->timed ? run->time : ~0ull;
	return true;
}

u64 ordered__wants_from(const struct ordered *o)
{
	u64 offset = o->indexer.end;

	for (size_t i = o->next_run; i < o->nr_runs; i++)
		offset = min_u64(offset, o->runs[i].offset);
	for (size_t i = 0; i < o->nr_open; i++)
		offset = min_u64(offset, o->heap[i]->next);
	return offset;
}

int ordered__more(struct ordered *o, struct error *err)
{
	/* Runs that were opened are not needed again. */
	o->nr_runs -= o->next_run;
	if (o->nr_runs)
		memmove(o->runs, o->runs + o->next_run, o->nr_runs * sizeof(*o->runs));
	o->next_run = 0;
	int ret = make_index(o);

	if (ret)
		error__set(err, ret, "cannot read again", perf_data__path(o->data), NULL);
	return ret;
}

const struct ordered_stats *ordered__stats(const struct ordered *o)
{
	return &o->stats;
}
