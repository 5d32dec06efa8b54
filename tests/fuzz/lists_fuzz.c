// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lists and spans of the command line: --time, --cpu, --pid, --tid, --comms, -g, -F, -s, -G,
 * names of facts of metrics, and what dpkg says about files. A list that is taken has its numbers
 * in order; a text that is not is named with a cause.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "ui/options/script_fields.h"
#include "util/counter/targets.h"
#include "util/elf/package.h"
#include "util/event/cgroup.h"
#include "util/lib/alloc.h"
#include "util/lib/name_list.h"
#include "util/lib/time_range.h"
#include "util/profile/key.h"
#include "util/stat/metric_facts.h"
#include "util/view/callchain.h"

static void take_times(const char *text, u64 first, u64 last)
{
	struct time_ranges ranges = { .nr = 0 };
	struct error err = ERROR_INIT;

	if (time_ranges__parse(&ranges, text, first, last, &err)) {
		FUZZ_CHECK(err.code && !ranges.nr);
		return;
	}
	FUZZ_CHECK(!err.code);
	for (u32 i = 0; i < ranges.nr; i++) {
		FUZZ_CHECK(ranges.ranges[i].from <= ranges.ranges[i].to);
		FUZZ_CHECK(time_ranges__pass(&ranges, ranges.ranges[i].from));
	}
	time_ranges__exit(&ranges);
}

static void take_cpus(const char *text)
{
	struct cpu_map map = CPU_MAP_INIT, again = CPU_MAP_INIT, online = CPU_MAP_INIT;
	struct error err = ERROR_INIT;
	char printed[1 << 16];

	if (cpu_map__parse(&map, text, &err)) {
		FUZZ_CHECK(err.code);
	} else {
		for (u32 i = 1; i < map.nr; i++)
			FUZZ_CHECK(map.cpus[i - 1] < map.cpus[i]);
		cpu_map__format(&map, printed, sizeof(printed));
		if (map.nr && strlen(printed) < sizeof(printed) - 32) {
			FUZZ_CHECK(!cpu_map__parse(&again, printed, NULL) && again.nr == map.nr);
			FUZZ_CHECK(!memcmp(again.cpus, map.cpus, map.nr * sizeof(*map.cpus)));
		}
	}
	FUZZ_CHECK(!cpu_map__online(&online, NULL) && online.nr);
	for (u32 i = 0; i < map.nr; i++)
		if (cpu_map__index(&online, map.cpus[i]) < 0)
			FUZZ_CHECK(cpu_map__check_online(&map, &online, NULL) == -ENODEV);
	cpu_map__exit(&online);
	cpu_map__exit(&map);
	cpu_map__exit(&again);
}

static void take_names(const char *text)
{
	struct name_list names = { .nr = 0 };
	struct thread_map threads = THREAD_MAP_INIT;
	struct error err = ERROR_INIT;
	u32 *numbers = NULL, nr = 0;

	if (!number_list__parse(&numbers, &nr, text, &err))
		fuzz__touch(numbers, nr * sizeof(*numbers));
	free(numbers);
	if (!thread_map__of_tids(&threads, text, NULL))
		FUZZ_CHECK(threads.nr);
	thread_map__exit(&threads);
	if (!thread_map__of_pids(&threads, text, NULL))
		FUZZ_CHECK(threads.nr);
	thread_map__exit(&threads);
	if (strstr(text, "file:")) /* any file of this system */
		return;
	err = (struct error)ERROR_INIT;
	FUZZ_CHECK(!name_list__parse(&names, text, &err));
	for (u32 i = 0; i < names.nr; i++)
		FUZZ_CHECK(name_list__has(&names, names.names[i]));
	name_list__exit(&names);
	/* The text as what is in a file, after a name that is given. */
	char *of_file = xasprintf("one,file://%s", fuzz__file(text, strlen(text)));

	FUZZ_CHECK(!name_list__parse(&names, of_file, &err) && name_list__has(&names, "one"));
	name_list__add(&names, text);
	FUZZ_CHECK(!*text || name_list__has(&names, text));
	FUZZ_CHECK(name_list__parse(&names, "file:///nonexistent/file", &err) && err.code);
	name_list__exit(&names);
	free(of_file);
}

/* With a list of dpkg, and folders that could be groups. */
static const char *folder(void)
{
	static const char *const files[] = { "/some:amd64.list", "/a/x", "/b/c/x" };
	static const char *made;

	if (!made)
		made = fuzz__folder(files, ARRAY_SIZE(files));
	return made;
}

/* Groups below a folder; whether the kernel has them mounted, is its own affair. */
static void take_cgroups(const char *text)
{
	struct evlist list = { .nr = 0 };
	struct error err = ERROR_INIT;
	u32 next = 0;

	FUZZ_CHECK(evlist__set_cgroups(&list, &next, text, &err) == -EINVAL && *err.what);
	for (int i = 0; i < 3; i++)
		FUZZ_CHECK(evlist__add_named(&list, "cs"));
	if (!evsel__set_cgroup(list.evsels[0], folder(), text, NULL) && *text)
		FUZZ_CHECK(!strcmp(list.evsels[0]->cgroup, text));
	err = (struct error)ERROR_INIT;
	if (evlist__set_cgroups(&list, &next, text, &err))
		FUZZ_CHECK(err.code && *err.what);
	FUZZ_CHECK(next <= list.nr);
	evlist__exit(&list);
}

