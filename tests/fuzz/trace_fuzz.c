// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The TRACING_DATA section and a sample's RAW bytes, to the text of a tracepoint. Two bytes say how
 * many of the last bytes are RAW; what is before them is the section.
 */
#include "util/trace/trace_text.h"

#include <stdlib.h>

#include "util/trace/trace_format.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "tests/unit/trace_builder.h"
#include "util/lib/alloc.h"
#include "util/reader/features.h"

static const char *no_symbol(void *ctx, u64 addr, u64 *start)
{
	(void)ctx;
	*start = addr;
	return addr & 1 ? "a_function" : NULL;
}

/* Each field of each event, of a record that may be too short for it. */
static void read_fields(const struct trace_event *event, const u8 *raw, u32 size)
{
	struct out names;
	u32 len;

	fuzz__touch(event->system, strlen(event->system));
	fuzz__touch(event->name, strlen(event->name));
	out__init(&names, -1);
	trace_event__names(event, &names);
	for (const char *p = out__take(&names); *p; p++)
		FUZZ_CHECK((u8)*p > ' ');
	out__exit(&names);
	for (u32 i = 0; i < event->nr_fields; i++) {
		const struct trace_field *field = &event->fields[i];
		u64 value = trace__u64(field, raw, size);

		FUZZ_CHECK(trace_event__field(event, field->name));
		fuzz__touch(&value, sizeof(value));
		const char *text = trace__str(field, raw, size, &len);

		if (text)
			fuzz__touch(text, len);
	}
}

static void read_all_fields(const void *blob, size_t size, const u8 *raw, u32 raw_size)
{
	struct trace_formats *formats = trace_formats__new(blob, size);

	for (u32 id = 0; id < 65536; id++) {
		const struct trace_event *event = trace_formats__event(formats, id);

		if (event)
			read_fields(event, raw, raw_size);
	}
	trace_formats__delete(formats);
}

static void print_sample(struct perf_data *data, const u8 *raw, u32 size)
{
	struct trace_text *text = trace_text__new(data, NULL, no_symbol, NULL, NULL);
	struct out out;

	out__init(&out, -1);
	struct trace_text_event *event =
	        trace_text__event(text, perf_data__evlist(data)->evsels[0]);

	trace_text__print(text, event, &out, raw, size, 0);
	trace_text__print(text, event, &out, raw, size / 2, ~0u);
	for (struct trace_text_slow slow = { 0 }; trace_text__slow(text, 0, &slow); slow.nr = 0) {
		FUZZ_CHECK(slow.event && (!slow.why || *slow.why));
		fuzz__touch(slow.function, strlen(slow.function));
		break;
	}
	for (const char *p = out__take(&out); *p; p++)
		FUZZ_CHECK((u8)*p >= ' ');
	out__exit(&out);
	trace_text__delete(text);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct perf_event_attr attr = built_attr(PERF_SAMPLE_RAW);
	struct file_builder f;
	struct builder file;

	if (size < 2)
		return 0;
	size_t raw_size = min_u64(load_u16(bytes, false), size - 2);

	attr.type = PERF_TYPE_TRACEPOINT;
	attr.config = raw_size >= 2 ? load_u16(bytes + size - raw_size, false) : 0;

	read_all_fields(bytes + 2, size - 2 - raw_size, bytes + size - raw_size, raw_size);
	file_builder__init(&f, false);
	file_builder__event(&f, &attr, NULL, 0);
	builder__end(&f.data, builder__begin(&f.data, RECORD_FINISHED_ROUND, 0));
	builder__bytes(file_builder__feature(&f, FEATURE_TRACING_DATA), bytes + 2,
	               size - 2 - raw_size);
	file_builder__finish(&f, &file);
	struct perf_data *data =
	        perf_data__open(fuzz__file(file.data, file.len), PERF_DATA_FORCE, NULL);

	u8 *raw = xmalloc(raw_size + !raw_size); /* of its size, so that a read beyond it is seen */

	memcpy(raw, bytes + size - raw_size, raw_size);
	if (data && perf_data__evlist(data)->nr)
		print_sample(data, raw, raw_size);
	free(raw);
	perf_data__close(data);
	builder__exit(&file);
	file_builder__exit(&f);
	return 0;
}

