/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several threads that move records (record --threads): each has rings of its own, and each ring a
 * sink of its own, so that nothing is shared while they run but a count of bytes. The command's
 * thread waits: for its own events, for workers that ended, and for the size mark.
 *
 *	ring_drain_team__init()
 *	ring_drain_team__start()	the workers run
 *	ring_drain_team__run()	in the place of ring_drain__run(); the workers have ended behind it
 *	ring_drain_team__finish()	counters are disabled: what is left in the rings
 *	ring_drain_team__exit()	in any case
 */
#ifndef PERF_UTIL_SINK_RING_DRAIN_TEAM_H
#define PERF_UTIL_SINK_RING_DRAIN_TEAM_H

#include "util/sink/ring_drain.h"
#include "util/sink/thread_masks.h"

struct ring_drain_worker; /* private */

struct ring_drain_team {
	struct ring_drain_worker *workers;
	u32 nr;
	struct rings rest; /* fds of rings without a worker: only looked at for their end */
	int wake_fd;       /* the command's thread waits for it, too */
	/* Private. */
	int stop_fd;
	u32 nr_ended;                   /* atomic */
	u32 nr_seen;                    /* of those, taken off the live ones */
	bool running, failed, stopping; /* the last two: atomic */
};

#define RING_DRAIN_TEAM_INIT                                                                       \
	{                                                                                          \
		.wake_fd = -1, .stop_fd = -1                                                       \
	}

/*
 * A worker for each mask. @sinks (borrowed, as is @masks): where rings go, by index of their CPU in
 * @cpus; they are told of no rounds, because records of one ring are in order. 0 or a negative
 * errno.
 */
int ring_drain_team__init(struct ring_drain_team *team, const struct thread_masks *masks,
                          const struct rings *all, const struct cpu_map *cpus,
                          struct record_sink *const *sinks, struct error *err);
void ring_drain_team__exit(struct ring_drain_team *team); /* ends what still runs */

/* The wishes of struct ring_drain of these names; before start. */
void ring_drain_team__set(struct ring_drain_team *team, u64 flush, u64 size_mark, const u64 *size);

int ring_drain_team__start(struct ring_drain_team *team, struct error *err);

/* @main was made with team->rest and waits for team->wake_fd. See ring_drain__run(). */
int ring_drain_team__run(struct ring_drain_team *team, struct ring_drain *main,
                         bool (*ended)(void *ctx), void *ctx);

int ring_drain_team__finish(struct ring_drain_team *team);

u64 ring_drain_team__nr_woken(const struct ring_drain_team *team); /* the workers have ended */

#endif
