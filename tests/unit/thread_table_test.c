// SPDX-License-Identifier: GPL-2.0-or-later
/* The counts of threads below a report, to the last blank. */
#include "ui/thread_table.h"

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
