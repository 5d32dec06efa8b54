// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/sink/ring_drain_team.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/workers.h"

/* A sink for each ring, without rounds. */
struct parts {
	struct record_sink sink;
	struct record_sink **by_ring;
};

struct ring_drain_worker {
	struct ring_drain_team *team;
	const struct cpu_map *affinity;
	struct rings rings;
	struct parts parts;
	struct ring_drain drain;
	pthread_t thread;
	bool started, told_mark;
	int result; /* of its run */
};

static void ring_bell(int fd)
{
	u64 one = 1;

	/* It fails only where the count is at its end: then it is heard just the same. */
	if (write(fd, &one, sizeof(one)) < 0)
		return;
}

/* ---- in the worker ---- */

static void go_to(const struct cpu_map *cpus)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (u32 i = 0; i < cpus->nr; i++)
		if (cpus->cpus[i] >= 0 && cpus->cpus[i] < CPU_SETSIZE)
			CPU_SET(cpus->cpus[i], &set);
	sched_setaffinity(0, sizeof(set), &set); /* else anywhere */
}

static int take(struct record_sink *sink, struct record_batch *batch)
{
	struct parts *parts = (struct parts *)sink;
	struct record_sink *part = parts->by_ring[batch->ring];

	batch->round = false;
	return batch->nr ? part->take(part, batch) : 0;
}

/* We are to end, or the files have reached the mark: then the command's thread decides. */
static bool worker_ended(void *ctx)
{
	struct ring_drain_worker *worker = ctx;

	if (__atomic_load_n(&worker->team->stopping, __ATOMIC_ACQUIRE))
		return true;
	if (!worker->told_mark)
		ring_bell(worker->team->wake_fd);
	worker->told_mark = true;
	return false;
}

static void *work(void *arg)
{
	struct ring_drain_worker *worker = arg;
	struct ring_drain_team *team = worker->team;

	go_to(worker->affinity);
	worker->result = ring_drain__run(&worker->drain, worker_ended, worker);
	if (worker->result)
		__atomic_store_n(&team->failed, true, __ATOMIC_RELEASE);
	__atomic_add_fetch(&team->nr_ended, 1, __ATOMIC_RELEASE);
	ring_bell(team->wake_fd);
	return NULL;
}

/* ---- in the command's thread ---- */

static void worker__init(struct ring_drain_worker *worker, struct ring_drain_team *team,
                         const struct thread_mask *mask, const struct rings *all,
                         const struct cpu_map *cpus, struct record_sink *const *sinks)
{
	worker->team = team;
	worker->affinity = &mask->affinity;
	rings__take_part(&worker->rings, all, &mask->maps, false);
	worker->parts.sink = (struct record_sink){ .take = take, .apart = true };
	worker->parts.by_ring = xcalloc(worker->rings.nr + 1, sizeof(*worker->parts.by_ring));
	for (u32 i = 0; i < worker->rings.nr; i++)
		worker->parts.by_ring[i] = sinks[cpu_map__index(cpus, worker->rings.rings[i].cpu)];
	ring_drain__init(&worker->drain, &worker->rings, &worker->parts.sink, &team->stop_fd, 1);
}

/* CPUs of all masks, for what is left out. */
static void take_rest(struct ring_drain_team *team, const struct thread_masks *masks,
                      const struct rings *all)
{
	struct cpu_map read = CPU_MAP_INIT;

	for (u32 i = 0; i < masks->nr; i++)
		for (u32 j = 0; j < masks->masks[i].maps.nr; j++)
			cpu_map__add(&read, masks->masks[i].maps.cpus[j]);
	rings__take_part(&team->rest, all, &read, true);
	team->rest.nr = 0;
	for (u32 i = 0; i < team->rest.nr_fds; i++)
		team->rest.fds[i].events = 0;
	cpu_map__exit(&read);
}

