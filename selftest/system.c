// SPDX-License-Identifier: GPL-2.0-or-later
/* What perf reads about the machine: CPUs, tasks, clocks. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "selftest/meter.h"
#include "selftest/tests.h"
#include "util/format/sample.h"
#include "util/lib/time_range.h"

enum verdict test_cpus(struct selftest *test)
{
	struct cpu_map online = CPU_MAP_INIT, again = CPU_MAP_INIT;
	struct error err = ERROR_INIT;
	long nr = sysconf(_SC_NPROCESSORS_ONLN);
	char text[1024];
	bool same;

	if (cpu_map__online(&online, &err))
		return selftest__fail_error(test, &err);
	cpu_map__format(&online, text, sizeof(text));
	selftest__say(test, "CPUs %s are online, the C library says %ld", text, nr);
	same = !cpu_map__parse(&again, text, &err) && again.nr == online.nr &&
	       !memcmp(again.cpus, online.cpus, online.nr * sizeof(*online.cpus));
	nr -= online.nr;
	cpu_map__exit(&again);
	cpu_map__exit(&online);
	EXPECT(test, !nr, "the C library knows %ld CPUs more", nr);
	EXPECT(test, same, "the list of CPUs '%s' is read as another one", text);
	return SELFTEST_OK;
}

struct waiting {
	pthread_t thread;
	int go[2];   /* the thread reads from it until it is closed */
	int told[2]; /* it tells its tid */
};

static void *wait_for_end(void *arg)
{
	struct waiting *waiting = arg;
	s32 tid = syscall(SYS_gettid);
	char byte;

	if (write(waiting->told[1], &tid, sizeof(tid)) == sizeof(tid) &&
	    read(waiting->go[0], &byte, 1) < 0)
		return arg;
	return NULL;
}

enum verdict test_threads(struct selftest *test)
{
	struct thread_map map = THREAD_MAP_INIT;
	struct error err = ERROR_INIT;
	struct waiting waiting;
	bool self = false, other = false;
	char text[16];
	s32 tid = 0;
	int ret;

	snprintf(text, sizeof(text), "%d", getpid());
	if (pipe(waiting.go) || pipe(waiting.told) ||
	    pthread_create(&waiting.thread, NULL, wait_for_end, &waiting))
		return selftest__fail(test, "no thread can be started");
	ret = read(waiting.told[0], &tid, sizeof(tid)) == sizeof(tid)
	              ? thread_map__of_pids(&map, text, &err)
	              : -EPIPE;
	close(waiting.go[1]);
	pthread_join(waiting.thread, NULL);
	for (u32 i = 0; i < map.nr; i++) {
		selftest__say(test, "process %s has thread %d", text, map.tids[i]);
		self |= map.tids[i] == getpid();
		other |= map.tids[i] == tid;
	}
	ret = ret ? ret : map.nr == 2 ? 0 : 1;
	thread_map__exit(&map);
	close(waiting.go[0]);
	close(waiting.told[0]);
	close(waiting.told[1]);
	if (ret < 0)
		return selftest__fail_error(test, &err);
	EXPECT(test, self && other && !ret, "the list of our threads is wrong");
	EXPECT(test, thread_map__of_pids(&map, "2147483647", &err) == -ESRCH,
	       "a process that cannot be was found");
	return SELFTEST_OK;
}

/* ---- clocks ---- */

