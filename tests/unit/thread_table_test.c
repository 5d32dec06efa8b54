// SPDX-License-Identifier: GPL-2.0-or-later
/* The counts of threads below a report, to the last blank. */
#include "ui/text/thread_table.h"

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"

static void check_table(struct thread_row *threads, u64 *values, u32 nr, const char *want)
{
	struct evsel first = { .name = (char *)"cycles", .idx = 1 },
	             last = { .name = (char *)"x", .idx = 0 };
	const struct evsel *events[] = { &first, &last };
	struct thread_counts counts = { .threads = threads,
		                        .events = events,
		                        .counts = values,
		                        .nr = nr,
		                        .nr_events = 2,
		                        .nr_all = 2 };
	struct out out;

	out__init(&out, -1);
	thread_table__print(&out, &counts);
	CHECK_STR(out__take(&out), want);
	out__exit(&out);
}

TEST(thread_table_is_as_wide_as_its_heads)
{
	check_table((struct thread_row[]){ { 1, 2 } }, (u64[]){ 3, 4 }, 1,
	            "# PID  TID  cycles  x\n"
	            "    1    2       4  3\n");
}

TEST(thread_table_is_as_wide_as_its_numbers)
{
	check_table((struct thread_row[]){ { 27799, 27799 }, { 27799, 1234567 } },
	            (u64[]){ 10, 84632797, 9, 1 }, 2,
	            "#   PID      TID    cycles   x\n"
	            "  27799    27799  84632797  10\n"
	            "  27799  1234567         1   9\n");
}

TEST(thread_table_without_threads_is_its_head)
{
	check_table(NULL, NULL, 0, "# PID  TID  cycles  x\n");
}

/* ---- what is in them: the READ records of a file ---- */

#define TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID)

static void put_read(struct file_builder *f, u32 tid, u64 value, u64 id)
{
	struct built_sample at = { .pid = 70, .tid = tid, .time = 1000, .id = id };
	size_t start = builder__begin(&f->data, PERF_RECORD_READ, 0);

	builder__u32(&f->data, 70);
	builder__u32(&f->data, tid);
	builder__u64(&f->data, value);
	builder__u64(&f->data, id);
	builder__trailer(&f->data, TYPE, &at);
	builder__end(&f->data, start);
}

TEST(thread_counts_add_up_and_leave_out_what_is_nobodys)
{
	struct perf_event_attr attr = built_attr(TYPE);
	struct thread_counts counts = { .nr = 0 };
	struct session session;
	struct file_builder f;

	attr.read_format = PERF_FORMAT_ID;
	file_builder__init(&f, false);
	file_builder__event(&f, &attr, (u64[]){ 7, 8 }, 2);
	file_builder__event(&f, &attr, (u64[]){ 9 }, 1);
	attr.read_format |= PERF_FORMAT_GROUP;
	file_builder__event(&f, &attr, (u64[]){ 10 }, 1);
	put_read(&f, 71, 100, 7);
	put_read(&f, 72, 5, 9);
	put_read(&f, 71, 20, 8);
	put_read(&f, 73, 1, 10); /* of a group */
	put_read(&f, 74, 1, 77); /* of no event */
	CHECK_EQ(session__open(&session, file_builder__write(&f, "x.data"), 0, NULL), 0);
	CHECK_EQ(session__scan(&session, NULL), 0);
	CHECK_EQ(thread_counts__collect(&counts, &session, NULL), 0);
	CHECK_EQ(counts.nr, 2);
	CHECK_EQ(counts.nr_events, 2);
	if (counts.nr == 2 && counts.nr_events == 2) {
		CHECK_EQ(counts.threads[0].tid, 71);
		CHECK_EQ(thread_counts__at(&counts, 0, 0), 120);
		CHECK_EQ(thread_counts__at(&counts, 0, 1), 0);
		CHECK_EQ(counts.threads[1].tid, 72);
		CHECK_EQ(thread_counts__at(&counts, 1, 1), 5);
	}
	thread_counts__exit(&counts);
	session__close(&session);
	file_builder__exit(&f);
}
