// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Feeding only appends to flat arrays. machine__finish() sorts what was fed by moment and plays
 * it once, in order, with hash tables of the present state; what it leaves behind are immutable
 * arrays: instances by pid, comms by thread, maps and execs by instance. Arrays are grouped by
 * counting (struct groups), so 20,000 small processes cost a few dozen bytes each.
 */
#include "util/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/lib/sort.h"
#include "util/machine/space.h"

#define KERNEL_PID     (-1)
#define MAX_ANCESTORS  64
#define MAX_NOTE_PAIRS (1u << 20) /* unseen threads x instances of their pid */
#define SOON_NS        1000000

enum event_kind { EVENT_MAP, EVENT_FORK, EVENT_COMM, EVENT_SEEN };

struct event {
	struct moment when;
	enum event_kind kind;
	u32 arg; /* MAP: index of the map; FORK: of the fork; COMM: the comm's string */
	s32 pid, tid;
	bool exec;
};

struct fork {
	s32 ppid, ptid;
	bool inherit_maps;
};

/* Items grouped by owner: those of owner i are items[first[i]] .. items[first[i + 1] - 1]. */
struct groups {
	u32 *first;
	u32 *items;
};

/* An instance of a process: from its FORK to the next FORK of its pid. */
struct process {
	s32 pid;
	bool has_own;       /* maps or execs, so far while playing: worth asking */
	struct moment born; /* the FORK; zero if it was there from the beginning */
	/* Whom to ask for what is not mapped here, and as of when; ID_NONE: nobody. */
	u32 parent;
	struct moment parent_when;
	struct space text, data;
};

struct owned_moment {
	struct moment when;
	u32 owner, comm;
};

struct thread_state {
	struct thread public;
	u32 last_comm; /* while playing; ID_NONE: none came */
	u32 no_comm;   /* ":TID": before the first COMM */
};

struct machine {
	struct strtab *strings;
	struct dsos *dsos;
	struct arena arena;

	/* As fed */
	struct map_info *maps;
	u32 nr_maps;
	size_t maps_cap;
	struct event *events;
	u32 nr_events;
	size_t events_cap;
	struct fork *forks;
	u32 nr_forks;
	size_t forks_cap;
	struct u64map noted; /* (pid, tid) -> index */
	struct thread *notes;
	u32 nr_notes;
	size_t notes_cap;

	/* Made by finish */
	struct process *processes;
	u32 nr_processes;
	size_t processes_cap;
	struct thread_state *threads;
	u32 nr_threads;
	size_t threads_cap;
	struct owned_moment *comms, *execs; /* by (owner, moment) once finished */
	u32 nr_comms, nr_execs;
	size_t comms_cap, execs_cap;
	u32 *map_owner;          /* by map: 2 * process + data; ID_NONE: nobody's */
	struct u64map by_pid;    /* -> latest process while playing, then owner in `instances` */
	struct groups instances; /* of a pid, by moment */
	u32 *comm_first, *exec_first;
	struct u64map by_tid; /* (process, tid) -> thread */
	struct space kernel;
	u32 *map_ids;
};

struct machine *machine__new(struct strtab *strings, struct dsos *dsos)
{
	struct machine *machine = xcalloc(1, sizeof(*machine));

	machine->strings = strings;
	machine->dsos = dsos;
	return machine;
}

void machine__delete(struct machine *machine)
{
	if (!machine)
		return;
	arena__exit(&machine->arena);
	free(machine->maps);
	free(machine->events);
	free(machine->forks);
	u64map__exit(&machine->noted);
	free(machine->notes);
	free(machine->processes);
	free(machine->threads);
	free(machine->comms);
	free(machine->execs);
	free(machine->map_owner);
	u64map__exit(&machine->by_pid);
	free(machine->instances.first);
	free(machine->instances.items);
	free(machine->comm_first);
	free(machine->exec_first);
	u64map__exit(&machine->by_tid);
	free(machine->map_ids);
	free(machine);
}

/* ---- feeding ---- */

static struct event *feed(struct machine *machine, struct moment when, enum event_kind kind,
                          s32 pid, s32 tid)
{
	array__reserve(&machine->events, &machine->events_cap, machine->nr_events + 1,
	               sizeof(*machine->events));
	struct event *event = &machine->events[machine->nr_events++];

	*event = (struct event){ .when = when, .kind = kind, .pid = pid, .tid = tid };
	return event;
}

