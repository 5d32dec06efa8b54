/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts put together: all in one, or apart by CPU, core, die, socket, memory node or thread. Each
 * group has its own full row of events, so that a ratio is made of what was counted in that group
 * and of nothing else.
 *
 * Where a CPU is comes from sysfs (devices/system/cpu/cpuN/topology, cpuN/nodeM), which is read
 * only for the groupings that need it. What a machine does not say counts as 0.
 */
#ifndef PERF_UTIL_STAT_AGGREGATE_H
#define PERF_UTIL_STAT_AGGREGATE_H

#include "util/counter/targets.h"
#include "util/stat/counts.h"

enum aggregate_mode {
	AGGREGATE_GLOBAL,
	AGGREGATE_CPU,
	AGGREGATE_CORE,
	AGGREGATE_DIE,
	AGGREGATE_SOCKET,
	AGGREGATE_NODE,
	AGGREGATE_THREAD,
};

/* Where a CPU is: socket, die in it, core in it; the memory node. */
struct cpu_topology {
	s32 socket, die, core, node;
};

struct aggregate_group {
	s32 ids[3]; /* what the group is, for the order: socket, die, core; or node, CPU, index */
	char name[48]; /* "CPU1", "S0-D0-C1", "S0", "N0", "bash-17"; "" of AGGREGATE_GLOBAL */
	u32 nr_cpus;
	struct stat_event *events; /* one for each of the list */
};

struct aggregation {
	enum aggregate_mode mode;
	struct aggregate_group *groups; /* in the order of ids */
	u32 nr, nr_events;
	/*
	 * Of AGGREGATE_CPU, where events have the term percore (NULL else): for each group, the
	 * first group of its core. Each CPU's count of such an event is that of its whole core.
	 */
	u32 *cores;
	/* private */
	size_t cap;
	u32 *cpu_groups; /* by CPU number */
	u32 nr_cpu_groups;
};

/*
 * The groups of @cpus x @threads. @sysfs is the folder of the machine's ("/sys"); @places, if not
 * NULL, has a place for each CPU number below @nr_places and is asked instead. The names of threads
 * are read from /proc; with @sysfs NULL nothing is asked of this machine, and
 * aggregation__name_thread() tells them. The evsels of @list must outlive the aggregation.
 */
void aggregation__init(struct aggregation *agg, enum aggregate_mode mode, const struct evlist *list,
                       const struct cpu_map *cpus, const struct thread_map *threads,
                       const char *sysfs, const struct cpu_topology *topologies, u32 nr_topologies);
void aggregation__exit(struct aggregation *agg);
void aggregation__name_thread(struct aggregation *agg, u32 thread, const char *comm, s32 tid);

/* What sysfs below @sysfs says about @cpu. */
struct cpu_topology cpu_topology__read(const char *sysfs, s32 cpu);

/* A run: start (all 0), add what each counter counted, end (into the statistics). */
void aggregation__start_run(struct aggregation *agg);
void aggregation__add(struct aggregation *agg, u32 event, s32 cpu, u32 thread,
                      const struct reading *reading, bool scale);
void aggregation__end_run(struct aggregation *agg);

/* Forget all runs. */
void aggregation__reset(struct aggregation *agg);

/* From now on the value of each run is kept (--ci). */
void aggregation__keep_runs(struct aggregation *agg);

void aggregation__set_supported(struct aggregation *agg, u32 event, bool supported);

#endif
