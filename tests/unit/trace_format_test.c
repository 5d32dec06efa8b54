// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/trace/trace_format.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/trace_builder.h"
#include "tests/unit/unit.h"
#include "util/trace/trace_unknown.h"

static const char format[] =
        "name: x\nID: 372\nformat:\n" TRACE_COMMON_FIELDS
        "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
        "\tfield:const char * name;\toffset:24;\tsize:8;\tsigned:0;\n"
        "\tfield:__data_loc char[] text;\toffset:32;\tsize:4;\tsigned:0;\n"
        "\tfield special:unsigned long args[6];\toffset:40;\tsize:48;\tsigned:0;\n"
        "\tfield:__rel_loc u16[] near;\toffset:88;\tsize:4;\tsigned:0;\n"
        "\tfield:short level;\toffset:92;\tsize:2;\tsigned:1;\n"
        "\tfield:s8 tiny;\toffset:94;\tsize:1;\tsigned:1;\n\n"
        "print fmt: \"%d\", REC->x\n";

static struct trace_formats *formats_of(struct builder *b, unsigned long_size, const char *system,
                                        const char *text)
{
	trace_builder__write(b, long_size, &(struct built_format){ system, text }, 1);
	return trace_formats__new(b->data, b->len);
}

static void check_field(const struct trace_event *event, const char *name, u32 offset, u32 size,
                        u32 element, u32 flags)
{
	const struct trace_field *field = trace_event__field(event, name);

	CHECK(field);
	CHECK_EQ(field->offset, offset);
	CHECK_EQ(field->size, size);
	CHECK_EQ(field->element, element);
	CHECK_EQ(field->flags, flags);
}

TEST(trace_format_has_the_fields_of_the_event)
{
	struct builder b = { 0 };
	struct trace_formats *formats = formats_of(&b, 8, "sys", format);
	const struct trace_event *event = trace_formats__event(formats, 372);
	struct out names;

	CHECK(event);
	CHECK_STR(event->system, "sys");
	CHECK_STR(event->name, "x");
	CHECK_EQ(event->min_size, 95);
	CHECK(trace_formats__find(formats, "sys", "x") == event);
	CHECK(!trace_formats__find(formats, "other", "x"));
	CHECK(!trace_formats__event(formats, 371));
	out__init(&names, -1);
	trace_event__names(event, &names);
	CHECK_STR(out__take(&names), "prev_comm,name,text,args,near,level,tiny");
	out__exit(&names);
	check_field(event, "common_pid", 4, 4, 4, TRACE_FIELD_SIGNED | TRACE_FIELD_COMMON);
	check_field(event, "prev_comm", 8, 16, 1, TRACE_FIELD_ARRAY | TRACE_FIELD_STRING);
	check_field(event, "name", 24, 8, 8, TRACE_FIELD_POINTER);
	check_field(event, "text", 32, 4, 1, TRACE_FIELD_DYNAMIC | TRACE_FIELD_STRING);
	check_field(event, "args", 40, 48, 8, TRACE_FIELD_ARRAY);
	check_field(event, "near", 88, 4, 2, TRACE_FIELD_DYNAMIC | TRACE_FIELD_RELATIVE);
	CHECK_STR(trace_event__field(event, "prev_comm")->type, "char");
	CHECK_STR(trace_event__field(event, "name")->type, "const char *");
	CHECK(!trace_event__field(event, "prev"));
	trace_formats__delete(formats);
	builder__exit(&b);
}

