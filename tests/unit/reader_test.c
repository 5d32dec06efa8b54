// SPDX-License-Identifier: GPL-2.0-or-later
/* The first walk and reading blocks again; every kind of damage. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/reader_fixture.h"
#include "tests/unit/unit.h"
#include "util/reader/time_index.h"

#define TYPE READER_FIXTURE_TYPE

TEST(reader_sees_every_record_in_both_orders)
{
	for (int swap = 0; swap < 2; swap++) {
		struct file_builder f;
		struct built_sample s = reader_fixture__sample(0);

		reader_fixture__begin(&f, swap, TYPE);
		builder__comm(&f.data, TYPE, &s, "a");
		reader_fixture__add_samples(&f, TYPE, 0, 1000);
		builder__end(&f.data, builder__begin(&f.data, RECORD_FINISHED_ROUND, 0));
		struct perf_data *data = reader_fixture__open(&f);
		struct seen seen = reader_fixture__walk_twice(data);
		u32 nr;

		CHECK_EQ(perf_data__swapped(data), swap);
		CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 1000);
		CHECK_EQ(seen.nr[PERF_RECORD_COMM], 1);
		CHECK_EQ(seen.nr[RECORD_FINISHED_ROUND], 1);
		CHECK_EQ(seen.last_time, 1000);
		CHECK_EQ(perf_data__info(data)->data_offset, 104 + 8 + 144);
		CHECK_EQ(perf_data__info(data)->data_size, f.data.len);
		CHECK_EQ(perf_data__size(data), 104 + 8 + 144 + f.data.len);
		CHECK(!perf_data__not_closed(data));
		perf_data__damages(data, &nr);
		CHECK_EQ(nr, 0);
		perf_data__close(data);
		file_builder__exit(&f);
	}
}

TEST(reader_cuts_large_files_into_blocks)
{
	struct file_builder f;

	reader_fixture__begin(&f, false, TYPE);
	reader_fixture__add_samples(&f, TYPE, 0, 100000); /* 4 MB */
	struct perf_data *data = reader_fixture__open(&f);
	struct seen seen = reader_fixture__walk_twice(data);

	CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 100000);
	CHECK_EQ(seen.first_time, 1);
	CHECK_EQ(seen.last_time, 100000);
	CHECK(perf_data__nr_blocks(data) >= 4 && perf_data__nr_blocks(data) <= 20);
	/* A callback may end the walk with a value of its own. */
	seen = (struct seen){ .data = data, .stop = 5 };
	CHECK_EQ(perf_data__walk(data, reader_fixture__look, &seen, NULL), 5);
	CHECK_EQ(perf_data__nr_blocks(data), 1);
	perf_data__close(data);
	file_builder__exit(&f);
}

/* Where blocks lie: samples are settled at their ends, so it must not depend on the workers. */
static u64 sum_of_blocks(const struct perf_data *data)
{
	struct block_buffer buffer = { 0 };
	struct data_block block;
	u64 sum = 0;

	for (u32 i = 0; i < perf_data__nr_blocks(data); i++) {
		CHECK_EQ(perf_data__read_block(data, i, &buffer, &block), 0);
		sum = (sum * 31 + block.offset) * 31 + block.len;
	}
	free(buffer.buf);
	return sum;
}

/* Of all records of a walk by so many workers: what they are and where; and of all damage. */
static u64 sum_of_walk(const char *path, const char *workers, u64 *nr_records)
{
	setenv("PERF_WORKERS", workers, 1);
	struct perf_data *data = perf_data__open(path, PERF_DATA_TIMES, NULL);
	struct seen seen = reader_fixture__walk_twice(data);
	const struct time_index *times = perf_data__times(data);
	u64 sum = times->nr_records + sum_of_blocks(data);
	u32 nr;
	const struct data_damage *damages = perf_data__damages(data, &nr);

	for (u32 i = 0; i < nr; i++)
		sum = sum * 31 + damages[i].offset + damages[i].size;
	for (size_t i = 0; i < times->nr_runs; i++)
		sum = sum * 31 + times->runs[i].first.offset + times->runs[i].end;
	for (size_t i = 0; i < times->nr_marks; i++)
		sum = sum * 31 + times->marks[i].offset;
	*nr_records = seen.nr[PERF_RECORD_SAMPLE];
	perf_data__close(data);
	unsetenv("PERF_WORKERS");
	return sum;
}

