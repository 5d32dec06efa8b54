// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings of counts, made byte by byte, and what they are replayed to. */
#include "util/stat/replay.h"

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "util/format/record.h"
#include "util/reader/features.h"
#include "util/stat/aggregate_number.h"

struct made {
	struct file_builder f;
	struct stat_replay replay;
	u32 nr_intervals;
	double values[8]; /* of event 0 in the intervals, all groups */
	u64 ends[8];
};

static void stat_record(struct made *m, u64 id, s32 cpu, u32 thread, u64 value, u64 running)
{
	size_t start = builder__begin(&m->f.data, RECORD_STAT, 0);

	builder__u64(&m->f.data, id);
	builder__u32(&m->f.data, cpu);
	builder__u32(&m->f.data, thread);
	builder__u64(&m->f.data, value);
	builder__u64(&m->f.data, max_u64(running, 1000));
	builder__u64(&m->f.data, running);
	builder__end(&m->f.data, start);
}

static void words(struct made *m, u32 type, const u64 *values, u32 nr)
{
	size_t start = builder__begin(&m->f.data, type, 0);

	for (u32 i = 0; i < nr; i++)
		builder__u64(&m->f.data, values[i]);
	builder__end(&m->f.data, start);
}

static void config(struct made *m, u64 mode, u64 interval, u64 scale)
{
	words(m, RECORD_STAT_CONFIG, (u64[]){ 3, 0, mode, 1, interval, 2, scale }, 7);
}

static void end_round(struct made *m, bool final, u64 ns)
{
	words(m, RECORD_STAT_ROUND, (u64[]){ final, ns }, 2);
}

/* Two events: ids 5 and 6 on CPUs 0 and 1, the other the same with 7 and 8. */
static void begin(struct made *m, bool swap)
{
	struct perf_event_attr attr = built_attr(PERF_SAMPLE_IDENTIFIER);

	*m = (struct made){ .nr_intervals = 0 };
	file_builder__init(&m->f, swap);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	file_builder__event(&m->f, &attr, (u64[]){ 5, 6 }, 2);
	attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	file_builder__event(&m->f, &attr, (u64[]){ 7, 8 }, 2);
}

static void keep_interval(void *ctx, u64 since_start, u64 length)
{
	struct made *m = ctx;
	double sum = 0;

	(void)length;
	for (u32 g = 0; g < m->replay.stretch.nr; g++)
		sum += m->replay.stretch.groups[g].events[0].value.mean;
	m->ends[m->nr_intervals % 8] = since_start;
	m->values[m->nr_intervals++ % 8] = sum;
}

static void run(struct made *m)
{
	struct error err = ERROR_INIT;

	m->replay.interval = keep_interval;
	m->replay.ctx = m;
	m->replay.data = perf_data__open(file_builder__write(&m->f, "x.data"), 0, &err);
	CHECK(m->replay.data);
	CHECK_EQ(stat_replay__run(&m->replay, &err), 0);
}

static void end(struct made *m)
{
	stat_replay__exit(&m->replay);
	perf_data__close(m->replay.data);
	file_builder__exit(&m->f);
}

static double value(const struct made *m, u32 group, u32 event)
{
	return m->replay.counts.groups[group].events[event].value.mean;
}

TEST(stat_replay_adds_up_in_both_byte_orders)
{
	for (int swap = 0; swap < 2; swap++) {
		struct made m;

		begin(&m, swap);
		config(&m, 1, 0, 1);
		stat_record(&m, 5, 0, 0, 10, 1000);
		stat_record(&m, 6, 1, 0, 20, 500); /* half of the time: 40 */
		stat_record(&m, 7, 0, 0, 3, 1000);
		end_round(&m, true, 12345);
		run(&m);
		CHECK_EQ(m.replay.counts.nr, 1);
		CHECK_EQ(value(&m, 0, 0), 50);
		CHECK_EQ(value(&m, 0, 1), 3);
		CHECK_EQ(m.replay.wall_ns, 12345);
		CHECK(!m.replay.cut && !m.replay.of_tasks && !m.replay.no_counts);
		CHECK_EQ(m.nr_intervals, 0);
		end(&m);
	}
}

TEST(stat_replay_does_not_scale_what_was_not_scaled)
{
	struct made m;

	begin(&m, false);
	config(&m, 1, 0, 0);
	stat_record(&m, 6, 1, 0, 20, 500);
	end_round(&m, true, 1);
	run(&m);
	CHECK_EQ(value(&m, 0, 0), 20);
	end(&m);
}

TEST(stat_replay_intervals_are_differences)
{
	struct made m;

	begin(&m, false);
	config(&m, 0, 100, 1);
	stat_record(&m, 5, 0, 0, 10, 1000);
	stat_record(&m, 6, 1, 0, 1, 1000);
	end_round(&m, false, 100);
	stat_record(&m, 5, 0, 0, 15, 2000);
	stat_record(&m, 6, 1, 0, 1, 1000);
	end_round(&m, false, 200);
	end_round(&m, true, 201); /* nothing was said since */
	run(&m);
	CHECK_EQ(m.nr_intervals, 2);
	CHECK_EQ(m.values[0], 11);
	CHECK_EQ(m.values[1], 5);
	CHECK_EQ(m.ends[1], 200);
	CHECK_EQ(m.replay.counts.nr, 2);
	CHECK_STR(m.replay.counts.groups[1].name, "CPU1");
	CHECK_EQ(value(&m, 0, 0), 15);
	end(&m);
}

