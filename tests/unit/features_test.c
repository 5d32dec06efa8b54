// SPDX-License-Identifier: GPL-2.0-or-later
/* The feature sections: where they lie, and those that the reader itself decodes. */
#include "util/reader/features.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "util/reader/reader.h"

static void begin_file(struct file_builder *f, bool swap, unsigned nr_events)
{
	file_builder__init(f, swap);
	for (u64 i = 0; i < nr_events; i++) {
		struct perf_event_attr attr = built_attr(PERF_SAMPLE_IP | PERF_SAMPLE_ID);

		file_builder__event(f, &attr, &i, 1);
	}
	/* No data would mean a file that was not closed. */
	builder__end(&f->data, builder__begin(&f->data, RECORD_FINISHED_ROUND, 0));
}

static struct perf_data *open_built(const struct file_builder *f)
{
	struct perf_data *data = perf_data__open(file_builder__write(f, "perf.data"), 0, NULL);

	CHECK(data);
	return data;
}

TEST(feature_names_are_known_or_null)
{
	CHECK_STR(perf_feature__name(FEATURE_HOSTNAME), "HOSTNAME");
	CHECK_STR(perf_feature__name(FEATURE_CLN_SIZE), "CLN_SIZE");
	CHECK(!perf_feature__name(0));
	CHECK(!perf_feature__name(35));
	CHECK(!perf_feature__name(~0u));
}

TEST(feature_strings_are_read_in_both_orders)
{
	for (int swap = 0; swap < 2; swap++) {
		struct file_builder f;
		size_t size;

		begin_file(&f, swap, 1);
		builder__feature_string(file_builder__feature(&f, FEATURE_HOSTNAME), "a-host");
		builder__feature_string(file_builder__feature(&f, FEATURE_ARCH), "s390x");
		builder__u32(file_builder__feature(&f, FEATURE_OSRELEASE), 4); /* cut */
		builder__u32(file_builder__feature(&f, FEATURE_CPUID), 4);     /* no NUL */
		builder__bytes(file_builder__feature(&f, FEATURE_CPUID), "abcd", 4);
		file_builder__feature(&f, FEATURE_STAT); /* empty, a flag */
		builder__bytes(file_builder__feature(&f, 200), "future", 6);
		struct perf_data *data = open_built(&f);

		CHECK_STR(perf_data__feature_string(data, FEATURE_HOSTNAME), "a-host");
		CHECK_STR(perf_data__feature_string(data, FEATURE_ARCH), "s390x");
		CHECK(!perf_data__feature_string(data, FEATURE_OSRELEASE));
		CHECK(!perf_data__feature_string(data, FEATURE_CPUID));
		CHECK(!perf_data__feature_string(data, FEATURE_VERSION));
		CHECK(perf_data__has_feature(data, FEATURE_STAT));
		CHECK(perf_data__feature(data, FEATURE_STAT, &size) && size == 0);
		CHECK(!perf_data__has_feature(data, FEATURE_VERSION));
		CHECK(!perf_data__has_feature(data, 256));
		CHECK(!perf_data__feature(data, 1000, &size));
		CHECK(perf_data__has_feature(data, 200));
		CHECK(!memcmp(perf_data__feature(data, 200, &size), "future", 6));
		CHECK_EQ(size, 6);
		perf_data__close(data);
		file_builder__exit(&f);
	}
}

/* A bitmap of 32-bit longs (old 32-bit machines), and one without HOSTNAME. */
TEST(feature_bitmap_of_other_word_sizes)
{
	for (int with_host = 0; with_host < 2; with_host++) {
		struct file_builder f;
		struct builder out;

		begin_file(&f, true, 1);
		file_builder__feature(&f, FEATURE_BUILD_ID);
		if (with_host)
			builder__feature_string(file_builder__feature(&f, FEATURE_HOSTNAME), "h");
		file_builder__finish(&f, &out);
		for (unsigned i = 0; i < 4; i++) {
			u32 low, high;

			memcpy(&high, out.data + 72 + 8 * i, 4);
			memcpy(&low, out.data + 76 + 8 * i, 4);
			memcpy(out.data + 72 + 8 * i, &low, 4);
			memcpy(out.data + 76 + 8 * i, &high, 4);
		}
		struct perf_data *data = perf_data__open(builder__write(&out, "x"), 0, NULL);

		CHECK(data);
		CHECK(perf_data__has_feature(data, FEATURE_BUILD_ID));
		CHECK_EQ(perf_data__has_feature(data, FEATURE_HOSTNAME), with_host);
		if (with_host)
			CHECK_STR(perf_data__feature_string(data, FEATURE_HOSTNAME), "h");
		perf_data__close(data);
		builder__exit(&out);
		file_builder__exit(&f);
	}
}

