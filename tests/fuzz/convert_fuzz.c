// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples of a perf.data file with copies of stacks become samples with chains: what comes out is
 * a record of the same event.
 */
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "util/export/convert_chain.h"
#include "util/format/sample.h"
#include "util/reader/reader.h"

static void check(const struct record *record, const struct stream_sample *s, struct health *health)
{
	static u8 bytes[CHAIN_RECORD_MAX];
	struct sample before, after;
	struct record copy = *record;
	u32 size = convert_chain__write(bytes, record, s, health);

	if (!size)
		return;
	FUZZ_CHECK(size == load_u16(bytes + 6, false));
	copy.data = bytes;
	copy.size = size;
	FUZZ_CHECK(!sample__decode(s->layout, record, false, &before));
	FUZZ_CHECK(!sample__decode(s->layout, &copy, false, &after));
	FUZZ_CHECK(after.ip == before.ip && after.time == before.time && after.tid == before.tid);
	FUZZ_CHECK(after.raw_size == before.raw_size && after.branches.nr == before.branches.nr);
	FUZZ_CHECK(after.weight == before.weight && after.data_src == before.data_src);
}

static void convert_all(const struct session *session)
{
	static const struct symbol_config config = { .symfs = "/nonexistent",
		                                     .no_live_kernel = true };
	const struct stream_options options = { .need = STREAM_ALL,
		                                .flags = STREAM_TASKS | STREAM_REJECTED,
		                                .objects = &config,
		                                .max_stack = CONVERT_MAX_STACK,
		                                .unwind_style = UNWIND_NATIVE };
	struct stream *stream = stream__new(session, &options, NULL);
	struct health health = { 0 };
	const struct stream_sample *s;
	const struct record *record;

	if (!stream)
		return;
	convert_chain__ask(stream, session);
	while ((record = stream__record(stream)))
		while ((s = stream__sample(stream)))
			check(record, s, &health);
	stream__delete(stream);
	health__exit(&health);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct session session;

	if (session__open(&session, fuzz__file(bytes, size), PERF_DATA_FORCE, NULL))
		return 0;
	if (!session__scan(&session, NULL) && !perf_data__swapped(session.data))
		convert_all(&session);
	session__close(&session);
	return 0;
}

#define TYPE                                                                                       \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |             \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |   \
	 PERF_SAMPLE_WEIGHT)

static void add_sample(struct builder *b, u64 time, u64 abi, u64 stack)
{
	size_t at = builder__begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	builder__u64(b, 0x401010);
	builder__u32(b, 100);
	builder__u32(b, 100);
	builder__u64(b, time);
	builder__u64(b, 1);
	builder__u64(b, 4);
	builder__u64(b, PERF_CONTEXT_KERNEL);
	builder__u64(b, 0xffffffff81000010);
	builder__u64(b, PERF_CONTEXT_USER);
	builder__u64(b, 0x401010);
	builder__u32(b, 4);
	builder__u32(b, 0x01020304);
	builder__u64(b, abi);
	for (unsigned i = 0; abi && i < 3; i++) /* bp, sp, ip */
		builder__u64(b, i == 2 ? 0x401010 : 0x7fff0000);
	builder__u64(b, stack);
	if (stack == 8) /* no stack but the word that tells how its chain ended */
		builder__u64(b, 0x6e69616863ull << 8);
	else
		builder__zero(b, stack);
	if (stack)
		builder__u64(b, stack == 8 ? 0 : stack);
	builder__u64(b, 77);
	builder__end(b, at);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	struct perf_event_attr attr = built_attr(TYPE);
	struct file_builder file;

	attr.sample_regs_user = 1u << 6 | 1u << 7 | 1u << 8;
	attr.sample_stack_user = 64;
	file_builder__init(&file, false);
	file_builder__event(&file, &attr, NULL, 0);
	fuzz__add_records(&file.data, TYPE, 0);
	add_sample(&file.data, 5000, 2, 64);
	add_sample(&file.data, 5001, 2, 0);
	add_sample(&file.data, 5001, 0, 8);
	add_sample(&file.data, 5002, 0, 0);
	fuzz__add_file(&file, add);
}
