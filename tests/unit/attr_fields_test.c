// SPDX-License-Identifier: GPL-2.0-or-later
/* The fields of an attr as text: the names of bits. */
#include "util/event/attr_fields.h"

#include <stdio.h>

#include "tests/unit/unit.h"

static char text[1024];

static void take(void *ctx, const char *name, const char *value)
{
	size_t len = strlen(text);

	if (strcmp(name, ctx) == 0)
		snprintf(text + len, sizeof(text) - len, "%s ", value);
}

static const char *field(const struct perf_event_attr *attr, const char *name)
{
	text[0] = '\0';
	attr__fields(attr, take, (void *)name);
	return text;
}

TEST(attr_fields_name_their_bits)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
		                        .sample_type = 0x7,
		                        .read_format = 0x14 };

	CHECK_STR(field(&attr, "sample_type"), "IP|TID|TIME ");
	CHECK_STR(field(&attr, "read_format"), "ID|LOST ");
	CHECK_STR(field(&attr, "branch_sample_type"), "");
	/* with those that are newer than this kernel's headers */
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | 1u << 17 | 1u << 18 | 1u << 19;
	CHECK_STR(field(&attr, "branch_sample_type"), "USER|HW_INDEX|PRIV_SAVE|COUNTERS ");
}