TEST(trace_format_without_what_is_looked_for)
{
	static const char *const odd[] = { "",
		                           "\n",
		                           "ID:\n",
		                           "name: x\n\n\tfield:",
		                           "ID: 70000\n",
		                           "ID: 99999999999999999999\n" };
	static const char *const fieldless[] = {
		"\tfield:",
		"\tfield:;",
		"\tfield:x",
		"\tfield:[",
		"\tfield:int x;\toffset:0;\n",
		"\tfield:int x;\toffset:-1;\tsize:4;\tsigned:1;\n",
		"\tfield:int x;\toffset:65534;\tsize:4;\tsigned:1;\n",
		"\tfield:int x;\toffset:4294967296;\tsize:4;\tsigned:1;\n",
	};
	char text[200];

	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		struct builder b = { 0 };
		struct trace_formats *formats = formats_of(&b, 8, "sys", odd[i]);

		CHECK(!trace_formats__event(formats, 0));
		CHECK(!trace_formats__find(formats, "sys", "x"));
		trace_formats__delete(formats);
		builder__exit(&b);
	}
	for (size_t i = 0; i < ARRAY_SIZE(fieldless); i++) {
		struct builder b = { 0 };

		snprintf(text, sizeof(text), "name: x\nID: 3\nformat:\n\n%s", fieldless[i]);
		struct trace_formats *formats = formats_of(&b, 8, "sys", text);

		CHECK_EQ(trace_formats__event(formats, 3)->nr_fields, 0);
		trace_formats__delete(formats);
		builder__exit(&b);
	}
}

static u64 number(const struct trace_event *event, const char *name, const struct builder *raw)
{
	return trace__u64(trace_event__field(event, name), raw->data, raw->len);
}

static void check_text(const struct trace_event *event, const char *name, const struct builder *raw,
                       const char *want)
{
	u32 len;
	const char *text = trace__str(trace_event__field(event, name), raw->data, raw->len, &len);

	CHECK(text && len == strlen(want) && !memcmp(text, want, len));
}

/* A record of the format above. */
static void build_record(struct builder *b, bool swap)
{
	*b = (struct builder){ .swap = swap };
	builder__u16(b, 372);
	builder__u16(b, 0);
	builder__u32(b, -5);
	builder__bytes(b, "swapper/1\0hidden", 16);
	builder__u64(b, 0xffffffff81000000);
	builder__u32(b, 95 | 5 << 16);
	builder__u32(b, 0);
	for (u64 i = 0; i < 6; i++)
		builder__u64(b, i + 0x1000000000);
	builder__u32(b, 8 | 4 << 16);
	builder__u16(b, -2);
	builder__u8(b, -3);
	builder__bytes(b, "text", 5);
	builder__u16(b, 7);
	builder__u16(b, 8);
}

TEST(trace_fields_are_read_in_either_byte_order)
{
	for (int swap = 0; swap < 2; swap++) {
		struct builder blob = { .swap = swap }, raw;
		struct trace_formats *formats = formats_of(&blob, 8, "sys", format);
		const struct trace_event *event = trace_formats__event(formats, 372);

		build_record(&raw, swap);
		CHECK_EQ(number(event, "common_type", &raw), 372);
		CHECK_EQ((s64)number(event, "common_pid", &raw), -5);
		CHECK_EQ((s64)number(event, "level", &raw), -2);
		CHECK_EQ((s64)number(event, "tiny", &raw), -3);
		CHECK_EQ(number(event, "name", &raw), 0xffffffff81000000);
		CHECK_EQ(number(event, "args", &raw), 0x1000000000);
		check_text(event, "prev_comm", &raw, "swapper/1");
		check_text(event, "text", &raw, "text");
		u32 len;
		const u8 *near =
		        trace__bytes(trace_event__field(event, "near"), raw.data, raw.len, &len);

		CHECK_EQ(len, 4);
		CHECK(near == raw.data + 100);
		trace_formats__delete(formats);
		builder__exit(&blob);
		builder__exit(&raw);
	}
}