TEST_WITH_THREADS(reader_reads_ahead_what_it_reads_alone)
{
	for (int damage = 0; damage < 3; damage++) {
		struct file_builder f;
		u64 alone, ahead;

		reader_fixture__begin(&f, false, TYPE);
		for (u64 i = 0; i < 30; i++) {
			reader_fixture__add_samples(&f, TYPE, i * 10000, 10000);
			size_t at = builder__begin(&f.data, 200, 0); /* of a newer perf */

			builder__zero(&f.data, 60000 + i * 8);
			builder__end(&f.data, at);
		}
		CHECK(f.data.len > 10 << 20);
		if (damage == 1) /* more than a window */
			memset(f.data.data + (6 << 20), 0xff, 3 << 20);
		else if (damage == 2)
			f.data.len -= 20; /* the last record is cut */
		const char *path = file_builder__write(&f, "ahead.data");
		u64 sum = sum_of_walk(path, "1", &alone);

		CHECK(alone > 180000);
		CHECK_EQ(sum_of_walk(path, "3", &ahead), sum);
		CHECK_EQ(alone, ahead);
		file_builder__exit(&f);
	}
}

TEST(reader_knows_the_event_by_id)
{
	u64 type = TYPE | PERF_SAMPLE_ID;

	for (int identifier = 0; identifier < 2; identifier++) {
		u64 types[2] = { type, type };
		struct file_builder f;
		struct error err = ERROR_INIT;
		u32 nr = 0;

		if (identifier) { /* different sample types: perf adds IDENTIFIER to all */
			types[0] |= PERF_SAMPLE_IDENTIFIER;
			types[1] = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_CPU;
		}
		file_builder__init(&f, false);
		for (u64 e = 0; e < 2; e++) {
			struct perf_event_attr attr = built_attr(types[e]);

			file_builder__event(&f, &attr, (u64[]){ 100 + e, 200 + e }, 2);
		}
		for (u64 e = 0; e < 2; e++) {
			struct built_sample s = { .id = 200 + e, .ip = e };

			builder__sample(&f.data, types[e], 0, &s);
		}
		builder__sample(&f.data, types[0], 0, &(struct built_sample){ .id = 5 });
		builder__comm(&f.data, types[1], &(struct built_sample){ .id = 101 }, "second");
		builder__comm(&f.data, types[1], &(struct built_sample){ .id = 0 }, "made up");
		struct perf_data *data =
		        perf_data__open(file_builder__write(&f, "perf.data"), 0, &err);

		CHECK(data);
		reader_fixture__walk_twice(data);
		struct block_buffer buffer = { 0 };
		struct data_block block;
		const struct evlist *list = perf_data__evlist(data);
		struct evsel *want[] = { list->evsels[0], list->evsels[1], NULL, list->evsels[1],
			                 list->evsels[0] };

		CHECK_EQ(perf_data__read_block(data, 0, &buffer, &block), 0);
		for (struct record r = { 0 }; data_block__next(&block, false, &r) && nr < 5; nr++)
			CHECK(perf_data__find_evsel(data, &r) == want[nr]);
		CHECK_EQ(nr, 5);
		free(buffer.buf);
		perf_data__close(data);
		file_builder__exit(&f);
	}
}

TEST(reader_says_what_a_cut_file_lacks)
{
	struct file_builder f;
	struct builder out;
	u32 nr;

	reader_fixture__begin(&f, false, TYPE);
	reader_fixture__add_samples(&f, TYPE, 0, 100);
	file_builder__finish(&f, &out);
	out.len -= 1000;
	struct perf_data *data = perf_data__open(builder__write(&out, "cut.data"), 0, NULL);

	CHECK(data);
	CHECK_EQ(reader_fixture__walk_twice(data).nr[PERF_RECORD_SAMPLE], 75);
	const struct data_damage *damages = perf_data__damages(data, &nr);

	CHECK_EQ(nr, 1);
	CHECK_EQ(damages[0].size, 1000);
	perf_data__close(data);
	builder__exit(&out);
	file_builder__exit(&f);
}

/* A file of @nr samples whose bytes @damage changes; checks what the walk still sees. */
struct damage_case {
	const char *name;
	size_t at;      /* in the data section: sample size is 40 */
	int len;        /* bytes overwritten ... */
	u8 value;       /* ... with this */
	u64 samples;    /* that must be seen of 1000 */
	u64 lost_bytes; /* and the damage told */
};

