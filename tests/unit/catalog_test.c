// SPDX-License-Identifier: GPL-2.0-or-later
/* The events of machines that are played: a kernel that answers, a sysfs and a tracefs of our own.
 */
#include "util/counter/catalog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/unit.h"
#include "util/lib/alloc.h"

struct played {
	int hardware, cache, software; /* 0: opens; else the negative errno */
	int kernel;                    /* the same, unless the kernel is excluded */
	u32 nr_calls;
};

static int play(void *ctx, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
                unsigned long flags)
{
	struct played *played = ctx;
	int ret = attr->type == PERF_TYPE_HARDWARE   ? played->hardware
	          : attr->type == PERF_TYPE_HW_CACHE ? played->cache
	                                             : played->software;

	CHECK_EQ(pid, 0);
	CHECK_EQ(cpu, -1);
	CHECK_EQ(group_fd, -1);
	CHECK_EQ(flags, 0);
	CHECK(attr->disabled);
	played->nr_calls++;
	if (ret)
		return ret;
	if (played->kernel && !attr->exclude_kernel)
		return played->kernel;
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

struct told {
	char text[8192];
	u32 nr, nr_missing;
	char missing[256];
};

static void tell(void *ctx, const struct catalog_entry *entry)
{
	struct told *told = ctx;
	size_t len = strlen(told->text);

	snprintf(told->text + len, sizeof(told->text) - len, "%s%s%s|%s%s%s%s%s", entry->name,
	         entry->alias ? " OR " : "", entry->alias ? entry->alias : "",
	         entry->encoding ? entry->encoding : "", entry->encoding ? "|" : "",
	         entry->scale ? entry->scale : "", entry->unit ? entry->unit : "",
	         entry->scale ? "|" : "");
	told->nr++;
	if (entry->missing) {
		told->nr_missing++;
		snprintf(told->missing, sizeof(told->missing), "%s", entry->missing);
	}
}

static void put(const char *path, const char *text)
{
	char *full = xasprintf("%s/%s", unit__tmpdir(), path);
	FILE *file;

	for (char *slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	file = fopen(full, "w");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
	free(full);
}

static struct told told_of(struct played *played, enum event_class class)
{
	struct event_sources sources = EVENT_SOURCES_INIT;
	struct catalog catalog;
	struct told told = { .nr = 0 };

	catalog__init(&catalog, &sources);
	catalog.opener.open = play;
	catalog.opener.ctx = played;
	catalog__each(&catalog, class, tell, &told);
	catalog__exit(&catalog);
	event_sources__exit(&sources);
	return told;
}

TEST(catalog_built_in_names_are_sorted_and_tried)
{
	struct played played = { 0 };
	struct told told = told_of(&played, EVENT_CLASS_HARDWARE);

	CHECK_EQ(told.nr, 10);
	CHECK_EQ(told.nr_missing, 0);
	CHECK(!strncmp(told.text, "branch-instructions OR branches|branch-misses|bus-cycles|", 50));
	CHECK(strstr(told.text, "|cpu-cycles OR cycles|instructions|"));
	told = told_of(&played, EVENT_CLASS_SOFTWARE);
	CHECK_EQ(told.nr, 12);
	CHECK(!strncmp(told.text, "alignment-faults|bpf-output|cgroup-switches|", 40));
	told = told_of(&played, EVENT_CLASS_TOOL);
	CHECK_STR(told.text, "duration_time|user_time|system_time|");
	/* 7 caches, without the stores and prefetches that some of them have not. */
	told = told_of(&played, EVENT_CLASS_CACHE);
	CHECK_EQ(told.nr, 6 + 4 + 6 + 6 + 2 + 2 + 6);
	CHECK(strstr(told.text, "|L1-icache-prefetches|"));
	CHECK(!strstr(told.text, "iTLB-store"));
	CHECK(!strstr(told.text, "invalid"));
}

TEST(catalog_machines_without_counters_are_asked_once)
{
	struct played played = { .hardware = -ENOENT, .cache = -ENOENT };
	struct told told = told_of(&played, EVENT_CLASS_CACHE);

	CHECK_EQ(told.nr_missing, told.nr);
	CHECK_EQ(played.nr_calls, 2);
	CHECK(strstr(told.missing, "no hardware counters"));
	/* A PMU without cache events says so for each. */
	played = (struct played){ .cache = -ENOENT };
	told = told_of(&played, EVENT_CLASS_CACHE);
	CHECK_EQ(told.nr_missing, told.nr);
	CHECK_STR(told.missing, "this machine's PMU does not count it");
}

TEST(catalog_rights)
{
	static const int refusals[] = { -EACCES, -EPERM, -ENOSYS };

	for (u32 i = 0; i < ARRAY_SIZE(refusals); i++) {
		/* Without the kernel it may be counted: not missing (an unknown system call is). */
		struct played played = { .kernel = refusals[i] };
		struct told told = told_of(&played, EVENT_CLASS_SOFTWARE);

		CHECK_EQ(told.nr, 12);
		CHECK_EQ(told.nr_missing, refusals[i] == -ENOSYS ? 12 : 0);
		played = (struct played){ .software = refusals[i] };
		told = told_of(&played, EVENT_CLASS_SOFTWARE);
		CHECK_EQ(told.nr_missing, 12);
		CHECK(*told.missing);
		CHECK(!strstr(told.missing, "this kernel does not have it"));
	}
}

TEST(catalog_sources)
{
	char *sysfs = xasprintf("%s/devices", unit__tmpdir());
	struct event_sources sources = { .tracefs = TRACEFS_INIT, .sysfs = sysfs };
	struct told told = { .nr = 0 };
	struct catalog catalog;

	put("devices/cpu/type", "4\n");
	put("devices/cpu/events/branch-misses", "event=0xc5\n");
	put("devices/arm/type", "8\n");
	put("devices/arm/cpus", "0-3\n");
	put("devices/arm/events/l1d", "event=1\n");
	put("devices/gpci/type", "9\n");
	put("devices/gpci/cpumask", "0\n");
	put("devices/gpci/events/ptitc", "request=0x10,index=?,other=?\n");
	put("devices/apower/type", "10\n");
	put("devices/apower/events/pkg", "event=2\n");
	put("devices/apower/events/pkg.scale", "0.5\n");
	put("devices/apower/events/pkg.unit", "Joules\n");
	put("devices/nothing/events/x", "event=2\n");
	catalog__init(&catalog, &sources);
	catalog__each(&catalog, EVENT_CLASS_PMU, tell, &told);
	CHECK_STR(told.text, "l1d OR arm/l1d/|branch-misses OR cpu/branch-misses/|apower/pkg/|"
	                     "gpci/ptitc,index=?,other=?/|");
	told = (struct told){ .nr = 0 };
	catalog.pmu = "power";
	catalog__each(&catalog, EVENT_CLASS_PMU, tell, &told);
	CHECK_EQ(told.nr, 0);
	catalog.pmu = "a*";
	catalog.details = true;
	catalog__each(&catalog, EVENT_CLASS_PMU, tell, &told);
	CHECK_STR(told.text, "l1d OR arm/l1d/|arm/event=1/|apower/pkg/|apower/event=2/|0.5Joules|");
	catalog__exit(&catalog);
	event_sources__exit(&sources);
	free(sysfs);
}

TEST(catalog_tracepoints)
{
	char *tracefs = xasprintf("%s/tracing", unit__tmpdir());
	struct event_sources sources = EVENT_SOURCES_INIT;
	struct error err = ERROR_INIT;
	struct told told = { .nr = 0 };
	struct catalog catalog;

	setenv("PERF_TRACEFS_DIR", tracefs, 1);
	put("tracing/events/sched/sched_switch/id", "316\n");
	put("tracing/events/irq/irq_entry/id", "12\n");
	put("tracing/events/ftrace/print/format", "");
	catalog__init(&catalog, &sources);
	CHECK_EQ(catalog__tracepoints(&catalog, "*", "*", tell, &told, &err), 0);
	CHECK_STR(told.text, "irq:irq_entry|sched:sched_switch|");
	told = (struct told){ .nr = 0 };
	catalog.details = true;
	CHECK_EQ(catalog__tracepoints(&catalog, "s*", "*", tell, &told, &err), 0);
	CHECK_STR(told.text, "sched:sched_switch|type=2,config=0x13c|");
	catalog__exit(&catalog);
	event_sources__exit(&sources);
	setenv("PERF_TRACEFS_DIR", "/nonexistent", 1);
	catalog__init(&catalog, &sources);
	CHECK_EQ(catalog__tracepoints(&catalog, "*", "*", tell, &told, &err), -ENOENT);
	CHECK(*err.what);
	catalog__exit(&catalog);
	event_sources__exit(&sources);
	unsetenv("PERF_TRACEFS_DIR");
	free(tracefs);
}

TEST(catalog_events_of_the_table)
{
	static const char table[] =
	        "[{ \"EventName\": \"Z.LAST\", \"EventCode\": \"2\", \"BriefDescription\": \"z\" },"
	        " { \"EventName\": \"IN_SYSFS\", \"EventCode\": \"1\" },"
	        " { \"EventName\": \"A.FIRST\", \"EventCode\": \"1\" },"
	        " { \"EventName\": \"OLD\", \"EventCode\": \"1\", \"Deprecated\": \"1\" },"
	        " { \"EventName\": \"BOX\", \"EventCode\": \"1\", \"Unit\": \"CBO\" }]";
	static const struct event_table_selector nowhere = { "/nonexistent", "x", "y" };
	struct event_sources sources = EVENT_SOURCES_INIT;
	char *sysfs = xasprintf("%s/devices", unit__tmpdir());
	struct played played = { 0 };
	struct told told = { .nr = 0 };
	struct catalog catalog;

	put("devices/cpu/type", "4\n");
	put("devices/cpu/format/event", "config:0-7\n");
	put("devices/cpu/events/in_sysfs", "event=0x1\n");
	sources.sysfs = sysfs;
	sources.table = event_table__load(&nowhere);
	event_table__read(sources.table, "t.json", "t", table, strlen(table), false);
	catalog__init(&catalog, &sources);
	catalog.opener.open = play;
	catalog.opener.ctx = &played;
	catalog.details = true;
	catalog__each(&catalog, EVENT_CLASS_TABLE, tell, &told);
	CHECK_STR(told.text, "a.first|cpu/event=0x1/|box|z.last|cpu/event=0x2/|");
	CHECK_EQ(told.nr_missing, 1);
	CHECK_STR(told.missing, "this machine has no event source 'uncore_cbox'");
	told = (struct told){ .nr = 0 };
	catalog.deprecated = true;
	catalog__each(&catalog, EVENT_CLASS_TABLE, tell, &told);
	CHECK_EQ(told.nr, 4);
	catalog__exit(&catalog);
	event_sources__exit(&sources);
	free(sysfs);
}
