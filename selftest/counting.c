// SPDX-License-Identifier: GPL-2.0-or-later
/* Compare counts with known numbers of events. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "selftest/meter.h"
#include "selftest/tests.h"
#include "util/event/access.h"

/* Faults of the measuring itself: first use of some stack, of some page of code. */
#define SLACK 24

enum verdict test_counter_opens(struct selftest *test)
{
	struct error err = ERROR_INIT;
	struct counts counts;
	struct meter meter;
	int ret = meter__init(&meter, "task-clock:u", &err);

	selftest__say(test, "kernel.perf_event_paranoid is %d",
	              access__setting("", "/proc/sys/kernel/perf_event_paranoid"));
	if (!ret)
		ret = meter__open(&meter, 0, &err);
	if (!ret)
		ret = meter__enable(&meter);
	for (volatile int i = 0; !ret && i < 1000000; i++)
		;
	if (!ret)
		ret = meter__read(&meter, 0, &counts, &err);
	meter__exit(&meter);
	if (ret)
		return selftest__skip_error(test, &err);
	selftest__say(test, "a counter was on for %" PRIu64 " ns and counted %.0f", counts.enabled,
	              counts.value);
	EXPECT(test, counts.enabled > 0, "the counter was never on");
	EXPECT(test, counts.running == counts.enabled, "a software counter had to wait its turn");
	EXPECT(test, counts.value > 0, "the counter stands still");
	return SELFTEST_OK;
}

/* Touch @nr fresh pages while @meter counts. 0 or -errno. */
static int count_touches(struct meter *meter, u32 nr, void (*touch)(u8 *pages, u32 nr))
{
	u8 *pages = touch__map(nr);
	int ret;

	if (!pages)
		return -ENOMEM;
	ret = meter__enable(meter);
	touch(pages, nr);
	if (!ret)
		ret = meter__disable(meter);
	touch__free(pages, nr);
	return ret;
}

/* Count @events over touches of @nr pages; the first event's count. */
static int measure(struct meter *meter, const char *events, bool inherit, u32 nr,
                   void (*touch)(u8 *pages, u32 nr), struct counts *counts, struct error *err)
{
	int ret = meter__init(meter, events, err);

	for (u32 i = 0; i < meter->list.nr; i++)
		meter->list.evsels[i]->attr.inherit = inherit;
	if (!ret)
		ret = meter__open(meter, 0, err);
	if (!ret) {
		ret = count_touches(meter, nr, touch);
		if (ret)
			error__set(err, ret, "cannot count over", events, NULL);
	}
	return ret ? ret : meter__read(meter, 0, counts, err);
}

enum verdict test_page_faults(struct selftest *test)
{
	static const u32 sizes[] = { 1, 100, 1000 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct error err = ERROR_INIT;
		struct counts counts = { 0 };
		struct meter meter;
		int ret = measure(&meter, "page-faults:u", false, sizes[i], touch__each, &counts,
		                  &err);

		meter__exit(&meter);
		if (ret)
			return selftest__fail_error(test, &err);
		selftest__say(test, "%u pages touched: %.0f page faults", sizes[i], counts.value);
		EXPECT(test, counts.value >= sizes[i], "%.0f page faults for %u pages",
		       counts.value, sizes[i]);
		EXPECT(test, counts.value <= sizes[i] + SLACK, "%.0f page faults for %u pages",
		       counts.value, sizes[i]);
	}
	return SELFTEST_OK;
}

static double cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

enum verdict test_task_clock(struct selftest *test)
{
	struct error err = ERROR_INIT;
	struct counts counts = { 0 };
	double inner = 0, outer = cpu_ns(), from;
	struct meter meter;
	int ret = meter__init(&meter, "task-clock:u", &err);

	if (!ret)
		ret = meter__open(&meter, 0, &err);
	if (!ret && !(ret = meter__enable(&meter))) {
		from = cpu_ns();
		while ((inner = cpu_ns() - from) < 50e6)
			;
		meter__disable(&meter);
		ret = meter__read(&meter, 0, &counts, &err);
	}
	outer = cpu_ns() - outer;
	meter__exit(&meter);
	if (ret)
		return selftest__fail_error(test, &err);
	selftest__say(test, "task-clock %.3f ms, the thread's CPU clock %.3f to %.3f ms",
	              counts.value / 1e6, inner / 1e6, outer / 1e6);
	/* The two clocks are read at other places in the kernel: a tick apart at most. */
	EXPECT(test, counts.value >= inner * 0.9 - 1e6, "task-clock %.0f ns, not %.0f",
	       counts.value, inner);
	EXPECT(test, counts.value <= outer * 1.1 + 1e6, "task-clock %.0f ns, not %.0f",
	       counts.value, outer);
	return SELFTEST_OK;
}

#define NR_SWITCHES 200

/* A byte to a child and back: each way we must give up the CPU or have been waiting. */
static int play_ping_pong(struct meter *meter)
{
	int there[2], back[2], ret;
	char byte = 0;
	pid_t pid;

	if (pipe(there) || pipe(back) || (pid = fork()) < 0)
		return -errno;
	if (!pid) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	ret = meter__enable(meter);
	for (int i = 0; i < NR_SWITCHES && !ret; i++)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			ret = -EPIPE;
	meter__disable(meter);
	close(there[1]);
	close(there[0]);
	waitpid(pid, NULL, 0);
	close(back[0]);
	close(back[1]);
	return ret;
}

static long switches_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

enum verdict test_context_switches(struct selftest *test)
{
	struct error err = ERROR_INIT;
	struct counts counts = { 0 };
	struct meter meter;
	long least, most = switches_so_far();
	int ret = meter__init(&meter, "context-switches", &err);

