// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Look-ups in a finished machine. They only read, so any number of threads may do them. An answer
 * comes with the range of time (and addresses) for which it holds.
 */
#include "util/machine/machine_private.h"

#define MAX_ANCESTORS 64
#define SOON_NS       1000000

/* The number of items in [from, to) at or before @when, counted from 0. */
static u32 count_at(const struct owned_moment *items, u32 from, u32 to, struct moment when)
{
	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (moment__before(when, items[middle].when))
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}

/* The place among all instances of the last that was born at or before @when, or of the first. */
static u32 instance_index_at(const struct machine *machine, u32 pid_index, struct moment when)
{
	u32 first = machine->instances.first[pid_index];
	u32 from = first + 1, to = machine->instances.first[pid_index + 1];

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (moment__before(when, machine->processes[machine->instances.items[middle]].born))
			to = middle;
		else
			from = middle + 1;
	}
	return from - 1;
}

/* The thread @tid of the instance at @place among those of @index's pid. */
static u32 thread_at(const struct machine *machine, u32 index, u32 instance, s32 tid)
{
	u32 thread =
	        u64map__get(&machine->by_tid, pair_key(machine->instances.items[instance], tid));

	if (thread != ID_NONE)
		return thread;
	/* Known to another instance only: clocks out of step, or too many to note. */
	for (u32 i = machine->instances.first[index + 1], tries = 0;
	     thread == ID_NONE && i > machine->instances.first[index] && tries < 64; i--, tries++)
		thread = u64map__get(&machine->by_tid,
		                     pair_key(machine->instances.items[i - 1], tid));
	return thread;
}

u32 machine__find_thread(const struct machine *machine, s32 pid, s32 tid, struct moment when)
{
	u32 index = u64map__get(&machine->by_pid, (u32)pid);

	if (index == ID_NONE)
		return ID_NONE;
	return thread_at(machine, index, instance_index_at(machine, index, when), tid);
}

const struct thread *machine__thread(const struct machine *machine, u32 thread)
{
	return &machine->threads[thread].public;
}

u32 machine__nr_threads(const struct machine *machine)
{
	return machine->nr_threads;
}

u32 machine__comm_at(const struct machine *machine, u32 thread, struct moment when)
{
	u32 first = machine->comm_first[thread];
	u32 end = count_at(machine->comms, first, machine->comm_first[thread + 1], when);

	return end > first ? machine->comms[end - 1].comm : machine->threads[thread].no_comm;
}

static struct moment later(struct moment a, struct moment b)
{
	return moment__before(a, b) ? b : a;
}

static struct moment earlier(struct moment a, struct moment b)
{
	return moment__before(a, b) ? a : b;
}

bool machine__find_task(const struct machine *machine, s32 pid, s32 tid, struct moment when,
                        struct task_hit *hit)
{
	u32 index = u64map__get(&machine->by_pid, (u32)pid);

	*hit = (struct task_hit){ .thread = ID_NONE, .until = { UINT64_MAX, UINT64_MAX } };
	if (index == ID_NONE)
		return false;
	const struct groups *instances = &machine->instances;
	u32 instance = instance_index_at(machine, index, when);

	hit->thread = thread_at(machine, index, instance, tid);
	if (hit->thread == ID_NONE)
		return false;
	if (instance > instances->first[index])
		hit->since = machine->processes[instances->items[instance]].born;
	if (instance + 1 < instances->first[index + 1])
		hit->until = machine->processes[instances->items[instance + 1]].born;

	u32 first = machine->comm_first[hit->thread], end = machine->comm_first[hit->thread + 1];
	u32 next = count_at(machine->comms, first, end, when);

	hit->comm = next > first ? machine->comms[next - 1].comm
	                         : machine->threads[hit->thread].no_comm;
	if (next > first)
		hit->since = later(hit->since, machine->comms[next - 1].when);
	if (next < end)
		hit->until = earlier(hit->until, machine->comms[next].when);
	return true;
}

/* A search for one address on its way through a process and its ancestors. */
struct lookup {
	const struct machine *machine;
	bool data;
	u64 addr;
	struct map_hit *hit;
	struct moment next; /* when the process itself maps something there */
};

/*
 * Look into one instance as of @when. Only for the asking process itself (@own) do moments limit
 * the answer: an ancestor is asked as of a fixed moment.
 */
