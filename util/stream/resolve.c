// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stream/resolve.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/hash.h"

/* Direct-mapped, powers of two: a clash costs one look-up in the machine. */
#define TASK_SLOTS 512
#define MAP_SLOTS  2048

#define KERNEL_SPACE ID_NONE /* in the place of a process instance */
#define NO_SPACE     (ID_NONE - 1)

struct cached_map {
	u32 space; /* process instance, KERNEL_SPACE; NO_SPACE: the slot is empty */
	bool mapped;
	u64 bias; /* subtracted from an address gives the address inside the dso */
	struct map_hit hit;
};

struct resolver {
	const struct machine *machine;
	const struct dsos *dsos;
	struct task tasks[TASK_SLOTS];
	struct cached_map maps[MAP_SLOTS];
};

struct resolver *resolver__new(const struct machine *machine, const struct dsos *dsos)
{
	struct resolver *resolver = xcalloc(1, sizeof(*resolver));

	resolver->machine = machine;
	resolver->dsos = dsos;
	resolver__forget(resolver);
	return resolver;
}

void resolver__forget(struct resolver *resolver)
{
	for (unsigned i = 0; i < MAP_SLOTS; i++)
		resolver->maps[i].space = NO_SPACE;
	/* An all-zero validity covers no moment. */
	memset(resolver->tasks, 0, sizeof(resolver->tasks));
}

void resolver__delete(struct resolver *resolver)
{
	free(resolver);
}

const struct task *resolver__task(struct resolver *resolver, s32 pid, s32 tid, struct moment when)
{
	u64 hash = hash__u64((u64)(u32)pid << 32 | (u32)tid);
	struct task *task = &resolver->tasks[hash % TASK_SLOTS];

	if (likely(task->tid == tid && task->pid == pid && validity__covers(&task->valid, when)))
		return task;
	struct task_hit hit;

	if (!machine__find_task(resolver->machine, pid, tid, when, &hit))
		return NULL;
	*task = (struct task){
		.pid = pid,
		.tid = tid,
		.thread = hit.thread,
		.comm = hit.comm,
		.instance = machine__thread(resolver->machine, hit.thread)->instance,
		.valid = { hit.since, hit.until },
	};
	return task;
}

/* An address space: a process instance, or one of the values above, and a thread that lives in it.
 */
struct space_id {
	u32 space, thread;
};

/* The kernel of the guest that this task runs, or of the one guest nothing is known about. */
static struct space_id guest_kernel(const struct machine *machine, const struct task *task,
                                    struct moment when)
{
	u32 thread = machine__find_thread(machine, guest_kernel__pid(task->pid), 0, when);

	if (thread == ID_NONE)
		thread = machine__find_thread(machine, guest_kernel__pid(0), 0, when);
	if (thread == ID_NONE)
		return (struct space_id){ NO_SPACE, ID_NONE };
	return (struct space_id){ machine__thread(machine, thread)->instance, thread };
}

/* Which address space a cpumode means; NO_SPACE: one we cannot look into. */
static struct space_id space_of(const struct machine *machine, const struct task *task, u8 cpumode,
                                struct moment when)
{
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return (struct space_id){ KERNEL_SPACE, task->thread };
	case PERF_RECORD_MISC_USER:
		return (struct space_id){ task->instance, task->thread };
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return guest_kernel(machine, task, when);
	default: /* hypervisor, programs in guests, unknown */
		return (struct space_id){ NO_SPACE, ID_NONE };
	}
}

static const struct cached_map *find_map(struct resolver *resolver, struct space_id at, u64 addr,
                                         struct moment when)
{
	u32 space = at.space;
	u64 hash = hash__u64((addr >> 12) + ((u64)space << 32));
	struct cached_map *map = &resolver->maps[hash % MAP_SLOTS];
	const struct validity valid = { map->hit.since, map->hit.until };

	if (likely(map->space == space && addr - map->hit.start < map->hit.end - map->hit.start &&
	           validity__covers(&valid, when)))
		return map;
	map->space = space;
	map->mapped = machine__find_map(resolver->machine, at.thread, space == KERNEL_SPACE, addr,
	                                when, &map->hit);
	map->bias = 0;
	if (map->mapped)
		map->bias = map_hit__bias(&map->hit, dsos__at(resolver->dsos, map->hit.dso));
	return map;
}

void resolver__place(struct resolver *resolver, const struct task *task, u8 cpumode, u64 addr,
                     struct moment when, struct place *place)
{
	struct space_id space = space_of(resolver->machine, task, cpumode, when);

	memset(place, 0, sizeof(*place));
	place->loc = (struct loc){ .addr = addr, .dso = ID_NONE, .cpumode = cpumode };
	place->valid.until = (struct moment){ UINT64_MAX, UINT64_MAX };
	if (space.space == NO_SPACE)
		return;
	const struct cached_map *map = find_map(resolver, space, addr, when);

	place->valid = (struct validity){ map->hit.since, map->hit.until };
	if (!map->mapped) {
		place->clock_miss = map->hit.flags & MAP_HIT_SOON;
		if (place->clock_miss) /* so that each such frame is looked at, and counted */
			place->valid.until = place->valid.since;
		return;
	}
	place->loc.addr = addr - map->bias;
	place->loc.dso = map->hit.dso;
	if (map->hit.flags & MAP_HIT_BEFORE_EXEC)
		place->loc.flags = LOC_BEFORE_EXEC;
}

void resolver__place_data(struct resolver *resolver, const struct task *task, u8 cpumode, u64 addr,
                          struct moment when, struct place *place)
{
	struct map_hit hit;

	resolver__place(resolver, task, cpumode, addr, when, place);
	place->loc.flags |= LOC_DATA;
	if (place->loc.dso != ID_NONE || cpumode != PERF_RECORD_MISC_USER ||
	    !machine__find_data_map(resolver->machine, task->thread, addr, when, &hit))
		return;
	place->clock_miss = false;
	place->loc.dso = hit.dso;
	place->loc.addr = addr - map_hit__bias(&hit, dsos__at(resolver->dsos, hit.dso));
}
