// SPDX-License-Identifier: GPL-2.0-or-later
/* Opening files, the first walk and reading blocks again; every kind of damage. */
#include "util/data/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"

#define TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

/* What a walk saw. */
struct seen {
	struct perf_data *data;
	u64 nr[RECORD_TYPE_MAX], nr_unknown, nr_records, bytes;
	u64 first_time, last_time; /* of samples, as a check of content */
	bool wrong;                /* a block or record that must not be */
	int stop;                  /* return this from the callback */
};

static int look(void *ctx, const struct data_block *block)
{
	struct seen *seen = ctx;
	bool swap = perf_data__swapped(seen->data);

	seen->bytes += block->len;
	for (struct record r = { 0 }; data_block__next(block, swap, &r);) {
		struct sample s;

		seen->nr_records++;
		seen->wrong |= r.size < 8 || r.data + r.size > block->data + block->len;
		if (r.type < RECORD_TYPE_MAX)
			seen->nr[r.type]++;
		else
			seen->nr_unknown++;
		if (r.type != PERF_RECORD_SAMPLE)
			continue;
		struct evsel *evsel = perf_data__find_evsel(seen->data, &r);

		if (!evsel ||
		    sample__decode_fast(perf_data__layout(seen->data, evsel), &r, swap, &s))
			continue;
		seen->first_time = seen->first_time ? seen->first_time : s.time;
		seen->last_time = s.time;
	}
	return seen->stop;
}

/* Walk, then read each block again and compare with the walk. */
static struct seen walk_twice(struct perf_data *data)
{
	struct seen seen = { .data = data }, again = { .data = data };
	struct block_buffer buffer = { 0 };
	struct data_block block;

	CHECK_EQ(perf_data__walk(data, look, &seen, NULL), 0);
	for (u32 i = 0; i < perf_data__nr_blocks(data); i++) {
		CHECK_EQ(perf_data__read_block(data, i, &buffer, &block), 0);
		CHECK_EQ(block.index, i);
		look(&again, &block);
	}
	CHECK_EQ(perf_data__read_block(data, perf_data__nr_blocks(data), &buffer, &block), -EINVAL);
	CHECK_EQ(again.bytes, seen.bytes);
	CHECK_EQ(again.nr_records, seen.nr_records);
	CHECK(!seen.wrong);
	free(buffer.buf);
	return seen;
}

static struct perf_data *open_built(const struct file_builder *f)
{
	struct error err = ERROR_INIT;
	char text[1200];
	struct perf_data *data = perf_data__open(file_builder__write(f, "perf.data"), 0, &err);

	if (!data)
		unit__fail(__FILE__, __LINE__, "cannot open: %s",
		           error__text(&err, text, sizeof(text)));
	return data;
}

static struct built_sample sample_nr(u64 i)
{
	return (struct built_sample){
		.ip = 0x400000 + i, .time = 1 + i, .pid = 10, .tid = 11, .period = 1, .id = 7
	};
}

static void add_samples(struct file_builder *f, u64 type, u64 from, u64 nr)
{
	for (u64 i = from; i < from + nr; i++) {
		struct built_sample s = sample_nr(i);

		builder__sample(&f->data, type, PERF_RECORD_MISC_USER, &s);
	}
}

static void begin_file(struct file_builder *f, bool swap, u64 type)
{
	struct perf_event_attr attr = built_attr(type);

	file_builder__init(f, swap);
	file_builder__event(f, &attr, (u64[]){ 7 }, 1);
}

TEST(reader_sees_every_record_in_both_orders)
{
	for (int swap = 0; swap < 2; swap++) {
		struct file_builder f;
		struct built_sample s = sample_nr(0);

		begin_file(&f, swap, TYPE);
		builder__comm(&f.data, TYPE, &s, "a");
		add_samples(&f, TYPE, 0, 1000);
		builder__end(&f.data, builder__begin(&f.data, RECORD_FINISHED_ROUND, 0));
		struct perf_data *data = open_built(&f);
		struct seen seen = walk_twice(data);
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

	begin_file(&f, false, TYPE);
	add_samples(&f, TYPE, 0, 100000); /* 4 MB */
	struct perf_data *data = open_built(&f);
	struct seen seen = walk_twice(data);

	CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 100000);
	CHECK_EQ(seen.first_time, 1);
	CHECK_EQ(seen.last_time, 100000);
	CHECK(perf_data__nr_blocks(data) >= 4 && perf_data__nr_blocks(data) <= 20);
	/* A callback may end the walk with a value of its own. */
	seen = (struct seen){ .data = data, .stop = 5 };
	CHECK_EQ(perf_data__walk(data, look, &seen, NULL), 5);
	CHECK_EQ(perf_data__nr_blocks(data), 1);
	perf_data__close(data);
	file_builder__exit(&f);
}

