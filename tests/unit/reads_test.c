// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples that carry counts: what each counter counted since the sample before. */
#include "util/reader/reads.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "ui/script/script.h"
#include "util/profile/profile.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ)
#define GROUP (PERF_FORMAT_GROUP | PERF_FORMAT_ID)
#define TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

static struct file_builder f;

/* Two events: one with the ids 11 and 12, one with 21 and 22. */
static void start(u64 read_format, bool inherit, bool swap)
{
	struct perf_event_attr attr = built_attr(TYPE);
	struct built_sample s = { .pid = 5, .tid = 5, .id = 11, .time = 1 };

	attr.read_format = read_format;
	attr.inherit = inherit;
	file_builder__init(&f, swap);
	file_builder__event(&f, &attr, (u64[]){ 11, 12 }, 2);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	file_builder__event(&f, &attr, (u64[]){ 21, 22 }, 2);
	builder__comm(&f.data, TYPE, &s, "prog");
}

static void sample(u64 time, u32 tid, const u64 *words, u64 nr)
{
	struct built_sample s = { .pid = 5,
		                  .tid = tid,
		                  .id = 11,
		                  .ip = 0x1000 + time,
		                  .time = time,
		                  .period = 999,
		                  .read = words,
		                  .nr_read = nr };

	builder__sample(&f.data, TYPE, PERF_RECORD_MISC_USER, &s);
}

#define SAMPLE(time, tid, ...)                                                                     \
	sample(time, tid, (u64[]){ __VA_ARGS__ }, sizeof((u64[]){ __VA_ARGS__ }) / 8)

/* The counters' rings and tasks: tid ~0: the counter belongs to a CPU. */
static void id_index(u64 nr, u64 id, u64 tid)
{
	size_t at = builder__begin(&f.data, RECORD_ID_INDEX, 0);

	builder__u64(&f.data, nr);
	builder__u64(&f.data, id);
	builder__u64(&f.data, 0);
	builder__u64(&f.data, 0);
	builder__u64(&f.data, tid);
	builder__end(&f.data, at);
}

struct seen {
	char text[512]; /* "TIME EVENT PERIOD\n" for each row, in the order of time */
	u64 nr_broken, nr_unknown_id, samples_of[2];
};

/* The rows of a profile; every ip here is 0x1000 + time. Frees the file. */
static struct seen profile(u64 time_from)
{
	struct time_range range = { time_from, UINT64_MAX };
	struct profile_options options = { .max_stack = 127,
		                           .workers = 4,
		                           .filter.times = { &range, 1 } };
	struct seen seen = { .nr_broken = 0 };
	struct profile profile;
	struct session session;
	size_t len = 0;

	CHECK_EQ(session__open(&session, file_builder__write(&f, "x.data"), 0, NULL), 0);
	CHECK_EQ(session__scan(&session, NULL), 0);
	CHECK_EQ(profile__build(&profile, &session, &options, NULL), 0);
	for (u64 i = 0; i < profile.nr_rows && len < sizeof(seen.text); i++) {
		const struct row *row = &profile.rows[i];

		len += snprintf(seen.text + len, sizeof(seen.text) - len, "%llu %u %llu\n",
		                (unsigned long long)(profile.locs[row->leaf_loc].addr - 0x1000),
		                row->evsel, (unsigned long long)row->period);
	}
	seen.nr_broken = session.stats.nr_broken;
	seen.nr_unknown_id = session.stats.nr_unknown_id;
	memcpy(seen.samples_of, session.stats.samples_of, sizeof(seen.samples_of));
	profile__exit(&profile);
	session__close(&session);
	file_builder__exit(&f);
	return seen;
}

