/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The targets of a measurement: CPUs and tasks, as perf_event_open takes them. Tasks keep the order
 * they were given in; duplicates are dropped.
 */
#ifndef PERF_UTIL_COUNTER_TARGETS_H
#define PERF_UTIL_COUNTER_TARGETS_H

#include "util/lib/error.h"
#include "util/lib/types.h"

#define CPU_ANY    (-1) /* a counter that follows its task over all CPUs */
#define THREAD_ALL (-1) /* a counter of all tasks of its CPU */

struct cpu_map {
	s32 *cpus; /* ascending; or the one entry CPU_ANY */
	u32 nr;
	size_t cap;
};

struct thread_map {
	s32 *tids; /* or the one entry THREAD_ALL */
	u32 nr;
	size_t cap;
};

#define CPU_MAP_INIT                                                                               \
	{                                                                                          \
		.cpus = NULL                                                                       \
	}
#define THREAD_MAP_INIT                                                                            \
	{                                                                                          \
		.tids = NULL                                                                       \
	}

void cpu_map__exit(struct cpu_map *map);
void thread_map__exit(struct thread_map *map);

void cpu_map__add(struct cpu_map *map, s32 cpu); /* kept ascending */
void thread_map__add(struct thread_map *map, s32 tid);

/* "0-3,5": the syntax of -C and of the cpu files in sysfs. 0 or -EINVAL. */
int cpu_map__parse(struct cpu_map *map, const char *text, struct error *err);

/* The CPUs that are online, from /sys/devices/system/cpu/online. 0 or a negative errno. */
int cpu_map__online(struct cpu_map *map, struct error *err);

/* The last CPU that there may ever be, online or not; -1: not known. */
s32 cpu_map__last_possible(void);

/* -ENODEV with @err when @map has a CPU that is not in @online. */
int cpu_map__check_online(const struct cpu_map *map, const struct cpu_map *online,
                          struct error *err);

/* Index of @cpu in the map or -1. */
int cpu_map__index(const struct cpu_map *map, s32 cpu);

/* "0-3,5" into @buf of @size bytes; returns @buf. */
const char *cpu_map__format(const struct cpu_map *map, char *buf, size_t size);

/*
 * All threads of the processes in the comma list @text (-p), as they are now. -ESRCH: a process
 * does not exist; -EINVAL: not a number.
 */
int thread_map__of_pids(struct thread_map *map, const char *text, struct error *err);

/* The threads of the comma list @text (-t); they are checked when counters are opened. */
int thread_map__of_tids(struct thread_map *map, const char *text, struct error *err);

/* The threads of one process; -ESRCH if it is not there. */
int thread_map__add_process(struct thread_map *map, s32 pid);

/* Drop later ones, keeping the order of first mention. */
void thread_map__drop_duplicates(struct thread_map *map);

/* All threads of all processes, as they are now. */
int thread_map__of_all(struct thread_map *map, struct error *err);

/* All threads of user @uid (-u); @name is for @err. */
int thread_map__of_user(struct thread_map *map, u32 uid, const char *name, struct error *err);

/* Add the threads of all running descendants of the processes in @map. */
void thread_map__add_descendants(struct thread_map *map);

#endif
