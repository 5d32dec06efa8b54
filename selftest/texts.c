// SPDX-License-Identifier: GPL-2.0-or-later
/* Event texts, on this machine's sysfs and tracefs. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "selftest/tests.h"
#include "util/event/parse.h"

struct expected {
	const char *text;
	u32 nr; /* events that it is */
	u32 type;
	u64 config; /* of the last one */
	bool exclude_user, exclude_kernel;
	u64 period; /* 0: none */
};

static const struct expected good[] = {
	{ "cycles", 1, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, 0, 0 },
	{ "cpu-cycles:u", 1, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, 1, 0 },
	{ "branch-instructions:k", 1, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1, 0,
	  0 },
	{ "cache-misses/period=1000/", 1, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, 0, 0,
	  1000 },
	{ "cs", 1, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, 0, 0, 0 },
	{ "faults:uk", 1, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0, 0, 0 },
	{ "task-clock", 1, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0, 0, 0 },
	{ "L1-dcache-load-misses", 1, PERF_TYPE_HW_CACHE, 0x10000, 0, 0, 0 },
	{ "LLC-stores:u", 1, PERF_TYPE_HW_CACHE, 0x102, 0, 1, 0 },
	{ "r1a8", 1, PERF_TYPE_RAW, 0x1a8, 0, 0, 0 },
	{ "mem:0x1000:w", 1, PERF_TYPE_BREAKPOINT, 0, 0, 0, 0 },
	{ "cycles,instructions,page-faults", 3, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0, 0,
	  0 },
	{ "{cycles,instructions}:u", 2, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0, 1, 0 },
	{ "cpu-clock/name=tick,period=5/", 1, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0, 0,
	  5 },
};

enum verdict test_event_texts(struct selftest *test)
{
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		const struct expected *want = &good[i];
		struct event_sources sources = EVENT_SOURCES_INIT;
		struct evlist list = { .nr = 0 };
		struct error err = ERROR_INIT;
		int ret = evlist__parse(&list, &sources, want->text, &err);
		struct perf_event_attr attr = { .type = ~0u };
		u32 nr = list.nr;

		if (!ret && nr)
			attr = list.evsels[nr - 1]->attr;
		evlist__exit(&list);
		event_sources__exit(&sources);
		if (ret)
			return selftest__fail_error(test, &err);
		selftest__say(test, "'%s': %u event%s, type %u, config %#llx", want->text, nr,
		              nr == 1 ? "" : "s", attr.type, (unsigned long long)attr.config);
		EXPECT(test, nr == want->nr, "'%s' is %u events, not %u", want->text, nr, want->nr);
		EXPECT(test, attr.type == want->type && attr.config == want->config,
		       "'%s' has type %u, config %#llx", want->text, attr.type,
		       (unsigned long long)attr.config);
		EXPECT(test,
		       attr.exclude_user == want->exclude_user &&
		               attr.exclude_kernel == want->exclude_kernel,
		       "'%s' counts in user space: %d, in the kernel: %d", want->text,
		       !attr.exclude_user, !attr.exclude_kernel);
		EXPECT(test, attr.sample_period == want->period, "'%s' has period %llu", want->text,
		       (unsigned long long)attr.sample_period);
	}
	return SELFTEST_OK;
}

enum verdict test_event_mistakes(struct selftest *test)
{
	static const char *const bad[] = {
		"",
		"nosuchevent",
		"cycles:q",
		"cycles,",
		"{cycles",
		"cycles}",
		"rxyz",
		"mem:0x1000/",
		"cycles/period=/",
		"cycles/nosuch=1/",
		"nosuch/x/",
		"nosuch:event",
		"mem::w",
		"{}",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct event_sources sources = EVENT_SOURCES_INIT;
		struct evlist list = { .nr = 0 };
		struct error err = ERROR_INIT;
		int ret = evlist__parse(&list, &sources, bad[i], &err);
		u32 nr = list.nr;

		evlist__exit(&list);
		event_sources__exit(&sources);
		selftest__say(test, "'%s': %s %s", bad[i], err.what, err.cause);
		EXPECT(test, ret, "'%s' was taken for an event", bad[i]);
		EXPECT(test, !nr, "'%s' was refused and left %u events", bad[i], nr);
		EXPECT(test, err.what[0], "'%s' was refused without a word", bad[i]);
	}
	return SELFTEST_OK;
}

