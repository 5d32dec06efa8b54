// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What /sys and /proc say about the machine: the header features that are made of it, in which
 * strings and counts must stay within what is written; where CPUs are; the facts of metrics; where
 * cgroups are mounted.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "tests/fuzz/fuzz.h"
#include "util/event/cgroup.h"
#include "util/event/cpu_id.h"
#include "util/lib/alloc.h"
#include "util/stat/aggregate.h"
#include "util/stat/metric_facts.h"
#include "util/writer/feature_write.h"

#define CPU   "/sys/devices/system/cpu/cpu0/"
#define CACHE CPU "cache/index0/"
#define NODE  "/sys/devices/system/node/node0/"
#define PMUS  "/sys/bus/event_source/devices/"

static const char *const files[] = {
	CPU "topology/package_cpus_list",
	CPU "topology/core_cpus_list",
	CPU "topology/die_cpus_list",
	CPU "topology/core_id",
	CPU "topology/physical_package_id",
	CPU "topology/die_id",
	CACHE "level",
	CACHE "coherency_line_size",
	CACHE "number_of_sets",
	CACHE "ways_of_associativity",
	CACHE "type",
	CACHE "size",
	CACHE "shared_cpu_list",
	NODE "meminfo",
	NODE "cpulist",
	NODE "memory7/state",
	NODE "memory9999999999/state",
	"/sys/devices/system/memory/block_size_bytes",
	"/sys/devices/system/cpu/smt/active",
	"/sys/devices/system/cpu/online",
	PMUS "cpu/type",
	PMUS "cpu/caps/branches",
	PMUS "other/type",
	PMUS "other/caps/max_precise",
	"/proc/cpuinfo",
	"/proc/meminfo",
	"/proc/mounts",
};

static void write_features(const char *root)
{
	static const u32 features[] = {
		FEATURE_CPU_TOPOLOGY, FEATURE_NUMA_TOPOLOGY, FEATURE_CACHE,    FEATURE_MEM_TOPOLOGY,
		FEATURE_PMU_MAPPINGS, FEATURE_CPU_PMU_CAPS,  FEATURE_PMU_CAPS, FEATURE_CPUDESC,
		FEATURE_CPUID,        FEATURE_TOTAL_MEM,     FEATURE_NRCPUS
	};
	struct evlist list = { .nr = 0 };
	struct feature_source source = { .root = root, .version = "0", .evlist = &list };

	for (size_t i = 0; i < ARRAY_SIZE(features); i++) {
		struct out out;

		out__init(&out, -1);
		if (feature__write(features[i], &source, &out)) {
			FUZZ_CHECK(out.len <= 1u << 20);
			fuzz__touch(out.buf, out.len);
		}
		out__exit(&out);
	}
}

static void ask_facts(const char *sysfs)
{
	static const char *const names[] = { "smt_on", "core_wide", "num_cores", "num_dies",
		                             "num_packages" };
	struct metric_facts facts = { .sysfs = sysfs };
	struct formula_facts asked = metric_facts__of(&facts);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		asked.literal(asked.ctx, names[i]);
	for (s32 cpu = -1; cpu < 3; cpu++) {
		struct cpu_topology topology = cpu_topology__read(sysfs, cpu);

		fuzz__touch(&topology, sizeof(topology));
	}
}

/* Each CPU is in one group, and groups have names of their own. */
static void group_cpus(const char *sysfs)
{
	struct cpu_map cpus = CPU_MAP_INIT;
	struct thread_map threads = THREAD_MAP_INIT;
	struct evlist list = { .nr = 0 };

	FUZZ_CHECK(!cpu_map__parse(&cpus, "0-2", NULL));
	thread_map__add(&threads, 1);
	evlist__add_named(&list, "cs")->percore = true;
	for (enum aggregate_mode mode = AGGREGATE_GLOBAL; mode <= AGGREGATE_THREAD; mode++) {
		struct aggregation agg;
		u32 nr = 0;

		aggregation__init(&agg, mode, &list, &cpus, &threads, sysfs, NULL, 0);
		for (u32 i = 0; i < agg.nr; i++) {
			FUZZ_CHECK(!i || strcmp(agg.groups[i].name, agg.groups[i - 1].name));
			nr += agg.groups[i].nr_cpus;
		}
		FUZZ_CHECK(mode == AGGREGATE_GLOBAL || mode == AGGREGATE_THREAD || nr == cpus.nr);
		aggregation__exit(&agg);
	}
	evlist__exit(&list);
	thread_map__exit(&threads);
	cpu_map__exit(&cpus);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const char *const machines[] = { "x86_64", "aarch64", "riscv64" };
	static const char *root;
	static char *sysfs;
	char id[CPU_ID_SIZE];

	if (!root) {
		root = fuzz__folder(files, ARRAY_SIZE(files));
		sysfs = xasprintf("%s/sys", root);
	}
	fuzz__fill(data, size);
	write_features(root);
	ask_facts(sysfs);
	group_cpus(sysfs);
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		bool says = cpu_id__read(arch__find(machines[i]), root, id);

		FUZZ_CHECK(strnlen(id, sizeof(id)) < sizeof(id) && says == !!id[0]);
	}
	free(cgroup__mount_point(root, NULL));
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const texts[] = {
		"0-1\n\3770\n\3770-1\n\3770\n\377-1\n\37765535\n\3771\n\37764\n\37764\n\3778\n\377"
		"Data\n\377"
		"32K\n\3770\n\377Node 0 MemTotal:  16384 kB\nNode 0 MemFree: 77 kB\n\3770-1\n\377"
		"online\n\377online\n\3778000000\n\3771\n\3770-1\n\3774\n\37732\n\3777\n\3773\n\377"
		"processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"
		"model name\t: Some CPU\nstepping\t: 4\n\377MemTotal:  16384 kB\n\377"
		"cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n"
		"cgroup /sys/fs/cgroup/perf cgroup rw,perf_event 0 0\n",
		"0,2-3,7\n",
		"4294967295\n",
		"18446744073709551615\n",
		"-9223372036854775808\n",
		"isa\t: rv64imafdc\nmvendorid\t: 0x489\nmarchid : 0x8\nmimpid : 0x1\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		add(texts[i], strlen(texts[i]));
}
