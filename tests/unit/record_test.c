// SPDX-License-Identifier: GPL-2.0-or-later
/* Decoding of records: every field in both byte orders, and every way to be too short. */
#include "util/format/record.h"
#include "util/format/sample.h"

#include <errno.h>
#include <stdlib.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"

#define ALL_TRAILER                                                                                \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |             \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

/* The only record of @b. */
static struct record whole(const struct builder *b)
{
	return (struct record){
		.data = b->data,
		.type = load_u32(b->data, b->swap),
		.misc = load_u16(b->data + 4, b->swap),
		.size = load_u16(b->data + 6, b->swap),
	};
}

/* A copy of exactly @len bytes, so that a sanitizer sees any read behind them. */
static struct record cut_copy(const struct builder *b, size_t len)
{
	struct record r = whole(b);
	u8 *copy = malloc(len ? len : 1);

	memcpy(copy, b->data, len);
	r.data = copy;
	r.size = len;
	return r;
}

static const struct built_sample example = {
	.ip = 0xffffffff81000123,
	.time = 0x1122334455667788,
	.addr = 0x7f0000001000,
	.id = 42,
	.stream_id = 43,
	.period = 999,
	.pid = 1001,
	.tid = 1002,
	.cpu = 3,
	.maj = 8,
	.min = 1,
	.ino = 1234,
};

TEST(record_names_are_known_or_null)
{
	CHECK_STR(record__type_name(PERF_RECORD_MMAP2), "MMAP2");
	CHECK_STR(record__type_name(RECORD_FINISHED_ROUND), "FINISHED_ROUND");
	CHECK_STR(record__type_name(RECORD_CALLCHAIN_DEFERRED), "CALLCHAIN_DEFERRED");
	CHECK(!record__type_name(0));
	CHECK(!record__type_name(40));
	CHECK(!record__type_name(RECORD_TYPE_MAX));
	CHECK(!record__type_name(~0u));
}

static void check_fixed(const struct sample *s)
{
	CHECK_EQ(s->ip, example.ip);
	CHECK_EQ(s->time, example.time);
	CHECK_EQ(s->addr, example.addr);
	CHECK_EQ(s->id, 42);
	CHECK_EQ(s->stream_id, 43);
	CHECK_EQ(s->period, 999);
	CHECK_EQ(s->pid, 1001);
	CHECK_EQ(s->tid, 1002);
	CHECK_EQ(s->cpu, 3);
	CHECK_EQ(s->cpumode, PERF_RECORD_MISC_KERNEL);
}

TEST(sample_has_all_fixed_fields_in_both_orders)
{
	u64 type = ALL_TRAILER | PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD;
	struct perf_event_attr attr = built_attr(type);
	struct sample_layout layout;

	sample_layout__init(&layout, &attr);
	CHECK_EQ(layout.fixed_size, 8 + 9 * 8);
	for (int swap = 0; swap < 2; swap++) {
		struct builder b = { .swap = swap };
		struct sample s;

		builder__sample(&b, type, PERF_RECORD_MISC_KERNEL, &example);
		struct record r = whole(&b);

		memset(&s, 0xff, sizeof(s));
		CHECK_EQ(sample__decode_fast(&layout, &r, swap, &s), 0);
		check_fixed(&s);
		CHECK_EQ(s.chain.nr, 0);
		memset(&s, 0xff, sizeof(s));
		CHECK_EQ(sample__decode(&layout, &r, swap, &s), 0);
		check_fixed(&s);
		CHECK_EQ(s.raw_size, 0);
		CHECK_EQ(s.stack_size, 0);
		for (size_t len = 8; len < b.len; len++) {
			struct record cut = cut_copy(&b, len);

			CHECK_EQ(sample__decode_fast(&layout, &cut, swap, &s), -EBADMSG);
			CHECK_EQ(sample__decode(&layout, &cut, swap, &s), -EBADMSG);
			free((void *)cut.data);
		}
		builder__exit(&b);
	}
}