static const char *const formats[] = {
	"name: wakeup\nID: 1\nformat:\n" TRACE_COMMON_FIELDS
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:long state;\toffset:32;\tsize:8;\tsigned:1;\n\n"
	"print fmt: \"%s:%d %s%s ==> 0x%llx\", REC->comm, REC->pid, (REC->state & 1) ? "
	"__print_flags(REC->state & 3, \"|\", { 0x1, \"S\" }, { 0x2, \"D\" }) : \"R\", "
	"__print_symbolic(REC->pid, { 0, \"idle\" }, { 1, \"init\" }), REC->state\n",
	"name: open\nID: 1\nformat:\n" TRACE_COMMON_FIELDS
	"\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 id[8];\toffset:12;\tsize:8;\tsigned:0;\n"
	"\tfield:void * ip;\toffset:24;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"%s %pS %s %*pbl %u:%u\", __get_str(name), (void *)REC->ip, "
	"__print_hex(REC->id, 8), 4, REC->id, ((unsigned int) ((REC->ip) >> 20)), 7\n",
	"name: arrays\nID: 1\nformat:\n" TRACE_COMMON_FIELDS
	"\tfield:__data_loc u64[] a;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc char[] b;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:u32 c[4];\toffset:16;\tsize:16;\tsigned:0;\n\n"
	"print fmt: \"%s %s %u %u %s %-9s %.*s\", __print_array(__get_dynamic_array(a), 4, 8), "
	"__get_rel_str(b), REC->c[3], __get_dynamic_array_len(a), __get_bitmask(a), "
	"__get_rel_str(b), REC->c[0], __get_rel_str(b)\n",
	"name: addresses\nID: 1\nformat:\n" TRACE_COMMON_FIELDS
	"\tfield:u8 m[6];\toffset:8;\tsize:6;\tsigned:0;\n"
	"\tfield:u8 s[28];\toffset:14;\tsize:28;\tsigned:0;\n"
	"\tfield:u8 u[16];\toffset:14;\tsize:16;\tsigned:0;\n"
	"\tfield:s64 n;\toffset:24;\tsize:8;\tsigned:1;\n\n"
	"print fmt: \"%pM %pISpc %pI6c %pU %lld %08lx %s\", REC->m, REC->s, REC->u, REC->u, "
	"REC->n / REC->n % 3, ~REC->n << 2, REC->n > 3 ? REC->n ? \"a\" : __print_symbolic("
	"REC->n, { 1, \"b\" }, { 0xffffffff, \"c\" }) : \"d\"\n",
};

#define TWO_NUMBERS                                                                                \
	"\tfield:u32 a;\toffset:8;\tsize:4;\tsigned:0;\n"                                          \
	"\tfield:s32 b;\toffset:12;\tsize:4;\tsigned:1;\n"

