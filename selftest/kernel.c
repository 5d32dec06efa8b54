// SPDX-License-Identifier: GPL-2.0-or-later
/* Tracepoints and hardware counters, which depend on the rights and on the machine. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "selftest/meter.h"
#include "selftest/tests.h"
#include "util/counter/open_error.h"
#include "util/event/tracefs.h"
#include "util/format/sample.h"

#define NR_FORKS 20

static int fork_often(void)
{
	for (int i = 0; i < NR_FORKS; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return -errno;
		if (!pid)
			_exit(0);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	return 0;
}

/* How often sched:sched_process_fork is hit by NR_FORKS forks, with @filter (may be NULL). */
static int count_forks(const char *filter, double *hits, struct error *err)
{
	struct counts counts = { 0 };
	struct meter meter;
	int ret = meter__init(&meter, "sched:sched_process_fork", err);

	if (!ret)
		ret = meter__open(&meter, 0, err);
	if (!ret && filter) {
		evsel__set_text(&meter.list.evsels[0]->filter, filter);
		ret = evsel__apply_filter(meter.list.evsels[0], err);
	}
	if (!ret && !(ret = meter__enable(&meter)) && !(ret = fork_often())) {
		meter__disable(&meter);
		ret = meter__read(&meter, 0, &counts, err);
	}
	meter__exit(&meter);
	*hits = counts.value;
	return ret;
}

enum verdict test_tracepoint_count(struct selftest *test)
{
	struct error err = ERROR_INIT;
	double hits;

	if (count_forks(NULL, &hits, &err))
		return selftest__fail_error(test, &err);
	selftest__say(test, "%d forks, %.0f hits of sched:sched_process_fork", NR_FORKS, hits);
	EXPECT(test, hits == NR_FORKS, "%d forks were counted as %.0f", NR_FORKS, hits);
	return SELFTEST_OK;
}

enum verdict test_tracepoint_filter(struct selftest *test)
{
	struct error err = ERROR_INIT;
	double all, none;
	char filter[64];

	snprintf(filter, sizeof(filter), "parent_pid == %d", getpid());
	if (count_forks(filter, &all, &err) || count_forks("parent_pid == 0", &none, &err))
		return selftest__fail_error(test, &err);
	selftest__say(test, "%d forks: %.0f hits where %s, %.0f where parent_pid == 0", NR_FORKS,
	              all, filter, none);
	EXPECT(test, all == NR_FORKS, "%.0f of %d passed a filter that all fit", all, NR_FORKS);
	EXPECT(test, none == 0, "%.0f of %d passed a filter that none fits", none, NR_FORKS);
	EXPECT(test, count_forks("nosuchfield == 0", &none, &err) == -EINVAL,
	       "a filter with a field that does not exist was taken");
	return SELFTEST_OK;
}

/* The field @name in the text of a format file. */
static bool find_field(const char *format, const char *name, unsigned *offset, unsigned *size)
{
	char wanted[64];
	const char *at;

	snprintf(wanted, sizeof(wanted), " %s;", name);
	at = strstr(format, wanted);
	return at && (at = strstr(at, "offset:")) &&
	       sscanf(at, "offset:%u; size:%u;", offset, size) == 2;
}

/* What the samples of NR_FORKS forks say in the field parent_pid: how often our pid. */
static int sample_forks(unsigned offset, u32 *nr, u32 *nr_ours, struct error *err)
{
	struct sample_layout layout;
	struct data_block block;
	struct meter meter;
	int ret = meter__init(&meter, "sched:sched_process_fork", err);

	if (!ret) {
		struct perf_event_attr *attr = &meter.list.evsels[0]->attr;

		attr->sample_period = 1;
		attr->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_RAW;
		ret = meter__open(&meter, METER_RING, err);
	}
	if (!ret && !(ret = meter__enable(&meter)) && !(ret = fork_often())) {
		meter__disable(&meter);
		ret = meter__take(&meter, &block);
		sample_layout__init(&layout, &meter.list.evsels[0]->attr);
	}
	for (struct record r = { 0 }; !ret && data_block__next(&block, false, &r);) {
		struct sample sample;

		if (r.type != PERF_RECORD_SAMPLE || sample__decode(&layout, &r, false, &sample))
			continue;
		++*nr;
		*nr_ours += sample.raw_size >= offset + 4 &&
		            load_u32(sample.raw + offset, false) == (u32)getpid();
	}
	meter__exit(&meter);
	return ret;
}