TEST(reads_of_a_group_are_samples_of_each_member)
{
	for (int swap = 0; swap < 2; swap++) {
		start(GROUP, false, swap);
		SAMPLE(10, 5, 2, 100, 11, 7, 21);
		SAMPLE(20, 5, 2, 350, 11, 7, 21); /* the second counted nothing */
		SAMPLE(30, 5, 2, 400, 11, 9, 21);
		struct seen seen = profile(0);

		CHECK_STR(seen.text, "10 0 100\n10 1 7\n20 0 250\n30 0 50\n30 1 2\n");
		CHECK_EQ(seen.samples_of[0], 3);
		CHECK_EQ(seen.samples_of[1], 2);
		CHECK_EQ(seen.nr_broken + seen.nr_unknown_id, 0);
	}
}

TEST(reads_go_on_per_counter)
{
	start(GROUP, false, false);
	SAMPLE(10, 5, 2, 100, 11, 7, 21);
	SAMPLE(20, 5, 2, 30, 12, 50, 22);
	SAMPLE(30, 6, 2, 101, 11, 8, 21); /* another thread: the counters are no thread's own */
	SAMPLE(40, 5, 2, 33, 12, 51, 22);
	CHECK_STR(profile(0).text, "10 0 100\n10 1 7\n20 0 30\n20 1 50\n30 0 1\n30 1 1\n"
	                           "40 0 3\n40 1 1\n");
}

/* Written late, as by another CPU, but earlier in time. */
TEST(reads_are_taken_in_the_order_of_time)
{
	start(GROUP, false, false);
	SAMPLE(30, 5, 1, 300, 11);
	SAMPLE(10, 5, 1, 100, 11);
	SAMPLE(20, 5, 1, 101, 11);
	CHECK_STR(profile(0).text, "10 0 100\n20 0 1\n30 0 199\n");
}

TEST(reads_of_many_blocks_are_one_workers)
{
	struct profile_options options = { .workers = 4 };
	struct profile profile;
	struct session session;
	u64 sum = 0;

	start(GROUP, false, false);
	for (u64 i = 1; i <= 20000; i++)
		SAMPLE(10 * i, 5, 1, 3 * i, 11);
	CHECK_EQ(session__open(&session, file_builder__write(&f, "x.data"), 0, NULL), 0);
	CHECK_EQ(session__scan(&session, NULL), 0);
	CHECK(perf_data__nr_blocks(session.data) > 1);
	CHECK_EQ(profile__build(&profile, &session, &options, NULL), 0);
	for (u64 i = 0; i < profile.nr_rows; i++)
		sum += profile.rows[i].period;
	CHECK_EQ(profile.nr_samples, 20000);
	CHECK_EQ(sum, 60000);
	profile__exit(&profile);
	session__close(&session);
	file_builder__exit(&f);
}

TEST(reads_before_the_filter_count_for_those_behind_it)
{
	start(GROUP, false, false);
	SAMPLE(10, 5, 1, 100, 11);
	SAMPLE(20, 5, 1, 150, 11);
	CHECK_STR(profile(15).text, "20 0 50\n");
}

TEST(reads_with_times_and_losses)
{
	start(GROUP | TIMES | PERF_FORMAT_LOST, false, false);
	SAMPLE(10, 5, 2, 900, 800, 100, 11, 3, 7, 21, 4);
	SAMPLE(20, 5, 2, 1900, 1800, 160, 11, 3, 8, 21, 400);
	CHECK_STR(profile(0).text, "10 0 100\n10 1 7\n20 0 60\n20 1 1\n");
	start(PERF_FORMAT_ID | TIMES | PERF_FORMAT_LOST, false, false);
	SAMPLE(10, 5, 100, 900, 800, 11, 3);
	SAMPLE(20, 5, 160, 1900, 1800, 11, 300);
	CHECK_STR(profile(0).text, "10 0 100\n20 0 60\n");
}

TEST(reads_that_threads_inherited_are_each_threads_own)
{
	start(PERF_FORMAT_ID, true, false);
	id_index(1, 11, 5);
	SAMPLE(10, 5, 1000, 11);
	SAMPLE(20, 6, 30, 11);
	SAMPLE(30, 5, 1001, 11);
	SAMPLE(40, 6, 50, 11);
	CHECK_STR(profile(0).text, "10 0 1000\n20 0 30\n30 0 1\n40 0 20\n");
}

