// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every tracepoint that this kernel has, and hard ones of other kernels that are kept in
 * tests/data/: their text is that of libtraceevent. More payloads: TRACE_PAYLOADS=1000.
 */
#include "tests/unit/trace_oracle.h"

#include "tests/unit/trace_builder.h"
#include "tests/unit/unit.h"

#ifdef HAVE_LIBTRACEEVENT

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/event/tracefs.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/reader/features.h"
#include "util/trace/trace_text.h"

#define EVENTS   TRACEFS_DEFAULT_MOUNT "/events"
#define HARD     "tests/data/trace-formats.txt"
#define PAYLOADS 20
#define MAX_HARD 100

#define FIELDS                                                                                     \
	TRACE_COMMON_FIELDS                                                                        \
	"\tfield:int i;\toffset:8;\tsize:4;\tsigned:1;\n"                                          \
	"\tfield:u8 b;\toffset:12;\tsize:1;\tsigned:0;\n"                                          \
	"\tfield:s16 h;\toffset:14;\tsize:2;\tsigned:1;\n"                                         \
	"\tfield:u64 q;\toffset:16;\tsize:8;\tsigned:0;\n"                                         \
	"\tfield:char name[16];\toffset:24;\tsize:16;\tsigned:0;\n"                                \
	"\tfield:__data_loc char[] text;\toffset:40;\tsize:4;\tsigned:0;\n"                        \
	"\tfield:__rel_loc char[] near;\toffset:44;\tsize:4;\tsigned:0;\n"                         \
	"\tfield:__data_loc unsigned long[] mask;\toffset:48;\tsize:4;\tsigned:0;\n"               \
	"\tfield:u8 mac[6];\toffset:52;\tsize:6;\tsigned:0;\n"                                     \
	"\tfield:__u8 v4[4];\toffset:60;\tsize:4;\tsigned:0;\n"                                    \
	"\tfield:__u8 v6[16];\toffset:64;\tsize:16;\tsigned:0;\n"                                  \
	"\tfield:__u8 any[28];\toffset:80;\tsize:28;\tsigned:0;\n"                                 \
	"\tfield:u32 words[4];\toffset:108;\tsize:16;\tsigned:0;\n"                                \
	"\tfield:const char * where;\toffset:128;\tsize:8;\tsigned:0;\n"                           \
	"\tfield:__rel_loc unsigned long[] rmask;\toffset:136;\tsize:4;\tsigned:0;\n"              \
	"\n"

/* What the formats of this kernel do not have, or not in all ways. */
static const char *const own[] = {
	"\"%-10s|%10s|%.3s|%-8.2s|\", REC->name, __get_str(text), __get_rel_str(near), REC->name",
	"\"%hhd %hhu %hd %hu %hx %+d % d %-6d| %06d %6u %#o %#x %X\", REC->q, REC->q, REC->q, REC->q, REC->q, REC->i, REC->i, REC->i, REC->i, REC->i, REC->i, REC->i, REC->q",
	"\"%s %s\", __get_bitmask(mask), __get_cpumask(mask)",
	"\"%s %s\", __get_rel_bitmask(rmask), __get_rel_cpumask(rmask)",
	"\"%pM %pm %pMF %pI4 %pi4 %pI6 %pi6 %pI6c\", REC->mac, REC->mac, REC->mac, REC->v4, REC->v4, REC->v6, REC->v6, REC->v6",
	"\"%pU %pUb %pUB %pUl %pUL %pIS %pISp %pISpc %piS %pISc\", REC->v6, REC->v6, REC->v6, REC->v6, REC->v6, REC->any, REC->any, REC->any, REC->any, REC->any",
	"\"%u %u\", REC->words[0], REC->words[3]",
	"\"%s\", REC->b > 3 ? (REC->b > 100 ? __print_symbolic(REC->b, { 101, \"a\" }, { 0x80, \"b\" }) : REC->name) : REC->b ? \"one\" : __get_str(text)",
	"\"%-12s%5s|%s\", __print_flags(REC->i, \"|\", { 1, \"A\" }, { 2, \"B\" }, { 0x30, \"CD\" }, { 0x80000000, \"E\" }), __print_symbolic(REC->b, { 0, \"zero\" }, { 1, \"one\" }, { 1, \"again\" }), __print_flags(REC->h, \"\", { 1, \"X\" }, { 4, \"Y\" }, { (unsigned long)8, \"Z\" })",
	"\"%s %p %pS %ps %pF %pf\", REC->where, REC->where, REC->where, (void *)REC->q, (void *)REC->q, (void *)REC->q",
	"\"%u %d %x %d\", (u8)REC->q, (s8)REC->q, (unsigned short)REC->i, (int)(REC->q >> 8) - 3 * (REC->b + 1)",
	"\"%d %d %d %d %d\", !REC->i, ~REC->i, REC->b && REC->h, REC->b || REC->h, REC->i == 4 ? REC->b : REC->h",
	"\"%s %s %s\", __print_hex(REC->v6, 16), __print_hex_str(REC->mac, 6), __print_array(REC->words, 4, 4)",
	"\"%s %s %s %s\", __print_array(REC->words, 8, 2), __print_array(REC->v6, 16, 1), __print_array(REC->v6, 2, 8), __print_hex(__get_dynamic_array(mask), __get_dynamic_array_len(mask))",
	"\"100%% %c %5d\\n\\t\\\"quoted\\\"\", REC->b, REC->i",
	"\"%*d|%-*d|%.*s|%*s\", 5, REC->i, 7, REC->i, 3, REC->name, 12, REC->name",
	"\"%u %u %u %u\", (u16)REC->q, (s16)REC->q, (u32)REC->q, (char)REC->q",
	"\"%Lu %Lx %zd %lX %llo\", REC->q, REC->q, REC->q, REC->q, REC->q",
};

