// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/reader/perf_order.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"

#define TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static void sample_at(struct file_builder *file, u64 time)
{
	struct built_sample s = { .time = time, .pid = 1, .tid = 1 };

	builder__sample(&file->data, TYPE, PERF_RECORD_MISC_USER, &s);
}

static void finished_round(struct file_builder *file)
{
	builder__end(&file->data, builder__begin(&file->data, RECORD_FINISHED_ROUND, 0));
}

static int nothing(void *ctx, const struct data_block *block)
{
	(void)ctx;
	(void)block;
	return 0;
}

/* The times in the order of delivery, "R" for a round. */
static void check_order(struct file_builder *file, const char *expected)
{
	struct perf_data *data = perf_data__open(file_builder__write(file, "perf.data"), 0, NULL);
	struct record record;
	char text[256] = "";
	int error = 0;

	CHECK(data);
	CHECK_EQ(perf_data__walk(data, nothing, NULL, NULL), 0);
	struct delivery *delivery = delivery__new(data, NULL);

	while (delivery__next(delivery, &record, &error)) {
		if (record.type == RECORD_FINISHED_ROUND)
			strcat(text, "R ");
		else
			sprintf(text + strlen(text), "%u ", record.data[24]);
	}
	CHECK_EQ(error, 0);
	CHECK_STR(text, expected);
	CHECK_EQ(delivery__stats(delivery)->nr_records, strlen(text) / 2);
	delivery__delete(delivery);
	perf_data__close(data);
	file_builder__exit(file);
}

static void start(struct file_builder *file, bool trailers)
{
	struct perf_event_attr attr = built_attr(TYPE);

	attr.sample_id_all = trailers;
	file_builder__init(file, false);
	file_builder__event(file, &attr, NULL, 0);
}

static void fill(struct file_builder *file)
{
	static const u8 times[] = { 5, 3, 0, 1, 255, 7, 4, 255, 6, 8, 255, 9, 0 };

	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		if (times[i] == 255)
			finished_round(file);
		else
			sample_at(file, times[i]);
	}
}

TEST(delivery_holds_back_two_rounds)
{
	struct file_builder file;

	start(&file, true);
	fill(&file);
	check_order(&file, "0 R R 1 3 4 5 R 6 7 0 8 9 ");
}

TEST(delivery_without_trailers_is_that_of_the_file)
{
	struct file_builder file;

	start(&file, false);
	fill(&file);
	check_order(&file, "5 3 0 1 R 7 4 R 6 8 R 9 0 ");
}