static void check_damage(const struct damage_case *c)
{
	struct file_builder f;
	u64 lost = 0;
	u32 nr;

	reader_fixture__begin(&f, false, TYPE);
	reader_fixture__add_samples(&f, TYPE, 0, 1000);
	memset(f.data.data + c->at, c->value, c->len);
	struct perf_data *data = reader_fixture__open(&f);
	struct seen seen = reader_fixture__walk_twice(data);
	const struct data_damage *damages = perf_data__damages(data, &nr);

	for (u32 i = 0; i < nr; i++)
		lost += damages[i].size;
	if (seen.nr[PERF_RECORD_SAMPLE] != c->samples || lost != c->lost_bytes)
		unit__fail(__FILE__, __LINE__, "%s: %llu samples, %llu bytes lost", c->name,
		           (unsigned long long)seen.nr[PERF_RECORD_SAMPLE],
		           (unsigned long long)lost);
	CHECK_EQ(seen.bytes + lost, f.data.len);
	perf_data__close(data);
	file_builder__exit(&f);
}

TEST(reader_goes_on_behind_damage)
{
	static const struct damage_case cases[] = {
		{ "type 0", 400, 4, 0, 999, 40 },
		{ "type huge", 400, 4, 0xff, 999, 40 },
		{ "type 265", 401, 1, 1, 999, 40 },
		{ "size 0", 406, 2, 0, 999, 40 },
		{ "size too small", 406, 1, 4, 999, 40 },
		{ "size odd", 406, 1, 41, 999, 40 },
		{ "size too large by eight", 406, 1, 48, 999, 40 },
		{ "size of all the rest", 406, 2, 0xff, 999, 40 },
		/* From inside record 10 to inside record 12: 10 keeps its header. */
		{ "zeros inside", 410, 100, 0, 998, 80 },
		{ "zeros over many", 4000, 8000, 0, 800, 8000 },
		{ "first record", 0, 8, 0, 999, 40 },
		{ "last record", 39960, 8, 0, 999, 40 },
		{ "last two records", 39920, 80, 0, 998, 80 },
		{ "all to the end", 20000, 20000, 0, 500, 20000 },
		{ "everything", 0, 40000, 0, 0, 40000 },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++)
		check_damage(&cases[i]);
}

TEST(reader_finds_records_at_odd_distances)
{
	struct file_builder f;

	for (int shift = 1; shift < 8; shift++) {
		reader_fixture__begin(&f, false, TYPE);
		reader_fixture__add_samples(&f, TYPE, 0, 10);
		builder__zero(&f.data, 64 + shift);
		reader_fixture__add_samples(&f, TYPE, 10, 20);
		struct perf_data *data = reader_fixture__open(&f);

		CHECK_EQ(reader_fixture__walk_twice(data).nr[PERF_RECORD_SAMPLE], 30);
		perf_data__close(data);
		file_builder__exit(&f);
	}
}

/* A record's start right behind the place where none can be. */
TEST(reader_finds_records_four_bytes_on)
{
	struct file_builder f;

	reader_fixture__begin(&f, false, TYPE);
	reader_fixture__add_samples(&f, TYPE, 0, 10);
	builder__zero(&f.data, 4);
	reader_fixture__add_samples(&f, TYPE, 10, 20);
	struct perf_data *data = reader_fixture__open(&f);
	struct seen seen = reader_fixture__walk_twice(data);
	u32 nr;

	CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 30);
	CHECK_EQ(perf_data__damages(data, &nr)[0].size, 4);
	CHECK_EQ(nr, 1);
	perf_data__close(data);
	file_builder__exit(&f);
}

/* Bytes that look like a few records, in the middle of damage. */
TEST(reader_is_not_misled_by_a_header_or_two)
{
	for (unsigned odd = 0; odd < 2; odd++) {
		struct file_builder f;

		reader_fixture__begin(&f, false, TYPE);
		reader_fixture__add_samples(&f, TYPE, 0, 10);
		builder__zero(&f.data, 64 + odd);
		for (unsigned i = 0; i < (odd ? 5 : 2); i++)
			builder__end(&f.data, builder__begin(&f.data, RECORD_FINISHED_ROUND, 0));
		builder__zero(&f.data, 128 - odd);
		reader_fixture__add_samples(&f, TYPE, 10, 10);
		struct perf_data *data = reader_fixture__open(&f);
		struct seen seen = reader_fixture__walk_twice(data);
		u32 nr;

		CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 20);
		CHECK_EQ(seen.nr[RECORD_FINISHED_ROUND], 0);
		perf_data__damages(data, &nr);
		CHECK_EQ(nr, 1);
		perf_data__close(data);
		file_builder__exit(&f);
	}
}