TEST(reader_takes_attrs_of_every_age)
{
	static const u64 sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 200 };

	for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++)
		for (int swap = 0; swap < 2; swap++) {
			struct perf_event_attr attr = built_attr(TYPE);
			struct file_builder f;

			attr.size = sizes[i];
			attr.config1 = 0x1234;
			attr.config2 = 0x5678;
			attr.precise_ip = 2;
			attr.exclude_kernel = 1;
			attr.sample_max_stack = 77;
			file_builder__init(&f, swap);
			f.attr_size = sizes[i];
			file_builder__event(&f, &attr, NULL, 0);
			if (sizes[i] > 128) /* one byte that we cannot understand */
				f.attrs.data[130] = 9;
			add_samples(&f, TYPE, 0, 3);
			struct perf_data *data = open_built(&f);
			const struct perf_event_attr *got =
			        &perf_data__evlist(data)->evsels[0]->attr;

			CHECK_EQ(got->sample_type, TYPE);
			CHECK_EQ(got->config1, 0x1234);
			CHECK_EQ(got->config2, sizes[i] >= 72 ? 0x5678 : 0);
			CHECK_EQ(got->sample_max_stack, sizes[i] >= 112 ? 77 : 0);
			CHECK_EQ(got->precise_ip, 2);
			CHECK_EQ(got->exclude_kernel, 1);
			CHECK_EQ(got->exclude_user, 0);
			CHECK_EQ(got->sample_id_all, 1);
			CHECK_EQ(perf_data__info(data)->nr_unknown_attr_bytes, sizes[i] > 128);
			CHECK_EQ(walk_twice(data).nr[PERF_RECORD_SAMPLE], 3);
			perf_data__close(data);
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
		walk_twice(data);
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

TEST(reader_reads_to_the_end_of_a_file_not_closed)
{
	struct file_builder f;
	u32 nr;

	begin_file(&f, false, TYPE);
	f.not_closed = true;
	add_samples(&f, TYPE, 0, 100);
	f.data.len -= 10; /* perf died while writing the last one */
	struct perf_data *data = open_built(&f);
	struct seen seen = walk_twice(data);

	CHECK(perf_data__not_closed(data));
	CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 99);
	const struct data_damage *damages = perf_data__damages(data, &nr);

	CHECK_EQ(nr, 1);
	CHECK_EQ(damages[0].size, 30);
	CHECK_EQ(damages[0].offset + 30, perf_data__size(data));
	perf_data__close(data);
	file_builder__exit(&f);
}

TEST(reader_says_what_a_cut_file_lacks)
{
	struct file_builder f;
	struct builder out;
	u32 nr;

	begin_file(&f, false, TYPE);
	add_samples(&f, TYPE, 0, 100);
	file_builder__finish(&f, &out);
	out.len -= 1000;
	struct perf_data *data = perf_data__open(builder__write(&out, "cut.data"), 0, NULL);

	CHECK(data);
	CHECK_EQ(walk_twice(data).nr[PERF_RECORD_SAMPLE], 75);
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

	begin_file(&f, false, TYPE);
	add_samples(&f, TYPE, 0, 1000);
	memset(f.data.data + c->at, c->value, c->len);
	struct perf_data *data = open_built(&f);
	struct seen seen = walk_twice(data);
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
		begin_file(&f, false, TYPE);
		add_samples(&f, TYPE, 0, 10);
		builder__zero(&f.data, 64 + shift);
		add_samples(&f, TYPE, 10, 20);
		struct perf_data *data = open_built(&f);

		CHECK_EQ(walk_twice(data).nr[PERF_RECORD_SAMPLE], 30);
		perf_data__close(data);
		file_builder__exit(&f);
	}
}

