// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/trace/trace_blob.h"

#include "tests/unit/unit.h"

TEST(trace_blob_needs_its_first_bytes)
{
	const struct trace_blob_reader reader = { .ctx = NULL };

	CHECK(trace_blob__read("", 0, &reader) < 0);
	CHECK(trace_blob__read("nothing at all", 14, &reader) < 0);
}