TEST(reader_takes_the_last_record_before_a_cut)
{
	struct file_builder f;
	u32 nr;

	reader_fixture__begin(&f, false, TYPE);
	f.not_closed = true;
	reader_fixture__add_samples(&f, TYPE, 0, 10);
	builder__zero(&f.data, 64);
	reader_fixture__add_samples(&f, TYPE, 10, 2);
	f.data.len -= 8;
	struct perf_data *data = reader_fixture__open(&f);

	CHECK_EQ(reader_fixture__walk_twice(data).nr[PERF_RECORD_SAMPLE], 11);
	perf_data__damages(data, &nr);
	CHECK_EQ(nr, 2);
	perf_data__close(data);
	file_builder__exit(&f);
}

TEST(reader_crosses_damage_larger_than_its_window)
{
	struct file_builder f;
	u32 nr;

	reader_fixture__begin(&f, false, TYPE);
	reader_fixture__add_samples(&f, TYPE, 0, 10);
	builder__zero(&f.data, 5 << 20);
	reader_fixture__add_samples(&f, TYPE, 10, 10);
	struct perf_data *data = reader_fixture__open(&f);
	struct seen seen = reader_fixture__walk_twice(data);
	const struct data_damage *damages = perf_data__damages(data, &nr);

	CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 20);
	CHECK_EQ(nr, 1);
	CHECK_EQ(damages[0].size, 5 << 20);
	perf_data__close(data);
	file_builder__exit(&f);
}

/* More than a window of it, so that places of damage lie at all distances from a window's end. */
TEST(reader_counts_damage_at_every_turn)
{
	const u64 turns = 12000, samples = 4;
	struct file_builder f;
	u32 nr;

	reader_fixture__begin(&f, false, TYPE);
	for (u64 i = 0; i < turns; i++) {
		reader_fixture__add_samples(&f, TYPE, i * samples, samples);
		builder__zero(&f.data, 8);
	}
	struct perf_data *data = reader_fixture__open(&f);
	struct seen seen = reader_fixture__walk_twice(data);
	const struct data_damage *damages = perf_data__damages(data, &nr);

	CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], turns * samples);
	CHECK_EQ(nr, turns);
	for (u32 i = 0; i < nr; i++)
		CHECK_EQ(damages[i].size, 8);
	perf_data__close(data);
	file_builder__exit(&f);
}

TEST(reader_skips_what_it_does_not_know)
{
	struct file_builder f;
	u32 nr;

	reader_fixture__begin(&f, false, TYPE);
	reader_fixture__add_samples(&f, TYPE, 0, 5);
	for (u32 type = 23; type <= 200; type += 59) {
		size_t at = builder__begin(&f.data, type, 0);

		builder__zero(&f.data, 24);
		builder__end(&f.data, at);
	}
	reader_fixture__add_samples(&f, TYPE, 5, 5);
	struct perf_data *data = reader_fixture__open(&f);
	struct seen seen = reader_fixture__walk_twice(data);

	CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 10);
	CHECK_EQ(seen.nr[23] + seen.nr[82] + seen.nr_unknown, 4);
	perf_data__damages(data, &nr);
	CHECK_EQ(nr, 0);
	perf_data__close(data);
	file_builder__exit(&f);
}

