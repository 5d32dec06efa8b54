// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/fuzz/perf_data.h"

#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "tests/fuzz/fuzz.h"
#include "util/format/record.h"
#include "util/reader/features.h"

static void add_update(struct builder *b, u64 what, const char *text)
{
	size_t at = builder__begin(b, RECORD_EVENT_UPDATE, 0);

	builder__u64(b, what);
	builder__u64(b, 7);
	if (what == 1)
		builder__u64(b, 0x3eb0c6f7a0b5ed8d); /* 1e-6 */
	else
		builder__text(b, text);
	builder__end(b, at);
}

static void add_ksymbol(struct builder *b, u64 type, const struct built_sample *s)
{
	size_t at = builder__begin(b, PERF_RECORD_KSYMBOL, 0);

	builder__u64(b, 0xffffffffc0001000);
	builder__u32(b, 512);
	builder__u16(b, 1);
	builder__u16(b, 0);
	builder__text(b, "bpf_prog_0123456789abcdef_p");
	builder__trailer(b, type, s);
	builder__end(b, at);
}

static void add_lost(struct builder *b, u64 type, const struct built_sample *s)
{
	size_t at = builder__begin(b, PERF_RECORD_LOST, 0);

	builder__u64(b, s->id);
	builder__u64(b, 12);
	builder__trailer(b, type, s);
	builder__end(b, at);
	at = builder__begin(b, PERF_RECORD_LOST_SAMPLES, 0);
	builder__u64(b, 3);
	builder__trailer(b, type, s);
	builder__end(b, at);
}

static void add_auxtrace(struct builder *b)
{
	size_t at = builder__begin(b, RECORD_AUXTRACE, 0);

	builder__u64(b, 64);
	builder__zero(b, 32);
	builder__end(b, at);
	builder__zero(b, 64);
}

void fuzz__add_records(struct builder *b, u64 type, unsigned nr)
{
	static const u64 chain[] = { (u64)-128, 0xffffffff81000100, (u64)-512, 0x401000, 0x401100 };
	struct built_sample zero = { .pid = ~0u }, s = { .pid = 100, .tid = 100, .id = 7 };

	builder__mmap2(b, type, &zero, 1, 0xffffffff81000000, 0x1000000, 0xffffffff81000000,
	               "[kernel.kallsyms]_text");
	add_update(b, 0, "msec");
	add_update(b, 1, NULL);
	add_update(b, 2, "renamed");
	s.time = 1000;
	builder__comm(b, type, &s, "parent");
	builder__mmap2(b, type, &s, 2, 0x400000, 0x10000, 0x1000, "/usr/bin/true");
	builder__mmap2(b, type, &s, 2, 0x7ffe0000, 0x2000, 0, "[vdso]");
	add_ksymbol(b, type, &s);
	for (unsigned i = 0; i < nr; i++) {
		s.time += 10;
		s.ip = 0x401000 + i * 4;
		s.period = 100;
		s.cpu = i % 4;
		s.chain = chain;
		s.nr_chain = i % 6;
		s.read = (u64[]){ 2, 100 * i, 7, 0, i / 2, 8, 0 }; /* if the type has READ */
		s.nr_read = 7;
		builder__sample(b, type, i % 3 ? 2 : 1, &s);
		if (i % 8 == 4) {
			s.pid = s.tid = 101 + i;
			builder__task(b, type, &s, PERF_RECORD_FORK, 100, 100);
			builder__comm(b, type, &s, "child");
		}
		if (i % 8 == 7)
			builder__task(b, type, &s, PERF_RECORD_EXIT, 100, 100);
		if (i % 5 == 4)
			builder__end(b, builder__begin(b, RECORD_FINISHED_ROUND, 0));
	}
	add_lost(b, type, &s);
	add_auxtrace(b);
}

static void strings(struct builder *b, unsigned nr, const char *const *list)
{
	builder__u32(b, nr);
	for (unsigned i = 0; i < nr; i++)
		builder__feature_string(b, list[i]);
}

static void u64s(struct builder *b, unsigned nr, const u64 *values)
{
	for (unsigned i = 0; i < nr; i++)
		builder__u64(b, values[i]);
}

