// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/reader_fixture.h"

#include <errno.h>
#include <stdlib.h>

#include "tests/unit/unit.h"
#include "util/format/sample.h"

int reader_fixture__look(void *ctx, const struct data_block *block)
{
	struct seen *seen = ctx;
	bool swap = perf_data__swapped(seen->data);

	seen->bytes += block->len;
	for (struct record r = { 0 }; data_block__next(block, swap, &r);) {
		struct sample s;

		seen->nr_records++;
		seen->wrong |= r.size < 8 || r.data + r.size > block->data + block->len;
		if (r.type < RECORD_TYPE_MAX)
			seen->nr[r.type]++;
		else
			seen->nr_unknown++;
		if (r.type != PERF_RECORD_SAMPLE)
			continue;
		struct evsel *evsel = perf_data__find_evsel(seen->data, &r);

		if (!evsel ||
		    sample__decode_fast(perf_data__layout(seen->data, evsel), &r, swap, &s))
			continue;
		seen->first_time = seen->first_time ? seen->first_time : s.time;
		seen->last_time = s.time;
	}
	return seen->stop;
}

/* Walk, then read each block again and compare with the walk. */
struct seen reader_fixture__walk_twice(struct perf_data *data)
{
	struct seen seen = { .data = data }, again = { .data = data };
	struct block_buffer buffer = { 0 };
	struct data_block block;

	CHECK_EQ(perf_data__walk(data, reader_fixture__look, &seen, NULL), 0);
	for (u32 i = 0; i < perf_data__nr_blocks(data); i++) {
		int ret = perf_data__read_block(data, i, &buffer, &block);

		CHECK_EQ(ret, 0);
		if (ret)
			break;
		CHECK_EQ(block.index, i);
		reader_fixture__look(&again, &block);
	}
	CHECK_EQ(perf_data__read_block(data, perf_data__nr_blocks(data), &buffer, &block), -EINVAL);
	CHECK_EQ(again.bytes, seen.bytes);
	CHECK_EQ(again.nr_records, seen.nr_records);
	CHECK(!seen.wrong);
	free(buffer.buf);
	return seen;
}

struct perf_data *reader_fixture__open(const struct file_builder *f)
{
	struct error err = ERROR_INIT;
	char text[1200];
	struct perf_data *data = perf_data__open(file_builder__write(f, "perf.data"), 0, &err);

	if (!data)
		unit__fail(__FILE__, __LINE__, "cannot open: %s",
		           error__text(&err, text, sizeof(text)));
	return data;
}

struct built_sample reader_fixture__sample(u64 i)
{
	return (struct built_sample){
		.ip = 0x400000 + i, .time = 1 + i, .pid = 10, .tid = 11, .period = 1, .id = 7
	};
}

void reader_fixture__add_samples(struct file_builder *f, u64 type, u64 from, u64 nr)
{
	for (u64 i = from; i < from + nr; i++) {
		struct built_sample s = reader_fixture__sample(i);

		builder__sample(&f->data, type, PERF_RECORD_MISC_USER, &s);
	}
}

void reader_fixture__begin(struct file_builder *f, bool swap, u64 type)
{
	struct perf_event_attr attr = built_attr(type);

	file_builder__init(f, swap);
	file_builder__event(f, &attr, (u64[]){ 7 }, 1);
}