TEST(trace_fields_beyond_the_record_are_not_read)
{
	struct builder blob = { 0 }, raw;
	struct trace_formats *formats = formats_of(&blob, 8, "sys", format);
	const struct trace_event *event = trace_formats__event(formats, 372);
	const struct trace_field *level = trace_event__field(event, "level");
	const struct trace_field *text = trace_event__field(event, "text");
	const struct trace_field *near = trace_event__field(event, "near");
	u32 len = 1;

	build_record(&raw, false);
	CHECK_EQ((s64)trace__u64(level, raw.data, 94), -2);
	CHECK_EQ(trace__u64(level, raw.data, 93), 0);
	CHECK(trace__str(text, raw.data, 100, &len) && len == 4);
	CHECK(!trace__str(text, raw.data, 99, &len) && !len);
	CHECK(trace__bytes(near, raw.data, 104, &len) && len == 4);
	CHECK(!trace__bytes(near, raw.data, 103, &len));
	CHECK(!trace__bytes(near, raw.data, 91, &len));
	trace_formats__delete(formats);
	builder__exit(&blob);
	builder__exit(&raw);
}

TEST(trace_formats_of_two_files_do_not_mix)
{
	static const char other[] =
	        "name: x\nID: 372\nformat:\n" TRACE_COMMON_FIELDS
	        "\tfield:unsigned long args[2];\toffset:8;\tsize:8;\tsigned:0;\n"
	        "\tfield:__data_loc unsigned long[] more;\toffset:16;\tsize:4;\tsigned:0;\n";
	struct builder a = { 0 }, b = { .swap = true };
	struct trace_formats *wide = formats_of(&a, 8, "sys", format);
	struct trace_formats *narrow = formats_of(&b, 4, "sys", other);

	check_field(trace_formats__event(wide, 372), "args", 40, 48, 8, TRACE_FIELD_ARRAY);
	check_field(trace_formats__event(narrow, 372), "args", 8, 8, 4,
	            TRACE_FIELD_ARRAY | TRACE_FIELD_SWAP);
	check_field(trace_formats__event(narrow, 372), "more", 16, 4, 4,
	            TRACE_FIELD_DYNAMIC | TRACE_FIELD_SWAP);
	trace_formats__delete(wide);
	trace_formats__delete(narrow);
	builder__exit(&a);
	builder__exit(&b);
}

static void check_function_after(const char *fields, const char *print, const char *want)
{
	struct builder b = { 0 };
	char text[600], name[64];

	snprintf(text, sizeof(text),
	         "name: x\nID: 3\nformat:\n" TRACE_COMMON_FIELDS "%sprint fmt: %s\n", fields,
	         print);
	struct trace_formats *formats = formats_of(&b, 8, "sys", text);

	trace_unknown__function(trace_formats__event(formats, 3), name, sizeof(name));
	CHECK_STR(name, want);
	trace_formats__delete(formats);
	builder__exit(&b);
}

static void check_function(const char *print, const char *want)
{
	check_function_after("", print, want);
}

TEST(trace_format_names_the_function_that_is_not_known)
{
	check_function("\"%s\", __get_str(name)", "");
	check_function("\"%d text(s) \\\" more(x)\", REC->a * (REC->b)", "");
	check_function("\"%u\", jiffies_to_msecs(REC->wait)", "jiffies_to_msecs");
	check_function("\"%s %s\", __print_hex(REC->a, sizeof(u8)), mc_type(REC->b), other(1)",
	               "mc_type");
	check_function("\"%u", "");
	/* Only what comes after "print fmt:" is called. */
	check_function_after("\tnote(1)\n", "\"%u\", later(REC->a)", "later");
	check_function_after("\tnote(1)\n", "\"%u\", REC->a", "");
}

/* Of a probe: two strings behind a number, and arrays without a length. */
static const char probe[] = "name: p\nID: 9\nformat:\n" TRACE_COMMON_FIELDS
                            "\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n"
                            "\tfield:__data_loc char[] a;\toffset:16;\tsize:4;\tsigned:1;\n"
                            "\tfield:s16 v[];\toffset:20;\tsize:4;\tsigned:1;\n"
                            "\tfield:__data_loc char[] b;\toffset:24;\tsize:4;\tsigned:1;\n\n"
                            "print fmt: \"(%lx)\", REC->__probe_ip\n";

