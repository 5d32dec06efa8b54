// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording of counts through `stat report`: replayed, put together in each way, and printed. */
#include "util/stat/replay.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "ui/text/stat_view.h"
#include "util/reader/features.h"

static void print_all(const struct aggregation *counts)
{
	struct stat_view view = { .title = "x", .nr_runs = 1, .counts = counts, .separator = "," };
	struct out out;

	stats__add(&view.wall, 1);
	out__init(&out, -1);
	stat_table__print(&view, &out);
	stat_csv__print(&view, &out);
	stat_json__print(&view, &out);
	view.metric_only = true;
	stat_table__print(&view, &out);
	for (size_t i = 0; i < out.len; i++)
		FUZZ_CHECK((unsigned char)out.buf[i] >= 0x20 || out.buf[i] == '\n');
	out__exit(&out);
}

static void look_at_interval(void *ctx, u64 since_start, u64 length)
{
	struct stat_replay *replay = ctx;

	FUZZ_CHECK(length <= since_start);
	FUZZ_CHECK(replay->stretch.nr >= 1);
	/* A screen full is enough. */
	if (replay->stretch.nr * replay->stretch.nr_events <= 100)
		print_all(&replay->stretch);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	const char *path = fuzz__file(bytes, size);

	for (int mode = -1; mode <= AGGREGATE_NODE; mode++) {
		struct error err = ERROR_INIT;
		struct stat_replay replay = { .wanted = mode < 0 ? 0 : mode,
			                      .has_wanted = mode >= 0,
			                      .interval = look_at_interval };

		replay.ctx = &replay;
		replay.data = perf_data__open(path, PERF_DATA_FORCE, &err);
		if (!replay.data)
			return 0;
		if (!stat_replay__run(&replay, &err) && !replay.no_counts &&
		    replay.counts.nr * replay.counts.nr_events <= 1000)
			print_all(&replay.counts);
		stat_replay__exit(&replay);
		perf_data__close(replay.data);
	}
	return 0;
}

static void add_stat(struct builder *b, u64 id, u32 cpu, u64 value)
{
	size_t start = builder__begin(b, RECORD_STAT, 0);

	builder__u64(b, id);
	builder__u32(b, cpu);
	builder__u32(b, 0);
	builder__u64(b, value);
	builder__u64(b, 1000);
	builder__u64(b, 900);
	builder__end(b, start);
}

static void add_words(struct builder *b, u32 type, const u64 *words, u32 nr)
{
	size_t start = builder__begin(b, type, 0);

	for (u32 i = 0; i < nr; i++)
		builder__u64(b, words[i]);
	builder__end(b, start);
}

static void add_topology(struct file_builder *f)
{
	struct builder *b = file_builder__feature(f, FEATURE_NRCPUS);

	builder__u32(b, 2);
	builder__u32(b, 2);
	b = file_builder__feature(f, FEATURE_CPU_TOPOLOGY);
	for (int list = 0; list < 2; list++) {
		builder__u32(b, 1);
		builder__feature_string(b, "0-1");
	}
	for (u32 i = 0; i < 4; i++)
		builder__u32(b, i / 2);
	b = file_builder__feature(f, FEATURE_NUMA_TOPOLOGY);
	builder__u32(b, 1);
	builder__u32(b, 0);
	builder__u64(b, 0);
	builder__u64(b, 0);
	builder__feature_string(b, "0-1");
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const u64 modes[] = { 0, 1, 5 };

	for (u32 i = 0; i < ARRAY_SIZE(modes); i++) {
		struct perf_event_attr attr = built_attr(PERF_SAMPLE_IDENTIFIER);
		struct file_builder f;
		struct builder file;

		file_builder__init(&f, false);
		file_builder__event(&f, &attr, (u64[]){ 5, 6 }, 2);
		attr.config = 2;
		file_builder__event(&f, &attr, (u64[]){ 7, 8 }, 2);
		add_words(&f.data, RECORD_THREAD_MAP, (u64[]){ 1, 1, 'a', 0 }, 4);
		add_words(&f.data, RECORD_STAT_CONFIG,
		          (u64[]){ 3, 0, modes[i], 1, i ? 0 : 100, 2, 1 }, 7);
		for (u64 round = 0; round < 2; round++) {
			for (u32 id = 5; id < 9; id++)
				add_stat(&f.data, id, modes[i] ? ~0u : id % 2, 10 * round + id);
			add_words(&f.data, RECORD_STAT_ROUND, (u64[]){ round, 100 * round + 100 },
			          2);
		}
		add_topology(&f);
		file_builder__finish(&f, &file);
		add(file.data, file.len);
		builder__exit(&file);
		file_builder__exit(&f);
	}
}