TEST(feature_table_that_lies_is_harmless)
{
	struct file_builder f;
	struct builder out;
	size_t size, table;

	begin_file(&f, false, 1);
	builder__feature_string(file_builder__feature(&f, FEATURE_HOSTNAME), "h");
	builder__feature_string(file_builder__feature(&f, FEATURE_ARCH), "a");
	builder__feature_string(file_builder__feature(&f, FEATURE_CPUID), "c");
	file_builder__finish(&f, &out);
	table = 104 + 8 + 144 + 8;
	builder__set_u64(&out, table, 1ull << 60); /* HOSTNAME lies far away */
	builder__set_u64(&out, table + 16, 0);     /* ARCH is the whole file ... */
	builder__set_u64(&out, table + 24, out.len);
	builder__set_u64(&out, table + 32, 0); /* ... and so is CPUID */
	builder__set_u64(&out, table + 40, out.len);
	struct perf_data *data = perf_data__open(builder__write(&out, "x"), 0, NULL);

	CHECK(perf_data__has_feature(data, FEATURE_HOSTNAME));
	CHECK(!perf_data__feature(data, FEATURE_HOSTNAME, &size));
	CHECK(perf_data__feature(data, FEATURE_ARCH, &size));
	CHECK_EQ(size, out.len);
	CHECK(!perf_data__feature(data, FEATURE_CPUID, &size)); /* more than the file in all */
	perf_data__close(data);
	out.len = table + 20; /* cut inside the table */
	data = perf_data__open(builder__write(&out, "x"), 0, NULL);
	CHECK(data);
	CHECK(perf_data__has_feature(data, FEATURE_CPUID));
	CHECK(!perf_data__feature(data, FEATURE_CPUID, &size));
	perf_data__close(data);
	builder__exit(&out);
	file_builder__exit(&f);
}

static void add_build_id(struct builder *b, s32 pid, u16 misc, u8 len, const char *name)
{
	size_t at = builder__begin(b, 0, misc);

	builder__u32(b, pid);
	for (u8 i = 0; i < 20; i++)
		builder__u8(b, i + 1);
	builder__u8(b, len);
	builder__zero(b, 3);
	builder__text(b, name);
	builder__end(b, at);
}

static struct {
	struct build_id_entry entries[4];
	unsigned nr;
} ids;

static void keep_id(void *ctx, const struct build_id_entry *entry)
{
	(void)ctx;
	if (ids.nr < ARRAY_SIZE(ids.entries))
		ids.entries[ids.nr++] = *entry;
}

TEST(build_ids_are_listed_in_both_orders)
{
	for (int swap = 0; swap < 2; swap++) {
		struct file_builder f;
		struct builder *b;

		begin_file(&f, swap, 1);
		b = file_builder__feature(&f, FEATURE_BUILD_ID);
		add_build_id(b, -1, 1 | 0x8000, 20, "[kernel.kallsyms]");
		add_build_id(b, 55, 2, 0, "/bin/true"); /* no length: 20 */
		add_build_id(b, -1, 2 | 0x8000, 16, "/lib/x.so");
		struct perf_data *data = open_built(&f);

		ids.nr = 0;
		CHECK_EQ(perf_data__build_ids(data, keep_id, NULL), 3);
		CHECK_EQ(ids.nr, 3);
		CHECK_STR(ids.entries[0].name, "[kernel.kallsyms]");
		CHECK_EQ(ids.entries[0].cpumode, 1);
		CHECK_EQ(ids.entries[0].size, 20);
		CHECK_EQ(ids.entries[0].pid, -1);
		CHECK_EQ(ids.entries[0].id[19], 20);
		CHECK_STR(ids.entries[1].name, "/bin/true");
		CHECK_EQ(ids.entries[1].size, 20);
		CHECK_EQ(ids.entries[1].pid, 55);
		CHECK_EQ(ids.entries[2].size, 16);
		perf_data__close(data);

		/* The last one is cut: the others stay. */
		b->len -= 4;
		data = open_built(&f);
		ids.nr = 0;
		CHECK_EQ(perf_data__build_ids(data, keep_id, NULL), -EBADMSG);
		CHECK_EQ(ids.nr, 2);
		perf_data__close(data);
		b->len = 0;
		add_build_id(b, -1, 1 | 0x8000, 21, "too long an id");
		data = open_built(&f);
		CHECK_EQ(perf_data__build_ids(data, keep_id, NULL), -EBADMSG);
		perf_data__close(data);
		file_builder__exit(&f);
	}
}

TEST(build_ids_without_pid_are_recognised)
{
	struct file_builder f;
	struct builder *b;
	size_t at;

	begin_file(&f, false, 1);
	b = file_builder__feature(&f, FEATURE_BUILD_ID);
	for (int i = 0; i < 2; i++) {
		at = builder__begin(b, 0, 1);
		builder__bytes(b, "ABCDEFGHIJKLMNOPQRST", 20);
		builder__zero(b, 4);
		builder__text(b, i ? "/bin/sh" : "[kernel.kallsyms]");
		builder__end(b, at);
	}
	struct perf_data *data = open_built(&f);

	ids.nr = 0;
	CHECK_EQ(perf_data__build_ids(data, keep_id, NULL), 2);
	CHECK_STR(ids.entries[0].name, "[kernel.kallsyms]");
	CHECK_STR(ids.entries[1].name, "/bin/sh");
	CHECK(!memcmp(ids.entries[1].id, "ABCDEFGHIJKLMNOPQRST", 20));
	CHECK_EQ(ids.entries[1].pid, -1);
	perf_data__close(data);
	file_builder__exit(&f);
}

