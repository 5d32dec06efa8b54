// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event texts. Behind a NUL byte of the input stand the texts of a format and an event of a
 * source in sysfs (they come from drivers, but are files like others). The world is a small
 * folder that is made at the first call and removed at the end.
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "util/event/event_table.h"
#include "util/event/parse.h"
#include "util/lib/alloc.h"

static char world[] = "/tmp/perf-fuzz-XXXXXX";
static bool world_made; /* its name may end with an X, too */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void remove_world(void)
{
	nftw(world, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void put(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", world, name);
	FILE *file;

	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	FUZZ_CHECK(file);
	fputs(text, file);
	fclose(file);
	free(path);
}

/* NAME in the world is whatever fuzz__file() holds. */
static void put_link(const char *name, const char *target)
{
	char *path = xasprintf("%s/%s", world, name);

	FUZZ_CHECK(!symlink(target, path));
	free(path);
}

static void make_world(void)
{
	const char *file = fuzz__file("", 0);

	FUZZ_CHECK(mkdtemp(world));
	world_made = true;
	atexit(remove_world);
	put("devices/cpu/type", "4\n");
	put("devices/cpu/cpus", "0-1\n");
	put("devices/cpu/format/event", "config:0-7,32-35\n");
	put("devices/cpu/format/all", "config1\n");
	put("devices/cpu/events/load", "event=0xcd,umask=?\n");
	put("devices/imc_0/type", "9\n");
	put("devices/imc_1/type", "10\n");
	put("devices/uncore_imc_0/type", "11\n");
	put("devices/uncore_imc_0/format/event", "config:0-7\n");
	put("devices/uncore_imc_1/type", "12\n");
	put("devices/uncore_imc_1/format/event", "config:0-7\n");
	put("events/sched/sched_switch/id", "316\n");
	put("events/sched/sched_wakeup/id", "317\n");
	put("events/probe/e/id", "900\n");
	put_link("devices/cpu/format/umask", file);
	put_link("devices/cpu/events/fuzz", file);
	put_link("devices/cpu/events/fuzz.scale", file);
	setenv("PERF_TRACEFS_DIR", world, 1);
}

static void check_list(const struct evlist *list)
{
	FUZZ_CHECK(list->nr);
	for (u32 i = 0; i < list->nr; i++) {
		const struct evsel *evsel = list->evsels[i];

		FUZZ_CHECK(evsel->idx == i && evsel->leader <= i);
		FUZZ_CHECK(list->evsels[evsel->leader]->nr_members > i - evsel->leader);
		FUZZ_CHECK(evsel->attr.size == sizeof(evsel->attr));
		FUZZ_CHECK(evsel->attr.precise_ip <= 3);
		fuzz__touch(evsel->name, strlen(evsel->name));
	}
}

/* Events of this processor, which has none: names that are terms of a source. */
static struct event_table *make_table(void)
{
	static const struct event_table_selector nowhere = { "/nonexistent", "x", "y" };
	static const char events[] =
	        "[{\"EventName\":\"TABLE.EVENT\",\"EventCode\":\"0x3c\",\"UMask\":\"0x1\"},"
	        "{\"EventName\":\"METRIC.PARTS\",\"EventCode\":\"1\",\"CounterMask\":\"2\"},"
	        "{\"EventName\":\"UNCORE_THING\",\"EventCode\":\"7\",\"Unit\":\"iMC\","
	        "\"ScaleUnit\":\"64Bytes\"}]";
	struct event_table *table = event_table__load(&nowhere);

	event_table__read(table, "a.json", "a", events, strlen(events), false);
	return table;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct event_sources sources = EVENT_SOURCES_INIT;
	struct evlist list = { .nr = 0 };
	struct error err = ERROR_INIT;
	size_t len = strnlen((const char *)data, size);
	char *text = xmalloc(len + 1), *sysfs, message[sizeof(err) + 16];
	int ret;

	memcpy(text, data, len);
	text[len] = '\0';
	if (!world_made)
		make_world();
	if (len < size)
		fuzz__file(data + len + 1, size - len - 1);
	sysfs = xasprintf("%s/devices", world);
	sources.sysfs = sysfs;
	sources.counting = size & 1;
	if (size & 2)
		sources.table = make_table();
	ret = evlist__parse(&list, &sources, text, &err);
	if (ret) {
		FUZZ_CHECK(ret < 0 && err.code < 0 && !list.nr);
		FUZZ_CHECK(err.column <= strlen(err.subject) + 1);
		error__text(&err, message, sizeof(message));
		for (const char *s = message; *s; s++)
			FUZZ_CHECK(*s == '\n' || (u8)*s >= 0x20);
	} else {
		check_list(&list);
	}
	evlist__exit(&list);
	event_sources__exit(&sources);
	free(sysfs);
	free(text);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const texts[] = {
		"cycles:u,cpu-clock/period=1000,name='a,b'/,{cs:k,faults}:S",
		"L1-dcache-load-misses,LLC-store-refs,r1a8:ppp,mem:0x1000/8:rwx:u",
		"sched:sched_*:k,probe:e,grp{cs,faults/max-stack=2,no-inherit/}:D",
		"cpu/load,umask=1,all=0xffffffffffffffff/u,imc/config=1/,load",
		"{duration_time,user_time:u}:W,%sched:sched_switch,cs/percore,metric-id=x/",
		"cpu/fuzz,event=0x13c,call-graph=dwarf,stack-size=4096/P",
		"cycles:uhGHpp,cycles:ukhI,cs:e,cs:P,{cs:Su,faults}:Dk,cycles:IWP,cs:uu,cs:z",
		"cycles/call-graph=fp,overwrite,time=1/,cycles/call-graph=dwarf,stack-size=8192,no-overwrite/",
		"cycles/branch_type=any+u,inherit/,cs/branch_type=call,k,aux-output/,cs/max-stack=9999999999/",
		"cycles/branch_type=nosuch/,cs/freq=0/,cs/no-inherit=2/,cs/time=x/,cs/stack-size=-1/",
		"cycles/branch_type=any_call+save_type,max-events=3,aux-sample-size=1/,cs/nr=4,driver-config/",
		"table.event,TABLE.EVENT:u,cpu/table.event,umask=2/k,uncore_imc/uncore_thing/,uncore_thing",
		"table.event:p,no.such,imc_0/table.event/,metric.parts",
		"uncore_thing",
		"uncore_imc_1/uncore_thing/",
	};
	static const char with_file[] = "cpu/fuzz,umask=3/,fuzz\0config:8-15";
	static const char with_terms[] = "cpu/fuzz/\0event=1,config1=2,name=x";

	for (unsigned i = 0; i < ARRAY_SIZE(texts); i++)
		add(texts[i], strlen(texts[i]));
	add(with_file, sizeof(with_file) - 1);
	add(with_terms, sizeof(with_terms) - 1);
}
