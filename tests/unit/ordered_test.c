// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ordered reader against the plainest possible judge: all records of the file with the time
 * that the rules give them, sorted by (time, offset).
 */
#include "util/reader/ordered.h"

#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "util/lib/alloc.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |             \
	 PERF_SAMPLE_IDENTIFIER)

struct expected {
	u64 time, offset;
};

struct fixture {
	struct file_builder file;
	u64 type;
	struct expected *all; /* offsets relative to the data section */
	size_t nr, cap;
	u64 last_time;
};

static void start(struct fixture *f, bool swap, u64 type)
{
	struct perf_event_attr attr = built_attr(type);
	u64 id = 1;

	*f = (struct fixture){ .type = type };
	file_builder__init(&f->file, swap);
	file_builder__event(&f->file, &attr, &id, 1);
}

static void expect(struct fixture *f, u64 time, size_t offset)
{
	array__reserve(&f->all, &f->cap, f->nr + 1, sizeof(*f->all));
	f->all[f->nr++] = (struct expected){ time, offset };
	f->last_time = time;
}

static void sample_of(struct fixture *f, u64 id, u64 type, u64 time, u64 nr_chain)
{
	static u64 chain[1200];
	struct built_sample s = { .id = id,
		                  .ip = time,
		                  .time = time,
		                  .pid = 1,
		                  .tid = 1,
		                  .chain = chain,
		                  .nr_chain = nr_chain };
	size_t at = f->file.data.len;

	builder__sample(&f->file.data, type, PERF_RECORD_MISC_USER, &s);
	if (!(type & PERF_SAMPLE_TIME))
		time = f->last_time;
	expect(f, time == ~0ull ? 0 : time, at);
}

static void sample(struct fixture *f, u64 time)
{
	sample_of(f, 1, f->type, time, 2);
}

static void comm(struct fixture *f, u64 time)
{
	struct built_sample s = { .id = 1, .time = time, .pid = 1, .tid = 1 };
	size_t at = f->file.data.len;

	builder__comm(&f->file.data, f->type, &s, "name");
	expect(f, time == ~0ull ? 0 : time, at);
}

static void finished_round(struct fixture *f)
{
	size_t at = builder__begin(&f->file.data, RECORD_FINISHED_ROUND, 0);

	builder__end(&f->file.data, at);
	expect(f, f->last_time, at);
}

static int by_time(const void *a, const void *b)
{
	const struct expected *one = a, *two = b;

	if (one->time != two->time)
		return one->time < two->time ? -1 : 1;
	return one->offset < two->offset ? -1 : one->offset > two->offset;
}

static int nothing(void *ctx, const struct data_block *block)
{
	(void)ctx;
	(void)block;
	return 0;
}

static struct perf_data *open_walked(const char *path)
{
	struct perf_data *data = perf_data__open(path, 0, NULL);

	CHECK(data);
	if (data)
		CHECK_EQ(perf_data__walk(data, nothing, NULL, NULL), 0);
	return data;
}

/* In parts, cut before every @step-th record and at a place where there is none: all once, in
 * order. */
static void check_parts(const struct fixture *f, const char *path, size_t step)
{
	struct perf_data *data = perf_data__open(path, PERF_DATA_TIMES, NULL);
	u64 base = perf_data__info(data)->data_offset, time, wrong = 0;
	struct record_place from = { 0, 0 }, end = { UINT64_MAX, UINT64_MAX };
	struct record r;
	size_t i = 0;

	CHECK_EQ(perf_data__walk(data, nothing, NULL, NULL), 0);
	CHECK(perf_data__times(data));
	struct ordered *whole = ordered__new(data, NULL), *part = ordered__new_part(whole);
	bool timed = ordered__index(whole)->timed;

	for (size_t cut = step; cut < f->nr + step; cut += step) {
		struct record_place until = end;

		if (cut < f->nr) {
			until.time = timed ? f->all[cut].time : 0;
			until.offset = base + f->all[cut].offset - cut % 2 * 8;
		}
		ordered__begin_part(part, from, until);
		for (; ordered__next(part, &r, &time) && i < f->nr; i++)
			wrong += r.offset != base + f->all[i].offset;
		CHECK(i == f->nr || i == cut || (i > cut - 2 && i < cut + 2));
		from = until;
	}
	CHECK_EQ(i, f->nr);
	CHECK_EQ(wrong, 0);
	CHECK_EQ(ordered__stats(part)->nr_lost, 0);
	ordered__delete(part);
	ordered__delete(whole);
	perf_data__close(data);
}

