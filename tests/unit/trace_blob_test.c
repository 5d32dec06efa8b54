// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/trace/trace_blob.h"

#include "tests/unit/unit.h"

static const char format[] = "name: x\nID: 372\nformat:\n"
                             "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                             "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
                             "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
                             "\tfield:const char * name;\toffset:24;\tsize:8;\tsigned:0;\n"
                             "\tfield:__data_loc char[] text;\toffset:32;\tsize:4;\tsigned:0;\n"
                             "\tfield special:unsigned long args[6];\toffset:40;\tsize:48;\n\n"
                             "print fmt: \"%d\", REC->x\n";

static const char *fields(struct out *out, const char *text, size_t size)
{
	out__init(out, -1);
	trace_format__fields(out, text, size);
	return out__take(out);
}

TEST(trace_format_names_the_fields_of_the_event)
{
	struct out out;
	u64 id;

	CHECK_STR(fields(&out, format, sizeof(format) - 1), "prev_comm,name,text,args");
	out__exit(&out);
	CHECK(trace_format__id(format, sizeof(format) - 1, &id));
	CHECK_EQ(id, 372);
}

TEST(trace_format_without_what_is_looked_for)
{
	static const char *const odd[] = { "",          "\n",    "\n\n\tfield:", "\n\n\tfield:;",
		                           "\tfield:x", "ID:\n", "\n\n\tfield:[" };
	struct out out;
	u64 id;

	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		CHECK_STR(fields(&out, odd[i], strlen(odd[i])), "");
		out__exit(&out);
		CHECK(!trace_format__id(odd[i], strlen(odd[i]), &id));
	}
}

TEST(trace_blob_needs_its_first_bytes)
{
	const struct trace_blob_reader reader = { .ctx = NULL };

	CHECK(trace_blob__read("", 0, &reader) < 0);
	CHECK(trace_blob__read("nothing at all", 14, &reader) < 0);
}
