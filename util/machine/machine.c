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

#include "util/lib/sort.h"
#include "util/machine/machine_private.h"

#define KERNEL_PID     (-1)
#define KERNEL_OWNER   0          /* of maps */
#define MAX_NOTE_PAIRS (1u << 20) /* unseen threads x instances of their pid */

enum event_kind { EVENT_MAP, EVENT_FORK, EVENT_COMM, EVENT_EXIT };

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

struct machine *machine__new(struct strtab *strings)
{
	struct machine *machine = xcalloc(1, sizeof(*machine));

	machine->strings = strings;
	machine->unsettled = true;
	return machine;
}

static void forget_what_was_fed(struct machine *machine)
{
	free(machine->events);
	machine->events = NULL;
	free(machine->forks);
	machine->forks = NULL;
	u64map__exit(&machine->noted);
	free(machine->notes);
	machine->notes = NULL;
}

/* All that settling made. */
static void unsettle(struct machine *machine)
{
	arena__exit(&machine->arena);
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
}

void machine__delete(struct machine *machine)
{
	if (!machine)
		return;
	unsettle(machine);
	forget_what_was_fed(machine);
	free(machine->maps);
	free(machine);
}

/* ---- feeding ---- */

static struct event *feed(struct machine *machine, struct moment when, enum event_kind kind,
                          s32 pid, s32 tid)
{
	array__reserve(&machine->events, &machine->events_cap, machine->nr_events + 1,
	               sizeof(*machine->events));
	struct event *event = &machine->events[machine->nr_events++];

	machine->unsettled = true;
	*event = (struct event){ .when = when, .kind = kind, .pid = pid, .tid = tid };
	return event;
}

void machine__map(struct machine *machine, const struct map_info *map)
{
	feed(machine, map->when, EVENT_MAP, map->pid, map->tid)->arg = machine->nr_maps;
	array__reserve(&machine->maps, &machine->maps_cap, machine->nr_maps + 1,
	               sizeof(*machine->maps));
	machine->maps[machine->nr_maps++] = *map;
}

void machine__unmap_kernel(struct machine *machine, struct moment when, u64 start, u64 len)
{
	machine__map(machine, &(struct map_info){ .when = when,
	                                          .pid = KERNEL_PID,
	                                          .start = start,
	                                          .len = len,
	                                          .dso = ID_NONE });
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
	feed(machine, when, EVENT_EXIT, pid, tid);
}

void machine__comm(struct machine *machine, struct moment when, s32 pid, s32 tid, u32 comm,
                   bool exec)
{
	struct event *event = feed(machine, when, EVENT_COMM, pid, tid);

	event->arg = comm;
	event->exec = exec;
}

void machine__note_sample_thread(struct machine *machine, s32 pid, s32 tid)
{
	u32 *slot = u64map__at(&machine->noted, pair_key(pid, tid));

	if (*slot != ID_NONE)
		return;
	machine->unsettled = true;
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
		.parent = -1,
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

	machine->threads[forker].told |= THREAD_IN_TASKS;
	machine->threads[thread].told |= THREAD_IN_TASKS;
	machine->threads[thread].parent = fork->ptid;
	/* A tid that is used again has lost its name even where the new one is unknown. */
	if (comm != ID_NONE || machine->threads[thread].last_comm != ID_NONE)
		set_comm(machine, thread, event->when, comm);
}

/* Whose a map is: one number for each address space. */
static u32 process_owner(u32 process, bool data)
{
	return 1 + 2 * process + data;
}

static struct space *space_of_owner(struct machine *machine, u32 owner)
{
	struct process *process = owner ? &machine->processes[(owner - 1) / 2] : NULL;

	if (!process)
		return &machine->kernel;
	return owner % 2 ? &process->text : &process->data;
}

static void play_map(struct machine *machine, const struct event *event)
{
	const struct map_info *map = &machine->maps[event->arg];

	bool empty = map->start >= map_info__end(map);

	machine->map_owner[event->arg] = empty ? ID_NONE : KERNEL_OWNER;
	if (map->pid == KERNEL_PID)
		return;
	u32 process = present_process(machine, map->pid);

	u32 thread = thread_of(machine, process, map->tid);

	machine->threads[thread].told |= THREAD_IN_MAPS;
	if (empty)
		return;
	machine->processes[process].has_own = true;
	machine->map_owner[event->arg] = process_owner(process, map->data);
}

static void play_comm(struct machine *machine, const struct event *event)
{
	u32 process = present_process(machine, event->pid);
	u32 thread = thread_of(machine, process, event->tid);

	machine->threads[thread].told |= THREAD_IN_TASKS;
	set_comm(machine, thread, event->when, event->arg);
	if (!event->exec)
		return;
	machine->processes[process].has_own = true;
	array__reserve(&machine->execs, &machine->execs_cap, machine->nr_execs + 1,
	               sizeof(*machine->execs));
	machine->execs[machine->nr_execs++] =
	        (struct owned_moment){ .when = event->when, .owner = process };
}

/* Samples may follow: nothing ends, but a thread that nothing else told of is known now. */
static void play_exit(struct machine *machine, const struct event *event)
{
	thread_of(machine, present_process(machine, event->pid), event->tid);
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
	case EVENT_EXIT:
		play_exit(machine, event);
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

/* Gives each space its maps by moment. */
static void group_maps(struct machine *machine, const struct keyed *order)
{
	u32 nr_owners = process_owner(machine->nr_processes, false);
	u32 *first = count_owners(machine->map_owner, sizeof(u32), machine->nr_maps, nr_owners);
	u32 *ids = machine->map_ids = xmalloc(machine->nr_maps * sizeof(*ids));

	for (u32 i = 0; i < machine->nr_events; i++) {
		const struct event *event = &machine->events[order[i].value];

		if (event->kind == EVENT_MAP && machine->map_owner[event->arg] != ID_NONE)
			ids[first[machine->map_owner[event->arg]]++] = event->arg;
	}
	restore_first(first, nr_owners);
	for (u32 i = 0; i < nr_owners; i++)
		*space_of_owner(machine, i) =
		        (struct space){ .ids = ids + first[i], .nr = first[i + 1] - first[i] };
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
}

/* What was fed stays; the rest is as in a new machine. */
static void start_again(struct machine *machine)
{
	struct machine fed = *machine;

	unsettle(machine);
	*machine = (struct machine){
		.strings = fed.strings,
		.maps = fed.maps,
		.nr_maps = fed.nr_maps,
		.maps_cap = fed.maps_cap,
		.events = fed.events,
		.nr_events = fed.nr_events,
		.events_cap = fed.events_cap,
		.forks = fed.forks,
		.nr_forks = fed.nr_forks,
		.forks_cap = fed.forks_cap,
		.noted = fed.noted,
		.notes = fed.notes,
		.nr_notes = fed.nr_notes,
		.notes_cap = fed.notes_cap,
	};
}

static void settle(struct machine *machine)
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
	group_maps(machine, order);
	free(order);
	free(machine->map_owner);
	machine->map_owner = NULL;
	for (u32 i = 0; i < process_owner(machine->nr_processes, false); i++)
		space__build(space_of_owner(machine, i), machine->maps, &machine->arena);
}

bool machine__settle(struct machine *machine)
{
	if (!machine->unsettled)
		return false;
	start_again(machine);
	settle(machine);
	return true;
}

bool machine__finish(struct machine *machine)
{
	bool changed = machine__settle(machine);

	forget_what_was_fed(machine);
	return changed;
}
