// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/aggregate.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"

/* --- where a CPU is --- */

/* The number in a file of one line; 0 where there is none (an s390 says -1 for no die). */
static s32 read_number(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[32];
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	u64 value;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return text__parse_u64(text, &value) || value > 0x7fffffff ? 0 : (s32)value;
}

static s32 read_topology(const char *sysfs, s32 cpu, const char *what)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d/topology/%s", sysfs, cpu, what);
	return read_number(path);
}

/* The CPU's folder has a link node0 or so. */
static s32 read_node(const char *sysfs, s32 cpu)
{
	struct dirent *entry;
	char path[512];
	u64 value = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d", sysfs, cpu);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (text__starts_with(entry->d_name, "node") &&
		    !text__parse_u64(entry->d_name + 4, &value))
			break;
	if (dir)
		closedir(dir);
	return value > 0x7fffffff ? 0 : (s32)value;
}

struct cpu_topology cpu_topology__read(const char *sysfs, s32 cpu)
{
	return (struct cpu_topology){
		.socket = read_topology(sysfs, cpu, "physical_package_id"),
		.die = read_topology(sysfs, cpu, "die_id"),
		.core = read_topology(sysfs, cpu, "core_id"),
		.node = read_node(sysfs, cpu),
	};
}

/* --- groups --- */

static void name_group(struct aggregate_group *group, enum aggregate_mode mode)
{
	const s32 *ids = group->ids;
	char *name = group->name;
	size_t size = sizeof(group->name);

	if (mode == AGGREGATE_CPU)
		snprintf(name, size, "CPU%d", ids[0]);
	else if (mode == AGGREGATE_CORE)
		snprintf(name, size, "S%d-D%d-C%d", ids[0], ids[1], ids[2]);
	else if (mode == AGGREGATE_DIE)
		snprintf(name, size, "S%d-D%d", ids[0], ids[1]);
	else if (mode == AGGREGATE_SOCKET)
		snprintf(name, size, "S%d", ids[0]);
	else if (mode == AGGREGATE_NODE)
		snprintf(name, size, "N%d", ids[0]);
}

void aggregation__name_thread(struct aggregation *agg, u32 thread, const char *comm, s32 tid)
{
	struct aggregate_group *group = &agg->groups[thread];

	snprintf(group->name, sizeof(group->name), "%.31s-%d", comm, tid);
}

static void read_comm(s32 tid, char *comm, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	file__read_text(path, comm, size);
}

static struct aggregate_group *add_group(struct aggregation *agg, const s32 ids[3])
{
	struct aggregate_group *group;

	array__reserve(&agg->groups, &agg->cap, agg->nr + 1, sizeof(*agg->groups));
	group = &agg->groups[agg->nr++];
	*group = (struct aggregate_group){ .ids = { ids[0], ids[1], ids[2] } };
	name_group(group, agg->mode);
	return group;
}

static int compare_groups(const void *a, const void *b)
{
	const struct aggregate_group *x = a, *y = b;

	for (int i = 0; i < 3; i++)
		if (x->ids[i] != y->ids[i])
			return x->ids[i] < y->ids[i] ? -1 : 1;
	return 0;
}

static void ids_of(enum aggregate_mode mode, s32 cpu, const struct cpu_topology *topology,
                   s32 key[3])
{
	key[0] = key[1] = key[2] = 0;
	if (mode == AGGREGATE_CPU) {
		key[0] = cpu;
	} else if (mode == AGGREGATE_NODE) {
		key[0] = topology->node;
	} else if (mode != AGGREGATE_GLOBAL) {
		key[0] = topology->socket;
		key[1] = mode == AGGREGATE_SOCKET ? 0 : topology->die;
		key[2] = mode == AGGREGATE_CORE ? topology->core : 0;
	}
}

