// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/switch_output.h"

#include <errno.h>

#include "tests/unit/unit.h"

TEST(switch_output_reads_signal_size_and_time)
{
	struct switch_output when = { 0 };

	CHECK_EQ(switch_output__parse(&when, "signal", NULL), 0);
	CHECK(when.enabled && when.by_signal && !when.size && !when.seconds);
	CHECK_EQ(switch_output__parse(&when, "3M", NULL), 0);
	CHECK(!when.by_signal && !when.seconds);
	CHECK_EQ(when.size, 3 << 20);
	CHECK_EQ(switch_output__parse(&when, "3m", NULL), 0);
	CHECK_EQ(when.seconds, 180);
	CHECK_EQ(when.size, 0);
	CHECK_EQ(switch_output__parse(&when, "2d", NULL), 0);
	CHECK_EQ(when.seconds, 2 * 86400);
}

TEST(switch_output_refuses_what_means_nothing)
{
	static const char *const bad[] = { "",
		                           "0s",
		                           "5",
		                           "10k",
		                           "M",
		                           "5Ms",
		                           "-1s",
		                           " 1s",
		                           "1 s",
		                           "99999999999999999999G",
		                           "18446744073709551615G",
		                           "1000000d",
		                           "signals" };
	struct switch_output when = { .seconds = 7 };
	u64 bytes = 7;

	for (u32 i = 0; i < ARRAY_SIZE(bad); i++) {
		CHECK_EQ(switch_output__parse(&when, bad[i], NULL), -EINVAL);
		CHECK_EQ(record__parse_size(bad[i], &bytes, "x", NULL), -EINVAL);
	}
	CHECK_EQ(when.seconds, 7); /* stays as it was */
	CHECK_EQ(record__parse_size("7G", &bytes, "x", NULL), 0);
	CHECK_EQ(bytes, 7ull << 30);
}