/* A record's start right behind the place where none can be. */
TEST(reader_finds_records_four_bytes_on)
{
	struct file_builder f;

	begin_file(&f, false, TYPE);
	add_samples(&f, TYPE, 0, 10);
	builder__zero(&f.data, 4);
	add_samples(&f, TYPE, 10, 20);
	struct perf_data *data = open_built(&f);
	struct seen seen = walk_twice(data);
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

		begin_file(&f, false, TYPE);
		add_samples(&f, TYPE, 0, 10);
		builder__zero(&f.data, 64 + odd);
		for (unsigned i = 0; i < (odd ? 5 : 2); i++)
			builder__end(&f.data, builder__begin(&f.data, RECORD_FINISHED_ROUND, 0));
		builder__zero(&f.data, 128 - odd);
		add_samples(&f, TYPE, 10, 10);
		struct perf_data *data = open_built(&f);
		struct seen seen = walk_twice(data);
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

	begin_file(&f, false, TYPE);
	f.not_closed = true;
	add_samples(&f, TYPE, 0, 10);
	builder__zero(&f.data, 64);
	add_samples(&f, TYPE, 10, 2);
	f.data.len -= 8;
	struct perf_data *data = open_built(&f);

	CHECK_EQ(walk_twice(data).nr[PERF_RECORD_SAMPLE], 11);
	perf_data__damages(data, &nr);
	CHECK_EQ(nr, 2);
	perf_data__close(data);
	file_builder__exit(&f);
}

TEST(reader_crosses_damage_larger_than_its_window)
{
	struct file_builder f;
	u32 nr;

	begin_file(&f, false, TYPE);
	add_samples(&f, TYPE, 0, 10);
	builder__zero(&f.data, 5 << 20);
	add_samples(&f, TYPE, 10, 10);
	struct perf_data *data = open_built(&f);
	struct seen seen = walk_twice(data);
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

	begin_file(&f, false, TYPE);
	for (u64 i = 0; i < turns; i++) {
		add_samples(&f, TYPE, i * samples, samples);
		builder__zero(&f.data, 8);
	}
	struct perf_data *data = open_built(&f);
	struct seen seen = walk_twice(data);
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

	begin_file(&f, false, TYPE);
	add_samples(&f, TYPE, 0, 5);
	for (u32 type = 23; type <= 200; type += 59) {
		size_t at = builder__begin(&f.data, type, 0);

		builder__zero(&f.data, 24);
		builder__end(&f.data, at);
	}
	add_samples(&f, TYPE, 5, 5);
	struct perf_data *data = open_built(&f);
	struct seen seen = walk_twice(data);

	CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 10);
	CHECK_EQ(seen.nr[23] + seen.nr[82] + seen.nr_unknown, 4);
	perf_data__damages(data, &nr);
	CHECK_EQ(nr, 0);
	perf_data__close(data);
	file_builder__exit(&f);
}

/* Where no feature says it: a file that was not closed. */
TEST(reader_refuses_compressed_records_of_a_file_not_closed)
{
	for (int closed = 0; closed < 2; closed++) {
		struct error err = ERROR_INIT;
		struct file_builder f;
		struct seen seen = { 0 };

		begin_file(&f, false, TYPE);
		f.not_closed = !closed;
		size_t at = builder__begin(&f.data, RECORD_COMPRESSED, 0);

		builder__zero(&f.data, 32);
		builder__end(&f.data, at);
		add_samples(&f, TYPE, 0, 10);
		struct perf_data *data = open_built(&f);

		seen.data = data;
		CHECK_EQ(perf_data__walk(data, look, &seen, &err), closed ? 0 : -EOPNOTSUPP);
		CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], closed ? 10 : 0);
		CHECK(closed || strstr(err.cause, "compressed"));
		perf_data__close(data);
		file_builder__exit(&f);
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

	begin_file(&f, false, TYPE);
	add_samples(&f, TYPE, 0, 5);
	add_auxtrace(&f, 1 << 20, 1 << 20);
	add_samples(&f, TYPE, 5, 5);
	at = builder__begin(&f.data, RECORD_TRACING_DATA, 0);
	builder__u32(&f.data, 13); /* padded to 16 */
	builder__u32(&f.data, 0);
	builder__end(&f.data, at);
	builder__zero(&f.data, 16);
	add_samples(&f, TYPE, 10, 5);
	struct perf_data *data = open_built(&f);
	struct seen seen = walk_twice(data);

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

	begin_file(&f, false, TYPE);
	add_samples(&f, TYPE, 0, 5);
	add_auxtrace(&f, 0, 1ull << 40);
	add_samples(&f, TYPE, 5, 5);
	struct perf_data *data = open_built(&f);
	struct seen seen = walk_twice(data);
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

	begin_file(&f, false, TYPE);
	add_samples(&f, TYPE, 0, 100);
	struct perf_data *data = open_built(&f);

	walk_twice(data);
	builder__set_u16(&f.data, 3960 + 6, 48); /* the last record: eight bytes behind the end */
	file_builder__write(&f, "perf.data");
	CHECK_EQ(perf_data__read_block(data, 0, &buffer, &block), -EBADMSG);
	memset(f.data.data + 400, 0, 100);
	file_builder__write(&f, "perf.data");
	CHECK_EQ(perf_data__read_block(data, 0, &buffer, &block), -EBADMSG);
	f.data.len = 400;
	file_builder__write(&f, "perf.data");
	CHECK_EQ(perf_data__read_block(data, 0, &buffer, &block), -EIO);
	CHECK_EQ(walk_twice(data).nr[PERF_RECORD_SAMPLE], 10);
	free(buffer.buf);
	perf_data__close(data);
	file_builder__exit(&f);
}

