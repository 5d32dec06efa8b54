// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/script_fields.h"

#include <errno.h>

#include "tests/unit/unit.h"

static const u32 sample_defaults = FIELD_COMM | FIELD_TID | FIELD_CPU | FIELD_TIME | FIELD_EVENT |
                                   FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO | FIELD_PERIOD;

/* What is printed for a software event that records everything, after these -F arguments. */
static struct script_fields parsed(const char *const *texts, int *ret)
{
	struct script_fields fields;

	script_fields__init(&fields);
	*ret = 0;
	for (; *texts && !*ret; texts++)
		*ret = script_fields__parse(&fields, *texts, NULL);
	return fields;
}

#define PARSED(ret, ...) parsed((const char *const[]){ __VA_ARGS__, NULL }, ret)

static u64 printed(const struct script_fields *fields, u32 type, u64 sample_type, int *ret)
{
	struct evsel evsel = { .attr = { .type = type, .sample_type = sample_type },
		               .name = (char *)"x" };
	u64 print = 0;

	*ret = script_fields__of_event(fields, &evsel, &print, NULL);
	return print;
}

#define ALL (~0ull)

TEST(script_fields_defaults_follow_the_type)
{
	struct script_fields fields;
	int ret;

	script_fields__init(&fields);
	CHECK_EQ(printed(&fields, PERF_TYPE_SOFTWARE, ALL, &ret), sample_defaults);
	CHECK_EQ(printed(&fields, PERF_TYPE_HARDWARE, ALL, &ret), sample_defaults);
	CHECK_EQ(printed(&fields, PERF_TYPE_TRACEPOINT, ALL & ~PERF_SAMPLE_CALLCHAIN, &ret),
	         FIELD_COMM | FIELD_TID | FIELD_CPU | FIELD_TIME | FIELD_EVENT | FIELD_TRACE);
	/* A tracepoint's chain is printed, its place alone is not. */
	CHECK(printed(&fields, PERF_TYPE_TRACEPOINT, ALL, &ret) & FIELD_IP);
	fields.no_chain = true;
	CHECK(!(printed(&fields, PERF_TYPE_TRACEPOINT, ALL, &ret) & FIELD_IP));
	fields.no_chain = false;
	CHECK(printed(&fields, PERF_TYPE_RAW, ALL, &ret) & FIELD_ADDR);
}

TEST(script_fields_drops_defaults_that_were_not_recorded)
{
	struct script_fields fields;
	int ret;

	script_fields__init(&fields);
	CHECK_EQ(printed(&fields, PERF_TYPE_SOFTWARE, PERF_SAMPLE_IP | PERF_SAMPLE_TID, &ret),
	         sample_defaults & ~(FIELD_CPU | FIELD_TIME));
	CHECK_EQ(ret, 0);
}

TEST(script_fields_lists_replace_and_signs_change)
{
	struct script_fields fields;
	int ret;

	fields = PARSED(&ret, "comm,tid");
	CHECK_EQ(printed(&fields, PERF_TYPE_SOFTWARE, ALL, &ret), FIELD_COMM | FIELD_TID);
	fields = PARSED(&ret, "+pid,-comm");
	CHECK_EQ(printed(&fields, PERF_TYPE_SOFTWARE, ALL, &ret),
	         (sample_defaults | FIELD_PID) & ~FIELD_COMM);
	fields = PARSED(&ret, "sw:time");
	CHECK_EQ(printed(&fields, PERF_TYPE_SOFTWARE, ALL, &ret), FIELD_TIME);
	CHECK_EQ(printed(&fields, PERF_TYPE_HARDWARE, ALL, &ret), sample_defaults);
	fields = PARSED(&ret, "sw:time", "trace:comm,trace");
	CHECK_EQ(printed(&fields, PERF_TYPE_TRACEPOINT, ALL, &ret), FIELD_COMM | FIELD_TRACE);
	fields = PARSED(&ret, "sw:");
	CHECK_EQ(printed(&fields, PERF_TYPE_SOFTWARE, ALL, &ret), 0);
	fields = PARSED(&ret, "-ip");
	CHECK(!(printed(&fields, PERF_TYPE_TRACEPOINT, ALL, &ret) & (FIELD_IP | FIELD_SYM)));
	/* "trace" without a type means those that have it. */
	fields = PARSED(&ret, "comm,trace");
	CHECK_EQ(ret, 0);
	CHECK_EQ(printed(&fields, PERF_TYPE_SOFTWARE, ALL, &ret), FIELD_COMM);
}

TEST(script_fields_refuses_what_it_cannot_do)
{
	int ret;

	PARSED(&ret, "comm,nosuch");
	CHECK_EQ(ret, -EINVAL);
	PARSED(&ret, "nosuch:comm");
	CHECK_EQ(ret, -EINVAL);
	PARSED(&ret, "sw:trace");
	CHECK_EQ(ret, -EINVAL);
	PARSED(&ret, "comm,+pid");
	CHECK_EQ(ret, -EINVAL);
	PARSED(&ret, "comm", "+pid");
	CHECK_EQ(ret, -EINVAL);
	PARSED(&ret, "");
	CHECK_EQ(ret, -EINVAL);
}

TEST(script_fields_asked_for_must_be_there)
{
	struct script_fields fields;
	int ret;

	fields = PARSED(&ret, "comm,cpu");
	printed(&fields, PERF_TYPE_SOFTWARE, PERF_SAMPLE_IP, &ret);
	CHECK_EQ(ret, -ENODATA);
	fields = PARSED(&ret, "sym");
	printed(&fields, PERF_TYPE_SOFTWARE, ALL, &ret);
	CHECK_EQ(ret, -ENODATA);
	fields = PARSED(&ret, "ip,symoff");
	printed(&fields, PERF_TYPE_SOFTWARE, ALL, &ret);
	CHECK_EQ(ret, -ENODATA);
}