static unsigned nr_payloads(unsigned usual)
{
	const char *word = getenv("TRACE_PAYLOADS");

	return word ? strtoul(word, NULL, 10) : usual;
}

/* False: it is not one that a recording could have. */
static bool take(struct trace_oracle_format *format, const char *path)
{
	const char *system = path + sizeof(EVENTS);

	if (!strncmp(system, "ftrace/", 7)) /* the tracer's own */
		return false;
	format->text = file__read_all(path, 1 << 20, &format->len);
	if (!format->text)
		return false;
	/* Probes come and go while other tests run. */
	if (strstr(format->text, " __probe_ip;") || strstr(format->text, " __probe_func;")) {
		free(format->text);
		return false;
	}
	format->system = xasprintf("%.*s", (int)strcspn(system, "/"), system);
	return true;
}

static void free_all(struct trace_oracle_format *formats, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++) {
		free(formats[i].system);
		free(formats[i].text);
	}
	free(formats);
}

TEST(trace_text_of_every_tracepoint_is_that_of_the_library)
{
	glob_t paths = { 0 };
	unsigned nr = 0;

	glob(EVENTS "/*/*/format", 0, NULL, &paths);
	if (!paths.gl_pathc) {
		globfree(&paths);
		unit__skip("the formats of tracefs cannot be read");
		return;
	}
	struct trace_oracle_format *formats = xcalloc(paths.gl_pathc, sizeof(*formats));

	for (size_t i = 0; i < paths.gl_pathc; i++)
		nr += take(&formats[nr], paths.gl_pathv[i]);
	struct trace_oracle result = trace_oracle__run(formats, nr, nr_payloads(PAYLOADS));

	CHECK(result.nr_events > 50);
	CHECK((result.nr_slow - result.nr_failed) * 100 < result.nr_events);
	free_all(formats, nr);
	globfree(&paths);
}

/* "# SYSTEM", then a format file, and so on. */
static unsigned take_kept(struct trace_oracle_format *formats, unsigned max, const char *text)
{
	unsigned nr = 0;

	while (nr < max && !strncmp(text, "# ", 2)) {
		const char *newline = strchr(text, '\n');
		const char *next = strstr(newline, "\n# "), *end;

		end = next ? next + 1 : newline + strlen(newline);
		formats[nr].system = xasprintf("%.*s", (int)(newline - text - 2), text + 2);
		formats[nr].text = xasprintf("%.*s", (int)(end - newline - 1), newline + 1);
		formats[nr].len = strlen(formats[nr].text);
		nr++;
		text = end;
	}
	return nr;
}

TEST(trace_text_of_hard_formats_is_that_of_the_library)
{
	struct trace_oracle_format *formats;
	size_t len;
	char *text = file__read_all(HARD, 1 << 20, &len);

	if (!text) {
		unit__skip(HARD " is not here: not started in the folder of the sources");
		return;
	}
	formats = xcalloc(MAX_HARD, sizeof(*formats));
	unsigned nr = take_kept(formats, MAX_HARD, text);
	struct trace_oracle result = trace_oracle__run(formats, nr, nr_payloads(PAYLOADS));

	CHECK(nr >= 60);
	CHECK_EQ(result.nr_events, nr);
	CHECK(result.nr_slow * 10 < result.nr_events);
	free_all(formats, nr);
	free(text);
}