/* All events that one source of sysfs names. False: one was refused. */
static bool parse_source(struct selftest *test, struct event_sources *sources, const char *pmu,
                         u32 *nr)
{
	char path[400], text[400];
	struct dirent *entry;
	bool ok = true;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s/events", sources->sysfs, pmu);
	dir = opendir(path);
	while (ok && dir && (entry = readdir(dir))) {
		struct evlist list = { .nr = 0 };
		struct error err = ERROR_INIT;

		/* NAME.scale and NAME.unit describe NAME. */
		if (strchr(entry->d_name, '.'))
			continue;
		snprintf(text, sizeof(text), "%s/%s/", pmu, entry->d_name);
		ok = !evlist__parse(&list, sources, text, &err) && list.nr >= 1;
		selftest__say(test, "'%s': %s", text, ok ? "taken" : "refused");
		if (!ok)
			selftest__fail_error(test, &err);
		evlist__exit(&list);
		++*nr;
	}
	if (dir)
		closedir(dir);
	return ok;
}

enum verdict test_event_sources(struct selftest *test)
{
	struct event_sources sources = EVENT_SOURCES_INIT;
	DIR *dir = opendir(sources.sysfs);
	struct dirent *entry;
	bool ok = true;
	u32 nr = 0;

	if (!dir)
		return selftest__skip(test, "cannot read '%s': %s", sources.sysfs, strerror(errno));
	while (ok && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			ok = parse_source(test, &sources, entry->d_name, &nr);
	closedir(dir);
	event_sources__exit(&sources);
	if (!ok)
		return SELFTEST_FAIL;
	if (!nr)
		return selftest__skip(test, "no source of sysfs names an event");
	return SELFTEST_OK;
}

/* The folders of @path that have an id, counted without the code under test. */
static u32 count_ids(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char id[700];
	u32 nr = 0;

	while (dir && (entry = readdir(dir))) {
		snprintf(id, sizeof(id), "%s/%s/id", path, entry->d_name);
		nr += entry->d_name[0] != '.' && !access(id, F_OK);
	}
	if (dir)
		closedir(dir);
	return nr;
}

enum verdict test_tracepoint_names(struct selftest *test)
{
	struct event_sources sources = EVENT_SOURCES_INIT;
	struct evlist list = { .nr = 0 };
	struct error err = ERROR_INIT;
	char path[400];
	u32 nr = 0, nr_bad = 0;
	int ret = tracefs__open(&sources.tracefs, &err);

	if (!ret) {
		snprintf(path, sizeof(path), "%s/events/sched", sources.tracefs.path);
		nr = count_ids(path);
		ret = evlist__parse(&list, &sources, "sched:*", &err);
	}
	for (u32 i = 0; i < list.nr; i++) {
		const struct evsel *evsel = list.evsels[i];

		selftest__detail(test, "%s: id %llu", evsel->name,
		                 (unsigned long long)evsel->attr.config);
		nr_bad += !evsel__is_tracepoint(evsel) || !evsel->attr.config;
	}
	selftest__say(test, "sched:* is %u events, the folder has %u", list.nr, nr);
	ret = ret ? ret : list.nr == nr && nr ? 0 : 1;
	evlist__exit(&list);
	event_sources__exit(&sources);
	if (ret < 0)
		return selftest__fail_error(test, &err);
	EXPECT(test, !ret, "sched:* is not what the folder has");
	EXPECT(test, !nr_bad, "%u tracepoints have no id", nr_bad);
	return SELFTEST_OK;
}
