// SPDX-License-Identifier: GPL-2.0-or-later
/* Every record of an open file, twice, with what must hold for all of them. */
#include <errno.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "util/format/sample.h"
#include "util/reader/reader.h"

struct walk {
	struct perf_data *data;
	u64 records, bytes, end; /* of the last block */
};

static void touch_span(const struct u64_span *span)
{
	if (span->nr)
		fuzz__touch(span->data, span->nr * 8);
}

static void decode_sample(const struct sample_layout *layout, const struct record *r, bool swap)
{
	struct sample fast = { 0 }, full;
	int ret = sample__decode(layout, r, swap, &full);

	if (sample__decode_fast(layout, r, swap, &fast)) {
		FUZZ_CHECK(ret); /* who reads more must not be happier */
		return;
	}
	touch_span(&fast.chain);
	if (ret)
		return;
	FUZZ_CHECK(fast.ip == full.ip && fast.time == full.time && fast.period == full.period &&
	           fast.chain.nr == full.chain.nr);
	touch_span(&full.chain);
	touch_span(&full.branches);
	touch_span(&full.branch_counters);
	touch_span(&full.user_regs);
	touch_span(&full.intr_regs);
	fuzz__touch(full.raw, full.raw_size);
	fuzz__touch(full.stack, full.stack_size);
	fuzz__touch(full.aux, full.aux_size);
	FUZZ_CHECK(full.stack_dyn_size <= full.stack_size);
	if (layout->sample_type & PERF_SAMPLE_READ)
		fuzz__touch(full.read.values, full.read.nr * full.read.stride);
}

static void decode_side_band(const struct sample_layout *layout, const struct record *r, bool swap)
{
	struct mmap_record map;
	struct comm_record comm;
	struct task_record task;
	struct ksymbol_record ksymbol;
	struct sample trailer;

	sample__decode_trailer(layout, r, swap, &trailer);
	if (!mmap_record__decode(r, swap, &map)) {
		fuzz__touch(map.name, strlen(map.name));
		FUZZ_CHECK(map.build_id_size <= sizeof(map.build_id));
	}
	if (!comm_record__decode(r, swap, &comm))
		fuzz__touch(comm.name, strlen(comm.name));
	if (!ksymbol_record__decode(r, swap, &ksymbol))
		fuzz__touch(ksymbol.name, strlen(ksymbol.name));
	task_record__decode(r, swap, &task);
}

static int look(void *ctx, const struct data_block *block)
{
	struct walk *walk = ctx;
	bool swap = perf_data__swapped(walk->data);
	const u8 *expected = block->data;

	FUZZ_CHECK(block->offset >= walk->end && block->len);
	walk->end = block->offset + block->len;
	walk->bytes += block->len;
	for (struct record r = { 0 }; data_block__next(block, swap, &r);) {
		const struct evsel *evsel = perf_data__find_evsel(walk->data, &r);

		FUZZ_CHECK(r.data == expected && r.size >= RECORD_HEADER_SIZE);
		FUZZ_CHECK(r.data + r.size <= block->data + block->len);
		expected += r.size;
		walk->records++;
		record__type_name(r.type);
		if (!evsel)
			continue;
		decode_sample(perf_data__layout(walk->data, evsel), &r, swap);
		decode_side_band(perf_data__layout(walk->data, evsel), &r, swap);
	}
	FUZZ_CHECK(expected == block->data + block->len);
	return 0;
}

static void check_damages(const struct perf_data *data)
{
	u32 nr;
	u64 end = 0;
	const struct data_damage *damages = perf_data__damages(data, &nr);

	for (u32 i = 0; i < nr; i++) {
		FUZZ_CHECK(damages[i].offset >= end && damages[i].size);
		end = damages[i].offset + damages[i].size;
	}
}

static void read_again(struct perf_data *data, const struct walk *first)
{
	struct block_buffer buffer = { 0 };
	struct walk again = { .data = data };
	struct data_block block;

	for (u32 i = 0; i < perf_data__nr_blocks(data); i++) {
		FUZZ_CHECK(!perf_data__read_block(data, i, &buffer, &block));
		look(&again, &block);
	}
	FUZZ_CHECK(again.records == first->records && again.bytes == first->bytes);
	free(buffer.buf);
}

u64 fuzz__walk_twice(struct perf_data *data)
{
	struct error err = ERROR_INIT;
	struct walk walk = { .data = data };

	if (perf_data__walk(data, look, &walk, &err))
		FUZZ_CHECK(err.code == -EOPNOTSUPP);
	check_damages(data);
	read_again(data, &walk);
	return walk.records;
}