static void add_machine_features(struct file_builder *f)
{
	struct builder *b = file_builder__feature(f, FEATURE_NRCPUS);

	builder__u32(b, 2);
	builder__u32(b, 2);
	b = file_builder__feature(f, FEATURE_CPU_TOPOLOGY);
	strings(b, 1, (const char *[]){ "0-1" });
	strings(b, 2, (const char *[]){ "0", "1" });
	u64s(b, 2, (u64[]){ 0, 1 });
	strings(b, 1, (const char *[]){ "0-1" });
	builder__u64(b, 0);
	b = file_builder__feature(f, FEATURE_NUMA_TOPOLOGY);
	builder__u32(b, 1);
	builder__u32(b, 0);
	u64s(b, 2, (u64[]){ 1000, 500 });
	builder__feature_string(b, "0-1");
	b = file_builder__feature(f, FEATURE_CACHE);
	builder__u32(b, 1);
	builder__u32(b, 1);
	builder__u32(b, 1);
	builder__zero(b, 12);
	for (unsigned i = 0; i < 3; i++)
		builder__feature_string(b, "48K");
	u64s(file_builder__feature(f, FEATURE_MEM_TOPOLOGY), 7,
	     (u64[]){ 1, 0x8000000, 1, 0, 64, 64, 0xff00ff });
	b = file_builder__feature(f, FEATURE_HYBRID_TOPOLOGY);
	strings(b, 2, (const char *[]){ "cpu_core", "0-1" });
	builder__set_u32(b, 0, 1);
}

static void add_build_ids(struct file_builder *f)
{
	struct builder *b = file_builder__feature(f, FEATURE_BUILD_ID);

	for (unsigned i = 0; i < 2; i++) {
		size_t at = builder__begin(b, 0, 0x8000 | (1 + i));

		builder__u32(b, ~0u);
		builder__zero(b, 20);
		builder__u32(b, b->swap ? 20u << 24 : 20);
		builder__text(b, i ? "/usr/bin/true" : "[kernel.kallsyms]");
		builder__end(b, at);
	}
}

static void add_event_features(struct file_builder *f)
{
	struct builder *b = file_builder__feature(f, FEATURE_EVENT_DESC);
	struct perf_event_attr attr = built_attr(PERF_SAMPLE_IP);

	builder__u32(b, 1);
	builder__u32(b, 128);
	builder__attr(b, &attr, 128);
	builder__u32(b, 1);
	builder__feature_string(b, "cpu-clock:u");
	builder__u64(b, 7);
	b = file_builder__feature(f, FEATURE_GROUP_DESC);
	builder__u32(b, 1);
	builder__feature_string(b, "group");
	builder__u64(b, b->swap ? 2 : 2ull << 32);
	b = file_builder__feature(f, FEATURE_PMU_MAPPINGS);
	builder__u32(b, 1);
	builder__u32(b, 1);
	builder__feature_string(b, "software");
	b = file_builder__feature(f, FEATURE_PMU_CAPS);
	builder__u32(b, 1);
	builder__u32(b, 1);
	for (unsigned i = 0; i < 3; i++)
		builder__feature_string(b, "cap");
	strings(file_builder__feature(f, FEATURE_CPU_PMU_CAPS), 2, (const char *[]){ "a", "b" });
	builder__set_u32(file_builder__feature(f, FEATURE_CPU_PMU_CAPS), 0, 1);
}

static void add_bpf(struct file_builder *f)
{
	struct builder *b = file_builder__feature(f, FEATURE_BPF_PROG_INFO);
	size_t at = 20;

	builder__u32(b, 1);
	builder__u32(b, 232);
	builder__u32(b, 20);
	builder__u64(b, 0x1f9);
	builder__zero(b, 232 + 20);
	builder__set_u32(b, at + 104, 1);
	builder__set_u64(b, at + 120, 8);
	builder__set_u64(b, at + 184, 12);
	b = file_builder__feature(f, FEATURE_BPF_BTF);
	builder__u32(b, 1);
	builder__u32(b, 1);
	builder__u32(b, 4);
	builder__zero(b, 4);
}

void fuzz__add_features(struct file_builder *f)
{
	builder__feature_string(file_builder__feature(f, FEATURE_HOSTNAME), "h");
	builder__feature_string(file_builder__feature(f, FEATURE_OSRELEASE), "6.1");
	builder__feature_string(file_builder__feature(f, FEATURE_ARCH), "x86_64");
	builder__u64(file_builder__feature(f, FEATURE_TOTAL_MEM), 1000);
	strings(file_builder__feature(f, FEATURE_CMDLINE), 2, (const char *[]){ "perf", "it's" });
	u64s(file_builder__feature(f, FEATURE_SAMPLE_TIME), 2, (u64[]){ 1000, 2000 });
	u64s(file_builder__feature(f, FEATURE_CLOCKID), 1, (u64[]){ 1 });
	u64s(file_builder__feature(f, FEATURE_CLOCK_DATA), 3,
	     (u64[]){ 0x100000001, 1700000000000000000, 5000000000 });
	file_builder__feature(f, FEATURE_STAT);
	builder__zero(file_builder__feature(f, FEATURE_COMPRESSED), 20);
	add_machine_features(f);
	add_build_ids(f);
	add_event_features(f);
	add_bpf(f);
}