/* The place of @key among the groups, which are sorted. */
static u32 find_group(const struct aggregation *agg, const s32 key[3])
{
	const struct aggregate_group wanted = { .ids = { key[0], key[1], key[2] } };
	const struct aggregate_group *found =
	        bsearch(&wanted, agg->groups, agg->nr, sizeof(wanted), compare_groups);

	return found - agg->groups;
}

static void drop_doubles(struct aggregation *agg)
{
	u32 kept = 0;

	for (u32 i = 0; i < agg->nr; i++)
		if (!kept || compare_groups(&agg->groups[kept - 1], &agg->groups[i]))
			agg->groups[kept++] = agg->groups[i];
	agg->nr = kept;
}

static bool needs_topology(enum aggregate_mode mode)
{
	return mode != AGGREGATE_GLOBAL && mode != AGGREGATE_CPU && mode != AGGREGATE_THREAD;
}

/* The term percore: which CPUs are of one core. */
static void find_cores(struct aggregation *agg, const char *sysfs,
                       const struct cpu_topology *topologies, u32 nr_topologies)
{
	struct cpu_topology *at = xcalloc(agg->nr + 1, sizeof(*at));

	agg->cores = xcalloc(agg->nr + 1, sizeof(*agg->cores));
	for (u32 i = 0; i < agg->nr; i++) {
		s32 cpu = agg->groups[i].ids[0];
		u32 first = 0;

		if (topologies)
			at[i] = (u32)cpu < nr_topologies ? topologies[cpu]
			                                 : (struct cpu_topology){ .core = cpu };
		else
			at[i] = sysfs ? cpu_topology__read(sysfs, cpu)
			              : (struct cpu_topology){ .core = cpu };
		while (at[first].socket != at[i].socket || at[first].die != at[i].die ||
		       at[first].core != at[i].core)
			first++;
		agg->cores[i] = first;
	}
	free(at);
}

static bool has_percore(const struct evlist *list)
{
	for (u32 i = 0; i < list->nr; i++)
		if (list->evsels[i]->percore)
			return true;
	return false;
}

/* Two passes: first a group for each CPU, of which equal ones are one; then each finds its own. */
static void group_cpus(struct aggregation *agg, const struct cpu_map *cpus, const char *sysfs,
                       const struct cpu_topology *topologies, u32 nr_topologies)
{
	s32(*keys)[3] = xcalloc(cpus->nr ? cpus->nr : 1, sizeof(*keys));

	for (u32 i = 0; i < cpus->nr; i++) {
		struct cpu_topology topology = { 0 };
		s32 cpu = cpus->cpus[i];

		if (needs_topology(agg->mode) && cpu >= 0 && topologies)
			topology = (u32)cpu < nr_topologies ? topologies[cpu] : topology;
		else if (needs_topology(agg->mode) && cpu >= 0 && sysfs)
			topology = cpu_topology__read(sysfs, cpu);
		ids_of(agg->mode, cpu, &topology, keys[i]);
		add_group(agg, keys[i]);
	}
	qsort(agg->groups, agg->nr, sizeof(*agg->groups), compare_groups);
	drop_doubles(agg);
	agg->nr_cpu_groups =
	        cpus->nr && cpus->cpus[cpus->nr - 1] >= 0 ? (u32)cpus->cpus[cpus->nr - 1] + 1 : 0;
	agg->cpu_groups = xcalloc(agg->nr_cpu_groups + 1, sizeof(*agg->cpu_groups));
	for (u32 i = 0; i < cpus->nr; i++) {
		u32 group = find_group(agg, keys[i]);

		agg->groups[group].nr_cpus++;
		if (cpus->cpus[i] >= 0)
			agg->cpu_groups[cpus->cpus[i]] = group;
	}
	free(keys);
}

