// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/time_range.h"

#include <errno.h>

#include "tests/unit/unit.h"

#define S 1000000000ull

static void check_ranges(const char *text, u32 nr, const struct time_range *want)
{
	struct time_ranges ranges;

	CHECK_EQ(time_ranges__parse(&ranges, text, 100 * S, 200 * S, NULL), 0);
	CHECK_EQ(ranges.nr, nr);
	for (u32 i = 0; i < nr && i < ranges.nr; i++) {
		CHECK_EQ(ranges.ranges[i].from, want[i].from);
		CHECK_EQ(ranges.ranges[i].to, want[i].to);
	}
	time_ranges__exit(&ranges);
}

TEST(time_range_reads_seconds)
{
	check_ranges("1.5,2", 1, (struct time_range[]){ { 3 * S / 2, 2 * S } });
	check_ranges(",2.000000001", 1, (struct time_range[]){ { 0, 2 * S + 1 } });
	check_ranges("7,", 1, (struct time_range[]){ { 7 * S, UINT64_MAX } });
	check_ranges("1,2 3,4", 2, (struct time_range[]){ { S, 2 * S }, { 3 * S, 4 * S } });
	check_ranges("0.1234567891,1", 1, (struct time_range[]){ { 123456789, S } });
}

TEST(time_range_reads_parts)
{
	check_ranges("10%/1", 1, (struct time_range[]){ { 100 * S, 110 * S - 1 } });
	check_ranges("10%/10", 1, (struct time_range[]){ { 190 * S, 200 * S } });
	check_ranges("0%-10%,50%-100%", 2,
	             (struct time_range[]){ { 100 * S, 110 * S - 1 }, { 150 * S, 200 * S } });
	check_ranges("12.5%/2", 1, (struct time_range[]){ { 112500000000, 125 * S - 1 } });
	check_ranges("60%/2", 1, (struct time_range[]){ { 160 * S, 200 * S } });
}

TEST(time_range_refuses_nonsense)
{
	static const char *const wrong[] = {
		"",        "5",      "2,1",     "a,b",
		"1,2,3",   "1,2x",   "10%",     "10%/0",
		"10%/11",  "101%/1", "0%/1",    "50%-10%",
		"1%-2,3%", "-1,2",   "10%/1.5", "99999999999999999999,1"
	};

	for (unsigned i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct error err = ERROR_INIT;
		struct time_ranges ranges;

		if (time_ranges__parse(&ranges, wrong[i], 100 * S, 200 * S, &err) != -EINVAL)
			unit__fail(__FILE__, __LINE__, "'%s' was taken", wrong[i]);
		CHECK_EQ(err.code, -EINVAL);
		CHECK_EQ(ranges.nr, 0);
	}
}

TEST(time_range_needs_times_for_percents)
{
	struct time_ranges ranges;

	CHECK_EQ(time_ranges__parse(&ranges, "10%/1", ~0ull, 0, NULL), -EINVAL);
	CHECK_EQ(time_ranges__parse(&ranges, "10%/1", 5, 5, NULL), 0);
	CHECK(time_ranges__pass(&ranges, 5));
	time_ranges__exit(&ranges);
	CHECK_EQ(time_ranges__parse(&ranges, "1,2", ~0ull, 0, NULL), 0);
	CHECK(!time_ranges__pass(&ranges, S - 1));
	CHECK(time_ranges__pass(&ranges, S));
	CHECK(time_ranges__pass(&ranges, 2 * S));
	CHECK(!time_ranges__pass(&ranges, 2 * S + 1));
	time_ranges__exit(&ranges);
}

TEST(time_range_hold_is_in_one_of_many)
{
	struct time_ranges ranges = { .nr = 0 };

	CHECK(!time_ranges__hold(&ranges, 5)); /* of none: unlike time_ranges__pass() */
	for (u64 i = 1; i <= 100; i++)
		time_ranges__add(&ranges, 10 * i, 10 * i + 4);
	for (u64 time = 0; time < 1020; time++)
		CHECK_EQ(time_ranges__hold(&ranges, time),
		         time >= 10 && time < 1010 && time % 10 <= 4);
	time_ranges__exit(&ranges);
}
