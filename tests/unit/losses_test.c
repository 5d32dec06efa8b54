// SPDX-License-Identifier: GPL-2.0-or-later
/* The loss ledger: gaps and throttling from records, by CPU and time. */
#include "util/analysis/losses.h"

#include "tests/unit/builder.h"
#include "tests/unit/unit.h"

#define WITH_CPU                                                                                   \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_ID)
#define WITHOUT (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID)

static struct file_builder f;
static u64 type;

static void start(u64 sample_type)
{
	struct perf_event_attr attr = built_attr(sample_type);

	type = sample_type;
	file_builder__init(&f, false);
	file_builder__event(&f, &attr, (u64[]){ 70, 71 }, 2); /* on CPU 0 and 1 */
}

static struct built_sample at(u32 cpu, u64 time)
{
	return (struct built_sample){
		.pid = 5, .tid = 5, .cpu = cpu, .time = time, .id = 70 + cpu
	};
}

static void sample(u32 cpu, u64 time)
{
	struct built_sample s = at(cpu, time);

	builder__sample(&f.data, type, PERF_RECORD_MISC_USER, &s);
}

static void lost(u32 cpu, u64 time, u64 nr)
{
	struct built_sample s = at(cpu, time);
	size_t start_of = builder__begin(&f.data, PERF_RECORD_LOST, 0);

	builder__u64(&f.data, 70 + cpu);
	builder__u64(&f.data, nr);
	builder__trailer(&f.data, type, &s);
	builder__end(&f.data, start_of);
}

static void throttle(u32 record, u32 cpu, u64 time)
{
	struct built_sample s = at(cpu, time);
	size_t start_of = builder__begin(&f.data, record, 0);

	builder__u64(&f.data, time);
	builder__u64(&f.data, 70 + cpu);
	builder__u64(&f.data, 0);
	builder__trailer(&f.data, type, &s);
	builder__end(&f.data, start_of);
}

static void id_index(void)
{
	size_t start_of = builder__begin(&f.data, RECORD_ID_INDEX, 0);

	builder__u64(&f.data, 2);
	for (u64 cpu = 0; cpu < 2; cpu++) {
		builder__u64(&f.data, 70 + cpu);
		builder__u64(&f.data, cpu);
		builder__u64(&f.data, cpu);
		builder__u64(&f.data, UINT64_MAX);
	}
	builder__end(&f.data, start_of);
}

static struct losses collect(void)
{
	struct session session;
	struct losses losses;

	CHECK_EQ(session__open(&session, file_builder__write(&f, "perf.data"), 0, NULL), 0);
	CHECK_EQ(session__scan(&session, NULL), 0);
	CHECK_EQ(losses__collect(&losses, &session, NULL), 0);
	session__close(&session);
	file_builder__exit(&f);
	return losses;
}

static void fill(void)
{
	sample(0, 100);
	sample(0, 110);
	sample(1, 105); /* the rings of both CPUs, one behind the other */
	lost(1, 150, 7);
	sample(1, 151);
	lost(0, 140, 30);
	sample(0, 141);
	lost(0, 200, 3);
	sample(0, 201);
}

static void check(const struct losses *losses)
{
	static const struct loss want[] = {
		{ 0, LOSS_RING_FULL, 110, 140, 30 },
		{ 1, LOSS_RING_FULL, 105, 150, 7 },
		{ 0, LOSS_RING_FULL, 141, 200, 3 },
	};

	CHECK_EQ(losses->nr, 3);
	for (u32 i = 0; i < losses->nr && i < 3; i++) {
		CHECK_EQ(losses->losses[i].cpu, want[i].cpu);
		CHECK_EQ(losses->losses[i].from, want[i].from);
		CHECK_EQ(losses->losses[i].to, want[i].to);
		CHECK_EQ(losses->losses[i].nr, want[i].nr);
	}
	CHECK_EQ(losses->nr_cpus, 2);
	CHECK_EQ(losses->cpus[0].cpu, 0);
	CHECK_EQ(losses->cpus[0].all.kept, 4);
	CHECK_EQ(losses->cpus[0].all.lost, 33);
	CHECK_EQ(losses->cpus[1].all.kept, 2);
	CHECK_EQ(losses->cpus[1].all.lost, 7);
	CHECK_EQ(losses->kept, 6);
	CHECK_EQ(losses->lost, 40);
	CHECK_EQ(losses->nr_gaps, 3);
}

TEST(losses_lie_between_two_records_of_a_ring)
{
	start(WITH_CPU);
	fill();
	struct losses losses = collect();

	check(&losses);
	losses__exit(&losses);
}

TEST(losses_cpus_come_from_the_id_index)
{
	start(WITHOUT);
	id_index();
	fill();
	struct losses losses = collect();

	check(&losses);
	losses__exit(&losses);
}

TEST(losses_without_any_hint_have_no_cpu)
{
	start(WITHOUT);
	fill();
	struct losses losses = collect();

	CHECK_EQ(losses.nr_cpus, 1);
	CHECK_EQ(losses.cpus[0].cpu, -1);
	CHECK_EQ(losses.lost, 40);
	losses__exit(&losses);
}

