// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/reader/time_index.h"

#include <stdlib.h>
#include <string.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"

#define MARK_BYTES (16u << 10) /* from one mark of a run to the next */
#define PART_MARKS 8u          /* in a part: its text stays in the processor's cache ... */
#define RUN_MARKS  4u          /* ... of each run in it; the first and the last are read twice */

/* ---- the time of a record */

static void look_at_layouts(struct time_index *x, const struct evlist *evlist)
{
	bool told = true;

	x->uniform = evlist->nr > 0;
	for (u32 i = 0; i < evlist->nr; i++) {
		const struct sample_layout *l = perf_data__layout(x->data, evlist->evsels[i]);

		x->timed |= l->time || l->t_time;
		told &= evlist->evsels[i]->attr.sample_id_all;
		if (!i) {
			x->time_at = l->time;
			x->trailer_at = l->t_time;
			x->trailer_size = l->trailer_size;
		}
		x->uniform &= x->time_at == l->time && x->trailer_at == l->t_time &&
		              x->trailer_size == l->trailer_size;
	}
	x->timed &= told;
}

bool time_index__time_of(const struct time_index *x, const struct record *r, u64 *time)
{
	u8 time_at = x->time_at, trailer_at = x->trailer_at, trailer_size = x->trailer_size;

	if (r->type >= RECORD_HEADER_ATTR || !x->timed)
		return false;
	if (unlikely(!x->uniform)) {
		const struct evsel *evsel = perf_data__find_evsel(x->data, r);
		const struct sample_layout *l = evsel ? perf_data__layout(x->data, evsel) : NULL;

		if (!l)
			return false;
		time_at = l->time;
		trailer_at = l->t_time;
		trailer_size = l->trailer_size;
	}
	if (r->type == PERF_RECORD_SAMPLE) {
		if (!time_at || r->size < time_at + 8)
			return false;
		*time = load_u64(r->data + time_at, x->swap);
	} else {
		if (!trailer_at || r->size < RECORD_HEADER_SIZE + trailer_size)
			return false;
		*time = load_u64(r->data + r->size - trailer_at, x->swap);
	}
	if (*time == ~0ull)
		*time = 0;
	return true;
}

/* ---- made by a walk */

void time_index__init(struct time_index *x, const struct perf_data *data)
{
	*x = (struct time_index){ .data = data,
		                  .swap = perf_data__swapped(data),
		                  .is_marked = !perf_data__is_live(data) };
	/* The list is only looked at; there is no accessor for a const perf_data. */
	look_at_layouts(x, perf_data__evlist((struct perf_data *)data));
}

void time_index__exit(struct time_index *x)
{
	free(x->runs);
	free(x->marks);
}

static void close_run(struct time_index *x)
{
	if (!x->run.end)
		return;
	array__reserve(&x->runs, &x->runs_cap, x->nr_runs + 1, sizeof(*x->runs));
	x->runs[x->nr_runs++] = x->run;
	x->run.end = 0;
}

static void open_run(struct time_index *x, struct record_place place)
{
	close_run(x);
	x->run.first = place;
	x->run.mark = x->nr_marks;
	x->run.nr_marks = 0;
}

static void mark(struct time_index *x, struct record_place place)
{
	const struct run *run = &x->run;
	u64 last = run->nr_marks ? x->marks[x->nr_marks - 1].offset : run->first.offset;

	if (!x->is_marked || place.offset - last < MARK_BYTES)
		return;
	array__reserve(&x->marks, &x->marks_cap, x->nr_marks + 1, sizeof(*x->marks));
	x->marks[x->nr_marks++] = place;
	x->run.nr_marks++;
}

static inline void add_record(struct time_index *x, const struct record *r)
{
	struct record_place place = { .offset = r->offset };

	if (!time_index__time_of(x, r, &place.time))
		place.time = x->time;
	else if (place.time && place.time < x->promised)
		x->nr_late++;
	x->nr_records++;
	if (r->type == RECORD_FINISHED_ROUND) {
		x->promised = x->next_promise;
		x->next_promise = x->newest;
	}
	if (!x->run.end || place.time < x->time || r->offset != x->run.end)
		open_run(x, place);
	else
		mark(x, place);
	x->run.end = x->end = r->offset + r->size;
	x->run.last_time = x->time = place.time;
	x->newest = max_u64(x->newest, place.time);
}

void time_index__add(struct time_index *x, const struct data_block *block)
{
	for (struct record r = { 0 }; data_block__next(block, x->swap, &r);)
		add_record(x, &r);
}

static int compare_runs(const void *a, const void *b)
{
	const struct run *one = a, *two = b;

	return record_place__is_before(one->first, two->first)
	               ? -1
	               : record_place__is_before(two->first, one->first);
}

void time_index__finish(struct time_index *x)
{
	close_run(x);
	if (x->nr_runs)
		qsort(x->runs, x->nr_runs, sizeof(*x->runs), compare_runs);
}

void time_index__forget(struct time_index *x, size_t nr)
{
	x->nr_forgotten += nr;
	x->nr_runs -= nr;
	if (x->nr_runs)
		memmove(x->runs, x->runs + nr, x->nr_runs * sizeof(*x->runs));
}

/* ---- asked */

/* How many of the run's marks are before @place. */
static u32 nr_before(const struct time_index *x, const struct run *run, struct record_place place)
{
	u32 from = 0, to = run->nr_marks;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (record_place__is_before(x->marks[run->mark + middle], place))
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

struct record_place time_index__before(const struct time_index *x, const struct run *run,
                                       struct record_place place)
{
	u32 nr = nr_before(x, run, place);

	return nr ? x->marks[run->mark + nr - 1] : run->first;
}

u64 time_index__behind(const struct time_index *x, const struct run *run, struct record_place place)
{
	u32 nr = nr_before(x, run, place);

	return nr < run->nr_marks ? x->marks[run->mark + nr].offset : run->end;
}

static int compare_places(const void *a, const void *b)
{
	const struct record_place *one = a, *two = b;

	return record_place__is_before(*one, *two) ? -1 : record_place__is_before(*two, *one);
}

/* How many runs there are at a time, on the average. */
static u64 nr_at_once(const struct time_index *x)
{
	double spans = 0;

	for (size_t i = 0; i < x->nr_runs; i++)
		if (x->runs[i].first.time) /* 0: the beginning, whenever that was */
			spans += x->runs[i].last_time - x->runs[i].first.time;
	for (size_t i = 0; i < x->nr_runs; i++)
		if (x->runs[i].first.time)
			return 1 + (u64)(spans / (1 + x->newest - x->runs[i].first.time));
	return 1;
}

struct record_place *time_index__cuts(const struct time_index *x, size_t *nr)
{
	u64 step = max_u64(PART_MARKS, RUN_MARKS * nr_at_once(x));
	struct record_place *cuts = xcalloc(x->nr_marks + 1, sizeof(*cuts));

	*nr = 0;
	if (x->nr_marks)
		memcpy(cuts, x->marks, x->nr_marks * sizeof(*cuts));
	qsort(cuts, x->nr_marks, sizeof(*cuts), compare_places);
	for (size_t i = step; i < x->nr_marks; i += step)
		cuts[(*nr)++] = cuts[i];
	return cuts;
}