/* The error for a file of these bytes, or "opened". */
static const char *why_not(const char *path)
{
	static char text[1200];
	struct error err = ERROR_INIT;
	struct perf_data *data = perf_data__open(path, 0, &err);

	if (data) {
		perf_data__close(data);
		return "opened";
	}
	error__text(&err, text, sizeof(text));
	return text;
}

static void check_refused(const char *path, const char *cause)
{
	const char *text = why_not(path);

	if (!strstr(text, cause))
		unit__fail(__FILE__, __LINE__, "'%s' does not say '%s'", text, cause);
	CHECK(!perf_data__open(path, 0, NULL));
}

TEST(reader_refuses_what_is_no_file)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/missing", unit__tmpdir());
	check_refused(path, "No such file or directory\ntry 'perf record' first");
	check_refused(unit__tmpdir(), "directories of perf.data files are not supported yet");
	check_refused("/dev/null", "not a regular file");
	check_refused("-", "pipe");
	snprintf(path, sizeof(path), "%s/fifo", unit__tmpdir());
	CHECK_EQ(mkfifo(path, 0600), 0);
	check_refused(path, "pipe");
}

TEST(reader_refuses_foreign_files)
{
	struct builder b = { 0 };

	check_refused(builder__write(&b, "empty"), "nothing to do");
	builder__bytes(&b, "PERFI", 5);
	check_refused(builder__write(&b, "short"), "too short");
	builder__bytes(&b,
	               "this is some other file of a hundred bytes or so, long enough to hold"
	               " a header, which it does not",
	               90);
	check_refused(builder__write(&b, "foreign"), "wrong magic");
	memcpy(b.data, "PERFFILE", 8);
	check_refused(builder__write(&b, "old"), "version 1");
	memcpy(b.data, "PERFILE2\x10\0\0\0\0\0\0\0", 16);
	check_refused(builder__write(&b, "pipe"), "pipe form");
	b.data[8] = 20;
	check_refused(builder__write(&b, "header"), "header size makes no sense");
	b.data[8] = 104;
	b.len = 60;
	check_refused(builder__write(&b, "cut"), "cut inside its header");
	builder__exit(&b);
}

/* Each field of the header replaced by a lie. */
TEST(reader_checks_the_places_its_header_names)
{
	struct file_builder f;
	struct builder out;

	begin_file(&f, false, TYPE);
	add_samples(&f, TYPE, 0, 10);
	file_builder__finish(&f, &out);
	static const struct {
		size_t at;
		u64 lie;
		const char *cause;
	} lies[] = {
		{ 16, 0, "event descriptions" },       { 16, 79, "event descriptions" },
		{ 16, 1 << 30, "event descriptions" }, { 24, 1 << 20, "outside the file" },
		{ 24, ~0ull, "outside the file" },     { 32, 0, "no event" },
		{ 32, 1 << 20, "outside the file" },   { 32, ~0ull, "outside the file" },
		{ 40, ~0ull, "outside the file" },     { 40, 8, "outside the file" },
		{ 40, 1 << 20, "outside the file" },   { 8, 20, "header size" },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(lies); i++) {
		u64 truth;

		memcpy(&truth, out.data + lies[i].at, 8);
		memcpy(out.data + lies[i].at, &lies[i].lie, 8);
		check_refused(builder__write(&out, "lie"), lies[i].cause);
		memcpy(out.data + lies[i].at, &truth, 8);
	}
	CHECK_STR(why_not(builder__write(&out, "truth")), "opened");
	builder__exit(&out);
	file_builder__exit(&f);
}

