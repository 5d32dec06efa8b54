/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aggregate counts: all in one, or grouped by CPU, core, die, socket, memory node or thread. Each
 * group has its own full row of events, so that a ratio uses only what was counted in that group.
 *
 * The topology of a CPU comes from sysfs (devices/system/cpu/cpuN/topology, cpuN/nodeM), which is
 * read only for the groupings that need it. A missing value counts as 0.
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

/* The topology of a CPU: socket, die in it, core in it; the memory node. */
struct cpu_place {
	s32 socket, die, core, node;
};

struct aggregate_group {
	s32 place[3];  /* the sort key: socket, die, core; or node, CPU, index */
	char name[48]; /* "CPU1", "S0-D0-C1", "S0", "N0", "bash-17"; "" for AGGREGATE_GLOBAL */
	u32 nr_cpus;
	struct stat_event *events; /* one for each event of the list */
};

struct aggregation {
	enum aggregate_mode mode;
	struct aggregate_group *groups; /* in the order of place */
	u32 nr, nr_events;
	/*
	 * With AGGREGATE_CPU and events with the term percore (else NULL): for each group, the
	 * first group of its core. Each CPU's count of such an event is that of its whole core.
	 */
	u32 *cores;
	/* private */
	size_t cap;
	u32 *cpu_groups; /* by CPU number */
	u32 nr_cpu_groups;
};

/*
 * Make the groups of @cpus x @threads. @sysfs is the machine's "/sys"; @places, if not NULL, is
 * used instead and has an element for each CPU number below @nr_places. Thread names are read
 * from /proc. With @sysfs NULL nothing of this machine is read, and aggregation__name_thread()
 * sets the names. The evsels of @list must outlive the aggregation.
 */
void aggregation__init(struct aggregation *agg, enum aggregate_mode mode, const struct evlist *list,
                       const struct cpu_map *cpus, const struct thread_map *threads,
                       const char *sysfs, const struct cpu_place *places, u32 nr_places);
void aggregation__exit(struct aggregation *agg);
void aggregation__name_thread(struct aggregation *agg, u32 thread, const char *comm, s32 tid);

/* Read the topology of @cpu below @sysfs. */
struct cpu_place cpu_place__read(const char *sysfs, s32 cpu);

/* A run: start (all 0), add the reading of each counter, end (into the statistics). */
void aggregation__start_run(struct aggregation *agg);
void aggregation__add(struct aggregation *agg, u32 event, s32 cpu, u32 thread,
                      const struct reading *reading, bool scale);
void aggregation__end_run(struct aggregation *agg);

/* Forget all runs. */
void aggregation__reset(struct aggregation *agg);

/* From now on keep the value of each run (--ci). */
void aggregation__keep_runs(struct aggregation *agg);

void aggregation__set_supported(struct aggregation *agg, u32 event, bool supported);

#endif