/* Bytes that are no zstd stream: lost, said, and what lies around them is read. */
TEST(reader_keeps_what_is_around_broken_compressed_records)
{
	for (int closed = 0; closed < 2; closed++) {
		struct file_builder f;

		reader_fixture__begin(&f, false, TYPE);
		f.not_closed = !closed;
		reader_fixture__add_samples(&f, TYPE, 0, 3);
		size_t at = builder__begin(&f.data, RECORD_COMPRESSED, 0);

		builder__zero(&f.data, 32);
		builder__end(&f.data, at);
		reader_fixture__add_samples(&f, TYPE, 3, 10);
		const char *path = file_builder__write(&f, "perf.data");
		struct perf_data *data = perf_data__open(path, 0, NULL);

		file_builder__exit(&f);
		CHECK(data); /* the sample before it tells that the file is not packed */
		if (!data)
			continue;
		struct seen seen = reader_fixture__walk_twice(data);
		u32 nr;
		const struct data_damage *damages = perf_data__damages(data, &nr);

		CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 13);
		CHECK_EQ(nr, 1);
		CHECK(nr && damages[0].size >= 32);
		perf_data__close(data);
	}
}

static void add_auxtrace(struct file_builder *f, u64 payload, u64 claimed)
{
	size_t at = builder__begin(&f->data, RECORD_AUXTRACE, 0);

	builder__u64(&f->data, claimed);
	builder__zero(&f->data, 32);
	builder__end(&f->data, at);
	for (u64 i = 0; i < payload; i += 8) /* looks like records, but is none */
		builder__end(&f->data, builder__begin(&f->data, RECORD_FINISHED_ROUND, 0));
}

TEST(reader_steps_over_payload_behind_records)
{
	struct file_builder f;
	size_t at;
	u32 nr;

	reader_fixture__begin(&f, false, TYPE);
	reader_fixture__add_samples(&f, TYPE, 0, 5);
	add_auxtrace(&f, 1 << 20, 1 << 20);
	reader_fixture__add_samples(&f, TYPE, 5, 5);
	at = builder__begin(&f.data, RECORD_TRACING_DATA, 0);
	builder__u32(&f.data, 13); /* padded to 16 */
	builder__u32(&f.data, 0);
	builder__end(&f.data, at);
	builder__zero(&f.data, 16);
	reader_fixture__add_samples(&f, TYPE, 10, 5);
	struct perf_data *data = reader_fixture__open(&f);
	struct seen seen = reader_fixture__walk_twice(data);

	CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 15);
	CHECK_EQ(seen.nr[RECORD_FINISHED_ROUND], 0);
	CHECK_EQ(seen.nr[RECORD_AUXTRACE], 1);
	CHECK_EQ(seen.nr[RECORD_TRACING_DATA], 1);
	perf_data__damages(data, &nr);
	CHECK_EQ(nr, 0);
	perf_data__close(data);
	file_builder__exit(&f);
}

TEST(reader_does_not_believe_payload_behind_the_end)
{
	struct file_builder f;
	u32 nr;

	reader_fixture__begin(&f, false, TYPE);
	reader_fixture__add_samples(&f, TYPE, 0, 5);
	add_auxtrace(&f, 0, 1ull << 40);
	reader_fixture__add_samples(&f, TYPE, 5, 5);
	struct perf_data *data = reader_fixture__open(&f);
	struct seen seen = reader_fixture__walk_twice(data);
	const struct data_damage *damages = perf_data__damages(data, &nr);

	CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 10);
	CHECK_EQ(nr, 1);
	CHECK_EQ(damages[0].size, 48);
	perf_data__close(data);
	file_builder__exit(&f);
}

TEST(reader_refuses_block_of_a_file_that_changed)
{
	struct file_builder f;
	struct block_buffer buffer = { 0 };
	struct data_block block;

	reader_fixture__begin(&f, false, TYPE);
	reader_fixture__add_samples(&f, TYPE, 0, 100);
	struct perf_data *data = reader_fixture__open(&f);

	reader_fixture__walk_twice(data);
	builder__set_u16(&f.data, 3960 + 6, 48); /* the last record: eight bytes behind the end */
	file_builder__write(&f, "perf.data");
	CHECK_EQ(perf_data__read_block(data, 0, &buffer, &block), -EBADMSG);
	memset(f.data.data + 400, 0, 100);
	file_builder__write(&f, "perf.data");
	CHECK_EQ(perf_data__read_block(data, 0, &buffer, &block), -EBADMSG);
	f.data.len = 400;
	file_builder__write(&f, "perf.data");
	CHECK_EQ(perf_data__read_block(data, 0, &buffer, &block), -EIO);
	CHECK_EQ(reader_fixture__walk_twice(data).nr[PERF_RECORD_SAMPLE], 10);
	free(buffer.buf);
	perf_data__close(data);
	file_builder__exit(&f);
}
