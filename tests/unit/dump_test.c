// SPDX-License-Identifier: GPL-2.0-or-later
/* What the dump (-D) says of records of perf's own, and how records of the kernel read as a line.
 */
#include "ui/dump/dump.h"

#include <stdio.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "ui/dump/record_text.h"
#include "util/reader/ordered.h"
#include "util/reader/perf_order.h"

#define TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

/* Behind the hex, from the name of the record on, its lines. */
static const char *dumped(struct file_builder *f)
{
	static char text[4096];
	struct symbol_config config = { .symfs = "/nonexistent", .no_live_kernel = true };
	struct session session;
	struct record record;
	struct out out;
	u64 time;

	CHECK_EQ(session__open(&session, file_builder__write(f, "x.data"), 0, NULL), 0);
	CHECK_EQ(session__scan(&session, NULL), 0);
	struct session_symbols *symbols = session_symbols__new(&session.dsos, &config);
	struct ordered *ordered = ordered__new(session.data, NULL);

	out__init(&out, -1);
	struct dump *dump = dump__new(&session, symbols, &out, 0);

	while (ordered__next(ordered, &record, &time))
		dump__record(dump, &record);
	const char *all = out__take(&out), *found = strstr(all, "PERF_RECORD_");

	snprintf(text, sizeof(text), "%s", found ? found : all);
	dump__delete(dump);
	ordered__delete(ordered);
	session_symbols__delete(symbols);
	out__exit(&out);
	session__close(&session);
	file_builder__exit(f);
	return text;
}

/* Of a file that holds nothing but a record of these words. */
static const char *dump_of(u32 type, const u64 *words, u32 nr)
{
	struct perf_event_attr attr = built_attr(TYPE);
	struct file_builder f;

	file_builder__init(&f, false);
	file_builder__event(&f, &attr, NULL, 0);
	size_t at = builder__begin(&f.data, type, 0);

	for (u32 i = 0; i < nr; i++)
		builder__u64(&f.data, words[i]);
	builder__end(&f.data, at);
	return dumped(&f);
}

#define DUMP_OF(type, ...)                                                                         \
	dump_of(type, (const u64[]){ __VA_ARGS__ }, ARRAY_SIZE(((const u64[]){ __VA_ARGS__ })))

TEST(dump_names_the_threads_of_a_thread_map)
{
	CHECK_STR(DUMP_OF(RECORD_THREAD_MAP, 1, 77, 'x', 0),
	          "PERF_RECORD_THREAD_MAP nr: 1 thread: 77\n: unhandled!\n");
	CHECK_STR(DUMP_OF(RECORD_THREAD_MAP, 2, 5, 'x', 0, (u64)-1, 'y', 0),
	          "PERF_RECORD_THREAD_MAP nr: 2 threads: 5, -1\n: unhandled!\n");
	/* one more than the record has room for */
	CHECK_STR(DUMP_OF(RECORD_THREAD_MAP, 2, 5, 'x', 0), "PERF_RECORD_THREAD_MAP: broken\n");
}

/* Kind, then u16s, four to a word. */
#define HALVES(a, b, c, d) ((u64)(a) | (u64)(b) << 16 | (u64)(c) << 32 | (u64)(d) << 48)

TEST(dump_names_the_cpus_of_a_cpu_map)
{
	CHECK_STR(DUMP_OF(RECORD_CPU_MAP, HALVES(0, 5, 0, 1), HALVES(2, 7, 9, 0)),
	          "PERF_RECORD_CPU_MAP: 0-2,7,9\n: unhandled!\n");
	CHECK_STR(DUMP_OF(RECORD_CPU_MAP, HALVES(0, 1, 3, 0)),
	          "PERF_RECORD_CPU_MAP: 3\n: unhandled!\n");
}

TEST(dump_says_what_stat_config_sets)
{
	CHECK_STR(
	        DUMP_OF(RECORD_STAT_CONFIG, 3, 0, 1, 1, 250, 2, 1),
	        "PERF_RECORD_STAT_CONFIG\n... aggr_mode 1\n... scale     1\n... interval  250\n: unhandled!\n");
}

static const char *line_of(u32 type, u16 misc, const u64 *words, u32 nr)
{
	static char line[512];
	u64 data[32];
	struct record record = {
		.data = (const u8 *)data, .type = type, .misc = misc, .size = 8 + nr * 8
	};
	struct out out;

	data[0] = type | (u64)misc << 32 | (u64)record.size << 48;
	memcpy(data + 1, words, nr * 8);
	out__init(&out, -1);
	bool any = record_text__print(&out, &record, false);

	snprintf(line, sizeof(line), "%s", any ? out__take(&out) : "");
	out__exit(&out);
	return line;
}

#define PAIR(a, b) ((u64)(a) | (u64)(b) << 32)
#define LINE_OF(type, misc, ...)                                                                   \
	line_of(type, misc, (const u64[]){ __VA_ARGS__ },                                          \
	        ARRAY_SIZE(((const u64[]){ __VA_ARGS__ })))

TEST(record_text_of_tasks)
{
	CHECK_STR(LINE_OF(PERF_RECORD_FORK, 0, PAIR(11, 7), PAIR(12, 8), 99),
	          "PERF_RECORD_FORK(11:12):(7:8)");
	CHECK_STR(LINE_OF(PERF_RECORD_EXIT, 0, PAIR(11, 7), PAIR(12, 8), 99),
	          "PERF_RECORD_EXIT(11:12):(7:8)");
	CHECK_STR(LINE_OF(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, PAIR(4, 5), 0x736c),
	          "PERF_RECORD_COMM exec: ls:4/5");
	CHECK_STR(LINE_OF(PERF_RECORD_COMM, 0, PAIR(4, 5), 0x736c), "PERF_RECORD_COMM: ls:4/5");
	CHECK_STR(LINE_OF(PERF_RECORD_FORK, 0, PAIR(11, 7)), ""); /* cut */
}

TEST(record_text_of_pages)
{
	static const struct {
		u64 size;
		const char *text;
	} cases[] = {
		{ 0, "N/A" },      { 1, "1B" },       { 1023, "1023B" },
		{ 1024, "1024B" }, { 4096, "4K" },    { 2047, "2047B" },
		{ 2048, "2K" },    { 2 << 20, "2M" }, { 1ull << 30, "1024M" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		struct out out;

		out__init(&out, -1);
		record_text__page_size(&out, cases[i].size);
		CHECK_STR(out__take(&out), cases[i].text);
		out__exit(&out);
	}
}

TEST(record_text_of_maps)
{
	CHECK_STR(LINE_OF(PERF_RECORD_MMAP, 0, PAIR(4, 5), 0x1000, 0x2000, 0x30, 0x736c),
	          "PERF_RECORD_MMAP 4/5: [0x1000(0x2000) @ 0x30]: x ls");
}
