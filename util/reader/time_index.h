/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the times of a recording lie in its file: maximal ascending runs of records, back to back,
 * with a mark every few KB within each. What the ordered reader merges; its rules about the time of
 * a record stand in ordered.h.
 *
 * A walk over the records makes it; then any thread may look at it.
 */
#ifndef PERF_UTIL_READER_TIME_INDEX_H
#define PERF_UTIL_READER_TIME_INDEX_H

#include "util/event/evsel.h"
#include "util/lib/types.h"
#include "util/reader/reader.h"

/* Where a record stands in the order of time. */
struct record_place {
	u64 time;
	u64 offset; /* in the file: breaks ties */
};

static inline bool record_place__is_before(struct record_place a, struct record_place b)
{
	return a.time != b.time ? a.time < b.time : a.offset < b.offset;
}

/* An ascending stretch of the file, back to back records [first.offset, end). */
struct run {
	struct record_place first;
	u64 last_time;
	u64 end;
	u32 mark, nr_marks; /* the places of some of its records, in order, in index->marks */
};

struct time_index {
	const struct perf_data *data;
	/* Where TIME lies if that is so for all events; else each record's event is looked up. */
	bool swap, timed, uniform;
	bool is_marked; /* not that of a live stream, whose memory would grow */
	u8 time_at, trailer_at, trailer_size;

	struct run *runs; /* once finished: sorted by their first places */
	size_t nr_runs, runs_cap;
	struct record_place *marks;
	size_t nr_marks, marks_cap;
	u64 nr_forgotten; /* runs */
	u64 nr_records;
	u64 nr_late; /* older than a finished round allows */

	/* The walk. */
	struct run run;   /* being extended; end 0: none yet */
	u64 time;         /* of the last record ... */
	u64 end;          /* ... and the offset behind it */
	u64 newest;       /* of all so far */
	u64 promised;     /* nothing older than this is to come ... */
	u64 next_promise; /* ... and after the next FINISHED_ROUND */
};

/* Of @data, borrowed. */
void time_index__init(struct time_index *index, const struct perf_data *data);
void time_index__exit(struct time_index *index);

/* Take in the next block of the file; and after the last one, for now, close and sort the runs. */
void time_index__add(struct time_index *index, const struct data_block *block);
void time_index__finish(struct time_index *index);

/* Of a live stream: the first @nr runs are not needed again. */
void time_index__forget(struct time_index *index, size_t nr);

/* The time that @r itself has; 0 for one that holds from the beginning. False: it has none. */
bool time_index__time_of(const struct time_index *index, const struct record *r, u64 *time);

/* The last of the run's marks before @place, or its first record. */
struct record_place time_index__before(const struct time_index *index, const struct run *run,
                                       struct record_place place);
/* The first of its marks that is not before @place: its offset, or the run's end. */
u64 time_index__behind(const struct time_index *index, const struct run *run,
                       struct record_place place);

/*
 * Places that cut all records, in the order of time, into parts which can be read apart, of about
 * as many bytes as is worth it: *nr of them, ascending. malloc'ed.
 */
struct record_place *time_index__cuts(const struct time_index *index, size_t *nr);

#endif
