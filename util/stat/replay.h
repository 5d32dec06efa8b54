/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recorded measurement (stat_file.h, or of Linux's perf) gone through again: the same groups,
 * intervals and counts as when it was measured, or put together in another way. Where its CPUs were
 * is in its header; nothing is asked of this machine.
 *
 * What a file says is not believed: counts of ids that nobody described are left out and counted.
 */
#ifndef PERF_UTIL_STAT_REPLAY_H
#define PERF_UTIL_STAT_REPLAY_H

#include "util/counter/targets.h"
#include "util/format/broken.h"
#include "util/lib/hash.h"
#include "util/reader/reader.h"
#include "util/stat/aggregate.h"

struct replay_cell; /* private: one counter */

struct stat_replay {
	/* Set by the caller. */
	struct perf_data *data;
	enum aggregate_mode wanted; /* with has_wanted: instead of the recorded mode */
	bool has_wanted;
	/* An interval has ended; its counts are in stretch. */
	void (*interval)(void *ctx, u64 since_start, u64 length);
	void *ctx;
	/* The results. */
	struct evlist *list;        /* of data */
	struct aggregation counts;  /* of the whole */
	struct aggregation stretch; /* of one interval, while interval() is called */
	struct cpu_map cpus;
	struct thread_map threads;
	u64 wall_ns, interval_ms;
	bool of_tasks;     /* of tasks over all CPUs: nothing is known about single CPUs */
	bool mode_unknown; /* recorded by clusters or caches: shown in one */
	bool no_counts;    /* not a recording of counts */
	bool cut;          /* the last round is missing: perf did not end */
	u64 nr_unknown;    /* counts that belong to no event */
	struct broken_records broken;
	/* private */
	struct replay_cell *cells;
	u32 nr_cells;
	size_t cap_cells, cap_comms;
	struct u64map by_key; /* to a cell */
	char (*comms)[16];
	bool ready, scale;
	bool fresh; /* something was told since the last round */
	enum aggregate_mode mode;
	u64 last_ns;
};

/* Goes through all of it. 0 or a negative errno with @err; stat_replay__exit() in any case. */
int stat_replay__run(struct stat_replay *replay, struct error *err);
void stat_replay__exit(struct stat_replay *replay);

/*
 * Where the CPUs of a recording were, by number: from CPU_TOPOLOGY and NUMA_TOPOLOGY. Malloc'ed;
 * NULL with *nr 0 where the file does not say.
 */
struct cpu_topology *cpu_topology__of_recording(const struct perf_data *data, u32 *nr);

#endif