void machine__map(struct machine *machine, struct moment when, s32 pid, s32 tid, u64 start, u64 len,
                  u64 pgoff, u32 dso, u32 prot, bool data)
{
	feed(machine, when, EVENT_MAP, pid, tid)->arg = machine->nr_maps;
	array__reserve(&machine->maps, &machine->maps_cap, machine->nr_maps + 1,
	               sizeof(*machine->maps));
	machine->maps[machine->nr_maps++] = (struct map_info){
		.when = when,
		.pid = pid,
		.tid = tid,
		.start = start,
		.len = len,
		.pgoff = pgoff,
		.dso = dso,
		.prot = prot,
		.data = data,
	};
}

void machine__unmap_kernel(struct machine *machine, struct moment when, u64 start, u64 len)
{
	machine__map(machine, when, KERNEL_PID, 0, start, len, 0, ID_NONE, 0, false);
}

void machine__fork(struct machine *machine, struct moment when, s32 pid, s32 ppid, s32 tid,
                   s32 ptid, bool inherit_maps)
{
	feed(machine, when, EVENT_FORK, pid, tid)->arg = machine->nr_forks;
	array__reserve(&machine->forks, &machine->forks_cap, machine->nr_forks + 1,
	               sizeof(*machine->forks));
	machine->forks[machine->nr_forks++] =
	        (struct fork){ .ppid = ppid, .ptid = ptid, .inherit_maps = inherit_maps };
}

void machine__exit(struct machine *machine, struct moment when, s32 pid, s32 tid)
{
	feed(machine, when, EVENT_SEEN, pid, tid);
}

void machine__comm(struct machine *machine, struct moment when, s32 pid, s32 tid, u32 comm,
                   bool exec)
{
	struct event *event = feed(machine, when, EVENT_COMM, pid, tid);

	event->arg = comm;
	event->exec = exec;
}

static inline u64 pair_key(u32 a, s32 b)
{
	return (u64)a << 32 | (u32)b;
}

void machine__note_sample_thread(struct machine *machine, s32 pid, s32 tid)
{
	u32 *slot = u64map__at(&machine->noted, pair_key(pid, tid));

	if (*slot != ID_NONE)
		return;
	*slot = machine->nr_notes;
	array__reserve(&machine->notes, &machine->notes_cap, machine->nr_notes + 1,
	               sizeof(*machine->notes));
	machine->notes[machine->nr_notes++] = (struct thread){ .pid = pid, .tid = tid };
}

/* ---- playing what was fed, in order of moments ---- */

static u32 add_process(struct machine *machine, s32 pid)
{
	array__reserve(&machine->processes, &machine->processes_cap, machine->nr_processes + 1,
	               sizeof(*machine->processes));
	machine->processes[machine->nr_processes] =
	        (struct process){ .pid = pid, .parent = ID_NONE };
	*u64map__at(&machine->by_pid, (u32)pid) = machine->nr_processes;
	return machine->nr_processes++;
}

/* The instance that @pid is at present; made when it was never seen. */
static u32 present_process(struct machine *machine, s32 pid)
{
	u32 process = u64map__get(&machine->by_pid, (u32)pid);

	return process != ID_NONE ? process : add_process(machine, pid);
}

static u32 colon_name(struct machine *machine, s32 tid)
{
	char name[16];

	snprintf(name, sizeof(name), ":%d", tid);
	return strtab__add(machine->strings, name);
}

static u32 thread_of(struct machine *machine, u32 process, s32 tid)
{
	u32 *slot = u64map__at(&machine->by_tid, pair_key(process, tid));

	if (*slot != ID_NONE)
		return *slot;
	s32 pid = machine->processes[process].pid;
	u32 name = pid || tid ? colon_name(machine, tid) : strtab__add(machine->strings, "swapper");

	array__reserve(&machine->threads, &machine->threads_cap, machine->nr_threads + 1,
	               sizeof(*machine->threads));
	machine->threads[machine->nr_threads] = (struct thread_state){
		.public = { .pid = pid, .tid = tid, .instance = process },
		.last_comm = pid || tid ? ID_NONE : name,
		.no_comm = name,
	};
	return *slot = machine->nr_threads++;
}

/* @comm ID_NONE: unknown from now on. */
static void set_comm(struct machine *machine, u32 thread, struct moment when, u32 comm)
{
	machine->threads[thread].last_comm = comm;
	if (comm == ID_NONE)
		comm = machine->threads[thread].no_comm;
	array__reserve(&machine->comms, &machine->comms_cap, machine->nr_comms + 1,
	               sizeof(*machine->comms));
	machine->comms[machine->nr_comms++] =
	        (struct owned_moment){ .when = when, .owner = thread, .comm = comm };
}