/* All that a format can compute and lay out. */
static const char *const more_formats[] = {
	"name: operators\nID: 1\nformat:\n" TRACE_COMMON_FIELDS TWO_NUMBERS
	"\nprint fmt: \"%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\", REC->a || REC->b, "
	"REC->a | REC->b, REC->a && REC->b, REC->a & REC->b, REC->a < REC->b, REC->a <= REC->b, "
	"REC->a > REC->b, REC->a >= REC->b, REC->a == REC->b, REC->a != REC->b, REC->a + REC->b, "
	"REC->a - REC->b, REC->a * REC->b, REC->a >> 2, !REC->a, REC->a ? REC->b : 3, "
	"(REC->a ? 1 : REC->b) + 1\n",
	"name: layouts\nID: 1\nformat:\n" TRACE_COMMON_FIELDS TWO_NUMBERS
	"\tfield:char s[8];\toffset:16;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"%d %i %u %x %#x %-6d %+d %hd %hhd %hhu %hu %p %c %o %05d %X %8u %08x %ld %llu "
	"%#10x %.3d%% %10s %-10s %.2s\\n\\t %#lx %hhd %hd\", REC->b, REC->b, REC->a, REC->b, REC->a, "
	"REC->b, REC->a, REC->b, REC->a, REC->b, REC->a, REC->b, REC->a & 63, REC->b, REC->a, REC->b, "
	"REC->a, REC->b, (unsigned char)REC->b, (unsigned short)REC->b, (unsigned int)REC->b, REC->a, "
	"REC->s, REC->s, REC->s, (int)REC->a, REC->b, REC->b\n",
	"name: stars\nID: 1\nformat:\n" TRACE_COMMON_FIELDS TWO_NUMBERS
	"\tfield:char s[8];\toffset:16;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"%*d|%-*d|%*s|%.*s|%*x\", 9, REC->b, 9, REC->a, 5, REC->s, REC->a & 3, REC->s, "
	"-5, REC->b\n",
	"name: names\nID: 1\nformat:\n" TRACE_COMMON_FIELDS TWO_NUMBERS
	"\nprint fmt: \"%s %s %s %10s %-6s\", __print_flags(REC->a, \"|\", { 1, \"A\" }, { 4, \"B\" }, "
	"{ 16, \"C\" }), __print_flags(REC->a & 0, \"\", { -1, \"none\" }, { 1, \"A\" }), "
	"__print_symbolic(REC->b, { 7, \"seven\" }, { 70000, \"many\" }, { -1, \"minus\" }), "
	"__print_symbolic(REC->a, { 7, \"x\" }), REC->b > 3 ? \"yes\" : \"no\"\n",
	"name: dynamic\nID: 1\nformat:\n" TRACE_COMMON_FIELDS
	"\tfield:__data_loc u32[] x;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc u8[] y;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc cpumask_t m;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"%u %u %s %s %s %d %s %*pbl\", ((u32 *)__get_dynamic_array(x))[1], "
	"((u8 *)__get_rel_dynamic_array(y))[0], __print_hex_str(__get_dynamic_array(x), "
	"__get_dynamic_array_len(x)), __get_cpumask(m), REC->fmt, __get_rel_dynamic_array_len(y), "
	"__print_array(__get_rel_dynamic_array(y), 2, 1), 8, __get_dynamic_array(x)\n",
	"name: library\nID: 1\nformat:\n" TRACE_COMMON_FIELDS TWO_NUMBERS
	"\nprint fmt: \"%*d %*x %*d%% %20pS %*u\", 2 + 3, REC->a, (int)4, REC->b, REC->a & 7, REC->b, "
	"(void *)REC->a, REC->b, REC->a\n",
	"name: element\nID: 1\nformat:\n" TRACE_COMMON_FIELDS
	"\tfield:__data_loc u32[] x;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc u32[] y;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"%u %u %u\", ((u32 *)__get_dynamic_array(x))[1], "
	"((u32 *)__get_rel_dynamic_array(y))[0], ((u32 *)__get_dynamic_array(x))[70000]\n",
	"name: mask\nID: 1\nformat:\n" TRACE_COMMON_FIELDS
	"\tfield:__data_loc unsigned long[] m;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc unsigned long[] n;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"%s %s %s\", __get_cpumask(m), __get_rel_bitmask(n), __get_rel_cpumask(n)\n",
	"name: bytes\nID: 1\nformat:\n" TRACE_COMMON_FIELDS TWO_NUMBERS
	"\tfield:u8 h[8];\toffset:16;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"%s %s %s\", __print_hex(REC->h, REC->a), __print_hex_str(REC->h, 4), "
	"__print_array(REC->h, 4, 2)\n",
	"name: symbols\nID: 1\nformat:\n" TRACE_COMMON_FIELDS
	"\tfield:void * ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"%pS %ps %pF %pf %s\", REC->ip, REC->ip, REC->ip, REC->ip, REC->fmt\n",
	"name: flags\nID: 1\nformat:\n" TRACE_COMMON_FIELDS TWO_NUMBERS
	"\nprint fmt: \"%s|%s\", __print_flags(REC->a, \"|\", { 1, \"A\" }, { 2, \"B\" }, { 4, \"C\" }, "
	"{ 8, \"D\" }), __print_symbolic(REC->a & 0x100, { 0x100, \"one\" }, { 3, \"x\" })\n",
	"name: wrong\nID: 1\nformat:\n" TRACE_COMMON_FIELDS TWO_NUMBERS
	"\nprint fmt: \"%d %s %d %q %pX %lld\", REC->nosuch, REC->a, sizeof(REC->b), REC->a, REC->b\n",
};