/* A name that no fact has is not a number. */
static void ask_fact(const char *text)
{
	struct event_sources sources = EVENT_SOURCES_INIT;
	struct metric_facts facts = { .sources = &sources, .sysfs = "/nonexistent" };
	struct formula_facts asked = metric_facts__of(&facts);
	double value = asked.literal(asked.ctx, text);

	FUZZ_CHECK(isnan(value) || value >= 0);
	asked.has_event(asked.ctx, text);
	asked.is_cpu(asked.ctx, text);
	event_sources__exit(&sources);
}

/* What would be printed of events of each type, with much in their samples and with little. */
static void ask_fields(const struct script_fields *fields)
{
	static const u64 kept[] = { PERF_SAMPLE_IP,
		                    PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN |
		                            PERF_SAMPLE_READ,
		                    (1 << 25) - 1 - PERF_SAMPLE_READ };
	struct evlist list = { .nr = 0 };
	u64 print;

	for (u32 type = 0; type < PERF_TYPE_MAX; type++)
		for (u32 i = 0; i < ARRAY_SIZE(kept); i++) {
			struct perf_event_attr attr = { .type = type, .sample_type = kept[i] };

			evlist__add(&list, &attr, "e");
		}
	for (u32 i = 0; i < list.nr; i++) {
		struct error err = ERROR_INIT;
		int ret = script_fields__of_event(fields, list.evsels[i], &print, &err);

		FUZZ_CHECK(ret <= 0 && ret == err.code && (!ret || *err.what));
		/* What a sample does not have is not printed of it. */
		if (!ret && !(list.evsels[i]->attr.sample_type & PERF_SAMPLE_TIME))
			FUZZ_CHECK(!(print & FIELD_TIME));
	}
	struct error err = ERROR_INIT;

	FUZZ_CHECK(script_fields__check_branches(fields, &list, &err) == err.code);
	evlist__exit(&list);
}

static void take_views(const char *text)
{
	struct chain_options chains = CHAIN_OPTIONS_INIT;
	struct error errs[3] = { 0 };
	struct script_fields fields;
	struct sort_keys keys = { .nr = 0 };
	int rets[] = { chain_options__parse(&chains, text, &errs[0]),
		       sort_keys__parse(&keys, text, NULL, &errs[1]), 0 };

	script_fields__init(&fields);
	rets[2] = script_fields__parse(&fields, text, &errs[2]);
	for (size_t i = 0; i < ARRAY_SIZE(rets); i++)
		FUZZ_CHECK(rets[i] <= 0 && !rets[i] == !errs[i].code &&
		           (!rets[i] || *errs[i].what));
	if (!rets[2])
		ask_fields(&fields);
	FUZZ_CHECK(rets[0] || (chains.threshold >= 0 && chains.threshold <= UINT32_MAX));
}

/* The text as a list of dpkg, and as the path that is looked for. */
static void find_package(const char *text)
{
	const char *lists = folder();
	char *name;

	fuzz__fill((const u8 *)text, strlen(text));
	name = package__of_file(lists, text);
	FUZZ_CHECK(!name || !strcmp(name, "some"));
	free(name);
	name = package__of_file(lists, "/usr/bin/x");
	FUZZ_CHECK(!!name == (strstr(text, "/bin/x") && name));
	free(name);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = fuzz__text(data, size);

	take_times(text, 0, 0);
	take_times(text, 1000000000, 9000000000);
	take_times(text, 5, UINT64_MAX);
	take_cpus(text);
	take_names(text);
	take_cgroups(text);
	ask_fact(text);
	take_views(text);
	find_package(text);
	free(text);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const texts[] = {
		"1.5,2",
		",3",
		"10%/2",
		"0%-10%,30%-40%",
		"1,2 3,4",
		"0-3,7",
		"1,",
		"4294967295",
		"0-65535",
		"100%/1",
		"99.99999%-100.0%",
		"12,34,56",
		"a,b,c",
		"graph,0.5,caller,function,percent",
		"callee,address,count,2,1",
		"comm,tid,-ip,+sym",
		"sw:comm,pid,time",
		"trace:+brstacksym",
		"bpf-output:x",
		"hw:trace",
		"sym",
		"+symoff,-sym",
		"srcline,comm",
		"+metric",
		"+phys_addr",
		"folded,comm",
		"+brstackinsn",
		"+brcntr",
		"comm,dso,symbol,srcline",
		"overhead",
		"sym, COMM weigth",
		"typeoff",
		",",
		"1,1,1",
		"a,b/c,,a",
		"system_tsc_freq",
		"num_cpus_online",
		"num_cpus",
		"num_cores",
		"num_dies",
		"num_packages",
		"core_wide",
		"slots",
		"cs",
		"/usr/bin/x",
		"/.\n/usr\n/usr/bin\n/bin/x\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		add(texts[i], strlen(texts[i]));
}
