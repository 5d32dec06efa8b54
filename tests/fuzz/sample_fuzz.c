// SPDX-License-Identifier: GPL-2.0-or-later
/* One sample of any layout: 128 bytes of attr, one byte for the byte order, then the record. */
#include "tests/fuzz/fuzz.h"
#include "tests/unit/builder.h"
#include "util/event/attr_fields.h"
#include "util/event/attr_name.h"
#include "util/format/attr_import.h"
#include "util/format/record.h"
#include "util/format/sample.h"

#define ATTR_SIZE 128

static void touch_span(const struct u64_span *span)
{
	if (span->nr)
		fuzz__touch(span->data, span->nr * 8);
}

static void touch_field(void *ctx, const char *name, const char *value)
{
	(void)ctx;
	fuzz__touch(name, strlen(name));
	fuzz__touch(value, strlen(value));
}

static void print_attr(const struct perf_event_attr *attr)
{
	char name[ATTR_NAME_SIZE];

	attr__name(attr, name, sizeof(name));
	fuzz__touch(name, strlen(name));
	attr__fields(attr, touch_field, NULL);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct perf_event_attr attr;
	struct sample_layout layout;
	struct sample s, fast = { 0 };

	if (size < ATTR_SIZE + 1 + RECORD_HEADER_SIZE || size > ATTR_SIZE + 1 + 0xffff)
		return 0;
	bool swap = bytes[ATTR_SIZE] & 1;
	struct record r = { .data = bytes + ATTR_SIZE + 1, .size = size - ATTR_SIZE - 1 };

	attr__import(&attr, bytes, ATTR_SIZE, swap);
	print_attr(&attr);
	sample_layout__init(&layout, &attr);
	sample__decode_trailer(&layout, &r, swap, &s);
	int ret = sample__decode(&layout, &r, swap, &s);
	int fast_ret = sample__decode_fast(&layout, &r, swap, &fast);

	FUZZ_CHECK(!ret <= !fast_ret);
	if (!fast_ret)
		touch_span(&fast.chain);
	if (ret)
		return 0;
	FUZZ_CHECK(s.ip == fast.ip && s.chain.nr == fast.chain.nr);
	touch_span(&s.chain);
	touch_span(&s.branches);
	touch_span(&s.branch_counters);
	touch_span(&s.user_regs);
	touch_span(&s.intr_regs);
	fuzz__touch(s.raw, s.raw_size);
	fuzz__touch(s.stack, s.stack_size);
	fuzz__touch(s.aux, s.aux_size);
	if (layout.sample_type & PERF_SAMPLE_READ)
		fuzz__touch(s.read.values, s.read.nr * s.read.stride);
	return 0;
}

/* All parts, each with one element. */
static void add_seed(void (*add)(const void *data, size_t size), bool swap, u64 read_format)
{
	struct perf_event_attr attr = built_attr((1ull << 25) - 1);
	struct builder b = { .swap = swap };

	attr.read_format = read_format;
	attr.branch_sample_type = 1ull << 17 | 1ull << 19;
	attr.sample_regs_user = 1;
	attr.sample_regs_intr = 1;
	builder__attr(&b, &attr, ATTR_SIZE);
	builder__u8(&b, swap);
	builder__begin(&b, PERF_RECORD_SAMPLE, 1);
	for (unsigned i = 0; i < 60; i++)
		builder__u64(&b, 1);
	add(b.data, b.len);
	builder__exit(&b);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	for (int swap = 0; swap < 2; swap++)
		for (u64 format = 0; format < 32; format += 5)
			add_seed(add, swap, format);
}
