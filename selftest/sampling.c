// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel writes into a ring. */
#include <errno.h>
#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "selftest/meter.h"
#include "selftest/tests.h"
#include "util/counter/open_error.h"
#include "util/format/sample.h"

struct found {
	u64 nr_inside; /* samples whose address is in our pages */
	u64 nr_other, nr_lost, nr_disordered, nr_foreign;
	u64 last_page, last_time;
};

static int look_at(struct meter *meter, const u8 *pages, u32 nr, struct found *found)
{
	struct sample_layout layout;
	struct data_block block;
	int ret = meter__take(meter, &block);
	u64 start = (uintptr_t)pages, size = nr * touch__page_size();

	sample_layout__init(&layout, &meter->list.evsels[0]->attr);
	for (struct record r = { 0 }; !ret && data_block__next(&block, false, &r);) {
		struct sample sample;

		if (r.type == PERF_RECORD_LOST)
			found->nr_lost += load_u64(r.data + 16, false);
		if (r.type != PERF_RECORD_SAMPLE)
			continue;
		ret = sample__decode(&layout, &r, false, &sample);
		if (sample.addr - start >= size) {
			found->nr_other++;
			continue;
		}
		found->nr_disordered +=
		        sample.addr <= found->last_page || sample.time < found->last_time;
		found->nr_foreign += sample.pid != (u32)getpid() || !sample.ip;
		found->last_page = sample.addr;
		found->last_time = sample.time;
		found->nr_inside++;
	}
	return ret;
}

/* One sample for each page fault into a ring of @ring_size bytes, while @nr pages are touched. */
static int sample_touches(struct meter *meter, u64 ring_size, u32 nr, struct found *found,
                          bool *woken, struct error *err)
{
	int ret = meter__init(meter, "page-faults:u", err);
	u8 *pages = touch__map(nr);

	if (!ret && pages) {
		struct perf_event_attr *attr = &meter->list.evsels[0]->attr;

		attr->sample_period = 1;
		attr->sample_type =
		        PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
		attr->wakeup_events = 1;
		ret = meter__open(meter, ring_size, err);
	}
	if (!ret && pages && !(ret = meter__enable(meter))) {
		touch__each(pages, nr);
		meter__disable(meter);
		*woken = poll(meter->rings.fds, meter->rings.nr_fds, 0) > 0;
		ret = look_at(meter, pages, nr, found);
		if (!ret) {
			/* A lost record is written when the next record finds room. */
			meter__enable(meter);
			touch__free(pages, nr);
			pages = touch__map(nr);
			touch__each(pages, 1);
			meter__disable(meter);
			ret = look_at(meter, NULL, 0, found);
		}
	}
	touch__free(pages, nr);
	return pages ? ret : -ENOMEM;
}

enum verdict test_ring(struct selftest *test)
{
	enum { NR = 700 };

	struct error err = ERROR_INIT;
	struct found found = { 0 };
	struct meter meter;
	bool woken = false;
	int ret = sample_touches(&meter, METER_RING, NR, &found, &woken, &err);

	meter__exit(&meter);
	if (ret)
		return selftest__fail_error(test, &err);
	selftest__say(test,
	              "%d pages touched: %" PRIu64 " samples of them, %" PRIu64
	              " of other memory, %" PRIu64 " lost",
	              NR, found.nr_inside, found.nr_other, found.nr_lost);
	EXPECT(test, woken, "poll() does not see that the ring has data");
	EXPECT(test, found.nr_inside == NR, "%" PRIu64 " samples for %d pages", found.nr_inside,
	       NR);
	EXPECT(test, !found.nr_disordered, "%" PRIu64 " samples are out of order",
	       found.nr_disordered);
	EXPECT(test, !found.nr_foreign, "%" PRIu64 " samples are not of this process",
	       found.nr_foreign);
	EXPECT(test, !found.nr_lost, "%" PRIu64 " samples were lost", found.nr_lost);
	return SELFTEST_OK;
}

enum verdict test_lost(struct selftest *test)
{
	enum { NR = 1500 };

