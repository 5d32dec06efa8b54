/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replay a recorded measurement (recording.h, or Linux's perf): the same groups, intervals, counts.
 *
 * The counts may also be aggregated in another way. The CPUs' topology comes from the header;
 * nothing of this machine is read.
 *
 * The file is not trusted: counts with unknown ids are left out, and their number is kept.
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
	enum aggregate_mode wanted; /* with has_wanted: replaces the recorded mode */
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
	bool of_tasks;     /* tasks were measured over all CPUs: single CPUs are unknown */
	bool mode_unknown; /* recorded by clusters or caches: shown as one sum */
	bool no_counts;    /* not a recording of counts */
	bool cut;          /* the last round is missing: perf did not finish */
	u64 nr_unknown;    /* counts that belong to no event */
	struct broken_records broken;
	/* private */
	struct replay_cell *cells;
	u32 nr_cells;
	size_t cap_cells, cap_comms;
	struct u64map by_key; /* to a cell */
	char (*comms)[16];
	bool ready, scale;
	bool fresh; /* there were counts since the last round */
	enum aggregate_mode mode;
	u64 last_ns;
};

/* Replay all of it. 0 or a negative errno with @err; call stat_replay__exit() in any case. */
int stat_replay__run(struct stat_replay *replay, struct error *err);
void stat_replay__exit(struct stat_replay *replay);

/*
 * The topology of the recorded CPUs, by number, from CPU_TOPOLOGY and NUMA_TOPOLOGY. Malloc'ed;
 * NULL with *nr 0 if the file lacks them.
 */
struct cpu_topology *cpu_topology__of_recording(const struct perf_data *data, u32 *nr);

#endif