TEST(reader_counts_id_lists_it_cannot_read)
{
	struct perf_event_attr attr = built_attr(TYPE);
	struct file_builder f;

	begin_file(&f, false, TYPE);
	file_builder__event(&f, &attr, (u64[]){ 8, 9 }, 2);
	builder__set_u64(&f.attrs, 128, 1ull << 50);
	builder__set_u64(&f.attrs, 144 + 136, 1ull << 60);
	add_samples(&f, TYPE, 0, 10);
	struct perf_data *data = open_built(&f);

	CHECK_EQ(perf_data__info(data)->nr_lost_ids, 2);
	CHECK_EQ(perf_data__evlist(data)->evsels[0]->nr_ids, 0);
	CHECK_EQ(walk_twice(data).nr[PERF_RECORD_SAMPLE], 10);
	perf_data__close(data);
	file_builder__exit(&f);
}

/* Lists that lie upon each other would make a small file use much memory. */
TEST(reader_reads_no_more_ids_than_the_file_has_bytes)
{
	struct perf_event_attr attr = built_attr(TYPE);
	struct file_builder f;

	file_builder__init(&f, false);
	for (u64 i = 0; i < 10; i++) {
		file_builder__event(&f, &attr, &i, 1);
		builder__set_u64(&f.attrs, i * 144 + 128, 0);
		builder__set_u64(&f.attrs, i * 144 + 136, 1600);
	}
	add_samples(&f, TYPE, 0, 1);
	struct perf_data *data = open_built(&f);

	CHECK_EQ(perf_data__size(data), 104 + 80 + 1440 + 40);
	CHECK_EQ(perf_data__evlist(data)->evsels[0]->nr_ids, 200);
	CHECK_EQ(perf_data__evlist(data)->evsels[1]->nr_ids, 0);
	CHECK_EQ(perf_data__info(data)->nr_lost_ids, 9);
	perf_data__close(data);
	file_builder__exit(&f);
}

TEST(reader_takes_the_old_short_header)
{
	struct perf_event_attr attr = built_attr(TYPE);
	struct file_builder f;

	file_builder__init(&f, false);
	f.header_size = 72;
	file_builder__event(&f, &attr, NULL, 0);
	add_samples(&f, TYPE, 0, 10);
	struct perf_data *data = open_built(&f);

	CHECK_EQ(walk_twice(data).nr[PERF_RECORD_SAMPLE], 10);
	CHECK_EQ(perf_data__info(data)->header_size, 72);
	perf_data__close(data);
	file_builder__exit(&f);
}

TEST(reader_wants_the_owner_or_force)
{
	struct file_builder f;

	if (geteuid()) {
		unit__skip("only root can make a file of another user");
		return;
	}
	begin_file(&f, false, TYPE);
	const char *path = file_builder__write(&f, "other.data");

	CHECK_EQ(chown(path, 65534, -1), 0);
	check_refused(path, "not owned by current user or root (use -f to override)");
	struct perf_data *data = perf_data__open(path, PERF_DATA_FORCE, NULL);

	CHECK(data);
	CHECK_STR(perf_data__path(data), path);
	perf_data__close(data);
	perf_data__close(NULL);
	file_builder__exit(&f);
}

static void add_update(struct file_builder *f, u64 what, u64 id, const void *payload, size_t len)
{
	size_t at = builder__begin(&f->data, RECORD_EVENT_UPDATE, 0);

	builder__u64(&f->data, what);
	builder__u64(&f->data, id);
	if (what == 1)
		builder__u64(&f->data, *(const u64 *)payload);
	else
		builder__bytes(&f->data, payload, len);
	builder__zero(&f->data, -len % 8);
	builder__end(&f->data, at);
}

TEST(reader_applies_event_updates_on_the_walk)
{
	for (int swap = 0; swap < 2; swap++) {
		double scale = 0.25, nan = 0.0 / 0.0;
		struct file_builder f;

		begin_file(&f, swap, TYPE);
		add_update(&f, 0, 7, "msec", 5);
		add_update(&f, 1, 7, &scale, 8);
		add_update(&f, 2, 7, "my-event", 9);
		add_update(&f, 1, 7, &nan, 8);                   /* no number */
		add_update(&f, 2, 1234, "other", 6);             /* of no event */
		add_update(&f, 2, 7, "no end 01234567", 15 - 7); /* no NUL */
		add_update(&f, 9, 7, "what", 5);
		struct perf_data *data = open_built(&f);

		walk_twice(data);
		const struct evsel *evsel = perf_data__evlist(data)->evsels[0];

		CHECK_STR(evsel->unit, "msec");
		CHECK_STR(evsel->name, "my-event");
		CHECK(evsel->scale == 0.25);
		perf_data__close(data);
		file_builder__exit(&f);
	}
}