/* With nothing behind it, as most recordings have it. */
TEST(chain_at_the_end_of_a_sample_lies_within_it)
{
	const u64 type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN;
	const u64 frames[] = { PERF_CONTEXT_USER, 0x1000, 0x2000 };
	const u64 wrong[] = { 4, 5, 1ull << 61, 1ull << 63, UINT64_MAX };
	struct perf_event_attr attr = built_attr(type);
	struct built_sample sample = example;
	struct sample_layout layout;

	sample.chain = frames;
	sample.nr_chain = ARRAY_SIZE(frames);
	sample_layout__init(&layout, &attr);
	for (int swap = 0; swap < 2; swap++) {
		struct builder b = { .swap = swap };
		struct sample s;

		builder__sample(&b, type, PERF_RECORD_MISC_USER, &sample);
		struct record r = whole(&b);

		CHECK_EQ(sample__decode_fast(&layout, &r, swap, &s), 0);
		CHECK_EQ(s.ip, example.ip);
		CHECK_EQ(s.chain.nr, ARRAY_SIZE(frames));
		for (u32 i = 0; i < s.chain.nr; i++)
			CHECK_EQ(u64_span__get(&s.chain, i, swap), frames[i]);
		for (size_t len = 8; len < b.len; len++) {
			struct record cut = cut_copy(&b, len);

			CHECK_EQ(sample__decode_fast(&layout, &cut, swap, &s), -EBADMSG);
			free((void *)cut.data);
		}
		for (u32 i = 0; i < ARRAY_SIZE(wrong); i++) {
			builder__set_u64(&b, layout.fixed_size, wrong[i]);
			r = whole(&b);
			CHECK_EQ(sample__decode_fast(&layout, &r, swap, &s), -EBADMSG);
		}
		builder__set_u64(&b, layout.fixed_size, 2);
		r = whole(&b);
		CHECK_EQ(sample__decode_fast(&layout, &r, swap, &s), 0);
		CHECK_EQ(s.chain.nr, 2);
		builder__exit(&b);
	}
}

TEST(sample_fields_not_recorded_have_their_defaults)
{
	struct perf_event_attr attr = built_attr(PERF_SAMPLE_IP);
	struct sample_layout layout;
	struct builder b = { 0 };
	struct sample s;

	attr.sample_period = 4000;
	sample_layout__init(&layout, &attr);
	builder__sample(&b, attr.sample_type, PERF_RECORD_MISC_USER, &example);
	struct record r = whole(&b);

	CHECK_EQ(sample__decode_fast(&layout, &r, false, &s), 0);
	CHECK_EQ(s.ip, example.ip);
	CHECK_EQ(s.time, ~0ull);
	CHECK_EQ(s.pid, ~0u);
	CHECK_EQ(s.tid, ~0u);
	CHECK_EQ(s.cpu, ~0u);
	CHECK_EQ(s.id, ~0ull);
	CHECK_EQ(s.period, 4000);
	builder__exit(&b);
}

/* Read every byte of a sample's parts, so that a sanitizer sees wrong ones. */
static u64 touch(const struct sample *s)
{
	u64 sum = 0;

	for (u64 i = 0; i < s->chain.nr; i++)
		sum += u64_span__get(&s->chain, i, false);
	for (u64 i = 0; i < s->branches.nr; i++)
		sum += u64_span__get(&s->branches, i, false);
	for (u64 i = 0; i < s->branch_counters.nr; i++)
		sum += u64_span__get(&s->branch_counters, i, false);
	for (u64 i = 0; i < s->user_regs.nr; i++)
		sum += u64_span__get(&s->user_regs, i, false);
	for (u64 i = 0; i < s->intr_regs.nr; i++)
		sum += u64_span__get(&s->intr_regs, i, false);
	for (u32 i = 0; i < s->raw_size; i++)
		sum += s->raw[i];
	for (u64 i = 0; i < s->stack_size; i++)
		sum += s->stack[i];
	for (u64 i = 0; i < s->aux_size; i++)
		sum += s->aux[i];
	for (u64 i = 0; s->read.values && i < s->read.nr * s->read.stride; i++)
		sum += s->read.values[i];
	return sum;
}

#define EVERYTHING                                                                                 \
	(PERF_SAMPLE_IP | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |             \
	 PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |               \
	 PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |              \
	 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |                      \
	 PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX)

static struct perf_event_attr everything_attr(void)
{
	struct perf_event_attr attr = built_attr(EVERYTHING);

	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST |
	                   PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX | 1ull << 19;
	attr.sample_regs_user = 0x1c0;
	attr.sample_regs_intr = 0x101;
	return attr;
}

