/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record --threads: which thread reads the rings of which CPUs, and on which CPUs it runs.
 *
 *	cpu, or nothing		a thread for each CPU, on that CPU
 *	core, package, numa	a thread for each core, socket, memory node, on its CPUs
 *	CPUS/CPUS[:...]		a thread for each pair: the CPUs of its rings/those it runs on
 */
#ifndef PERF_UTIL_SINK_THREAD_MASKS_H
#define PERF_UTIL_SINK_THREAD_MASKS_H

#include "util/counter/targets.h"
#include "util/lib/error.h"

struct thread_mask {
	struct cpu_map maps;     /* rings of these CPUs */
	struct cpu_map affinity; /* it runs on these */
};

struct thread_masks {
	struct thread_mask *masks;
	u32 nr;
	size_t cap;
};

/*
 * @recorded: the CPUs that have rings; @online: those that @text may name. @sysfs: "/sys", except
 * in tests. -EINVAL: the text cannot be parsed, two lists overlap, or a list has none of the
 * recorded CPUs; -ENODEV: it names a CPU that is not online. Threads without rings are left out.
 */
int thread_masks__parse(struct thread_masks *masks, const char *text,
                        const struct cpu_map *recorded, const struct cpu_map *online,
                        const char *sysfs, struct error *err);
void thread_masks__exit(struct thread_masks *masks);

/* The number of CPUs in @recorded without a thread: their rings are not read. */
u32 thread_masks__nr_left_out(const struct thread_masks *masks, const struct cpu_map *recorded);

#endif
