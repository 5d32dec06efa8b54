// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples with copies of the stack, written again with chains. */
#include "util/unwind/chain_record.h"

#include <string.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "util/format/sample.h"
#include "util/symbol/session_symbols.h"
#include "util/unwind/tables.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |             \
	 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_DATA_SRC)
#define KERNEL_IP 0xffffffff81000010

static struct perf_event_attr attr_of(u64 type)
{
	return (struct perf_event_attr){ .sample_type = type, .sample_regs_user = 7 };
}

/* A sample with @stack bytes copied, and its decoded form. */
struct taken {
	struct builder bytes;
	struct record record;
	struct sample_layout layout;
	struct sample sample;
};

static void taken__init(struct taken *t, u64 stack)
{
	struct perf_event_attr attr = attr_of(TYPE);

	*t = (struct taken){ .bytes = { .swap = false } };
	size_t at = builder__begin(&t->bytes, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	builder__u64(&t->bytes, 0x401010);
	builder__u32(&t->bytes, 100);
	builder__u32(&t->bytes, 101);
	builder__u64(&t->bytes, 5000);
	builder__u64(&t->bytes, 2);
	builder__u64(&t->bytes, PERF_CONTEXT_KERNEL);
	builder__u64(&t->bytes, KERNEL_IP);
	builder__u64(&t->bytes, PERF_SAMPLE_REGS_ABI_64);
	for (unsigned i = 0; i < 3; i++)
		builder__u64(&t->bytes, i);
	builder__u64(&t->bytes, stack);
	builder__zero(&t->bytes, stack);
	builder__u64(&t->bytes, stack);
	builder__u64(&t->bytes, 77);
	builder__end(&t->bytes, at);
	t->record = (struct record){ .data = t->bytes.data,
		                     .type = PERF_RECORD_SAMPLE,
		                     .misc = PERF_RECORD_MISC_USER,
		                     .size = t->bytes.len };
	sample_layout__init(&t->layout, &attr);
	CHECK_EQ(sample__decode(&t->layout, &t->record, false, &t->sample), 0);
}

static const u64 chain_words[] = {
	PERF_CONTEXT_KERNEL, KERNEL_IP, PERF_CONTEXT_USER, 0x401010, 0x401100, 0x401200
};
static const struct u64_span chain = { (const u8 *)chain_words, ARRAY_SIZE(chain_words) };

static void check_fields(const struct sample *sample)
{
	CHECK_EQ(sample->ip, 0x401010);
	CHECK_EQ(sample->tid, 101);
	CHECK_EQ(sample->time, 5000);
	CHECK_EQ(sample->data_src, 77);
	CHECK_EQ(sample->chain.nr, ARRAY_SIZE(chain_words));
	CHECK(!memcmp(sample->chain.data, chain_words, sizeof(chain_words)));
}

TEST(chain_record_plain_has_the_fields_of_its_attr)
{
	struct perf_event_attr attr = attr_of(TYPE);
	struct sample_layout layout;
	u8 out[CHAIN_RECORD_MAX];
	struct sample sample;
	struct taken t;

	taken__init(&t, 64);
	struct record record = t.record;

	record.size =
	        chain_record__write(out, &t.record, &t.sample, &t.layout, &chain, CHAIN_PLAIN, 0);
	record.data = out;
	attr.sample_type &= ~(u64)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	sample_layout__init(&layout, &attr);
	CHECK_EQ(sample__decode(&layout, &record, false, &sample), 0);
	check_fields(&sample);
	CHECK_EQ(load_u16(out + 6, false), record.size);
	builder__exit(&t.bytes);
}

TEST(chain_record_told_lies_beside_samples_with_copies)
{
	const enum chain_end end = CHAIN_CUT_COPY;
	struct chain_join join;
	u8 out[CHAIN_RECORD_MAX];
	struct sample sample;
	struct taken t;
	struct chain_told told;

	taken__init(&t, 64);
	struct record record = t.record;

	chain_join__init(&join, 127, false);
	CHECK(!chain_join__told(&join, &t.sample, &told));
	record.size =
	        chain_record__write(out, &t.record, &t.sample, &t.layout, &chain, CHAIN_TOLD, end);
	record.data = out;
	CHECK_EQ(sample__decode(&t.layout, &record, false, &sample), 0);
	check_fields(&sample);
	CHECK_EQ(sample.user_abi, PERF_SAMPLE_REGS_ABI_NONE);
	CHECK_EQ(sample.stack_dyn_size, 0);
	CHECK(chain_join__told(&join, &sample, &told));
	CHECK_EQ(told.end, CHAIN_CUT_COPY);
	CHECK_EQ(told.chain.nr, ARRAY_SIZE(chain_words));
	CHECK(!memcmp(told.chain.data, chain_words, sizeof(chain_words)));
	chain_join__exit(&join);
	builder__exit(&t.bytes);
}

TEST(chain_record_plain_of_an_event_with_registers_has_none)
{
	struct perf_event_attr attr = attr_of(TYPE);
	struct sample_layout layout;
	u8 out[CHAIN_RECORD_MAX];
	struct sample sample;
	struct taken t;

	taken__init(&t, 64);
	struct record record = t.record;

	record.size = chain_record__write(out, &t.record, &t.sample, &t.layout, &chain,
	                                  CHAIN_PLAIN_REGS, 0);
	record.data = out;
	attr.sample_type &= ~(u64)PERF_SAMPLE_STACK_USER;
	sample_layout__init(&layout, &attr);
	CHECK_EQ(sample__decode(&layout, &record, false, &sample), 0);
	check_fields(&sample);
	CHECK_EQ(sample.user_abi, PERF_SAMPLE_REGS_ABI_NONE);
	builder__exit(&t.bytes);
}

TEST(chain_record_tells_of_a_pilot)
{
	static const enum chain_form forms[] = { CHAIN_TOLD, CHAIN_TOLD_PILOT };

	for (u32 i = 0; i < ARRAY_SIZE(forms); i++) {
		struct chain_told told;
		struct chain_join join;
		u8 out[CHAIN_RECORD_MAX];
		struct sample sample;
		struct taken t;

		taken__init(&t, 64);
		struct record record = t.record;

		chain_join__init(&join, 127, false);
		record.size = chain_record__write(out, &t.record, &t.sample, &t.layout, &chain,
		                                  forms[i], CHAIN_NO_TABLES);
		record.data = out;
		CHECK_EQ(sample__decode(&t.layout, &record, false, &sample), 0);
		CHECK(chain_join__told(&join, &sample, &told));
		CHECK_EQ(told.end, CHAIN_NO_TABLES);
		CHECK_EQ(told.pilot, forms[i] == CHAIN_TOLD_PILOT);
		chain_join__exit(&join);
		builder__exit(&t.bytes);
	}
}

TEST(chain_record_told_is_cut_by_its_reader)
{
	const u64 cut[] = { PERF_CONTEXT_KERNEL, KERNEL_IP, PERF_CONTEXT_USER, 0x401010 };
	const enum chain_end end = CHAIN_COMPLETE;
	struct chain_join join;
	u8 out[CHAIN_RECORD_MAX];
	struct sample sample;
	struct taken t;
	struct chain_told told;

	taken__init(&t, 64);
	struct record record = t.record;

	chain_join__init(&join, 2, false);
	record.size =
	        chain_record__write(out, &t.record, &t.sample, &t.layout, &chain, CHAIN_TOLD, end);
	record.data = out;
	CHECK_EQ(sample__decode(&t.layout, &record, false, &sample), 0);
	CHECK(chain_join__told(&join, &sample, &told));
	CHECK_EQ(told.end, CHAIN_CUT_READER);
	CHECK_EQ(told.chain.nr, ARRAY_SIZE(cut));
	CHECK(!memcmp(told.chain.data, cut, sizeof(cut)));
	chain_join__exit(&join);
	builder__exit(&t.bytes);
}

TEST(chain_record_a_word_of_the_stack_is_no_verdict)
{
	struct chain_join join;
	struct taken t;
	struct chain_told told;

	taken__init(&t, 8);
	t.sample.user_abi = PERF_SAMPLE_REGS_ABI_NONE;
	t.sample.stack_dyn_size = 0;
	chain_join__init(&join, 127, false);
	CHECK(!chain_join__told(&join, &t.sample, &told));
	chain_join__exit(&join);
	builder__exit(&t.bytes);
}

TEST(chain_record_too_long_a_chain_is_cut)
{
	static u64 words[CHAIN_WORDS_MAX];
	const struct u64_span long_chain = { (const u8 *)words, CHAIN_WORDS_MAX };
	const enum chain_end end = CHAIN_COMPLETE;
	u8 out[CHAIN_RECORD_MAX];
	struct sample sample;
	struct taken t;

	taken__init(&t, 64);
	struct record record = t.record;

	record.size = chain_record__write(out, &t.record, &t.sample, &t.layout, &long_chain,
	                                  CHAIN_TOLD, end);
	record.data = out;
	CHECK(record.size <= CHAIN_RECORD_MAX && record.size > CHAIN_RECORD_MAX - 8);
	CHECK_EQ(sample__decode(&t.layout, &record, false, &sample), 0);
	CHECK_EQ(sample.data_src, 77);
	builder__exit(&t.bytes);
}

static void nothing_mapped(void *ctx, u64 addr, struct unwind_location *location)
{
	(void)ctx;
	(void)addr;
	*location = (struct unwind_location){ .dso = ID_NONE, .until = { UINT64_MAX, UINT64_MAX } };
}

/* Frames of a sample whose stack has @stack bytes copied and whose chain has the kernel's, or not.
 */
static u32 nr_words(u64 stack, bool kernel)
{
	u32 nr_cut;
	static const struct symbol_config config = { .symfs = "" };
	struct strtab strings;
	struct dsos dsos;
	struct chain_join join = { .max = 0 };
	struct chain_verdict verdict;
	struct unwind_sample in;
	struct taken t;

	strtab__init(&strings);
	dsos__init(&dsos, &strings);
	struct unwind_tables *tables = unwind_tables__new(&dsos, &config);
	struct unwinder *unwinder = unwinder__new(tables, UNWIND_NATIVE);

	taken__init(&t, stack);
	chain_join__init(&join, 127, false);
	if (!kernel)
		t.sample.chain.nr = 0;
	CHECK(unwind_sample__take(&in, arch__find("x86_64"), &t.sample, 7, false));
	in.locate = nothing_mapped;
	in.regs.pc = 0x401010;
	in.regs.has_pc = true;
	const struct u64_span whole =
	        chain_join__unwind(&join, unwinder, &in, &t.sample, &verdict, &nr_cut);

	CHECK_EQ(verdict.end, kernel && !stack ? CHAIN_COMPLETE : CHAIN_UNMAPPED);
	chain_join__exit(&join);
	unwinder__delete(unwinder);
	unwind_tables__delete(tables);
	dsos__exit(&dsos);
	strtab__exit(&strings);
	builder__exit(&t.bytes);
	return whole.nr;
}

TEST(chain_record_registers_of_the_program_before_an_exec)
{
	CHECK_EQ(nr_words(64, true), 4); /* the kernel's, a marker, the interrupted instruction */
	CHECK_EQ(nr_words(0, true), 2);  /* in the kernel, nothing copied: complete */
	CHECK_EQ(nr_words(0, false), 2); /* a sample in user mode is where its registers are */
}