static void play_fork(struct machine *machine, const struct event *event)
{
	const struct fork *fork = &machine->forks[event->arg];
	u32 parent = present_process(machine, fork->ppid);
	u32 forker = thread_of(machine, parent, fork->ptid);
	u32 comm = machine->threads[forker].last_comm, child = parent;

	if (event->pid != fork->ppid) {
		child = add_process(machine, event->pid);
		struct process *process = &machine->processes[child];
		const struct process *from = &machine->processes[parent];

		process->born = event->when;
		if (fork->inherit_maps) {
			process->parent = from->has_own ? parent : from->parent;
			process->parent_when = from->has_own ? event->when : from->parent_when;
		}
	}
	u32 thread = thread_of(machine, child, event->tid);

	/* A tid that is used again has lost its name even where the new one is unknown. */
	if (comm != ID_NONE || machine->threads[thread].last_comm != ID_NONE)
		set_comm(machine, thread, event->when, comm);
}

static void play_map(struct machine *machine, const struct event *event)
{
	const struct map_info *map = &machine->maps[event->arg];

	machine->map_owner[event->arg] = ID_NONE;
	if (map->pid == KERNEL_PID)
		return;
	u32 process = present_process(machine, map->pid);

	thread_of(machine, process, map->tid);
	if (map->start < map_info__end(map)) {
		machine->processes[process].has_own = true;
		machine->map_owner[event->arg] = 2 * process + map->data;
	}
}

static void play_comm(struct machine *machine, const struct event *event)
{
	u32 process = present_process(machine, event->pid);

	set_comm(machine, thread_of(machine, process, event->tid), event->when, event->arg);
	if (!event->exec)
		return;
	machine->processes[process].has_own = true;
	array__reserve(&machine->execs, &machine->execs_cap, machine->nr_execs + 1,
	               sizeof(*machine->execs));
	machine->execs[machine->nr_execs++] =
	        (struct owned_moment){ .when = event->when, .owner = process };
}

static void play(struct machine *machine, const struct event *event)
{
	switch (event->kind) {
	case EVENT_MAP:
		play_map(machine, event);
		break;
	case EVENT_FORK:
		play_fork(machine, event);
		break;
	case EVENT_COMM:
		play_comm(machine, event);
		break;
	case EVENT_SEEN:
		thread_of(machine, present_process(machine, event->pid), event->tid);
		break;
	}
}

/* ---- grouping by owner ---- */

/* first[i] .. first[i + 1]: where the items of owner i lie when grouped. */
static u32 *count_owners(const u32 *owners, size_t stride, u32 nr, u32 nr_owners)
{
	u32 *first = xcalloc((size_t)nr_owners + 1, sizeof(*first)), total = 0;

	for (u32 i = 0; i < nr; i++) {
		u32 owner = *(const u32 *)((const char *)owners + i * stride);

		if (owner != ID_NONE)
			first[owner]++;
	}
	for (u32 i = 0; i <= nr_owners; i++) {
		u32 count = first[i];

		first[i] = total;
		total += count;
	}
	return first;
}

/* After filling, first[i] is the end of i, which is the start of i + 1. */
static void restore_first(u32 *first, u32 nr_owners)
{
	for (u32 i = nr_owners; i; i--)
		first[i] = first[i - 1];
	first[0] = 0;
}

/* Orders *@items (already by moment) by owner and returns the starts. */
static u32 *group_moments(struct owned_moment **items, u32 nr, u32 nr_owners)
{
	u32 *first = count_owners(*items ? &(*items)->owner : NULL, sizeof(**items), nr, nr_owners);
	struct owned_moment *grouped = xmalloc(nr * sizeof(*grouped));

	for (u32 i = 0; i < nr; i++)
		grouped[first[(*items)[i].owner]++] = (*items)[i];
	restore_first(first, nr_owners);
	free(*items);
	*items = grouped;
	return first;
}

static void group_instances(struct machine *machine)
{
	u32 nr = machine->nr_processes, nr_pids = 0;
	u32 *owners = xmalloc(nr * sizeof(*owners));
	struct u64map pids = U64MAP_INIT;

	for (u32 i = 0; i < nr; i++) {
		u32 *slot = u64map__at(&pids, (u32)machine->processes[i].pid);

		if (*slot == ID_NONE)
			*slot = nr_pids++;
		owners[i] = *slot;
	}
	machine->instances.first = count_owners(owners, sizeof(*owners), nr, nr_pids);
	machine->instances.items = xmalloc(nr * sizeof(u32));
	for (u32 i = 0; i < nr; i++)
		machine->instances.items[machine->instances.first[owners[i]]++] = i;
	restore_first(machine->instances.first, nr_pids);
	free(owners);
	u64map__exit(&machine->by_pid);
	machine->by_pid = pids;
}