static void build_weight(struct builder *b)
{
	if (!b->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)) {
		builder__u32(b, 77); /* in this order on a little-endian writer */
		builder__u16(b, 8);
		builder__u16(b, 9);
	} else {
		builder__u16(b, 9);
		builder__u16(b, 8);
		builder__u32(b, 77);
	}
}

static void build_everything(struct builder *b)
{
	size_t at = builder__begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	builder__u64(b, 0x1000); /* ip */
	builder__u64(b, 2);      /* read: nr, enabled, running, 2 x (value, id, lost) */
	builder__u64(b, 500);
	builder__u64(b, 400);
	for (u64 i = 0; i < 6; i++)
		builder__u64(b, 10 + i);
	builder__u64(b, 2); /* chain */
	builder__u64(b, 0x1000);
	builder__u64(b, 0x2000);
	builder__u32(b, 4); /* raw */
	builder__bytes(b, "abcd", 4);
	builder__u64(b, 1); /* branches: nr, hw_idx, (from, to, flags), counter */
	builder__u64(b, 5);
	builder__u64(b, 0xa);
	builder__u64(b, 0xb);
	builder__u64(b, 1);
	builder__u64(b, 66);
	builder__u64(b, 2); /* user registers: abi, bp, sp, ip */
	for (u64 i = 0; i < 3; i++)
		builder__u64(b, 20 + i);
	builder__u64(b, 16); /* stack */
	builder__bytes(b, "0123456789abcdef", 16);
	builder__u64(b, 9);
	build_weight(b);
	builder__u64(b, 0x1e05080021); /* data_src */
	builder__u64(b, 3);            /* transaction */
	builder__u64(b, 1);            /* registers at the interrupt */
	builder__u64(b, 30);
	builder__u64(b, 31);
	builder__u64(b, 0x123000); /* physical address, cgroup, page sizes */
	builder__u64(b, 77);
	builder__u64(b, 4096);
	builder__u64(b, 2097152);
	builder__u64(b, 8); /* aux */
	builder__bytes(b, "AUXBYTES", 8);
	builder__end(b, at);
}

static void check_everything(const struct sample *s, bool swap)
{
	CHECK_EQ(s->read.nr, 2);
	CHECK_EQ(s->read.enabled, 500);
	CHECK_EQ(s->read.running, 400);
	CHECK_EQ(s->read.stride, 24);
	CHECK_EQ(load_u64(s->read.values + s->read.stride, swap), 13);
	CHECK_EQ(load_u64(s->read.values + s->read.stride + s->read.id_at, swap), 14);
	CHECK_EQ(load_u64(s->read.values + s->read.stride + s->read.lost_at, swap), 15);
	CHECK_EQ(s->chain.nr, 2);
	CHECK_EQ(u64_span__get(&s->chain, 1, swap), 0x2000);
	CHECK_EQ(s->raw_size, 4);
	CHECK(!memcmp(s->raw, "abcd", 4));
	CHECK_EQ(s->branches.nr, 3);
	CHECK_EQ(s->branch_hw_idx, 5);
	CHECK_EQ(u64_span__get(&s->branches, 1, swap), 0xb);
	CHECK_EQ(s->branch_counters.nr, 1);
	CHECK_EQ(u64_span__get(&s->branch_counters, 0, swap), 66);
	CHECK_EQ(s->user_abi, 2);
	CHECK_EQ(s->user_regs.nr, 3);
	CHECK_EQ(u64_span__get(&s->user_regs, 2, swap), 22);
	CHECK_EQ(s->stack_size, 16);
	CHECK_EQ(s->stack_dyn_size, 9);
	CHECK(!memcmp(s->stack, "0123456789abcdef", 16));
	CHECK_EQ(s->weight, 77 | 8ull << 32 | 9ull << 48);
	CHECK_EQ(s->data_src, 0x1e05080021);
	CHECK_EQ(s->transaction, 3);
	CHECK_EQ(s->intr_regs.nr, 2);
	CHECK_EQ(u64_span__get(&s->intr_regs, 1, swap), 31);
	CHECK_EQ(s->phys_addr, 0x123000);
	CHECK_EQ(s->cgroup, 77);
	CHECK_EQ(s->data_page_size, 4096);
	CHECK_EQ(s->code_page_size, 2097152);
	CHECK_EQ(s->aux_size, 8);
	CHECK(!memcmp(s->aux, "AUXBYTES", 8));
}