TEST(build_ids_may_be_absent)
{
	struct file_builder f;

	begin_file(&f, false, 1);
	struct perf_data *data = open_built(&f);

	CHECK_EQ(perf_data__build_ids(data, keep_id, NULL), 0);
	perf_data__close(data);
	file_builder__feature(&f, FEATURE_BUILD_ID);
	data = open_built(&f);
	CHECK_EQ(perf_data__build_ids(data, keep_id, NULL), 0); /* empty */
	perf_data__close(data);
	file_builder__exit(&f);
}

static void add_event_desc(struct builder *b, unsigned nr, const char *const *event_names)
{
	builder__u32(b, nr);
	builder__u32(b, 128);
	for (unsigned i = 0; i < nr; i++) {
		struct perf_event_attr attr = built_attr(PERF_SAMPLE_IP);

		builder__attr(b, &attr, 128);
		builder__u32(b, 2);
		builder__feature_string(b, event_names[i]);
		builder__u64(b, 1);
		builder__u64(b, 2);
	}
}

TEST(event_desc_names_the_events)
{
	static const char *const event_names[] = { "first:u", "second", "third" };

	for (int swap = 0; swap < 2; swap++) {
		struct file_builder f;
		struct builder *b;

		begin_file(&f, swap, 2);
		builder__feature_string(file_builder__feature(&f, FEATURE_HOSTNAME), "h");
		b = file_builder__feature(&f, FEATURE_EVENT_DESC);
		add_event_desc(b, 3, event_names); /* one more than there are events */
		struct perf_data *data = open_built(&f);
		const struct evlist *list = perf_data__evlist(data);

		CHECK_STR(list->evsels[0]->name, "first:u");
		CHECK_STR(list->evsels[1]->name, "second");
		perf_data__close(data);
		builder__set_u32(b, 8 + 128, 1 << 30); /* ids without end */
		data = open_built(&f);
		CHECK_STR(perf_data__evlist(data)->evsels[0]->name, "cpu-clock:HG");
		perf_data__close(data);
		file_builder__exit(&f);
	}
}

static void add_group(struct builder *b, const char *name, u32 leader, u32 members)
{
	builder__feature_string(b, name);
	builder__u32(b, leader);
	builder__u32(b, members);
}

TEST(group_desc_makes_groups)
{
	struct file_builder f;
	struct builder *b;

	begin_file(&f, false, 5);
	b = file_builder__feature(&f, FEATURE_GROUP_DESC);
	builder__u32(b, 5);
	add_group(b, "{anon_group}", 1, 2);
	add_group(b, "named", 3, 2);
	add_group(b, "too long", 4, 2);
	add_group(b, "nowhere", 9, 1);
	add_group(b, "empty", 0, 0);
	struct perf_data *data = open_built(&f);
	struct evsel **e = perf_data__evlist(data)->evsels;

	CHECK_EQ(e[0]->leader, 0);
	CHECK_EQ(e[0]->nr_members, 1);
	CHECK_EQ(e[1]->leader, 1);
	CHECK_EQ(e[1]->nr_members, 2);
	CHECK_EQ(e[2]->leader, 1);
	CHECK(!e[1]->group_name);
	CHECK_EQ(e[4]->leader, 3);
	CHECK_STR(e[3]->group_name, "named");
	CHECK(!e[4]->group_name);
	perf_data__close(data);
	b->len -= 4;
	builder__set_u32(b, 0, ~0u); /* many groups, few bytes */
	data = open_built(&f);
	CHECK_EQ(perf_data__evlist(data)->evsels[2]->leader, 1);
	perf_data__close(data);
	file_builder__exit(&f);
}

TEST(a_part_of_a_folder_is_refused_by_name)
{
	struct error err = ERROR_INIT;
	struct file_builder f;
	struct builder *b;

	begin_file(&f, false, 1);
	b = file_builder__feature(&f, FEATURE_COMPRESSED);
	builder__zero(b, 20); /* as `stat record` writes it: nothing is compressed */
	perf_data__close(open_built(&f));
	builder__u64(file_builder__feature(&f, FEATURE_DIR_FORMAT), 1);
	CHECK(!perf_data__open(file_builder__write(&f, "d"), 0, &err));
	CHECK_EQ(err.code, -EINVAL);
	CHECK(strstr(err.cause, "name the folder"));
	file_builder__exit(&f);
}