	struct error err = ERROR_INIT;
	struct found found = { 0 };
	struct meter meter;
	bool woken = false;
	int ret = sample_touches(&meter, touch__page_size(), NR, &found, &woken, &err);
	u64 sum;

	meter__exit(&meter);
	if (touch__page_size() > 16384)
		return selftest__skip(test, "on this machine a ring of one page holds them all");
	if (ret)
		return selftest__fail_error(test, &err);
	sum = found.nr_inside + found.nr_other + found.nr_lost;
	selftest__say(test, "%d pages touched: %" PRIu64 " samples and %" PRIu64 " lost", NR,
	              found.nr_inside + found.nr_other, found.nr_lost);
	EXPECT(test, found.nr_lost, "a ring of one page took all %d samples", NR);
	EXPECT(test, sum >= NR, "of %d samples only %" PRIu64 " are accounted for", NR, sum);
	EXPECT(test, sum <= NR + 50, "of %d samples %" PRIu64 " are accounted for", NR, sum);
	return SELFTEST_OK;
}

/* ---- breakpoints ---- */

static volatile long watched;

static void __attribute__((noinline)) stepped_on(void)
{
	watched++;
}

static void run_over(u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		stepped_on();
}

static void store(u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		watched = i;
}

/* With nothing of perf's: some virtual machines offer debug registers that do nothing. */
static bool debug_registers_work(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = PERF_ATTR_SIZE_VER1,
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uintptr_t)&watched,
		.bp_len = sizeof(watched),
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	u64 count = 0;

	store(10);
	if (fd < 0)
		return true; /* all are in use: nothing is known */
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		count = 0;
	close(fd);
	return count == 10;
}

/* How often the breakpoint @kind on @at is hit while @work(@nr) runs. */
static enum verdict count_hits(struct selftest *test, const void *at, const char *kind,
                               void (*work)(u32 nr), double *hits)
{
	struct error err = ERROR_INIT;
	struct counts counts = { 0 };
	struct meter meter;
	char event[80];
	int ret;

	snprintf(event, sizeof(event), "mem:0x%lx%s:u", (unsigned long)at, kind);
	ret = meter__init(&meter, event, &err);
	if (!ret)
		ret = meter__open(&meter, 0, &err);
	if (!ret && !(ret = meter__enable(&meter))) {
		work(100);
		meter__disable(&meter);
		ret = meter__read(&meter, 0, &counts, &err);
	}
	meter__exit(&meter);
	selftest__say(test, "%s: %s %.0f", event, ret ? "error" : "hits", counts.value);
	*hits = counts.value;
	if (ret == -ENOSPC) /* all debug registers are in use */
		return selftest__skip_error(test, &err);
	if (ret)
		return open__not_supported(ret) ? selftest__skip_error(test, &err)
		                                : selftest__fail_error(test, &err);
	if (!*hits && !debug_registers_work())
		return selftest__skip(test,
		                      "the debug registers of this virtual machine do nothing");
	return SELFTEST_OK;
}

enum verdict test_breakpoint_execution(struct selftest *test)
{
	double hits;
	enum verdict verdict = count_hits(test, stepped_on, ":x", run_over, &hits);

	if (verdict == SELFTEST_OK && hits != 100)
		return selftest__fail(test, "100 calls hit the breakpoint %.0f times", hits);
	return verdict;
}

enum verdict test_breakpoint_write(struct selftest *test)
{
	double hits, none = 0;
	const char *length = sizeof(watched) == 8 ? "/8:w" : "/4:w";
	enum verdict verdict = count_hits(test, (const void *)&watched, length, store, &hits);
	static long elsewhere;

	if (verdict == SELFTEST_OK)
		verdict = count_hits(test, &elsewhere, length, store, &none);
	if (verdict == SELFTEST_OK && hits != 100)
		return selftest__fail(test, "100 stores hit the watchpoint %.0f times", hits);
	if (verdict == SELFTEST_OK && none != 0)
		return selftest__fail(test, "stores elsewhere hit the watchpoint %.0f times", none);
	return verdict;
}