TEST(trace_text_of_own_formats_is_that_of_the_library)
{
	struct trace_oracle_format *formats = xcalloc(ARRAY_SIZE(own), sizeof(*formats));

	for (unsigned i = 0; i < ARRAY_SIZE(own); i++) {
		formats[i].system = xstrdup("own");
		formats[i].text =
		        xasprintf("name: own_%u\nID: %u\nformat:\n" FIELDS "print fmt: %s\n", i,
		                  60000 + i, own[i]);
		formats[i].len = strlen(formats[i].text);
	}
	struct trace_oracle result = trace_oracle__run(formats, ARRAY_SIZE(own), nr_payloads(200));

	CHECK_EQ(result.nr_events, ARRAY_SIZE(own));
	CHECK_EQ(result.nr_failed, 0);
	free_all(formats, ARRAY_SIZE(own));
}

/* The text of a record of @size bytes, in which all bytes are @fill. */
static void print_text(struct out *out, const char *print, unsigned size, u8 fill)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
		                        .size = sizeof(attr),
		                        .config = fill | fill << 8 };
	char *format = xasprintf("name: x\nID: %u\nformat:\n" FIELDS "print fmt: %s\n",
	                         (unsigned)attr.config, print);
	u8 *raw = xmalloc(size);
	struct file_builder f;
	struct error err = { 0 };

	memset(raw, fill, size);
	file_builder__init(&f, false);
	file_builder__event(&f, &attr, NULL, 0);
	trace_builder__write(file_builder__feature(&f, FEATURE_TRACING_DATA), 8,
	                     &(struct built_format){ "own", format }, 1);
	struct perf_data *data = perf_data__open(file_builder__write(&f, "text.data"), 0, &err);
	struct trace_text *text = trace_text__new(data, NULL, NULL, NULL, &err);

	trace_text__print(text, trace_text__event(text, perf_data__evlist(data)->evsels[0]), out,
	                  raw, size, 0);
	trace_text__delete(text);
	perf_data__close(data);
	file_builder__exit(&f);
	free(format);
	free(raw);
}

static void check_text(const char *print, unsigned size, u8 fill, const char *want)
{
	struct out out;

	out__init(&out, -1);
	print_text(&out, print, size, fill);
	CHECK_STR(out__take(&out), want);
	out__exit(&out);
}

TEST(trace_text_ends_with_the_record)
{
	check_text("\"%s\", __print_hex(REC->v6, REC->i)", 70, 1,
	           "01 01 01 01 01 01 00 00 00 00 00 00 00 00 00 00");
	check_text("\"%s\", __print_hex_str(__get_dynamic_array(mask), REC->i)", 264, 1,
	           "01010101010101");
	check_text("\"%s\", __print_array(REC->words, REC->i, 4)", 118, 1,
	           "16843009 16843009 257 0");
	check_text("\"%d %x %s.\", REC->i, REC->words[1], REC->name", 12, 1, "16843009 0 .");
	check_text("\"%s.\", __get_str(text)", 140, 1, ".");
	check_text("\"%s.\", __get_str(text)", 300, 33, ".");
	check_text("\"%d %d\", REC->i / REC->b, REC->i % REC->b", 140, 0, "0 0");
}

/* Not as the library, which prints 65535: as the kernel does, and as filters compare them. */
TEST(trace_text_of_small_signed_fields_has_their_sign)
{
	check_text("\"%d %i %5d %u %x %d\", REC->h, REC->h, REC->h, REC->h, REC->h, REC->b", 140,
	           0xff, "-1 -1    -1 65535 ffff 255");
	check_text("\"%d %d\", REC->h, REC->h + 1", 140, 0x7f, "32639 32640");
}

/* Widths of two billions, forwards and backwards, which a record may ask for. */
TEST(trace_text_is_not_as_wide_as_a_record_says)
{
	static const char *const prints[] = {
		"\"%*d|\", REC->i, REC->i", "\"%-*x|\", REC->i, REC->i",
		"\"%*s|%.*s\", REC->i, REC->name, REC->i, REC->name",
		"\"%*d %20pS\", REC->i, REC->i, (void *)REC->i", /* which the library prints */
	};
	static const u8 fills[] = { 0x7f, 0x80, 0xff };
	struct out out;

	for (unsigned i = 0; i < ARRAY_SIZE(prints); i++)
		for (unsigned k = 0; k < ARRAY_SIZE(fills); k++) {
			out__init(&out, -1);
			print_text(&out, prints[i], 140, fills[k]);
			CHECK(out.len > 0 && out.len < 3 * UINT16_MAX);
			out__exit(&out);
		}
}

#endif