static const char *const address_formats[] = {
	"name: nets\nID: 1\nformat:\n" TRACE_COMMON_FIELDS
	"\tfield:u8 v4[4];\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 v6[16];\toffset:16;\tsize:16;\tsigned:0;\n"
	"\tfield:u8 s[28];\toffset:8;\tsize:28;\tsigned:0;\n"
	"\tfield:u8 m[6];\toffset:8;\tsize:6;\tsigned:0;\n"
	"\nprint fmt: \"%pI4 %pi4 %pI6 %pi6 %pI6c %pIS %piS %pISc %pISp %pISpc %pISpsfc %pM %pm %pMF "
	"%pMR %pUb %pUB %pUl %pUL %pI4b %pI4n\", REC->v4, REC->v4, REC->v6, REC->v6, REC->v6, REC->s, "
	"REC->s, REC->s, REC->s, REC->s, REC->s, REC->m, REC->m, REC->m, REC->m, REC->v6, REC->v6, "
	"REC->v6, REC->v6, REC->v4, REC->v4\n",
	"name: few\nID: 1\nformat:\n" TRACE_COMMON_FIELDS
	"\tfield:u8 s[3];\toffset:8;\tsize:3;\tsigned:0;\n"
	"\tfield:__data_loc u8[] d;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"%pISpc %pI4 %pI6c %pM %pU %pISpc %pI6\", REC->s, REC->s, REC->s, REC->s, REC->s, "
	"__get_dynamic_array(d), __get_dynamic_array(d)\n",
};

/* A sample of them: sockaddrs, an address of IPv4 in one of IPv6, runs of zeros. */
static const u8 addresses[][32] = {
	{ 2, 0, 0x1f, 0x90, 10, 0, 0, 1 },
	{ 10, 0, 0x1f, 0x90, 0, 0, 0, 0, 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 },
	{ 10, 0, 0, 80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 168, 0, 1 },
	{ 10, 0, 0, 80, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4, 0, 5 },
	{ 1, 0, 0, 0 },
	{ 0x0c, 0, 7, 0, 2, 0, 0, 80, 1, 2, 3, 4 },
};

static void add_address_seed(void (*add)(const void *data, size_t size), const char *format,
                             const u8 sample[32])
{
	struct builder b = { 0 };

	builder__u16(&b, 40);
	trace_builder__write(&b, 8, &(struct built_format){ "net", format }, 1);
	builder__u16(&b, 1);
	builder__zero(&b, 6);
	builder__bytes(&b, sample, 32);
	add(b.data, b.len);
	builder__exit(&b);
}

static void add_seed(void (*add)(const void *data, size_t size), const char *format)
{
	struct builder b = { 0 };

	builder__u16(&b, 40);
	trace_builder__write(&b, 8, &(struct built_format){ "sched", format }, 1);
	builder__u16(&b, 1); /* RAW: common_type ... */
	builder__u16(&b, 0);
	builder__u32(&b, 7);
	builder__u32(&b, 5 << 16 | 32);
	builder__bytes(&b, "a name", 7);
	builder__zero(&b, 13);
	builder__bytes(&b, "long me", 8);
	add(b.data, b.len);
	builder__exit(&b);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	for (unsigned i = 0; i < ARRAY_SIZE(formats); i++)
		add_seed(add, formats[i]);
	for (unsigned i = 0; i < ARRAY_SIZE(more_formats); i++)
		add_seed(add, more_formats[i]);
	for (unsigned i = 0; i < ARRAY_SIZE(more_formats); i++) /* where others say what to read */
		add_address_seed(add, more_formats[i],
		                 (const u8[32]){ 15, 1, 8, 0, 24, 0, 8, 0, 0xf, 0xf0, 0x81, 1 });
	for (unsigned i = 0; i < ARRAY_SIZE(address_formats); i++)
		for (unsigned k = 0; k < ARRAY_SIZE(addresses); k++)
			add_address_seed(add, address_formats[i], addresses[k]);
}