TEST(sample_has_every_part_in_both_orders)
{
	struct perf_event_attr attr = everything_attr();
	struct sample_layout layout;

	sample_layout__init(&layout, &attr);
	for (int swap = 0; swap < 2; swap++) {
		struct builder b = { .swap = swap };
		struct sample s;

		build_everything(&b);
		struct record r = whole(&b);

		CHECK_EQ(sample__decode(&layout, &r, swap, &s), 0);
		check_everything(&s, swap);
		CHECK_EQ(sample__decode_fast(&layout, &r, swap, &s), 0);
		CHECK_EQ(s.chain.nr, 2);
		CHECK_EQ(u64_span__get(&s.chain, 0, swap), 0x1000);
		const u8 *raw = s.raw;
		u32 raw_size = s.raw_size;

		memset(&s, 0xff, sizeof(s));
		CHECK_EQ(sample__decode_raw(&layout, &r, swap, &s), 0);
		CHECK_EQ(s.chain.nr, 2);
		CHECK(raw && s.raw == raw && s.raw_size == raw_size);
		/* Too short at every byte. */
		for (size_t len = 8; len < b.len; len++) {
			struct record cut = cut_copy(&b, len);

			CHECK_EQ(sample__decode(&layout, &cut, swap, &s), -EBADMSG);
			CHECK_EQ(sample__decode_raw(&layout, &cut, swap, &s), -EBADMSG);
			CHECK_EQ(sample__decode_fast(&layout, &cut, swap, &s), -EBADMSG);
			free((void *)cut.data);
		}
		CHECK_EQ(sample__decode_fast(&layout, &r, swap, &s), 0);
		builder__exit(&b);
	}
}

/* Every 64-bit word of the record made huge, one after another: decoded or refused, never overrun.
 */
TEST(sample_raw_alone)
{
	const struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_RAW };
	const struct perf_event_attr none = { .sample_type = PERF_SAMPLE_TID };
	struct sample_layout layout, without;

	sample_layout__init(&layout, &attr);
	sample_layout__init(&without, &none);
	for (int swap = 0; swap < 2; swap++) {
		struct builder b = { .swap = swap };
		struct sample s;
		size_t start = builder__begin(&b, PERF_RECORD_SAMPLE, 0);

		builder__u32(&b, 1);
		builder__u32(&b, 2);
		builder__u32(&b, 12);
		builder__bytes(&b, "abcdefghijkl", 12);
		builder__end(&b, start);
		struct record r = whole(&b);

		memset(&s, 0xff, sizeof(s));
		CHECK_EQ(sample__decode_raw(&layout, &r, swap, &s), 0);
		CHECK_EQ(s.tid, 2);
		CHECK_EQ(s.chain.nr, 0);
		CHECK(s.raw_size == 12 && !memcmp(s.raw, "abcdefghijkl", 12));
		CHECK_EQ(sample__decode_raw(&without, &r, swap, &s), 0);
		CHECK(!s.raw && !s.raw_size);
		for (size_t len = 8; len < b.len; len++) {
			struct record cut = cut_copy(&b, len);

			CHECK_EQ(sample__decode_raw(&layout, &cut, swap, &s), -EBADMSG);
			free((void *)cut.data);
		}
		builder__exit(&b);
	}
}

TEST(sample_with_lying_counts_is_refused_not_overrun)
{
	static const u64 lies[] = { ~0ull, 1ull << 63, 1ull << 61, 0x2000000000000001, 65536, 100 };
	struct perf_event_attr attr = everything_attr();
	struct sample_layout layout;
	struct builder b = { 0 };
	unsigned refused = 0;
	struct sample s;

	sample_layout__init(&layout, &attr);
	build_everything(&b);
	for (size_t at = 8; at + 8 <= b.len; at += 4)
		for (unsigned i = 0; i < ARRAY_SIZE(lies); i++) {
			struct record r = cut_copy(&b, b.len);

			memcpy((u8 *)r.data + at, &lies[i], 8);
			if (sample__decode(&layout, &r, false, &s))
				refused++;
			else
				touch(&s);
			if (!sample__decode_fast(&layout, &r, false, &s))
				for (u64 k = 0; k < s.chain.nr; k++)
					u64_span__get(&s.chain, k, false);
			free((void *)r.data);
		}
	/* Seven counts (read, chain, raw, branches, stack, valid stack, aux). */
	CHECK(refused >= 7 * ARRAY_SIZE(lies));
	builder__exit(&b);
}

