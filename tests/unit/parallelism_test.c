// SPDX-License-Identifier: GPL-2.0-or-later
/* How many threads ran at the same moment, from switches, samples, forks and ends. */
#include "util/stream/parallelism.h"

#include <errno.h>

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "util/machine/session.h"

#define TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)
#define OUT  PERF_RECORD_MISC_SWITCH_OUT

static struct file_builder f;

static void start_with(bool switches)
{
	struct perf_event_attr attr = built_attr(TYPE);

	attr.context_switch = switches;
	file_builder__init(&f, false);
	file_builder__event(&f, &attr, (u64[]){ 7 }, 1);
}

static void start(void)
{
	start_with(false);
}

static void sample(u64 time, u32 tid)
{
	struct built_sample s = { .time = time, .pid = 5, .tid = tid, .period = 1 };

	builder__sample(&f.data, TYPE, PERF_RECORD_MISC_USER, &s);
}

static void change(u64 time, u32 tid, u16 misc)
{
	struct built_sample s = { .time = time, .pid = 5, .tid = tid };
	size_t at = builder__begin(&f.data, PERF_RECORD_SWITCH, misc);

	builder__trailer(&f.data, TYPE, &s);
	builder__end(&f.data, at);
}

static void change_of_cpu(u64 time, u32 tid, u32 other, u16 misc)
{
	struct built_sample s = { .time = time, .pid = tid ? 5 : 0, .tid = tid };
	size_t at = builder__begin(&f.data, PERF_RECORD_SWITCH_CPU_WIDE, misc);

	builder__u32(&f.data, other ? 5 : 0);
	builder__u32(&f.data, other);
	builder__trailer(&f.data, TYPE, &s);
	builder__end(&f.data, at);
}

static void task(u64 time, u32 tid, u32 type, u32 by)
{
	struct built_sample s = { .time = time, .pid = 5, .tid = by };
	size_t at = builder__begin(&f.data, type, 0);

	builder__u32(&f.data, 5);
	builder__u32(&f.data, 5);
	builder__u32(&f.data, tid);
	builder__u32(&f.data, by);
	builder__u64(&f.data, time);
	builder__trailer(&f.data, TYPE, &s);
	builder__end(&f.data, at);
}

/* What is found, as parallelism__find() returns. */
static int find(struct parallelism *of)
{
	struct error err = ERROR_INIT;
	struct session session;

	CHECK_EQ(session__open(&session, file_builder__write(&f, "x.data"), 0, NULL), 0);
	CHECK_EQ(session__scan(&session, NULL), 0);
	int ret = parallelism__find(of, &session, &err);

	session__close(&session);
	file_builder__exit(&f);
	return ret;
}

TEST(parallelism_counts_those_who_run)
{
	struct parallelism of;

	start();
	change(10, 5, 0);
	task(20, 6, PERF_RECORD_FORK, 5);
	change(30, 6, 0);
	sample(35, 6);
	change(40, 5, OUT);
	change(50, 5, 0);
	task(60, 6, PERF_RECORD_EXIT, 6);
	change(70, 5, OUT);
	CHECK_EQ(find(&of), 0);
	CHECK_EQ(parallelism__at(&of, 0), 1); /* whoever asks ran */
	CHECK_EQ(parallelism__at(&of, 29), 1);
	CHECK_EQ(parallelism__at(&of, 30), 2);
	CHECK_EQ(parallelism__at(&of, 39), 2);
	CHECK_EQ(parallelism__at(&of, 40), 1);
	CHECK_EQ(parallelism__at(&of, 50), 2);
	CHECK_EQ(parallelism__at(&of, 60), 1);
	CHECK_EQ(parallelism__at(&of, 1000), 1);
	parallelism__exit(&of);
}

/* What one CPU wrote stands before what another wrote earlier. */
TEST(parallelism_goes_by_time_not_by_the_file)
{
	struct parallelism of;

	start();
	change(10, 5, 0);
	change(100, 5, OUT);
	change(20, 6, 0);
	change(30, 6, OUT);
	change(90, 7, 0);
	change(120, 7, OUT);
	CHECK_EQ(find(&of), 0);
	CHECK_EQ(parallelism__at(&of, 25), 2);
	CHECK_EQ(parallelism__at(&of, 50), 1);
	CHECK_EQ(parallelism__at(&of, 95), 2);
	CHECK_EQ(parallelism__at(&of, 110), 1);
	parallelism__exit(&of);
}

/* A switch to the thread was lost: its sample tells; a switch away was lost: it counts once. */
TEST(parallelism_bears_lost_switches)
{
	struct parallelism of;

	start();
	change(10, 5, 0);
	sample(20, 6);
	change(30, 6, OUT);
	change(40, 5, 0);
	change(50, 6, OUT);
	CHECK_EQ(find(&of), 0);
	CHECK_EQ(parallelism__at(&of, 20), 2);
	CHECK_EQ(parallelism__at(&of, 30), 1);
	CHECK_EQ(parallelism__at(&of, 40), 1);
	CHECK_EQ(parallelism__at(&of, 50), 1);
	parallelism__exit(&of);
}

TEST(parallelism_of_cpus_leaves_idle_out)
{
	struct parallelism of;

	start();
	change_of_cpu(10, 0, 5, OUT);
	change_of_cpu(10, 5, 0, 0);
	change_of_cpu(20, 0, 6, OUT);
	change_of_cpu(20, 6, 0, 0);
	change_of_cpu(30, 6, 0, OUT);
	change_of_cpu(30, 0, 6, 0);
	CHECK_EQ(find(&of), 0);
	CHECK_EQ(parallelism__at(&of, 15), 1);
	CHECK_EQ(parallelism__at(&of, 25), 2);
	CHECK_EQ(parallelism__at(&of, 35), 1);
	parallelism__exit(&of);
}

TEST(parallelism_needs_switches)
{
	struct parallelism of;

	start();
	sample(20, 6);
	CHECK_EQ(find(&of), -ENODATA);
}

/* They were asked for, and no thread was ever switched out. */
TEST(parallelism_is_known_where_no_switch_happened)
{
	struct parallelism of;

	start_with(true);
	sample(20, 6);
	CHECK_EQ(find(&of), 0);
	CHECK_EQ(parallelism__at(&of, 10), 1);
	CHECK_EQ(parallelism__at(&of, 20), 1);
	parallelism__exit(&of);
}
