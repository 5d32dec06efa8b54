// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "util/lib/sort.h"

static u64 seed;

static u32 rnd(u32 below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(seed >> 33) % below;
}

static void check_sorted(struct keyed *items, u32 nr)
{
	u64 sum = 0;

	keyed__sort(items, nr);
	for (u32 i = 0; i < nr; i++) {
		sum += items[i].value + 1;
		if (i &&
		    (items[i - 1].key > items[i].key ||
		     (items[i - 1].key == items[i].key && items[i - 1].value > items[i].value))) {
			CHECK(!"order of neighbours");
			break;
		}
	}
	CHECK_EQ(sum, (u64)nr * (nr + 1) / 2);
}

TEST(keyed_sort_orders_and_is_stable)
{
	static struct keyed items[5000];

	for (u32 nr = 0; nr < 5000; nr += 1 + nr / 7)
		for (u32 kinds = 1; kinds < 100000; kinds = kinds * 9 + 1) {
			for (u32 i = 0; i < nr; i++)
				items[i] = (struct keyed){ rnd(kinds), i };
			check_sorted(items, nr);
		}
}

TEST(keyed_sort_of_runs_and_falling_keys)
{
	static struct keyed items[5000];

	for (u32 run = 1; run < 5000; run = run * 3 + 1) {
		for (u32 i = 0; i < 5000; i++)
			items[i] = (struct keyed){ i % run, i };
		check_sorted(items, 5000);
		for (u32 i = 0; i < 5000; i++)
			items[i] = (struct keyed){ (5000 - i) / run, i };
		check_sorted(items, 5000);
	}
}

TEST(keyed_sort_of_many_keys_in_no_order)
{
	static struct keyed items[40000];

	for (u32 shift = 0; shift < 64; shift += 7) {
		for (u32 i = 0; i < 40000; i++)
			items[i] =
			        (struct keyed){ ((u64)rnd(1 << 30) << 34 | rnd(1 << 30)) >> shift,
				                i };
		check_sorted(items, 40000);
	}
}