/* A sample of this type with these words, decoded. */
static int decode_words(u64 type, u64 read_format, const u64 *words, unsigned nr)
{
	struct perf_event_attr attr = built_attr(type);
	struct sample_layout layout;
	struct builder b = { 0 };
	struct sample s;
	size_t at = builder__begin(&b, PERF_RECORD_SAMPLE, 0);

	for (unsigned i = 0; i < nr; i++)
		builder__u64(&b, words[i]);
	builder__end(&b, at);
	attr.read_format = read_format;
	sample_layout__init(&layout, &attr);
	struct record r = whole(&b);
	int ret = sample__decode(&layout, &r, false, &s);

	builder__exit(&b);
	return ret;
}

/* Counts whose product with the size of an element is small again in 64 bits. */
TEST(sample_counts_that_overflow_are_refused)
{
	u64 group = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST;
	u64 third = 0xaaaaaaaaaaaaaaab;

	CHECK_EQ(decode_words(PERF_SAMPLE_READ, group, (u64[]){ 1, 2, 3, 4 }, 4), 0);
	CHECK_EQ(decode_words(PERF_SAMPLE_READ, group, (u64[]){ 1ull << 61, 2, 3, 4 }, 4),
	         -EBADMSG);
	CHECK_EQ(decode_words(PERF_SAMPLE_BRANCH_STACK, 0, (u64[]){ 1, 2, 3, 4 }, 4), 0);
	CHECK_EQ(decode_words(PERF_SAMPLE_BRANCH_STACK, 0, (u64[]){ third, 2, 3, 4 }, 4), -EBADMSG);
	CHECK_EQ(decode_words(PERF_SAMPLE_CALLCHAIN, 0, (u64[]){ 1ull << 61, 2 }, 2), -EBADMSG);
}

TEST(sample_stack_cannot_be_fuller_than_it_is_large)
{
	CHECK_EQ(decode_words(PERF_SAMPLE_STACK_USER, 0, (u64[]){ 8, 1, 8 }, 3), 0);
	CHECK_EQ(decode_words(PERF_SAMPLE_STACK_USER, 0, (u64[]){ 8, 1, 9 }, 3), -EBADMSG);
}

TEST(sample_read_without_group_keeps_times_in_the_stride)
{
	struct perf_event_attr attr = built_attr(PERF_SAMPLE_READ);
	struct sample_layout layout;
	struct builder b = { 0 };
	struct sample s;
	size_t at = builder__begin(&b, PERF_RECORD_SAMPLE, 0);

	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
	                   PERF_FORMAT_ID | PERF_FORMAT_LOST;
	for (u64 i = 0; i < 5; i++)
		builder__u64(&b, 100 + i);
	builder__end(&b, at);
	sample_layout__init(&layout, &attr);
	struct record r = whole(&b);

	CHECK_EQ(sample__decode(&layout, &r, false, &s), 0);
	CHECK_EQ(s.read.nr, 1);
	CHECK_EQ(load_u64(s.read.values, false), 100);
	CHECK_EQ(s.read.enabled, 101);
	CHECK_EQ(s.read.running, 102);
	CHECK_EQ(load_u64(s.read.values + s.read.id_at, false), 103);
	CHECK_EQ(load_u64(s.read.values + s.read.lost_at, false), 104);
	CHECK_EQ(s.read.stride, 40);
	builder__exit(&b);
}

