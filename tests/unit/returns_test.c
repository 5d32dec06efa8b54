// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether the kernel's log tells of returns that it left out: logs of one record, of our own. */
#include <stdio.h>

#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/probe/returns.h"

#define OMITTED "uprobe: omit uretprobe due to nestedness limit pid/tgid=28460/28460\n"

static enum returns_omitted omitted(const char *record, u64 start)
{
	char path[256];

	put_test_text(unit__tmpdir(), "kmsg", record);
	snprintf(path, sizeof(path), "%s/kmsg", unit__tmpdir());
	return returns__omitted(path, start);
}

TEST(returns_left_out_are_known_by_the_log)
{
	CHECK_EQ(omitted("6,1442,900000000,-;" OMITTED, 899000000), RETURNS_OMITTED);
	CHECK_EQ(omitted("6,1442,900000000,-;" OMITTED, 900500000), RETURNS_OMITTED);
	CHECK_EQ(omitted("6,1442,900000000,-;" OMITTED, 905000000), RETURNS_UNKNOWN);
	CHECK_EQ(omitted("6,1442,900000000,-;" OMITTED, 990000000), RETURNS_NOT_OMITTED);
	CHECK_EQ(omitted("6,1442,900000000,-;sh: said " OMITTED, 899000000), RETURNS_NOT_OMITTED);
	CHECK_EQ(omitted("6,1442,-;" OMITTED, 1), RETURNS_NOT_OMITTED);
	CHECK_EQ(omitted("", 1), RETURNS_NOT_OMITTED);
	CHECK_EQ(returns__omitted("/nowhere/kmsg", 1), RETURNS_NOT_TOLD_OF);
	CHECK_EQ(returns__omitted("/proc/self/mem", 1), RETURNS_NOT_TOLD_OF);
}
