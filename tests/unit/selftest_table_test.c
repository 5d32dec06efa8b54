// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of perf test fits its lines. */
#include "selftest/selftest.h"

#include <string.h>

#include "tests/unit/unit.h"

TEST(selftest_table_is_whole)
{
	u32 nr;
	const struct selftest_suite *all = selftest_suites(&nr);

	CHECK(nr >= 20 && nr <= 999);
	for (u32 i = 0; i < nr; i++) {
		CHECK(strlen(all[i].about) <= 64);
		CHECK(all[i].nr >= 1 && all[i].nr <= SELFTEST_MAX_CASES);
		for (u32 j = 0; j < all[i].nr; j++) {
			const char *about = all[i].cases[j].about;

			CHECK(about ? strlen(about) <= 62 : all[i].nr == 1);
		}
	}
}
