// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The TRACING_DATA section and a sample's RAW bytes, to the text of a tracepoint. Two bytes say how
 * many of the last bytes are RAW; what is before them is the section.
 */
#include "util/trace/trace_text.h"

#include "util/trace/trace_format.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "tests/unit/trace_builder.h"
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

static void print_sample(const struct perf_data *data, const u8 *raw, u32 size)
{
	struct trace_text *text = trace_text__new(data, no_symbol, NULL, NULL);
	struct out out;

	out__init(&out, -1);
	struct trace_text_event *event =
	        trace_text__event(text, size >= 2 ? load_u16(raw, false) : 0);

	trace_text__print(text, event, &out, raw, size, 0);
	trace_text__print(text, event, &out, raw, size / 2, ~0u);
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

	if (data)
		print_sample(data, bytes + size - raw_size, raw_size);
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
};

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
}