/* Reads the file in order and compares; the statistics go to @stats. Frees the fixture. */
static void check_order(struct fixture *f, struct ordered_stats *stats)
{
	const char *path = file_builder__write(&f->file, "perf.data");
	struct perf_data *data = open_walked(path);
	struct ordered *ordered = data ? ordered__new(data, NULL) : NULL;
	bool timed = f->type & PERF_SAMPLE_TIME;
	u64 base = 0, time, wrong = 0;
	struct record r;
	size_t i = 0;

	CHECK(ordered);
	if (data)
		base = perf_data__info(data)->data_offset;
	qsort(f->all, f->nr, sizeof(*f->all), by_time);
	for (; ordered && ordered__next(ordered, &r, &time); i++) {
		if (i >= f->nr)
			break;
		wrong += r.offset != base + f->all[i].offset ||
		         time != (timed ? f->all[i].time : ~0ull) || r.size < 8;
	}
	CHECK_EQ(i, f->nr);
	CHECK_EQ(wrong, 0);
	if (ordered) {
		*stats = *ordered__stats(ordered);
		CHECK_EQ(stats->nr_records, f->nr);
		CHECK_EQ(stats->nr_lost, 0);
	}
	check_parts(f, path, 1 + f->nr / 100);
	check_parts(f, path, 1 + f->nr / 3);
	ordered__delete(ordered);
	perf_data__close(data);
	file_builder__exit(&f->file);
	free(f->all);
}

TEST(ordered_merges_the_runs_of_cpus)
{
	for (int swap = 0; swap < 2; swap++) {
		struct ordered_stats stats;
		struct fixture f;

		start(&f, swap, TYPE);
		for (u64 round = 0; round < 3; round++) {
			for (u64 cpu = 0; cpu < 4; cpu++)
				for (u64 i = 0; i < 10; i++)
					sample(&f, 1000 + round * 100 + i * 10 + cpu);
			finished_round(&f);
		}
		check_order(&f, &stats);
		CHECK_EQ(stats.nr_runs, 10); /* the last CPU's goes on past the round */
		CHECK_EQ(stats.nr_open, 4);  /* not 12: a round's runs are closed before the next */
		CHECK_EQ(stats.nr_late, 0);
	}
}

TEST(ordered_gives_equal_times_in_file_order)
{
	struct ordered_stats stats;
	struct fixture f;

	start(&f, false, TYPE);
	for (u64 stream = 0; stream < 5; stream++) {
		sample(&f, 10);
		comm(&f, 20);
		sample(&f, 20);
		sample(&f, 20);
	}
	check_order(&f, &stats);
	CHECK_EQ(stats.nr_runs, 5);
}

TEST(ordered_puts_times_0_and_all_ones_first)
{
	struct ordered_stats stats;
	struct fixture f;

	start(&f, false, TYPE);
	comm(&f, 0);
	sample(&f, 50);
	comm(&f, ~0ull);
	sample(&f, 40);
	comm(&f, 0);
	check_order(&f, &stats);
	CHECK_EQ(stats.nr_late, 0);
}

TEST(ordered_keeps_file_order_without_time)
{
	struct ordered_stats stats;
	struct fixture f;

	start(&f, false, TYPE & ~PERF_SAMPLE_TIME);
	for (u64 i = 0; i < 100; i++)
		sample(&f, 100 - i);
	check_order(&f, &stats);
	CHECK_EQ(stats.nr_runs, 1);
}

TEST(ordered_lets_untimed_events_follow_their_neighbour)
{
	struct perf_event_attr attr = built_attr(TYPE & ~PERF_SAMPLE_TIME);
	struct ordered_stats stats;
	struct fixture f;
	u64 id = 2;

	start(&f, false, TYPE);
	file_builder__event(&f.file, &attr, &id, 1);
	sample(&f, 30);
	sample_of(&f, 2, attr.sample_type, 999, 1);
	sample(&f, 10);
	sample_of(&f, 2, attr.sample_type, 999, 1);
	sample(&f, 20);
	check_order(&f, &stats);
	CHECK_EQ(stats.nr_runs, 2);
}

TEST(ordered_counts_what_comes_after_its_round_and_drops_nothing)
{
	struct ordered_stats stats;
	struct fixture f;

	start(&f, false, TYPE);
	sample(&f, 100);
	finished_round(&f);
	sample(&f, 90); /* allowed: the round before has just ended */
	sample(&f, 200);
	finished_round(&f);
	sample(&f, 99);  /* late: 100 was promised */
	sample(&f, 100); /* not late */
	comm(&f, 0);     /* from the beginning, not late */
	finished_round(&f);
	sample(&f, 150); /* late: 200 */
	check_order(&f, &stats);
	CHECK_EQ(stats.nr_late, 2);
}