void fuzz__add_file(struct file_builder *f, void (*add)(const void *data, size_t size))
{
	struct builder out;

	file_builder__finish(f, &out);
	add(out.data, out.len);
	builder__exit(&out);
	file_builder__exit(f);
}

static void add_seed(void (*add)(const void *data, size_t size), bool swap, bool features,
                     unsigned nr_events, u64 type)
{
	struct file_builder f;

	file_builder__init(&f, swap);
	for (u64 i = 0; i < nr_events; i++) {
		struct perf_event_attr attr = built_attr(type);

		attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST;
		file_builder__event(&f, &attr, (u64[]){ 7 + i, 70 + i }, 2);
	}
	fuzz__add_records(&f.data, type, 20);
	if (features)
		fuzz__add_features(&f);
	fuzz__add_file(&f, add);
}

/* The pipe form: events and features as records. */
static void add_stream_seed(void (*add)(const void *data, size_t size), bool swap, u64 type)
{
	struct perf_event_attr attr = built_attr(type);
	struct builder b = { .swap = swap };

	builder__u64(&b, 0x32454c4946524550ull);
	builder__u64(&b, 16);
	for (u64 i = 0; i < 2; i++) {
		size_t at = builder__begin(&b, RECORD_HEADER_ATTR, 0);

		builder__attr(&b, &attr, 128);
		builder__u64(&b, 7 + i);
		builder__end(&b, at);
	}
	size_t at = builder__begin(&b, RECORD_HEADER_FEATURE, 0);

	builder__u64(&b, FEATURE_HOSTNAME);
	builder__feature_string(&b, "there");
	builder__end(&b, at);
	at = builder__begin(&b, RECORD_TRACING_DATA, 0);
	builder__u32(&b, 16);
	builder__u32(&b, 0);
	builder__end(&b, at);
	builder__zero(&b, 16);
	fuzz__add_records(&b, type, 20);
	add(b.data, b.len);
	builder__exit(&b);
}

#ifdef HAVE_ZSTD
void fuzz__pack(struct builder *out, const u8 *bytes, size_t size, size_t piece)
{
	static ZSTD_CStream *zstd;
	static u8 buf[60000];

	if (!zstd)
		zstd = ZSTD_createCStream();
	ZSTD_CCtx_reset(zstd, ZSTD_reset_session_only);
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog,
	                       16); /* so that to unpack needs little, too */
	for (size_t at = 0; at < size; at += piece) {
		ZSTD_inBuffer in = { bytes + at, min_u64(piece, size - at), 0 };
		ZSTD_outBuffer packed = { buf, sizeof(buf), 0 };
		size_t start = builder__begin(out, RECORD_COMPRESSED, 0);

		FUZZ_CHECK(!ZSTD_compressStream2(zstd, &packed, &in, ZSTD_e_flush));
		builder__bytes(out, buf, packed.pos);
		builder__end(out, start);
	}
}
#else
void fuzz__pack(struct builder *out, const u8 *bytes, size_t size, size_t piece)
{
	(void)piece;
	builder__bytes(out, bytes, size);
}
#endif

#ifdef HAVE_ZSTD
/* Records of a file that was not closed in two compressed ones. */
static void add_compressed_seed(void (*add)(const void *data, size_t size), u64 type)
{
	struct perf_event_attr attr = built_attr(type);
	struct builder plain = { 0 };
	struct file_builder f;

	file_builder__init(&f, false);
	f.not_closed = true;
	file_builder__event(&f, &attr, (u64[]){ 7 }, 1);
	fuzz__add_records(&plain, type, 20);
	fuzz__pack(&f.data, plain.data, plain.len, plain.len / 2);
	fuzz__add_file(&f, add);
	builder__exit(&plain);
}
#endif

void fuzz__perf_data_seeds(void (*add)(const void *data, size_t size))
{
	u64 plain = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
	u64 full = plain | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_CPU | PERF_SAMPLE_ADDR;

	for (int swap = 0; swap < 2; swap++) {
		add_seed(add, swap, false, 1, plain);
		add_seed(add, swap, false, 2, full | PERF_SAMPLE_IDENTIFIER);
		add_seed(add, swap, true, 2, full | PERF_SAMPLE_ID);
		add_seed(add, swap, false, 2, full | PERF_SAMPLE_READ | PERF_SAMPLE_IDENTIFIER);
		add_stream_seed(add, swap, full | PERF_SAMPLE_IDENTIFIER);
	}
#ifdef HAVE_ZSTD
	add_compressed_seed(add, plain);
#endif
}