static u64 ns_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* The time of the sample of one page fault, by @clock (-1: the kernel's own). */
static int time_of_fault(struct meter *meter, int clock, u64 *time, struct error *err)
{
	int ret = meter__init(meter, "page-faults:u", err);
	struct perf_event_attr *attr;
	struct sample_layout layout;
	struct data_block block;
	u8 *page = touch__map(1);

	*time = 0;
	if (ret)
		return ret;
	attr = &meter->list.evsels[0]->attr;
	attr->sample_period = 1;
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
	attr->use_clockid = clock >= 0;
	attr->clockid = clock >= 0 ? clock : 0;
	ret = meter__open(meter, METER_RING, err);
	if (!ret && !(ret = meter__enable(meter))) {
		touch__each(page, 1);
		meter__disable(meter);
		ret = meter__take(meter, &block);
	}
	sample_layout__init(&layout, attr);
	for (struct record r = { 0 }; !ret && data_block__next(&block, false, &r);) {
		struct sample sample;

		if (r.type == PERF_RECORD_SAMPLE && !sample__decode(&layout, &r, false, &sample) &&
		    sample.addr == (uintptr_t)page)
			*time = sample.time;
	}
	touch__free(page, 1);
	return ret;
}

enum verdict test_clocks(struct selftest *test)
{
	static const struct {
		clockid_t clock;
		const char *name;
	} clocks[] = {
		{ CLOCK_MONOTONIC, "monotonic" },
		{ CLOCK_MONOTONIC_RAW, "monotonic_raw" },
		{ CLOCK_BOOTTIME, "boottime" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		struct error err = ERROR_INIT;
		u64 before = ns_of(clocks[i].clock), time, after;
		struct meter meter;
		int ret = time_of_fault(&meter, clocks[i].clock, &time, &err);
		bool other = meter.opener.missing & OPEN_NO_CLOCKID;

		after = ns_of(clocks[i].clock);
		meter__exit(&meter);
		if (other)
			return selftest__skip(test, "this kernel has one clock only");
		if (ret)
			return selftest__fail_error(test, &err);
		selftest__say(test, "%s: %" PRIu64 " <= %" PRIu64 " <= %" PRIu64, clocks[i].name,
		              before, time, after);
		/* The kernel's fast clock may lag behind while it is being set. */
		EXPECT(test, time + 1000000 >= before && time <= after + 1000000,
		       "a sample is not from its time by the clock %s", clocks[i].name);
	}
	return SELFTEST_OK;
}

/* The time of now, by the formula of linux/perf_event.h (cap_user_time_zero). */
static bool time_of_tsc(const struct perf_event_mmap_page *page, u64 *time)
{
	const volatile struct perf_event_mmap_page *p = page;
	u32 seq;

	do {
		u64 cycles, rest;

		seq = p->lock;
		__sync_synchronize();
		if (!p->cap_user_time_zero)
			return false;
		cycles = arch__here()->clock();
		rest = cycles & ((1ull << p->time_shift) - 1);
		*time = p->time_zero + (cycles >> p->time_shift) * p->time_mult +
		        (rest * p->time_mult >> p->time_shift);
		__sync_synchronize();
	} while (p->lock != seq);
	return true;
}

enum verdict test_tsc(struct selftest *test)
{
	struct error err = ERROR_INIT;
	struct meter first, second;
	u64 before, tsc = 0, after = 0;
	bool can;
	int ret;

	if (!arch__here()->clock)
		return selftest__skip(test, "not on this architecture");
	ret = time_of_fault(&first, -1, &before, &err);
	can = !ret && time_of_tsc(first.rings.rings[0].page, &tsc);

	if (!ret && can) {
		ret = time_of_fault(&second, -1, &after, &err);
		meter__exit(&second);
	}
	meter__exit(&first);
	if (ret)
		return selftest__fail_error(test, &err);
	if (!can)
		return selftest__skip(test, "the kernel gives no formula: cap_user_time_zero is 0 "
		                            "in the ring's page");
	selftest__say(test, "sample %" PRIu64 ", TSC %" PRIu64 ", sample %" PRIu64, before, tsc,
	              after);
	EXPECT(test, before <= tsc && tsc <= after,
	       "the TSC as a time does not lie between two samples around it");
	return SELFTEST_OK;
}

enum verdict test_time_spans(struct selftest *test)
{
	static const struct {
		const char *text;
		u64 from, to; /* of the first span; 0, 0: refused */
	} spans[] = {
		{ "1.5,2.000000001", 1500000000, 2000000001 },
		{ ",3", 0, 3000000000 },
		{ "7,", 7000000000, UINT64_MAX },
		{ "10%/2", 11000000000, 11999999999 },
		{ "0%-50%", 10000000000, 14999999999 },
		{ "2,1", 0, 0 },
		{ "x", 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(spans); i++) {
		struct time_ranges ranges = { .nr = 0 };
		struct time_range got = { 0, 0 };

		if (!time_ranges__parse(&ranges, spans[i].text, 10000000000, 20000000000, NULL))
			got = ranges.ranges[0];
		time_ranges__exit(&ranges);
		selftest__say(test, "'%s': %" PRIu64 " to %" PRIu64, spans[i].text, got.from,
		              got.to);
		EXPECT(test, got.from == spans[i].from && got.to == spans[i].to,
		       "'%s' is read as %" PRIu64 " to %" PRIu64, spans[i].text, got.from, got.to);
	}
	return SELFTEST_OK;
}