/* The times of samples alone cannot be put beside records without trailers. */
TEST(ordered_keeps_the_order_of_a_file_without_trailers)
{
	struct perf_event_attr attr = built_attr(TYPE);
	struct file_builder file;
	struct record record;
	u64 offset = 0, time, nr = 0;

	attr.sample_id_all = 0;
	file_builder__init(&file, false);
	file_builder__event(&file, &attr, (u64[]){ 1 }, 1);
	for (u64 i = 0; i < 3; i++) {
		struct built_sample s = { .id = 1, .time = 100 - i };

		builder__sample(&file.data, TYPE, PERF_RECORD_MISC_USER, &s);
	}
	struct perf_data *data = perf_data__open(file_builder__write(&file, "x.data"), 0, NULL);

	CHECK_EQ(perf_data__walk(data, nothing, NULL, NULL), 0);
	struct ordered *ordered = ordered__new(data, NULL);

	for (; ordered__next(ordered, &record, &time); nr++) {
		CHECK(record.offset > offset);
		CHECK_EQ(time, ~0ull);
		offset = record.offset;
	}
	CHECK_EQ(nr, 3);
	ordered__delete(ordered);
	perf_data__close(data);
	file_builder__exit(&file);
}

TEST(ordered_reads_runs_longer_than_its_windows)
{
	struct ordered_stats stats;
	struct fixture f;

	start(&f, false, TYPE);
	for (u64 stream = 0; stream < 3; stream++)
		for (u64 i = 0; i < 400; i++)
			sample_of(&f, 1, TYPE, 1 + i * 3 + stream, i % 7 ? i : 1200);
	check_order(&f, &stats);
	CHECK_EQ(stats.nr_runs, 3);
}

TEST(ordered_sorts_any_disorder)
{
	u64 random = 88172645463325252ull;

	for (int swap = 0; swap < 2; swap++) {
		struct ordered_stats stats;
		struct fixture f;

		start(&f, swap, TYPE);
		for (int i = 0; i < 20000; i++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			if (random % 31 == 0)
				finished_round(&f);
			else if (random % 17 == 0)
				comm(&f, (random >> 20) % 5000);
			else
				sample(&f, (random >> 20) % 5000);
		}
		check_order(&f, &stats);
		CHECK(stats.nr_late > 1000);
	}
}

TEST(ordered_survives_a_file_that_shrinks_or_changes)
{
	for (int how = 0; how < 2; how++) {
		struct record r;
		struct fixture f;
		u64 time, nr = 0;

		start(&f, false, TYPE);
		for (u64 i = 0; i < 20000; i++)
			sample(&f, 1 + i);
		const char *path = file_builder__write(&f.file, "perf.data");
		struct perf_data *data = open_walked(path);
		struct ordered *ordered = ordered__new(data, NULL);

		CHECK(ordered && ordered__next(ordered, &r, &time));
		if (how == 0) {
			CHECK_EQ(truncate(path, perf_data__size(data) / 2), 0);
		} else { /* the second half becomes records of size 0 */
			CHECK_EQ(truncate(path, perf_data__size(data) / 2), 0);
			CHECK_EQ(truncate(path, perf_data__size(data)), 0);
		}
		while (ordered__next(ordered, &r, &time))
			nr++;
		CHECK(nr > 5000 && nr < 15000);
		CHECK_EQ(ordered__stats(ordered)->nr_lost, 1);
		ordered__delete(ordered);
		perf_data__close(data);
		file_builder__exit(&f.file);
		free(f.all);
	}
}

/* Of three CPUs, each of which has one long run. */
TEST(ordered_cuts_long_runs_into_parts_of_some_size)
{
	struct fixture f;
	size_t nr;

	start(&f, false, TYPE);
	for (u64 cpu = 0; cpu < 3; cpu++)
		for (u64 i = 0; i < 20000; i++)
			sample(&f, 1000 + i * 3 + cpu);
	const char *path = file_builder__write(&f.file, "perf.data");
	struct perf_data *data = perf_data__open(path, PERF_DATA_TIMES, NULL);

	CHECK_EQ(perf_data__walk(data, nothing, NULL, NULL), 0);
	struct record_place *cuts = time_index__cuts(perf_data__times(data), &nr);

	CHECK(nr >= 10 && nr <= 60);
	for (size_t i = 1; i < nr; i++)
		CHECK(record_place__is_before(cuts[i - 1], cuts[i]));
	free(cuts);
	perf_data__close(data);
	file_builder__exit(&f.file);
	free(f.all);
}
