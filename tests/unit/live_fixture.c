// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/live_fixture.h"

#include "arch/arch.h"
#include "tests/unit/unit.h"
#include "util/format/sample.h"
#include "util/unwind/chain_record.h"

void live_fixture__list(struct evlist *list)
{
	struct perf_event_attr attr = built_attr(LIVE_TYPE);

	attr.sample_regs_user = 1ull << arch__here()->sp_bit | 1ull << arch__here()->pc_bit;
	attr.sample_stack_user = LIVE_STACK;
	evlist__add(list, &attr, "cpu-clock");
}

void live_fixture__sample(struct builder *b, u64 time, u32 pid, u64 ip, bool copy)
{
	bool pc_first = arch__here()->pc_bit < arch__here()->sp_bit;
	size_t at = builder__begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	builder__u64(b, ip);
	builder__u32(b, pid);
	builder__u32(b, pid);
	builder__u64(b, time);
	builder__u64(b, 0); /* no chain */
	builder__u64(b, copy ? PERF_SAMPLE_REGS_ABI_64 : PERF_SAMPLE_REGS_ABI_NONE);
	for (int i = 0; copy && i < 2; i++)
		builder__u64(b, pc_first == !i ? ip : 0x7fff0000);
	builder__u64(b, copy ? LIVE_STACK : 0);
	builder__zero(b, copy ? LIVE_STACK : 0);
	if (copy)
		builder__u64(b, LIVE_STACK);
	builder__end(b, at);
}

void live_fixture__map(struct builder *b, u64 time, u32 pid, u64 start, u64 len)
{
	struct built_sample who = { .pid = pid, .tid = pid, .time = time };

	builder__mmap2(b, LIVE_TYPE, &who, PERF_RECORD_MISC_USER, start, len, 0, "/nonexistent/x");
}

int live_fixture__end(const struct evlist *list, const struct record *record, u64 *nr_chain)
{
	struct sample_layout layout;
	struct chain_join join;
	struct sample sample;
	struct chain_told told;

	sample_layout__init(&layout, &list->evsels[0]->attr);
	CHECK_EQ(sample__decode(&layout, record, false, &sample), 0);
	*nr_chain = sample.chain.nr;
	chain_join__init(&join, 127, false);
	bool is_told = chain_join__told(&join, &sample, &told);

	chain_join__exit(&join);
	return is_told ? (int)told.end : -1;
}