int ring_drain_team__init(struct ring_drain_team *team, const struct thread_masks *masks,
                          const struct rings *all, const struct cpu_map *cpus,
                          struct record_sink *const *sinks, struct error *err)
{
	*team = (struct ring_drain_team)RING_DRAIN_TEAM_INIT;
	team->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	team->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (team->wake_fd < 0 || team->stop_fd < 0)
		return error__set(err, -errno, "cannot start writer threads", NULL, NULL);
	team->workers = xcalloc(masks->nr, sizeof(*team->workers));
	team->nr = masks->nr;
	for (u32 i = 0; i < masks->nr; i++)
		worker__init(&team->workers[i], team, &masks->masks[i], all, cpus, sinks);
	take_rest(team, masks, all);
	return 0;
}

void ring_drain_team__set(struct ring_drain_team *team, u64 flush, u64 size_mark, const u64 *size)
{
	for (u32 i = 0; i < team->nr; i++) {
		team->workers[i].drain.flush = flush;
		team->workers[i].drain.size = size;
		team->workers[i].drain.size_mark = size_mark;
	}
}

/* Signals stay with the command's thread. */
static void stop(struct ring_drain_team *team)
{
	if (!team->running)
		return;
	__atomic_store_n(&team->stopping, true, __ATOMIC_RELEASE);
	ring_bell(team->stop_fd);
	for (u32 i = 0; i < team->nr; i++)
		if (team->workers[i].started)
			pthread_join(team->workers[i].thread, NULL);
	team->running = false;
}

int ring_drain_team__start(struct ring_drain_team *team, struct error *err)
{
	int ret = 0;

	team->running = true;
	for (u32 i = 0; i < team->nr && !ret; i++) {
		struct ring_drain_worker *worker = &team->workers[i];

		ret = -workers__start(&worker->thread, NULL, work, worker);
		worker->started = !ret;
	}
	if (!ret)
		return 0;
	stop(team);
	error__set(err, ret, "cannot start writer threads", NULL, NULL);
	return error__advise(err, "use fewer: --threads=package, or leave it out");
}

struct team_run {
	struct ring_drain_team *team;
	struct ring_drain *main;
	bool (*ended)(void *ctx);
	void *ctx;
};

static bool team_ended(void *ctx)
{
	struct team_run *run = ctx;
	struct ring_drain_team *team = run->team;
	u64 bells;

	if (read(team->wake_fd, &bells, sizeof(bells)) == sizeof(bells)) {
		u32 nr = __atomic_load_n(&team->nr_ended, __ATOMIC_ACQUIRE);

		run->main->nr_live -= nr - team->nr_seen;
		team->nr_seen = nr;
		if (__atomic_load_n(&team->failed, __ATOMIC_ACQUIRE))
			return true;
	}
	return run->ended(run->ctx);
}

int ring_drain_team__run(struct ring_drain_team *team, struct ring_drain *main,
                         bool (*ended)(void *ctx), void *ctx)
{
	struct team_run run = { team, main, ended, ctx };
	int ret;

	main->nr_live += team->nr;
	ret = ring_drain__run(main, team_ended, &run);
	stop(team);
	for (u32 i = 0; i < team->nr && !ret; i++)
		ret = team->workers[i].result;
	return ret;
}

int ring_drain_team__finish(struct ring_drain_team *team)
{
	int ret = 0;

	for (u32 i = 0; i < team->nr; i++) {
		int one = ring_drain__finish(&team->workers[i].drain);

		ret = ret ? ret : one;
	}
	return ret;
}

u64 ring_drain_team__nr_woken(const struct ring_drain_team *team)
{
	u64 sum = 0;

	for (u32 i = 0; i < team->nr; i++)
		sum += team->workers[i].drain.nr_woken;
	return sum;
}

void ring_drain_team__exit(struct ring_drain_team *team)
{
	stop(team);
	for (u32 i = 0; i < team->nr; i++) {
		ring_drain__exit(&team->workers[i].drain);
		rings__drop_part(&team->workers[i].rings);
		free(team->workers[i].parts.by_ring);
	}
	free(team->workers);
	rings__drop_part(&team->rest);
	if (team->wake_fd >= 0)
		close(team->wake_fd);
	if (team->stop_fd >= 0)
		close(team->stop_fd);
	*team = (struct ring_drain_team)RING_DRAIN_TEAM_INIT;
}
