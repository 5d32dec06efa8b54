// SPDX-License-Identifier: GPL-2.0-or-later
/* The stream of records and samples: its orders, its filter, and what it cannot use. */
#include "util/stream/stream.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)

static struct file_builder f;

static void comm(u32 pid, u32 tid, const char *name)
{
	struct built_sample s = { .pid = pid, .tid = tid, .id = 7, .time = 1 };

	builder__comm(&f.data, TYPE, &s, name);
}

/* Two events, 7 and 8; the tasks 5/5 "one", 5/6 "two" and 9/9 "one". */
static void start(void)
{
	struct perf_event_attr attr = built_attr(TYPE);

	file_builder__init(&f, false);
	file_builder__event(&f, &attr, (u64[]){ 7 }, 1);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	file_builder__event(&f, &attr, (u64[]){ 8 }, 1);
	comm(5, 5, "one");
	comm(5, 6, "two");
	comm(9, 9, "one");
}

static void sample(u64 time, u64 id, u32 pid, u32 tid, u32 cpu)
{
	struct built_sample s = { .time = time, .id = id, .pid = pid, .tid = tid, .cpu = cpu };

	builder__sample(&f.data, TYPE, PERF_RECORD_MISC_USER, &s);
}

static void finished_round(void)
{
	builder__end(&f.data, builder__begin(&f.data, RECORD_FINISHED_ROUND, 0));
}

struct read {
	char text[256]; /* the times of the samples, '-' behind those that do not pass, R: a round
	                 */
	u64 nr_records;
	struct stream_counts counts;
	struct read_problems problems;
};

static struct read take_all(struct stream *stream)
{
	struct read read = { .nr_records = 0 };
	const struct stream_sample *s;
	const struct record *record;

	for (; (record = stream__record(stream)); read.nr_records++) {
		if (record->type == RECORD_FINISHED_ROUND)
			strcat(read.text, "R ");
		while ((s = stream__sample(stream)))
			sprintf(read.text + strlen(read.text), "%llu%s ",
			        (unsigned long long)s->sample->time, s->passes ? "" : "-");
	}
	CHECK(!stream__record(stream));
	CHECK(!stream__sample(stream));
	CHECK_EQ(stream__error(stream, NULL), 0);
	read.counts = *stream__counts(stream);
	read.problems = *stream__problems(stream);
	return read;
}

/* What the file gives by @options. */
static struct read read_file(const struct stream_options *options)
{
	struct session session;

	CHECK_EQ(session__open(&session, file_builder__write(&f, "x.data"), 0, NULL), 0);
	CHECK_EQ(session__scan(&session, NULL), 0);
	struct stream *stream = stream__new(&session, options, NULL);
	struct read read = take_all(stream);

	stream__delete(stream);
	session__close(&session);
	return read;
}

static struct read read_order(enum stream_order order)
{
	const struct stream_options options = { .order = order, .need = STREAM_FAST };

	return read_file(&options);
}

TEST(stream_has_each_order)
{
	start();
	for (const u8 *time = (const u8[]){ 50, 30, 255, 10, 70, 40, 255, 60, 80, 255, 90, 0 };
	     *time; time++) {
		if (*time == 255)
			finished_round();
		else
			sample(*time, 7, 5, 5, 0);
	}
	struct read file = read_order(STREAM_FILE), time = read_order(STREAM_TIME);

	CHECK_STR(file.text, "50 30 R 10 70 40 R 60 80 R 90 ");
	CHECK_EQ(file.nr_records, 8 + 3 + 3);
	CHECK_EQ(file.problems.nr_late, 0);
	CHECK_STR(time.text, "10 30 R 40 R 50 60 70 80 R 90 ");
	CHECK_EQ(time.nr_records, 8 + 3 + 3);
	CHECK_STR(read_order(STREAM_AS_PERF).text, "R R 10 30 40 50 R 60 70 80 90 ");
	CHECK_STR(read_order(STREAM_AS_INJECT).text, "R R R 10 30 40 50 60 70 80 90 ");
	CHECK_STR(read_order(STREAM_ROUNDS).text, "50 30 R 10 70 40 R 60 80 R 90 ");
	file_builder__exit(&f);
}

TEST(stream_in_the_order_of_perf_waits_for_rounds)
{
	start();
	sample(50, 7, 5, 5, 0);
	finished_round();
	sample(70, 7, 5, 5, 0);
	finished_round();
	sample(40, 7, 5, 5, 0); /* too late for the second round */
	sample(60, 7, 5, 5, 0);
	struct read perf = read_order(STREAM_AS_PERF);

	CHECK_STR(perf.text, "R R 40 50 60 70 ");
	CHECK_EQ(perf.problems.nr_late, 1);
	CHECK_STR(read_order(STREAM_AS_INJECT).text, "R R 40 50 60 70 ");
	CHECK_STR(read_order(STREAM_TIME).text, "40 50 R 60 70 R ");
	CHECK_EQ(read_order(STREAM_TIME).problems.nr_late, 1);
	file_builder__exit(&f);
}