TEST(losses_throttled_spans_end_with_the_recording)
{
	start(WITH_CPU);
	sample(0, 100);
	throttle(PERF_RECORD_THROTTLE, 0, 110);
	throttle(PERF_RECORD_UNTHROTTLE, 1, 111); /* was never throttled */
	throttle(PERF_RECORD_UNTHROTTLE, 0, 120);
	throttle(PERF_RECORD_THROTTLE, 0, 130);
	sample(0, 170);
	struct losses losses = collect();

	CHECK_EQ(losses.nr, 2);
	CHECK_EQ(losses.nr_throttled, 2);
	CHECK_EQ(losses.losses[0].reason, LOSS_THROTTLED);
	CHECK_EQ(losses.losses[0].from, 110);
	CHECK_EQ(losses.losses[0].to, 120);
	CHECK_EQ(losses.losses[1].from, 130);
	CHECK_EQ(losses.losses[1].to, 170);
	CHECK_EQ(losses.lost, 0);
	losses__exit(&losses);
}

/* What the counters know beyond the gaps was lost behind the last record. */
TEST(losses_that_only_counters_know_go_to_the_end)
{
	start(WITH_CPU);
	id_index();
	fill();
	struct built_sample s = at(0, 0);
	size_t start_of =
	        builder__begin(&f.data, PERF_RECORD_LOST_SAMPLES, RECORD_MISC_LAST_BEHIND);

	builder__u64(&f.data, 33 + 9);
	builder__trailer(&f.data, type, &s);
	builder__end(&f.data, start_of);
	struct losses losses = collect();

	CHECK_EQ(losses.nr, 4);
	CHECK_EQ(losses.losses[2].reason, LOSS_RING_FULL);
	CHECK_EQ(losses.losses[3].reason, LOSS_WRITER_BEHIND);
	CHECK_EQ(losses.losses[3].from, 201);
	CHECK_EQ(losses.losses[3].to, LOSS_TO_END);
	CHECK_EQ(losses.losses[3].nr, 9);
	CHECK_EQ(losses.cpus[0].all.lost, 42);
	CHECK_EQ(losses.lost, 49);
	losses__exit(&losses);
}

/* Linux's perf tells no CPU in such a record when samples carry no id. */
TEST(losses_counted_on_unknown_cpus_are_not_counted_twice)
{
	const u64 bare = WITH_CPU & ~(u64)PERF_SAMPLE_ID;

	start(bare);
	fill();
	struct built_sample s = at(0, 0);

	s.pid = s.tid = 0;
	size_t start_of = builder__begin(&f.data, PERF_RECORD_LOST_SAMPLES, 0);

	builder__u64(&f.data, 40 + 5);
	builder__trailer(&f.data, type, &s);
	builder__end(&f.data, start_of);
	struct losses losses = collect();

	CHECK_EQ(losses.lost, 45);
	CHECK_EQ(losses.nr_cpus, 3);
	CHECK_EQ(losses.cpus[0].cpu, -1);
	CHECK_EQ(losses.cpus[0].all.lost, 5);
	CHECK_EQ(losses.cpus[1].all.lost, 33);
	losses__exit(&losses);
}

/* By event: as the counters say. The gaps lie where their time lies. */
TEST(losses_by_event_and_by_time)
{
	const u64 second_type = WITHOUT | PERF_SAMPLE_IDENTIFIER;
	struct perf_event_attr attr = built_attr(second_type);

	start(WITH_CPU | PERF_SAMPLE_IDENTIFIER);
	file_builder__event(&f, &attr, (u64[]){ 80 }, 1);
	id_index();
	sample(0, 5 * LOSS_SLOT_NS + 10);
	lost(0, 7 * LOSS_SLOT_NS + 10, 30);
	sample(0, 7 * LOSS_SLOT_NS + 11);
	struct built_sample s = at(0, 0);

	for (int i = 0; i < 2; i++) {
		size_t start_of = builder__begin(&f.data, PERF_RECORD_LOST_SAMPLES, 0);

		s.pid = s.tid = UINT32_MAX;
		s.id = i ? 80 : 70;
		builder__u64(&f.data, i ? 10 : 20);
		builder__trailer(&f.data, i ? second_type : type, &s);
		builder__end(&f.data, start_of);
	}
	struct losses losses = collect();

	CHECK_EQ(losses.nr_events, 2);
	CHECK(losses.counted);
	CHECK_EQ(losses.lost, 30);
	CHECK_EQ(losses.nr_slots, 4);
	CHECK_EQ(losses.slots[3].from, LOSS_NO_SLOT); /* the second event's: on no known CPU */
	CHECK_EQ(losses.slots[3].all.lost, 10);
	for (u32 i = 0; i < 3; i++)
		CHECK_EQ(losses.slots[i].from, (5 + i) * LOSS_SLOT_NS);
	CHECK_EQ(losses.slots[0].all.lost, 14);
	CHECK_EQ(losses.slots[1].all.lost, 15);
	CHECK_EQ(losses.slots[2].all.lost, 1);
	CHECK_EQ(losses.slots[2].all.kept, 1);
	u64 of_first = 0, of_second = 0;

	for (u32 i = 0; i < losses.nr_cpus; i++) {
		of_first += losses.cpus[i].events[0].lost;
		of_second += losses.cpus[i].events[1].lost;
	}
	CHECK_EQ(of_first, 20);
	CHECK_EQ(of_second, 10);
	losses__exit(&losses);
}

TEST(losses_percent_of_what_was_produced)
{
	CHECK_EQ(losses__percent(0, 0), 0);
	CHECK_EQ(losses__percent(1, 3), 25);
	CHECK_EQ(losses__percent(5, 0), 100);
}
