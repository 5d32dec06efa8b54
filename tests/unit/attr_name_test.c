// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/attr_name.h"

#include <string.h>

#include "tests/unit/unit.h"

static const char *name_of(u32 type, u64 config, const char *flags)
{
	static char buf[ATTR_NAME_SIZE];
	struct perf_event_attr attr = {
		.type = type,
		.config = config,
		.exclude_user = strchr(flags, 'U') != NULL,
		.exclude_kernel = strchr(flags, 'K') != NULL,
		.exclude_hv = strchr(flags, 'H') != NULL,
		.precise_ip = strchr(flags, 'p') ? 2 : 0,
	};

	attr.bp_addr = type == PERF_TYPE_BREAKPOINT ? 0x1000 : 0;
	attr.bp_type = type == PERF_TYPE_BREAKPOINT ? 3 : 0;
	return attr__name(&attr, buf, sizeof(buf));
}

TEST(attr_name_covers_the_types)
{
	CHECK_STR(name_of(PERF_TYPE_HARDWARE, 0, ""), "cycles");
	CHECK_STR(name_of(PERF_TYPE_HARDWARE, 0, "KH"), "cycles:u");
	CHECK_STR(name_of(PERF_TYPE_HARDWARE, 1, "UHp"), "instructions:kpp");
	CHECK_STR(name_of(PERF_TYPE_HARDWARE, 1, "p"), "instructions:pp");
	CHECK_STR(name_of(PERF_TYPE_HARDWARE, 1, "UKH"), "instructions");
	CHECK_STR(name_of(PERF_TYPE_SOFTWARE, 1, ""), "task-clock");
	CHECK_STR(name_of(PERF_TYPE_SOFTWARE, 999, ""), "unknown attr type: 1");
	CHECK_STR(name_of(PERF_TYPE_HW_CACHE, 0x10000, ""), "L1-dcache-load-misses");
	CHECK_STR(name_of(PERF_TYPE_HW_CACHE, 0x102, ""), "LLC-stores");
	CHECK_STR(name_of(PERF_TYPE_HW_CACHE, 0xffffff, ""), "unknown-ext-hardware-cache-type");
	CHECK_STR(name_of(PERF_TYPE_TRACEPOINT, 5, ""), "unknown tracepoint");
	CHECK_STR(name_of(PERF_TYPE_BREAKPOINT, 0, ""), "mem:0x1000:rw");
	CHECK_STR(name_of(PERF_TYPE_RAW, 0x1a8, ""), "raw 0x1a8");
	CHECK_STR(name_of(77, 0, ""), "unknown attr type: 77");
}