static void fill(void)
{
	start();
	sample(100, 7, 5, 5, 0);
	sample(200, 7, 5, 6, 1);
	sample(300, 8, 9, 9, 2);
	sample(400, 7, 5, 5, 3);
}

static const char *passing(const struct sample_filter *filter, unsigned flags)
{
	static struct read read;
	const struct stream_options options = { .order = STREAM_TIME,
		                                .need = STREAM_FAST,
		                                .flags = STREAM_TASKS | flags,
		                                .filter = filter };

	read = read_file(&options);
	CHECK_EQ(read.counts.nr_judged, 4);
	return read.text;
}

TEST(stream_filters_by_cpu_time_and_task)
{
	struct time_range range = { 200, 300 };
	struct sample_filter none = { .nr_cpu_set = 0 }, cpus = none, comms = none;
	const struct sample_filter times = { .times = { &range, 1 } };
	const struct sample_filter pids = { .pids = { (u32[]){ 5, 77 }, 2 } };
	const struct sample_filter tids = { .tids = { (u32[]){ 6 }, 1 } };
	const struct sample_filter both = { .pids = pids.pids, .times = times.times };

	fill();
	CHECK_EQ(sample_filter__parse_cpus(&cpus, "0,2-9", NULL), 0);
	CHECK_EQ(name_list__parse(&comms.comms, "one,three", NULL), 0);
	CHECK_STR(passing(&none, 0), "100 200 300 400 ");
	CHECK_STR(passing(NULL, 0), "100 200 300 400 ");
	CHECK_STR(passing(&cpus, 0), "100 300 400 ");
	CHECK_STR(passing(&times, 0), "200 300 ");
	CHECK_STR(passing(&pids, 0), "100 200 400 ");
	CHECK_STR(passing(&tids, 0), "200 ");
	CHECK_STR(passing(&comms, 0), "100 300 400 ");
	CHECK_STR(passing(&both, 0), "200 ");
	/* By time and CPU they are left out in any case. */
	CHECK_STR(passing(&both, STREAM_REJECTED), "200 300- ");
	sample_filter__exit(&cpus);
	sample_filter__exit(&comms);
	file_builder__exit(&f);
}

TEST(stream_filter_has_names_of_places)
{
	struct sample_filter filter = { .nr_cpu_set = 0 };

	CHECK(sample_filter__symbol(&filter, NULL));
	CHECK_EQ(name_list__parse(&filter.symbols, "main", NULL), 0);
	CHECK(sample_filter__symbol(&filter, "main"));
	CHECK(!sample_filter__symbol(&filter, "mai"));
	CHECK(!sample_filter__symbol(&filter, NULL));
	CHECK_EQ(sample_filter__parse_lists(&filter, &(struct sample_filter_lists){ .pids = "1,2" },
	                                    NULL),
	         0);
	CHECK(id_list__has(&filter.pids, 2));
	CHECK(!id_list__has(&filter.pids, 12));
	CHECK(id_list__has(&filter.tids, 12));
	CHECK_EQ(sample_filter__parse_lists(&filter, &(struct sample_filter_lists){ .tids = "" },
	                                    NULL),
	         -EINVAL);
	sample_filter__exit(&filter);
}

TEST(stream_counts_what_it_cannot_use_and_loses_nothing_else)
{
	const struct stream_options options = { .order = STREAM_TIME,
		                                .need = STREAM_FAST,
		                                .flags = STREAM_TASKS };

	fill();
	/* Its chain does not fit: it stands between two good ones. */
	size_t at = builder__begin(&f.data, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	for (const u64 *word = (const u64[]){ 7, 0x1000, 5, 450, 1, 1, 1000, ~0ull }; ~*word;
	     word++)
		builder__u64(&f.data, *word);
	builder__end(&f.data, at);
	sample(500, 99, 5, 5, 0); /* of no event */
	sample(600, 8, 5, 5, 0);
	struct read read = read_file(&options);

	CHECK_STR(read.text, "100 200 300 400 600 ");
	CHECK_EQ(read.nr_records, 3 + 7);
	CHECK_EQ(read.problems.nr_broken, 1);
	CHECK_EQ(read.problems.nr_unknown_id, 1);
	CHECK_EQ(read.problems.nr_lost, 0);
	file_builder__exit(&f);
}

TEST(stream_leaves_out_events_that_nobody_needs)
{
	const struct stream_options options = { .order = STREAM_FILE, .need = STREAM_FAST };
	struct session session;

	fill();
	CHECK_EQ(session__open(&session, file_builder__write(&f, "x.data"), 0, NULL), 0);
	CHECK_EQ(session__scan(&session, NULL), 0);
	struct stream *stream = stream__new(&session, &options, NULL);

	stream__set_need(stream, session.evlist->evsels[0], STREAM_NOTHING);
	struct read read = take_all(stream);

	CHECK_STR(read.text, "300 ");
	CHECK_EQ(read.nr_records, 3 + 4);
	stream__delete(stream);
	session__close(&session);
	file_builder__exit(&f);
}