TEST(reads_of_a_cpus_counter_are_nobodys_own)
{
	start(PERF_FORMAT_ID, true, false);
	id_index(1, 11, ~0ull);
	SAMPLE(10, 5, 1000, 11);
	SAMPLE(20, 6, 1030, 11);
	SAMPLE(30, 5, 1031, 11);
	CHECK_STR(profile(0).text, "10 0 1000\n20 0 30\n30 0 1\n");
	start(PERF_FORMAT_ID, true, false); /* a list that promises more than there is, a lost id */
	id_index(1ull << 61, 99, ~0ull);
	SAMPLE(10, 5, 1000, 11);
	SAMPLE(20, 6, 1030, 11);
	CHECK_STR(profile(0).text, "10 0 1000\n20 0 1030\n");
}

TEST(reads_that_go_back_start_anew)
{
	start(GROUP, false, false);
	SAMPLE(10, 5, 1, 100, 11);
	SAMPLE(20, 5, 1, 40, 11);
	SAMPLE(30, 5, 1, 45, 11);
	CHECK_STR(profile(0).text, "10 0 100\n20 0 40\n30 0 5\n");
}

TEST(reads_of_unknown_events_and_broken_lists_are_counted)
{
	start(GROUP, false, false);
	SAMPLE(10, 5, 2, 100, 11, 7, 77);
	SAMPLE(20, 5, 3, 200, 11, 7, 21); /* three promised, two there */
	SAMPLE(30, 5, 1ull << 60, 200, 11);
	SAMPLE(40, 5, 0);
	SAMPLE(50, 5, 1, 110, 11);
	struct seen seen = profile(0);

	CHECK_STR(seen.text, "10 0 100\n50 0 10\n");
	CHECK_EQ(seen.nr_unknown_id, 1);
	CHECK_EQ(seen.nr_broken, 3);
	CHECK_EQ(seen.samples_of[0], 2);
}

/* Without ids nobody can tell whose counts they are: a sample of its own event. */
TEST(reads_without_ids_leave_the_sample_as_it_is)
{
	start(PERF_FORMAT_GROUP, false, false);
	SAMPLE(10, 5, 2, 100, 7);
	CHECK_STR(profile(0).text, "10 0 999\n");
}

TEST(reads_are_lines_of_script)
{
	struct symbol_config config = { .symfs = "/nonexistent", .no_live_kernel = true };
	struct script_options options = { .max_stack = 127, .filter.tids = { (u32[]){ 5 }, 1 } };
	struct session session;
	struct out out;

	script_fields__init(&options.fields);
	CHECK_EQ(script_fields__parse(&options.fields, "tid,time,period,event", NULL), 0);
	start(GROUP, false, false);
	SAMPLE(1000, 6, 2, 100, 11, 7, 21); /* of a thread that the filter hides */
	SAMPLE(3000, 5, 2, 120, 11, 9, 21);
	SAMPLE(2000, 5, 2, 110, 11, 7, 21);
	CHECK_EQ(session__open(&session, file_builder__write(&f, "x.data"), 0, NULL), 0);
	CHECK_EQ(session__scan(&session, NULL), 0);
	struct session_symbols *symbols = session_symbols__new(&session.dsos, &config);

	out__init(&out, -1);
	struct script *script = script__new(&session, symbols, &options, &out, NULL);

	while (script__next(script))
		;
	CHECK_STR(out__take(&out), "    5     0.000002:         10   cpu-clock:HG: \n"
	                           "    5     0.000003:         10   cpu-clock:HG: \n"
	                           "    5     0.000003:          2 page-faults:HG: \n");
	script__delete(script);
	out__exit(&out);
	session_symbols__delete(symbols);
	session__close(&session);
	file_builder__exit(&f);
}
