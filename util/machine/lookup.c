// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Look-ups in a settled machine. They only read, so any number of threads may do them. An answer
 * comes with the range of time (and addresses) for which it holds.
 */
#include "util/machine/machine_private.h"

#define MAX_ANCESTORS 64

/* The number of changes at or before @when. */
static u32 count_at(const struct timeline *timeline, struct moment when)
{
	u32 from = 0, to = timeline->nr;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (moment__before(when, timeline->items[middle].when))
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}

/* The instances of @pid; NULL: it is unknown. */
static const struct pid_state *find_pid(const struct machine *machine, s32 pid)
{
	u32 index = u64map__get(&machine->by_pid, (u32)pid);

	return index != ID_NONE && machine->pids[index].nr ? &machine->pids[index] : NULL;
}

/* Which one is the last that was born at or before @when, or the first. */
static u32 instance_at(const struct machine *machine, const struct pid_state *state,
                       struct moment when)
{
	u32 from = 1, to = state->nr;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (moment__before(when, machine->processes[state->instances[middle]].born))
			to = middle;
		else
			from = middle + 1;
	}
	return from - 1;
}

static u32 thread_of(const struct machine *machine, u32 process, s32 tid)
{
	u32 thread = u64map__get(&machine->by_tid, pair_key(process, tid));

	return thread != ID_NONE && thread_state__present(&machine->threads[thread]) ? thread
	                                                                             : ID_NONE;
}

/* The thread @tid of the instance. */
static u32 thread_at(const struct machine *machine, const struct pid_state *state, u32 instance,
                     s32 tid)
{
	u32 thread = thread_of(machine, state->instances[instance], tid);

	/* Known to another instance only: clocks out of step, or too many to note. */
	for (u32 i = state->nr, tries = 0; thread == ID_NONE && i && tries < 64; i--, tries++)
		thread = thread_of(machine, state->instances[i - 1], tid);
	if (thread == ID_NONE && state->rest != ID_NONE)
		thread = thread_of(machine, state->rest, tid);
	return thread;
}

u32 machine__find_thread(const struct machine *machine, s32 pid, s32 tid, struct moment when)
{
	const struct pid_state *state = find_pid(machine, pid);

	return state ? thread_at(machine, state, instance_at(machine, state, when), tid) : ID_NONE;
}

const struct thread *machine__thread(const struct machine *machine, u32 thread)
{
	return &machine->threads[thread].public;
}

u32 machine__adopt_thread(struct machine *machine, s32 pid, s32 tid, u32 comm)
{
	array__reserve(&machine->threads, &machine->threads_cap, machine->nr_threads + 1,
	               sizeof(*machine->threads));
	machine->threads[machine->nr_threads] =
	        (struct thread_state){ .public = { .pid = pid, .tid = tid, .instance = ID_NONE },
		                       .no_comm = comm,
		                       .parent = -1,
		                       .made = machine->nr_made++,
		                       .noted = true };
	return machine->nr_threads++;
}

u32 machine__nr_threads(const struct machine *machine)
{
	return machine->nr_threads;
}

u32 machine__made(const struct machine *machine, u32 thread)
{
	return machine->threads[thread].made;
}

/* The comm after @nr changes. */
static u32 comm_after(const struct thread_state *thread, u32 nr)
{
	u32 comm = nr ? thread->comms.items[nr - 1].value : ID_NONE;

	return comm == ID_NONE ? thread->no_comm : comm;
}

u32 machine__comm_at(const struct machine *machine, u32 thread, struct moment when)
{
	const struct thread_state *state = &machine->threads[thread];

	return comm_after(state, count_at(&state->comms, when));
}

u64 machine__space(const struct machine *machine, s32 pid)
{
	u32 process = machine__present(machine, pid);

	return process == ID_NONE ? 0 : machine->processes[process].space;
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
	const struct pid_state *state = find_pid(machine, pid);

	*hit = (struct task_hit){ .thread = ID_NONE, .until = { UINT64_MAX, UINT64_MAX } };
	if (!state)
		return false;
	u32 instance = instance_at(machine, state, when);

	hit->thread = thread_at(machine, state, instance, tid);
	if (hit->thread == ID_NONE)
		return false;
	if (instance)
		hit->since = machine->processes[state->instances[instance]].born;
	if (instance + 1 < state->nr)
		hit->until = machine->processes[state->instances[instance + 1]].born;

	const struct thread_state *thread = &machine->threads[hit->thread];
	const struct timeline *comms = &thread->comms;
	u32 next = count_at(comms, when);

	hit->comm = comm_after(thread, next);
	if (next)
		hit->since = later(hit->since, comms->items[next - 1].when);
	if (next < comms->nr)
		hit->until = earlier(hit->until, comms->items[next].when);
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
	const struct timeline *execs = &process->execs;
	u32 next = count_at(execs, when);

	space__find(lookup->data ? &process->data : &process->text, machine->maps, lookup->addr,
	            when, &found);
	hit->start = max_u64(hit->start, found.start);
	hit->end = min_u64(hit->end, found.end);
	if (next &&
	    (found.map == ID_NONE || moment__before(found.since, execs->items[next - 1].when)))
		hit->flags |= MAP_HIT_BEFORE_EXEC;
	if (own) {
		hit->since = found.since;
		hit->until = lookup->next = found.until;
		if (next)
			hit->since = later(hit->since, execs->items[next - 1].when);
		if (next < execs->nr)
			hit->until = earlier(hit->until, execs->items[next].when);
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
	struct moment soon = { next.time > MAP_SOON_NS ? next.time - MAP_SOON_NS + 1 : 1, 0 };

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

static bool find_in_family(struct lookup *lookup, u32 process, struct moment when)
{
	const struct machine *machine = lookup->machine;
	u32 map = ID_NONE;
	struct map_hit *hit = lookup->hit;
	struct moment asked = when;

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

static bool find_map(struct lookup *lookup, u32 thread, struct moment when)
{
	if (thread == ID_NONE) {
		lookup->hit->start = lookup->hit->end = lookup->addr;
		return false;
	}
	return find_in_family(lookup, lookup->machine->threads[thread].public.instance, when);
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

bool machine__find_map_now(const struct machine *machine, s32 pid, u64 addr, struct map_hit *hit)
{
	struct lookup lookup = { .machine = machine, .addr = addr, .hit = hit };
	u32 process = machine__present(machine, pid);

	*hit = EMPTY_HIT;
	return process != ID_NONE && find_in_family(&lookup, process, MOMENT_NEVER);
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