void aggregation__init(struct aggregation *agg, enum aggregate_mode mode, const struct evlist *list,
                       const struct cpu_map *cpus, const struct thread_map *threads,
                       const char *sysfs, const struct cpu_topology *topologies, u32 nr_topologies)
{
	static const s32 whole[3];

	*agg = (struct aggregation){ .mode = mode, .nr_events = list->nr };
	if (mode == AGGREGATE_THREAD) {
		for (u32 i = 0; i < threads->nr; i++) {
			char comm[32] = "";

			add_group(agg, (const s32[3]){ (s32)i, 0, 0 });
			if (sysfs)
				read_comm(threads->tids[i], comm, sizeof(comm));
			aggregation__name_thread(agg, i, comm, threads->tids[i]);
		}
	} else if (mode != AGGREGATE_GLOBAL) {
		group_cpus(agg, cpus, sysfs, topologies, nr_topologies);
	}
	if (mode == AGGREGATE_CPU && has_percore(list))
		find_cores(agg, sysfs, topologies, nr_topologies);
	if (!agg->nr)
		add_group(agg, whole);
	for (u32 i = 0; i < agg->nr; i++) {
		struct aggregate_group *group = &agg->groups[i];

		group->events = xcalloc(list->nr ? list->nr : 1, sizeof(*group->events));
		for (u32 e = 0; e < list->nr; e++)
			group->events[e].evsel = list->evsels[e];
	}
}

void aggregation__exit(struct aggregation *agg)
{
	for (u32 i = 0; i < agg->nr; i++) {
		for (u32 e = 0; e < agg->nr_events; e++)
			series__exit(&agg->groups[i].events[e].runs);
		free(agg->groups[i].events);
	}
	free(agg->groups);
	free(agg->cpu_groups);
	free(agg->cores);
	*agg = (struct aggregation){ 0 };
}

/* --- counts --- */

void aggregation__start_run(struct aggregation *agg)
{
	for (u32 i = 0; i < agg->nr; i++)
		for (u32 e = 0; e < agg->nr_events; e++) {
			agg->groups[i].events[e].run = (struct counts){ .value = 0 };
			agg->groups[i].events[e].nr_counters = 0;
		}
}

static u32 group_of(const struct aggregation *agg, s32 cpu, u32 thread)
{
	u32 group = 0;

	if (agg->mode == AGGREGATE_THREAD)
		group = thread;
	else if (cpu >= 0 && (u32)cpu < agg->nr_cpu_groups)
		group = agg->cpu_groups[cpu];
	return group < agg->nr ? group : 0;
}

void aggregation__add(struct aggregation *agg, u32 event, s32 cpu, u32 thread,
                      const struct reading *reading, bool scale)
{
	u32 group = group_of(agg, cpu, thread);
	bool whole_core = agg->cores && agg->groups[group].events[event].evsel->percore;

	for (u32 i = whole_core ? agg->cores[group] : group; i < agg->nr; i++) {
		struct stat_event *to = &agg->groups[i].events[event];

		if (i != group && (!whole_core || agg->cores[i] != agg->cores[group]))
			continue;
		counts__add(&to->run, reading, scale);
		to->nr_counters++;
		if (!whole_core)
			break;
	}
}

void aggregation__end_run(struct aggregation *agg)
{
	for (u32 i = 0; i < agg->nr; i++)
		for (u32 e = 0; e < agg->nr_events; e++)
			if (agg->groups[i].events[e].supported)
				stat_event__add_run(&agg->groups[i].events[e]);
}

void aggregation__reset(struct aggregation *agg)
{
	for (u32 i = 0; i < agg->nr; i++)
		for (u32 e = 0; e < agg->nr_events; e++) {
			struct stat_event *event = &agg->groups[i].events[e];

			event->value = event->enabled = event->running = (struct stats){ .nr = 0 };
			series__exit(&event->runs);
		}
}

void aggregation__keep_runs(struct aggregation *agg)
{
	for (u32 i = 0; i < agg->nr; i++)
		for (u32 e = 0; e < agg->nr_events; e++)
			agg->groups[i].events[e].keeps = true;
}

void aggregation__set_supported(struct aggregation *agg, u32 event, bool supported)
{
	for (u32 i = 0; i < agg->nr; i++)
		agg->groups[i].events[event].supported = supported;
}
