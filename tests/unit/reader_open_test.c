// SPDX-License-Identifier: GPL-2.0-or-later
/* Opening files: what is refused, and what header, attrs and ids say. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/reader_fixture.h"
#include "tests/unit/unit.h"
#include "util/reader/features.h"

#define TYPE READER_FIXTURE_TYPE

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
			reader_fixture__add_samples(&f, TYPE, 0, 3);
			struct perf_data *data = reader_fixture__open(&f);
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
			CHECK_EQ(reader_fixture__walk_twice(data).nr[PERF_RECORD_SAMPLE], 3);
			perf_data__close(data);
			file_builder__exit(&f);
		}
}

TEST(reader_reads_to_the_end_of_a_file_not_closed)
{
	struct file_builder f;
	u32 nr;

	reader_fixture__begin(&f, false, TYPE);
	f.not_closed = true;
	reader_fixture__add_samples(&f, TYPE, 0, 100);
	f.data.len -= 10; /* perf died while writing the last one */
	struct perf_data *data = reader_fixture__open(&f);
	struct seen seen = reader_fixture__walk_twice(data);

	CHECK(perf_data__not_closed(data));
	CHECK_EQ(seen.nr[PERF_RECORD_SAMPLE], 99);
	const struct data_damage *damages = perf_data__damages(data, &nr);

	CHECK_EQ(nr, 1);
	CHECK_EQ(damages[0].size, 30);
	CHECK_EQ(damages[0].offset + 30, perf_data__size(data));
	perf_data__close(data);
	file_builder__exit(&f);
}

/* Where no feature says it: a file that was not closed. */
/* No record, but features: such a file ended. */
TEST(reader_of_a_finished_file_without_records)
{
	for (int swap = 0; swap < 2; swap++) {
		struct file_builder f;
		struct perf_data *data;
		struct seen seen;
		u32 nr_damages;

		reader_fixture__begin(&f, swap, TYPE);
		builder__feature_string(file_builder__feature(&f, FEATURE_HOSTNAME), "here");
		data = reader_fixture__open(&f);
		seen = reader_fixture__walk_twice(data);
		perf_data__damages(data, &nr_damages);
		CHECK(!perf_data__not_closed(data));
		CHECK_STR(perf_data__feature_string(data, FEATURE_HOSTNAME), "here");
		CHECK_EQ(seen.nr_records + nr_damages, 0);
		perf_data__close(data);
		/* With records it is one whose size was lost: they are read. */
		reader_fixture__add_samples(&f, TYPE, 0, 5);
		f.data_size = 0;
		data = reader_fixture__open(&f);
		CHECK(perf_data__not_closed(data));
		CHECK_EQ(reader_fixture__walk_twice(data).nr[PERF_RECORD_SAMPLE], 5);
		perf_data__close(data);
		file_builder__exit(&f);
	}
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
	check_refused(unit__tmpdir(), "the folder is no recording: it has no file 'data'");
	check_refused("/dev/null", "a terminal or device is not a profile");
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
	check_refused(builder__write(&b, "pipe"), "the stream describes no event");
	b.len = 16;
	check_refused(builder__write(&b, "start"), "ended before it described an event");
	b.len = 90;
	b.data[8] = 20;
	check_refused(builder__write(&b, "header"), "header size makes no sense");
	b.data[8] = 104;
	b.len = 60;
	check_refused(builder__write(&b, "cut"), "cut inside its header");
	builder__exit(&b);
}

/* Each field of the header replaced by a lie. */
TEST(reader_checks_the_offsets_its_header_names)
{
	struct file_builder f;
	struct builder out;

	reader_fixture__begin(&f, false, TYPE);
	reader_fixture__add_samples(&f, TYPE, 0, 10);
	file_builder__finish(&f, &out);
	static const struct {
		size_t at;
		u64 lie;
		const char *cause;
	} lies[] = {
		{ 16, 0, "event descriptions" },
		{ 16, 79, "event descriptions" },
		{ 16, 1 << 30, "event descriptions" },
		{ 24, 1 << 20, "outside the file" },
		{ 24, 8, "or in its header" },
		{ 24, 400, "among its records" },
		{ 24, 104, "other bytes" },
		{ 24, 108, "other bytes" },
		{ 24, ~0ull, "outside the file" },
		{ 32, 0, "no event" },
		{ 32, 1 << 20, "outside the file" },
		{ 32, ~0ull, "outside the file" },
		{ 40, ~0ull, "outside the file" },
		{ 40, 8, "outside the file" },
		{ 40, 1 << 20, "outside the file" },
		{ 8, 20, "header size" },
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

	reader_fixture__begin(&f, false, TYPE);
	file_builder__event(&f, &attr, (u64[]){ 8, 9 }, 2);
	builder__set_u64(&f.attrs, 128, 1ull << 50);
	builder__set_u64(&f.attrs, 144 + 136, 1ull << 60);
	reader_fixture__add_samples(&f, TYPE, 0, 10);
	struct perf_data *data = reader_fixture__open(&f);

	CHECK_EQ(perf_data__info(data)->nr_lost_ids, 2);
	CHECK_EQ(perf_data__evlist(data)->evsels[0]->nr_ids, 0);
	CHECK_EQ(reader_fixture__walk_twice(data).nr[PERF_RECORD_SAMPLE], 10);
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
	reader_fixture__add_samples(&f, TYPE, 0, 1);
	struct perf_data *data = reader_fixture__open(&f);

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
	reader_fixture__add_samples(&f, TYPE, 0, 10);
	struct perf_data *data = reader_fixture__open(&f);

	CHECK_EQ(reader_fixture__walk_twice(data).nr[PERF_RECORD_SAMPLE], 10);
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
	reader_fixture__begin(&f, false, TYPE);
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

		reader_fixture__begin(&f, swap, TYPE);
		add_update(&f, 0, 7, "msec", 5);
		add_update(&f, 1, 7, &scale, 8);
		add_update(&f, 2, 7, "my-event", 9);
		add_update(&f, 1, 7, &nan, 8);                   /* no number */
		add_update(&f, 2, 1234, "other", 6);             /* of no event */
		add_update(&f, 2, 7, "no end 01234567", 15 - 7); /* no NUL */
		add_update(&f, 9, 7, "what", 5);
		struct perf_data *data = reader_fixture__open(&f);

		reader_fixture__walk_twice(data);
		const struct evsel *evsel = perf_data__evlist(data)->evsels[0];

		CHECK_STR(evsel->unit, "msec");
		CHECK_STR(evsel->name, "my-event");
		CHECK(evsel->scale == 0.25);
		perf_data__close(data);
		file_builder__exit(&f);
	}
}