enum verdict test_tracepoint_fields(struct selftest *test)
{
	struct tracefs tracefs = TRACEFS_INIT;
	struct error err = ERROR_INIT;
	unsigned offset = 0, size = 0;
	u32 nr = 0, nr_ours = 0;
	char *format = NULL;
	size_t len;
	bool found;

	if (!tracefs__open(&tracefs, &err))
		format = tracefs__read(&tracefs, "events/sched/sched_process_fork/format", &len,
		                       &err);
	tracefs__close(&tracefs);
	if (!format)
		return selftest__fail_error(test, &err);
	found = find_field(format, "parent_pid", &offset, &size);
	free(format);
	EXPECT(test, found && size == 4, "the format of sched_process_fork has no parent_pid");
	if (sample_forks(offset, &nr, &nr_ours, &err))
		return selftest__fail_error(test, &err);
	selftest__say(test, "%u samples, %u of which have our pid at offset %u", nr, nr_ours,
	              offset);
	EXPECT(test, nr == NR_FORKS, "%u samples of %d forks", nr, NR_FORKS);
	EXPECT(test, nr_ours == nr, "%u of %u samples have another parent_pid", nr - nr_ours, nr);
	return SELFTEST_OK;
}

/* ---- hardware ---- */

#define NR_ROUNDS 10000000

static void __attribute__((noinline)) spin(void)
{
	for (volatile u32 i = 0; i < NR_ROUNDS; i++)
		;
}

static enum verdict count_hardware(struct selftest *test, const char *event, double *count)
{
	struct error err = ERROR_INIT;
	struct counts counts = { 0 };
	struct meter meter;
	int ret = meter__init(&meter, event, &err);

	if (!ret)
		ret = meter__open(&meter, 0, &err);
	if (!ret && !(ret = meter__enable(&meter))) {
		spin();
		meter__disable(&meter);
		ret = meter__read(&meter, 0, &counts, &err);
	}
	meter__exit(&meter);
	if (ret)
		return open__not_supported(ret) ? selftest__skip_error(test, &err)
		                                : selftest__fail_error(test, &err);
	selftest__say(test, "%s: %.0f", event, counts.value);
	if (!counts.running)
		return selftest__skip(test, "all counters of the CPU are in use");
	*count = counts.value;
	return SELFTEST_OK;
}

/* @least and @most for each round of the loop. */
static enum verdict check_hardware(struct selftest *test, const char *event, double least,
                                   double most)
{
	double count = 0;
	enum verdict verdict = count_hardware(test, event, &count);

	if (verdict != SELFTEST_OK)
		return verdict;
	EXPECT(test, count >= least * NR_ROUNDS && count <= most * NR_ROUNDS,
	       "%s is %.0f for %d rounds of a loop", event, count, NR_ROUNDS);
	return SELFTEST_OK;
}

enum verdict test_hardware_instructions(struct selftest *test)
{
	/* Load, add, store, compare, jump; some may be one instruction. */
	return check_hardware(test, "instructions:u", 3, 100);
}

enum verdict test_hardware_branches(struct selftest *test)
{
	return check_hardware(test, "branches:u", 0.9, 3);
}

enum verdict test_hardware_cycles(struct selftest *test)
{
	return check_hardware(test, "cycles:u", 0.1, 10000);
}