TEST(sample_empty_parts_are_no_error)
{
	struct perf_event_attr attr = built_attr(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |
	                                         PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT);
	struct sample_layout layout;
	struct builder b = { 0 };
	struct sample s;
	size_t at = builder__begin(&b, PERF_RECORD_SAMPLE, 0);

	attr.sample_regs_user = 0xffff;
	builder__u64(&b, 0); /* no branch */
	builder__u64(&b, 0); /* no abi: no registers */
	builder__u64(&b, 0); /* no stack: no valid size either */
	builder__u64(&b, 5);
	builder__end(&b, at);
	sample_layout__init(&layout, &attr);
	struct record r = whole(&b);

	CHECK_EQ(sample__decode(&layout, &r, false, &s), 0);
	CHECK_EQ(s.branches.nr, 0);
	CHECK_EQ(s.user_regs.nr, 0);
	CHECK_EQ(s.stack_size, 0);
	CHECK_EQ(s.weight, 5);
	builder__exit(&b);
}

TEST(trailer_is_read_from_the_end)
{
	struct perf_event_attr attr = built_attr(ALL_TRAILER | PERF_SAMPLE_IP);
	struct sample_layout layout;

	sample_layout__init(&layout, &attr);
	CHECK_EQ(layout.trailer_size, 48);
	for (int swap = 0; swap < 2; swap++) {
		struct builder b = { .swap = swap };
		struct sample s;

		builder__comm(&b, attr.sample_type, &example, "name");
		struct record r = whole(&b);

		CHECK_EQ(sample__decode_trailer(&layout, &r, swap, &s), 0);
		CHECK_EQ(s.pid, 1001);
		CHECK_EQ(s.tid, 1002);
		CHECK_EQ(s.time, example.time);
		CHECK_EQ(s.id, 42);
		CHECK_EQ(s.stream_id, 43);
		CHECK_EQ(s.cpu, 3);
		struct record cut = cut_copy(&b, 48);

		CHECK_EQ(sample__decode_trailer(&layout, &cut, swap, &s), -EBADMSG);
		free((void *)cut.data);
		builder__exit(&b);
	}
	attr.sample_id_all = 0;
	sample_layout__init(&layout, &attr);
	CHECK_EQ(layout.trailer_size, 0);
	struct builder b = { 0 };
	struct sample s;

	builder__comm(&b, 0, &example, "name");
	struct record r = whole(&b);

	CHECK_EQ(sample__decode_trailer(&layout, &r, false, &s), 0);
	CHECK_EQ(s.time, ~0ull);
	CHECK_EQ(s.pid, ~0u);
	builder__exit(&b);
}

TEST(mmap2_is_decoded)
{
	for (int swap = 0; swap < 2; swap++) {
		struct builder b = { .swap = swap };
		struct mmap_record m;

		builder__mmap2(&b, ALL_TRAILER, &example, PERF_RECORD_MISC_USER, 0x400000, 0x2000,
		               0x1000, "/bin/true");
		struct record r = whole(&b);

		CHECK_EQ(mmap_record__decode(&r, swap, &m), 0);
		CHECK_EQ(m.pid, 1001);
		CHECK_EQ(m.tid, 1002);
		CHECK_EQ(m.start, 0x400000);
		CHECK_EQ(m.len, 0x2000);
		CHECK_EQ(m.pgoff, 0x1000);
		CHECK_EQ(m.maj, 8);
		CHECK_EQ(m.min, 1);
		CHECK_EQ(m.ino, 1234);
		CHECK_EQ(m.ino_generation, 5);
		CHECK_EQ(m.prot, 5);
		CHECK_EQ(m.flags, 2);
		CHECK(!m.has_build_id);
		CHECK(!m.is_data);
		CHECK_STR(m.name, "/bin/true");
		for (size_t len = 8; len < 72 + sizeof("/bin/true"); len++) {
			struct record cut = cut_copy(&b, len);

			CHECK_EQ(mmap_record__decode(&cut, swap, &m), -EBADMSG);
			free((void *)cut.data);
		}
		builder__exit(&b);
	}
}

static void build_id_mmap2(struct builder *b, u8 size)
{
	size_t at = builder__begin(b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID);

	builder__zero(b, 32);
	builder__u8(b, size);
	builder__zero(b, 3);
	for (u8 i = 0; i < 20; i++)
		builder__u8(b, 0xa0 + i);
	builder__zero(b, 8);
	builder__text(b, "x");
	builder__end(b, at);
}