static u32 find_in_process(struct lookup *lookup, u32 id, struct moment when, bool own)
{
	const struct machine *machine = lookup->machine;
	const struct process *process = &machine->processes[id];
	struct map_hit *hit = lookup->hit;
	struct space_hit found;
	u32 first = machine->exec_first[id], end = machine->exec_first[id + 1];
	u32 next = count_at(machine->execs, first, end, when);

	space__find(lookup->data ? &process->data : &process->text, machine->maps, lookup->addr,
	            when, &found);
	hit->start = max_u64(hit->start, found.start);
	hit->end = min_u64(hit->end, found.end);
	if (next > first &&
	    (found.map == ID_NONE || moment__before(found.since, machine->execs[next - 1].when)))
		hit->flags |= MAP_HIT_BEFORE_EXEC;
	if (own) {
		hit->since = found.since;
		hit->until = lookup->next = found.until;
		if (next > first)
			hit->since = later(hit->since, machine->execs[next - 1].when);
		if (next < end)
			hit->until = earlier(hit->until, machine->execs[next].when);
		if (moment__before(when, process->born))
			hit->until = earlier(hit->until, process->born);
		else
			hit->since = later(hit->since, process->born);
	}
	return found.map;
}

/* A hole: say if a map comes soon. @next is the moment of the next map that covers the address. */
static void flag_soon(struct map_hit *hit, struct moment when, struct moment next)
{
	if (next.time == UINT64_MAX)
		return;
	/* Never from time 0: files without times have nothing else. */
	struct moment soon = { next.time > SOON_NS ? next.time - SOON_NS + 1 : 1, 0 };

	if (moment__before(when, soon)) {
		hit->until = earlier(hit->until, soon);
	} else {
		hit->since = later(hit->since, soon);
		hit->flags |= MAP_HIT_SOON;
	}
}

static bool fill_hit(const struct machine *machine, u32 id, u64 addr, struct map_hit *hit)
{
	const struct map_info *map = id != ID_NONE ? &machine->maps[id] : NULL;

	if (!map || map->dso == ID_NONE) {
		hit->flags &= MAP_HIT_SOON;
		if (hit->start == hit->end) /* the last address there is */
			hit->start = hit->end = addr;
		return false;
	}
	hit->map = id;
	hit->dso = map->dso;
	hit->prot = map->prot;
	hit->pgoff = map->pgoff + (hit->start - map->start);
	return true;
}

static bool find_in_kernel(const struct machine *machine, u64 addr, struct moment when,
                           struct map_hit *hit)
{
	struct space_hit found;

	space__find(&machine->kernel, machine->maps, addr, when, &found);
	hit->start = found.start;
	hit->end = found.end;
	hit->since = found.since;
	hit->until = found.until;
	if (found.map == ID_NONE || machine->maps[found.map].dso == ID_NONE)
		flag_soon(hit, when, found.until);
	return fill_hit(machine, found.map, addr, hit);
}

static bool find_map(struct lookup *lookup, u32 thread, struct moment when)
{
	const struct machine *machine = lookup->machine;
	u32 process = ID_NONE, map = ID_NONE;
	struct map_hit *hit = lookup->hit;
	struct moment asked = when;

	if (thread == ID_NONE) {
		hit->start = hit->end = lookup->addr;
		return false;
	}
	process = machine->threads[thread].public.instance;
	hit->end = UINT64_MAX;
	for (unsigned depth = 0; depth < MAX_ANCESTORS; depth++) {
		const struct process *p = &machine->processes[process];

		map = find_in_process(lookup, process, asked, !depth);
		if (map != ID_NONE || p->parent == ID_NONE || moment__before(asked, p->born))
			break;
		hit->flags |= MAP_HIT_PARENT;
		asked = p->parent_when;
		process = p->parent;
	}
	if (map == ID_NONE)
		flag_soon(hit, when, lookup->next);
	return fill_hit(machine, map, lookup->addr, hit);
}

#define EMPTY_HIT ((struct map_hit){ .dso = ID_NONE, .map = ID_NONE })

bool machine__find_map(const struct machine *machine, u32 thread, bool kernel, u64 addr,
                       struct moment when, struct map_hit *hit)
{
	struct lookup lookup = { .machine = machine, .addr = addr, .hit = hit };

	*hit = EMPTY_HIT;
	return kernel ? find_in_kernel(machine, addr, when, hit) : find_map(&lookup, thread, when);
}

bool machine__find_data_map(const struct machine *machine, u32 thread, u64 addr, struct moment when,
                            struct map_hit *hit)
{
	struct lookup lookup = { .machine = machine, .data = true, .addr = addr, .hit = hit };

	*hit = EMPTY_HIT;
	return find_map(&lookup, thread, when);
}

const struct map_info *machine__maps(const struct machine *machine, u32 *nr)
{
	*nr = machine->nr_maps;
	return machine->maps;
}

s32 machine__parent_of(const struct machine *machine, u32 thread)
{
	return machine->threads[thread].parent;
}

enum thread_told machine__told(const struct machine *machine, u32 thread)
{
	return machine->threads[thread].told;
}
