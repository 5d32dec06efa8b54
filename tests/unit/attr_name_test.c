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
		.exclude_host = strchr(flags, 'h') != NULL,
		.exclude_guest = strchr(flags, 'g') != NULL,
		.precise_ip = strchr(flags, 'p') ? 2 : 0,
	};

	attr.bp_addr = type == PERF_TYPE_BREAKPOINT ? 0x1000 : 0;
	attr.bp_type = type == PERF_TYPE_BREAKPOINT ? 3 : 0;
	return attr__name(&attr, buf, sizeof(buf));
}

TEST(attr_name_covers_the_types)
{
	CHECK_STR(name_of(PERF_TYPE_HARDWARE, 0, "g"), "cycles");
	CHECK_STR(name_of(PERF_TYPE_HARDWARE, 99, "g"), "unknown-hardware");
	CHECK_STR(name_of(PERF_TYPE_SOFTWARE, 1, "g"), "task-clock");
	CHECK_STR(name_of(PERF_TYPE_SOFTWARE, 999, "g"), "unknown-software");
	CHECK_STR(name_of(PERF_TYPE_HW_CACHE, 0x10000, "g"), "L1-dcache-load-misses");
	CHECK_STR(name_of(PERF_TYPE_HW_CACHE, 0x102, "g"), "LLC-stores");
	CHECK_STR(name_of(PERF_TYPE_HW_CACHE, 0x101, "g"), "invalid-cache");
	CHECK_STR(name_of(PERF_TYPE_HW_CACHE, 0x20101, "g"), "unknown-ext-hardware-cache-result");
	CHECK_STR(name_of(PERF_TYPE_HW_CACHE, 0x20301, "g"), "unknown-ext-hardware-cache-op");
	CHECK_STR(name_of(PERF_TYPE_HW_CACHE, 0xffffff, "g"), "unknown-ext-hardware-cache-type");
	CHECK_STR(name_of(PERF_TYPE_TRACEPOINT, 5, ""), "unknown tracepoint");
	CHECK_STR(name_of(PERF_TYPE_BREAKPOINT, 0, "g"), "mem:0x1000:rw");
	CHECK_STR(name_of(PERF_TYPE_RAW, 0x1a8, "g"), "raw 0x1a8");
	CHECK_STR(name_of(77, 0, ""), "unknown attr type: 77");
}

/* Each as Linux's perf 6.1 names it (evlist, on a file without names). */
TEST(attr_name_has_the_modifiers_that_matter)
{
	static const struct {
		const char *flags, *name;
	} cases[] = {
		{ "", "cycles:HG" },    { "h", "cycles:G" },     { "hg", "cycles" },
		{ "p", "cycles:pp" },   { "pg", "cycles:ppH" },  { "phg", "cycles:pp" },
		{ "U", "cycles:kh" },   { "K", "cycles:uh" },    { "H", "cycles:ku" },
		{ "UK", "cycles:h" },   { "UH", "cycles:k" },    { "KH", "cycles:u" },
		{ "UKH", "cycles" },    { "KHp", "cycles:upp" }, { "KHg", "cycles:uH" },
		{ "UKHg", "cycles:H" }, { "KHh", "cycles:uG" },  { "Hgp", "cycles:kuppH" },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_STR(name_of(PERF_TYPE_HARDWARE, 0, cases[i].flags), cases[i].name);
}