TEST(mmap2_may_carry_a_build_id)
{
	struct builder b = { 0 }, bad = { 0 };
	struct mmap_record m;

	build_id_mmap2(&b, 20);
	struct record r = whole(&b);

	CHECK_EQ(mmap_record__decode(&r, false, &m), 0);
	CHECK(m.has_build_id);
	CHECK_EQ(m.build_id_size, 20);
	CHECK_EQ(m.build_id[0], 0xa0);
	CHECK_EQ(m.build_id[19], 0xb3);
	CHECK_STR(m.name, "x");
	build_id_mmap2(&bad, 21);
	r = whole(&bad);
	CHECK_EQ(mmap_record__decode(&r, false, &m), -EBADMSG);
	builder__exit(&b);
	builder__exit(&bad);
}

TEST(mmap_knows_data_maps)
{
	for (int data = 0; data < 2; data++) {
		struct builder b = { 0 };
		struct mmap_record m;
		size_t at =
		        builder__begin(&b, PERF_RECORD_MMAP, data ? PERF_RECORD_MISC_MMAP_DATA : 0);

		builder__u32(&b, ~0u);
		builder__u32(&b, 0);
		builder__u64(&b, 0xffffffff81000000);
		builder__u64(&b, 0x1000000);
		builder__u64(&b, 0xffffffff81000000);
		builder__text(&b, "[kernel.kallsyms]_text");
		builder__end(&b, at);
		struct record r = whole(&b);

		CHECK_EQ(mmap_record__decode(&r, false, &m), 0);
		CHECK_EQ(m.pid, ~0u);
		CHECK_EQ(m.is_data, data);
		CHECK_EQ(m.prot, data ? 0 : 4);
		CHECK_STR(m.name, "[kernel.kallsyms]_text");
		builder__exit(&b);
	}
}

TEST(comm_task_and_ksymbol_are_decoded)
{
	for (int swap = 0; swap < 2; swap++) {
		struct builder comm = { .swap = swap }, task = { .swap = swap },
		               ksymbol = { .swap = swap };
		struct comm_record c;
		struct task_record t;
		struct ksymbol_record k;

		builder__comm(&comm, ALL_TRAILER, &example, "a name");
		struct record r = whole(&comm);

		CHECK_EQ(comm_record__decode(&r, swap, &c), 0);
		CHECK_EQ(c.pid, 1001);
		CHECK_EQ(c.tid, 1002);
		CHECK_STR(c.name, "a name");
		CHECK(!c.exec);
		r.misc = PERF_RECORD_MISC_COMM_EXEC;
		CHECK_EQ(comm_record__decode(&r, swap, &c), 0);
		CHECK(c.exec);
		r.size = 20; /* the name has no end */
		CHECK_EQ(comm_record__decode(&r, swap, &c), -EBADMSG);

		builder__task(&task, ALL_TRAILER, &example, PERF_RECORD_FORK, 5, 6);
		r = whole(&task);
		CHECK_EQ(task_record__decode(&r, swap, &t), 0);
		CHECK_EQ(t.pid, 1001);
		CHECK_EQ(t.ppid, 5);
		CHECK_EQ(t.tid, 1002);
		CHECK_EQ(t.ptid, 6);
		CHECK_EQ(t.time, example.time);
		r.size = 24;
		CHECK_EQ(task_record__decode(&r, swap, &t), -EBADMSG);

		size_t at = builder__begin(&ksymbol, PERF_RECORD_KSYMBOL, 0);

		builder__u64(&ksymbol, 0xffffffffc0001000);
		builder__u32(&ksymbol, 512);
		builder__u16(&ksymbol, 1);
		builder__u16(&ksymbol, 1);
		builder__text(&ksymbol, "bpf_prog_0123456789abcdef_name");
		builder__end(&ksymbol, at);
		r = whole(&ksymbol);
		CHECK_EQ(ksymbol_record__decode(&r, swap, &k), 0);
		CHECK_EQ(k.addr, 0xffffffffc0001000);
		CHECK_EQ(k.len, 512);
		CHECK_EQ(k.type, 1);
		CHECK_EQ(k.flags, 1);
		CHECK_STR(k.name, "bpf_prog_0123456789abcdef_name");
		r.size = 24;
		CHECK_EQ(ksymbol_record__decode(&r, swap, &k), -EBADMSG);
		builder__exit(&comm);
		builder__exit(&task);
		builder__exit(&ksymbol);
	}
}