	if (!ret)
		ret = meter__open(&meter, 0, &err);
	least = -switches_so_far();
	if (!ret)
		ret = play_ping_pong(&meter);
	least += switches_so_far();
	if (!ret)
		ret = meter__read(&meter, 0, &counts, &err);
	most = switches_so_far() - most;
	meter__exit(&meter);
	if (ret)
		return selftest__fail_error(test, &err);
	selftest__say(test, "%.0f switches counted, the kernel's accounts say up to %ld",
	              counts.value, most);
	EXPECT(test, counts.value > 0, "nothing was counted, the accounts say %ld", least);
	EXPECT(test, counts.value <= most, "%.0f counted, the accounts say %ld", counts.value,
	       most);
	/* Between fork and enable, and behind disable: a few of them are not ours. */
	EXPECT(test, counts.value >= least - SLACK, "%.0f counted, the accounts say %ld",
	       counts.value, least);
	return SELFTEST_OK;
}

/* Half of the pages by a child, the rest by a child of that child. */
static void touch_in_children(u8 *pages, u32 nr)
{
	pid_t pid = fork();

	if (!pid) {
		pid_t grandchild = fork();

		if (!grandchild)
			touch__each(pages, nr / 2);
		else
			touch__each(pages + nr / 2 * touch__page_size(), nr - nr / 2);
		if (grandchild)
			waitpid(grandchild, NULL, 0);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

enum verdict test_inherit(struct selftest *test)
{
	enum { NR = 2000 };

	double count[2];

	for (int inherit = 0; inherit < 2; inherit++) {
		struct error err = ERROR_INIT;
		struct counts counts = { 0 };
		struct meter meter;
		int ret = measure(&meter, "page-faults:u", inherit, NR, touch_in_children, &counts,
		                  &err);

		meter__exit(&meter);
		if (ret)
			return selftest__fail_error(test, &err);
		count[inherit] = counts.value;
		selftest__say(test, "%d pages touched by children: %.0f page faults %s them", NR,
		              counts.value, inherit ? "with" : "without");
	}
	EXPECT(test, count[0] < NR / 2, "children were counted though nobody asked for it");
	EXPECT(test, count[1] >= NR, "only %.0f of %d page faults of children were counted",
	       count[1], NR);
	return SELFTEST_OK;
}

enum verdict test_group(struct selftest *test)
{
	struct error err = ERROR_INIT;
	struct counts counts = { 0 };
	u64 values[5] = { 0 };
	struct meter meter;
	int ret = meter__init(&meter, "{task-clock:u,page-faults:u}", &err);
	ssize_t got = 0;
	double one = 0;

	for (u32 i = 0; i < meter.list.nr; i++)
		meter.list.evsels[i]->attr.read_format |= PERF_FORMAT_GROUP;
	if (!ret)
		ret = meter__open(&meter, 0, &err);
	if (!ret)
		ret = count_touches(&meter, 500, touch__each);
	if (!ret)
		got = read(meter.list.evsels[0]->fds[0], values, sizeof(values));
	meter__exit(&meter);
	if (ret)
		return selftest__fail_error(test, &err);
	selftest__say(test,
	              "one read of %zd bytes: %" PRIu64 " events, on for %" PRIu64 " ns, %" PRIu64
	              " ns of task-clock, %" PRIu64 " page faults",
	              got, values[0], values[1], values[3], values[4]);
	EXPECT(test, got == sizeof(values), "the read of a group of two gave %zd bytes", got);
	EXPECT(test, values[0] == 2, "a group of 2 says that it has %" PRIu64, values[0]);
	EXPECT(test, values[1] && values[1] == values[2], "the group was not on all the time");
	EXPECT(test, values[4] >= 500 && values[4] <= 500 + SLACK,
	       "%" PRIu64 " page faults for 500 pages", values[4]);
	ret = measure(&meter, "page-faults:u", false, 500, touch__each, &counts, &err);
	one = counts.value;
	meter__exit(&meter);
	if (ret)
		return selftest__fail_error(test, &err);
	EXPECT(test, values[4] <= one + SLACK && one <= values[4] + SLACK,
	       "%.0f page faults alone, %" PRIu64 " in a group", one, values[4]);
	return SELFTEST_OK;
}

/* A counter on a task that runs already. */
enum verdict test_attach(struct selftest *test)
{
	struct error err = ERROR_INIT;
	struct counts counts = { 0 };
	struct meter meter;
	int go[2], ret;
	char byte = 0;
	pid_t pid;

	if (pipe(go) || (pid = fork()) < 0)
		return selftest__fail(test, "no process can be started");
	if (!pid) {
		u8 *pages = touch__map(300);

		close(go[1]);
		if (pages && read(go[0], &byte, 1) == 1)
			touch__each(pages, 300);
		_exit(0);
	}
	ret = meter__init(&meter, "page-faults:u", &err);
	meter.threads.tids[0] = pid;
	if (!ret)
		ret = meter__open(&meter, 0, &err);
	if (!ret)
		ret = meter__enable(&meter);
	if (write(go[1], &byte, 1) != 1)
		ret = -EPIPE;
	close(go[1]);
	close(go[0]);
	waitpid(pid, NULL, 0);
	if (!ret)
		ret = meter__read(&meter, 0, &counts, &err);
	meter__exit(&meter);
	if (ret)
		return selftest__fail_error(test, &err);
	selftest__say(test, "process %d touched 300 pages: %.0f page faults", pid, counts.value);
	EXPECT(test, counts.value >= 300, "%.0f page faults for 300 pages", counts.value);
	return SELFTEST_OK;
}