static void put_probe(struct builder *b, u32 first, u32 second)
{
	static const char text[4] = "one";

	builder__exit(b);
	*b = (struct builder){ 0 };
	builder__zero(b, 16);
	builder__u32(b, first);
	builder__u32(b, 0xfffe);
	builder__u32(b, second);
	builder__bytes(b, text, sizeof(text));
}

TEST(trace_format_of_a_probe_tells_faults_from_strings)
{
	struct builder b = { 0 }, raw = { 0 };
	struct trace_formats *formats = formats_of(&b, 8, "sys", probe);
	const struct trace_event *event = trace_formats__event(formats, 9);

	CHECK_EQ(trace_event__field(event, "v")->element, 2);
	put_probe(&raw, 28 | 4 << 16, 32);
	check_text(event, "a", &raw, "one");
	check_text(event, "b", &raw, TRACE_FAULT);
	CHECK_EQ((s64)number(event, "v", &raw), -2);
	put_probe(&raw, 28 | 4 << 16, 28 | 4 << 16);
	check_text(event, "a", &raw, TRACE_FAULT);
	check_text(event, "b", &raw, "one");
	const struct trace_string beyond = { raw.len - 3, raw.len - 3, UINT16_MAX };

	CHECK(!trace__is_fault(raw.data, raw.len, &beyond, false));
	trace_formats__delete(formats);
	builder__exit(&raw);
	builder__exit(&b);
}

/* Of an array of three, at 0, and the string behind it (its u32 is at 12): which are faults? */
static const char *faults(const u32 words[4], u32 size, u32 next)
{
	static char text[4];
	u8 raw[40] = { 0 };

	memcpy(raw, words, 4 * sizeof(*words));
	memcpy(raw + 16, "one\0two\0\0four\0", 14);
	for (u32 i = 0; i < 3; i++) {
		const struct trace_string string = { i * 4, 0, next };

		text[i] = '0' + trace__is_fault(raw, size, &string, false);
	}
	return text;
}

#define AT(place, len) ((place) | (len) << 16)

TEST(trace_format_of_a_probe_tells_faults_in_arrays)
{
	const u32 next = 12, last = UINT16_MAX;

	CHECK_STR(faults((u32[]){ AT(16, 4), AT(20, 4), AT(24, 1), AT(25, 5) }, 30, next), "000");
	CHECK_STR(faults((u32[]){ AT(16, 4), AT(20, 4), AT(24, 1), 0 }, 30, last), "000");
	CHECK_STR(faults((u32[]){ AT(16, 4), AT(20, 0), AT(20, 4), 0 }, 30, last), "010");
	CHECK_STR(faults((u32[]){ AT(16, 0), AT(16, 4), AT(20, 0), AT(20, 4) }, 30, next), "101");
	CHECK_STR(faults((u32[]){ AT(16, 0), AT(16, 0), AT(16, 0), AT(16, 4) }, 30, next), "111");
	/* The kernel could not read the first pointer, or the second: the rest is not its own. */
	CHECK_STR(faults((u32[]){ AT(16, 0), 0xffff8884, 0x557c9375, 0 }, 30, last), "111");
	CHECK_STR(faults((u32[]){ AT(16, 4), 0xffff8884, AT(20, 4), 0 }, 30, last), "011");
	CHECK_STR(faults((u32[]){ AT(16, 0), AT(17, 4), AT(21, 4), 0 }, 30, last), "111");
	CHECK_STR(faults((u32[]){ AT(16, 4), AT(20, 4), AT(24, 1), AT(16, 4) }, 30, next), "111");
	/* No NUL at the end, and none within the record. */
	CHECK_STR(faults((u32[]){ AT(16, 0), AT(16, 3), AT(19, 1), 0 }, 30, last), "110");
	CHECK_STR(faults((u32[]){ AT(16, 4), AT(20, 11), AT(31, 4), 0 }, 30, last), "011");
}