static void add_topology(struct made *m)
{
	static const u32 core_socket[] = { 4, 0, 4, 1 };
	struct builder *b = file_builder__feature(&m->f, FEATURE_NRCPUS);

	builder__u32(b, 2);
	builder__u32(b, 2);
	b = file_builder__feature(&m->f, FEATURE_CPU_TOPOLOGY);
	for (int list = 0; list < 2; list++) {
		builder__u32(b, 1);
		builder__feature_string(b, "0-1");
	}
	for (u32 i = 0; i < ARRAY_SIZE(core_socket); i++)
		builder__u32(b, core_socket[i]);
	builder__u32(b, 1);
	builder__feature_string(b, "0-1");
	builder__u32(b, 2); /* dies */
	builder__u32(b, -1);
	b = file_builder__feature(&m->f, FEATURE_NUMA_TOPOLOGY);
	builder__u32(b, 2);
	for (u32 node = 0; node < 2; node++) {
		builder__u32(b, node * 3);
		builder__u64(b, 0);
		builder__u64(b, 0);
		builder__feature_string(b, node ? "1-70000" : "0");
	}
}

TEST(stat_replay_groups_as_the_recorded_machine_was)
{
	static const struct {
		enum aggregate_mode mode;
		const char *first, *second;
	} rows[] = {
		{ AGGREGATE_CORE, "S0-D2-C4", "S1-D0-C4" },
		{ AGGREGATE_SOCKET, "S0", "S1" },
		{ AGGREGATE_NODE, "N0", "N3" },
		{ AGGREGATE_CPU, "CPU0", "CPU1" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made m;

		begin(&m, false);
		add_topology(&m);
		config(&m, 1, 0, 1);
		stat_record(&m, 5, 0, 0, 10, 1000);
		stat_record(&m, 6, 1, 0, 20, 1000);
		end_round(&m, true, 1);
		m.replay.has_wanted = true;
		m.replay.wanted = rows[i].mode;
		run(&m);
		CHECK_EQ(m.replay.counts.nr, 2);
		CHECK_STR(m.replay.counts.groups[0].name, rows[i].first);
		CHECK_STR(m.replay.counts.groups[1].name, rows[i].second);
		CHECK_EQ(value(&m, 1, 0), 20);
		end(&m);
	}
}

TEST(stat_replay_threads_have_the_names_of_the_file)
{
	struct made m;

	begin(&m, false);
	words(&m, RECORD_THREAD_MAP, (u64[]){ 2, 17, 'x', 0, 18, 'y', 0 }, 7);
	config(&m, 5, 0, 1);
	stat_record(&m, 5, -1, 0, 10, 1000);
	stat_record(&m, 6, -1, 1, 20, 1000);
	stat_record(&m, 7, -1, 2, 30, 1000); /* there is no third thread */
	end_round(&m, true, 1);
	m.replay.has_wanted = true; /* of tasks: nothing is known about CPUs */
	m.replay.wanted = AGGREGATE_CORE;
	run(&m);
	CHECK(m.replay.of_tasks);
	CHECK_EQ(m.replay.counts.nr, 2);
	CHECK_STR(m.replay.counts.groups[1].name, "y-18");
	CHECK_EQ(value(&m, 1, 0), 20);
	CHECK_EQ(m.replay.nr_unknown, 1);
	end(&m);
}

TEST(stat_replay_leaves_out_what_nobody_described)
{
	struct made m;

	begin(&m, false);
	config(&m, 1, 0, 1);
	stat_record(&m, 5, 0, 0, 10, 1000);
	stat_record(&m, 99, 0, 0, 1000, 1000);
	end_round(&m, false, 1);
	stat_record(&m, 6, 77, 0, 1000, 1000); /* a CPU that was not there before */
	run(&m);
	CHECK_EQ(value(&m, 0, 0), 10);
	CHECK_EQ(m.replay.nr_unknown, 2);
	CHECK(m.replay.cut);
	end(&m);
}

/* Killed before the end of its first round: what was counted until then is shown. */
TEST(stat_replay_of_a_round_that_did_not_end)
{
	struct made m;

	begin(&m, false);
	config(&m, 1, 0, 1);
	stat_record(&m, 5, 0, 0, 10, 1000);
	run(&m);
	CHECK(m.replay.cut && !m.replay.no_counts);
	CHECK_EQ(value(&m, 0, 0), 10);
	end(&m);
}

TEST(stat_replay_of_samples_has_no_counts)
{
	struct made m;

	begin(&m, false);
	run(&m);
	CHECK(m.replay.no_counts);
	end(&m);
}

TEST(aggregate_numbers_are_those_of_their_perf)
{
	static const u8 newer[] = { 1, 0, 6, 3, 2, 9, 7 }; /* in the order of aggregate_mode */
	enum aggregate_mode back;

	for (u32 mode = 0; mode < ARRAY_SIZE(newer); mode++) {
		CHECK(aggregate_of_number(aggregate_number(mode), false, &back));
		CHECK_EQ(back, mode);
		CHECK(aggregate_of_number(newer[mode], true, &back));
		CHECK_EQ(back, mode);
	}
	CHECK_EQ(aggregate_number(AGGREGATE_CORE), 4);
	CHECK(!aggregate_of_number(4, true, &back)); /* clusters */
	CHECK(!aggregate_of_number(6, false, &back));
}