static u32 kernel_maps(const struct machine *machine, const struct keyed *order, u32 *ids)
{
	u32 nr = 0;

	for (u32 i = 0; i < machine->nr_events; i++) {
		const struct event *event = &machine->events[order[i].value];
		const struct map_info *map = &machine->maps[event->arg];

		if (event->kind == EVENT_MAP && map->pid == KERNEL_PID &&
		    map->start < map_info__end(map))
			ids[nr++] = event->arg;
	}
	return nr;
}

static void set_space(struct machine *machine, struct space *space, const u32 *ids, u32 nr)
{
	*space = (struct space){ .ids = ids, .nr = nr };
	space__build(space, machine->maps, &machine->arena);
}

static void build_spaces(struct machine *machine, const struct keyed *order)
{
	u32 nr_spaces = 2 * machine->nr_processes;
	u32 *first = count_owners(machine->map_owner, sizeof(u32), machine->nr_maps, nr_spaces);
	u32 *ids = machine->map_ids = xmalloc(machine->nr_maps * sizeof(*ids));

	for (u32 i = 0; i < machine->nr_events; i++) {
		const struct event *event = &machine->events[order[i].value];

		if (event->kind == EVENT_MAP && machine->map_owner[event->arg] != ID_NONE)
			ids[first[machine->map_owner[event->arg]]++] = event->arg;
	}
	restore_first(first, nr_spaces);
	for (u32 i = 0; i < nr_spaces; i++) {
		struct process *process = &machine->processes[i / 2];

		set_space(machine, i % 2 ? &process->data : &process->text, ids + first[i],
		          first[i + 1] - first[i]);
	}
	ids += first[nr_spaces];
	set_space(machine, &machine->kernel, ids, kernel_maps(machine, order, ids));
	free(first);
}

/* Threads that only samples name: in all instances of their pid, or (absurdly many) the last. */
static void add_noted_threads(struct machine *machine)
{
	u32 pairs = 0;

	for (u32 i = 0; i < machine->nr_notes; i++)
		present_process(machine, machine->notes[i].pid);
	group_instances(machine);
	for (u32 i = 0; i < machine->nr_notes; i++) {
		const struct thread *note = &machine->notes[i];
		u32 pid = u64map__get(&machine->by_pid, (u32)note->pid);
		u32 from = machine->instances.first[pid], to = machine->instances.first[pid + 1];

		pairs += to - from - 1;
		if (pairs > MAX_NOTE_PAIRS)
			from = to - 1;
		for (; from < to; from++)
			thread_of(machine, machine->instances.items[from], note->tid);
	}
	u64map__exit(&machine->noted);
	free(machine->notes);
	machine->notes = NULL;
}

void machine__finish(struct machine *machine)
{
	u32 nr = machine->nr_events;
	struct keyed *order = xmalloc(nr * sizeof(*order));

	for (u32 i = 0; i < nr; i++)
		order[i] = (struct keyed){ machine->events[i].when.time, i };
	keyed__sort(order, nr);
	machine->map_owner = xmalloc(machine->nr_maps * sizeof(*machine->map_owner));
	for (u32 i = 0; i < nr; i++)
		play(machine, &machine->events[order[i].value]);
	add_noted_threads(machine);
	machine->comm_first =
	        group_moments(&machine->comms, machine->nr_comms, machine->nr_threads);
	machine->exec_first =
	        group_moments(&machine->execs, machine->nr_execs, machine->nr_processes);
	build_spaces(machine, order);
	free(order);
	free(machine->events);
	machine->events = NULL;
	free(machine->forks);
	machine->forks = NULL;
	free(machine->map_owner);
	machine->map_owner = NULL;
}

/* ---- asking ---- */

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
static u32 instance_place_at(const struct machine *machine, u32 pid_index, struct moment when)
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
static u32 thread_at(const struct machine *machine, u32 index, u32 place, s32 tid)
{
	u32 thread =
	        u64map__get(&machine->by_tid, pair_key(machine->instances.items[place], tid));

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
	return thread_at(machine, index, instance_place_at(machine, index, when), tid);
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

bool machine__exec_before(const struct machine *machine, u32 thread, struct moment when)
{
	u32 process = machine->threads[thread].public.instance;
	u32 first = machine->exec_first[process];

	return first < machine->exec_first[process + 1] &&
	       !moment__before(when, machine->execs[first].when);
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
	u32 place = instance_place_at(machine, index, when);

	hit->thread = thread_at(machine, index, place, tid);
	if (hit->thread == ID_NONE)
		return false;
	if (place > instances->first[index])
		hit->since = machine->processes[instances->items[place]].born;
	if (place + 1 < instances->first[index + 1])
		hit->until = machine->processes[instances->items[place + 1]].born;

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
