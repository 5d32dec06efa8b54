// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plays what was fed, in order of moments, on tables of the present state. Each step appends to the
 * end of a list: instances to their pid, comms to their thread, execs and maps to their process.
 *
 * An event that comes late, earlier than what was played, makes the machine go back: the journal of
 * the last steps undoes them down to that moment, and they are played again behind the late one.
 * CPUs tell of what they did in turns, so lateness is small and common. What the journal does not
 * reach is played from the start.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/sort.h"
#include "util/machine/machine_private.h"

#define MAX_NOTE_PAIRS (1u << 20) /* unseen threads x instances of their pid */
#define JOURNAL_MIN    1024       /* events that can be undone, and those of the last two calls */

enum undo_kind { UNDO_PROCESS, UNDO_THREAD, UNDO_COMM, UNDO_EXEC, UNDO_MAP };

static void timeline__add(struct timeline *timeline, struct moment when, u32 value)
{
	if (timeline->nr == timeline->cap) {
		timeline->cap = timeline->cap ? 2 * timeline->cap : 1;
		timeline->items =
		        xrealloc(timeline->items, timeline->cap, sizeof(*timeline->items));
	}
	timeline->items[timeline->nr++] = (struct change){ .when = when, .value = value };
}

/* NULL: nothing will have to be undone. */
static struct undo *note_step(struct machine *machine, enum undo_kind kind, u32 id)
{
	machine->work++;
	if (!machine->keeps_journal)
		return NULL;
	array__reserve(&machine->journal, &machine->journal_cap, machine->nr_journal + 1,
	               sizeof(*machine->journal));
	machine->journal[machine->nr_journal] = (struct undo){ .kind = kind, .id = id };
	return &machine->journal[machine->nr_journal++];
}

/* ---- processes ---- */

static struct pid_state *state_of_pid(struct machine *machine, s32 pid, u32 *index)
{
	u32 *slot = u64map__at(&machine->by_pid, (u32)pid);

	if (*slot == ID_NONE) {
		array__reserve(&machine->pids, &machine->pids_cap, machine->nr_pids + 1,
		               sizeof(*machine->pids));
		machine->pids[machine->nr_pids] = (struct pid_state){ .rest = ID_NONE };
		*slot = machine->nr_pids++;
	}
	*index = *slot;
	return &machine->pids[*slot];
}

/* A number for the next instance of a pid. */
static u32 number_process(struct machine *machine, struct pid_state *state, s32 pid, u32 index)
{
	if (state->known == state->cap) {
		state->cap = state->cap ? 2 * state->cap : 1;
		state->instances = xrealloc(state->instances, state->cap, sizeof(u32));
	}
	array__reserve(&machine->processes, &machine->processes_cap, machine->nr_processes + 1,
	               sizeof(*machine->processes));
	u32 id = free_numbers__take(&machine->free_processes, &machine->nr_processes);

	machine->processes[id] = (struct process){ .pid = pid, .by_pid = index, .parent = ID_NONE };
	return state->instances[state->known++] = id;
}

/* One more instance is present. */
static u32 bring_process(struct machine *machine, struct pid_state *state, s32 pid, u32 index)
{
	u32 process = state->nr < state->known ? state->instances[state->nr]
	                                       : number_process(machine, state, pid, index);

	state->nr++;
	if (state->nr_noted) {
		array__reserve(&machine->fresh, &machine->fresh_cap, machine->nr_instances_made + 1,
		               sizeof(*machine->fresh));
		machine->fresh[machine->nr_instances_made++] = process;
	}
	return process;
}

/* The instance of @pid that begins; an instance that only samples told of is none yet. */
static u32 begin_process(struct machine *machine, s32 pid)
{
	u32 index, process;
	struct pid_state *state = state_of_pid(machine, pid, &index);

	if (state->nr == 1 && !machine->processes[state->instances[0]].played)
		process = state->instances[0];
	else
		process = bring_process(machine, state, pid, index);
	machine->processes[process].played = true;
	note_step(machine, UNDO_PROCESS, process);
	return process;
}

static u32 present_process(struct machine *machine, s32 pid)
{
	u32 process = machine__present(machine, pid);

	return process != ID_NONE && machine->processes[process].played
	               ? process
	               : begin_process(machine, pid);
}

static void undo_process(struct machine *machine, u32 id)
{
	struct process *process = &machine->processes[id];
	struct pid_state *state = &machine->pids[process->by_pid];

	process->played = false;
	process->born = process->parent_when = (struct moment){ 0 };
	process->parent = ID_NONE;
	process->space = 0;
	if (state->nr > 1 || !state->nr_noted)
		state->nr--;
}

/* ---- threads ---- */

static u32 colon_name(struct machine *machine, s32 tid)
{
	char name[16];

	snprintf(name, sizeof(name), ":%d", tid);
	return strtab__add(machine->strings, name);
}

static bool is_swapper(const struct thread *thread)
{
	return !thread->pid && !thread->tid;
}

static void name_thread(struct machine *machine, u32 id)
{
	struct thread_state *thread = &machine->threads[id];

	if (is_swapper(&thread->public))
		thread->no_comm = strtab__add(machine->strings, "swapper");
	else
		thread->no_comm = colon_name(machine, thread->public.tid);
}

/* Those that were not born with a name. */
static void name_threads(struct machine *machine)
{
	while (machine->unnamed.nr) {
		u32 id = machine->unnamed.numbers[--machine->unnamed.nr];

		if (machine->threads[id].no_comm == ID_NONE)
			name_thread(machine, id);
	}
}

static u32 thread_of(struct machine *machine, u32 process, s32 tid)
{
	u32 *slot = u64map__at(&machine->by_tid, pair_key(process, tid));

	if (*slot != ID_NONE)
		return *slot;
	s32 pid = machine->processes[process].pid;

	array__reserve(&machine->threads, &machine->threads_cap, machine->nr_threads + 1,
	               sizeof(*machine->threads));
	u32 id = free_numbers__take(&machine->free_threads, &machine->nr_threads);

	machine->threads[id] =
	        (struct thread_state){ .public = { .pid = pid, .tid = tid, .instance = process },
		                       .no_comm = ID_NONE,
		                       .parent = -1,
		                       .made = machine->nr_made++ };
	if (!machine->forgets || (!pid && !tid))
		name_thread(machine, id);
	else
		free_numbers__add(&machine->unnamed, id);
	return *slot = id;
}

/* An event names it; its state may be changed then. */
static struct thread_state *play_thread(struct machine *machine, u32 id)
{
	struct thread_state *thread = &machine->threads[id];
	struct undo *undo = note_step(machine, UNDO_THREAD, id);

	if (undo) {
		undo->told = thread->told;
		undo->played = thread->played;
		undo->exited = thread->exited;
		undo->parent = thread->parent;
	}
	thread->played = true;
	thread->exited = false;
	return thread;
}

static void undo_thread(struct machine *machine, const struct undo *undo)
{
	struct thread_state *thread = &machine->threads[undo->id];

	thread->told = undo->told;
	thread->played = undo->played;
	thread->exited = undo->exited;
	thread->parent = undo->parent;
}

/* ID_NONE: unknown. */
static u32 last_comm(const struct thread_state *thread)
{
	if (thread->comms.nr)
		return thread->comms.items[thread->comms.nr - 1].value;
	return is_swapper(&thread->public) ? thread->no_comm : ID_NONE;
}

static void set_comm(struct machine *machine, u32 thread, struct moment when, u32 comm)
{
	timeline__add(&machine->threads[thread].comms, when, comm);
	note_step(machine, UNDO_COMM, thread);
}

/* ---- events ---- */

static void inherit_maps(struct machine *machine, u32 child, u32 parent, struct moment when)
{
	struct process *process = &machine->processes[child];
	const struct process *from = &machine->processes[parent];
	bool has_own = from->text.nr || from->data.nr || from->execs.nr;

	process->parent = has_own ? parent : from->parent;
	process->parent_when = has_own ? when : from->parent_when;
	process->space = from->space;
}

static void play_fork(struct machine *machine, const struct event *event)
{
	s32 ppid = event->arg;
	u32 parent = present_process(machine, ppid);
	u32 forker = thread_of(machine, parent, event->ptid);

	play_thread(machine, forker)->told |= THREAD_IN_TASKS;
	u32 comm = last_comm(&machine->threads[forker]), child = parent;

	if (event->pid != ppid) {
		child = begin_process(machine, event->pid);
		machine->processes[child].born = event->when;
		if (event->flag)
			inherit_maps(machine, child, parent, event->when);
	}
	u32 id = thread_of(machine, child, event->tid);
	struct thread_state *thread = play_thread(machine, id);

	thread->told |= THREAD_IN_TASKS;
	thread->parent = event->ptid;
	if (thread->no_comm == ID_NONE)
		thread->no_comm = comm;
	/* A tid that is used again has lost its name even where the new one is unknown. */
	if (comm != ID_NONE || last_comm(thread) != ID_NONE)
		set_comm(machine, id, event->when, comm);
}

static void add_map(struct machine *machine, u32 owner, u32 map)
{
	space__append(space_of_owner(machine, owner), map);
	note_step(machine, UNDO_MAP, owner);
	array__reserve(&machine->grown, &machine->grown_cap, machine->nr_grown + 1,
	               sizeof(*machine->grown));
	if (!machine->nr_grown || machine->grown[machine->nr_grown - 1] != owner)
		machine->grown[machine->nr_grown++] = owner;
}

static void play_map(struct machine *machine, const struct event *event)
{
	const struct map_info *map = &machine->maps[event->arg];
	bool empty = map->start >= map_info__end(map);

	if (map->pid == KERNEL_PID) {
		if (!empty)
			add_map(machine, KERNEL_OWNER, event->arg);
		return;
	}
	u32 process = present_process(machine, map->pid);

	play_thread(machine, thread_of(machine, process, map->tid))->told |= THREAD_IN_MAPS;
	if (empty)
		return;
	if (!map->data)
		machine->processes[process].space = ++machine->last_space;
	add_map(machine, process_owner(process, map->data), event->arg);
}

static void undo_map(struct machine *machine, u32 owner)
{
	space__pop(space_of_owner(machine, owner));
	if (owner != KERNEL_OWNER)
		machine->processes[(owner - 1) / 2].space = ++machine->last_space;
}

static void play_comm(struct machine *machine, const struct event *event)
{
	u32 process = present_process(machine, event->pid);
	u32 thread = thread_of(machine, process, event->tid);

	play_thread(machine, thread)->told |= THREAD_IN_TASKS;
	set_comm(machine, thread, event->when, event->arg);
	if (!event->flag)
		return;
	timeline__add(&machine->processes[process].execs, event->when, 0);
	note_step(machine, UNDO_EXEC, process);
}

/* Samples may follow: nothing ends, but a thread that nothing else told of is known now. */
static void play_exit(struct machine *machine, const struct event *event)
{
	u32 process = present_process(machine, event->pid);
	struct thread_state *thread = play_thread(machine, thread_of(machine, process, event->tid));

	thread->exited = true;
	thread->ended = event->when;
}

static void play(struct machine *machine, u32 id)
{
	const struct event *event = &machine->events[id];

	if (machine->keeps_journal) {
		array__reserve(&machine->played, &machine->played_cap, machine->nr_played + 1,
		               sizeof(*machine->played));
		machine->played[machine->nr_played++] = (struct played){ id, machine->nr_journal };
	}
	machine->played_until = event->when.time;
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

/* ---- going back ---- */

static void undo(struct machine *machine, const struct undo *step)
{
	machine->work++;
	switch ((enum undo_kind)step->kind) {
	case UNDO_PROCESS:
		undo_process(machine, step->id);
		break;
	case UNDO_THREAD:
		undo_thread(machine, step);
		break;
	case UNDO_COMM:
		machine->threads[step->id].comms.nr--;
		break;
	case UNDO_EXEC:
		machine->processes[step->id].execs.nr--;
		break;
	case UNDO_MAP:
		undo_map(machine, step->id);
		break;
	}
}

/* How many events at the end of what was played are behind @time; all: go back to the start. */
static u32 nr_behind(const struct machine *machine, u64 time, bool *all)
{
	u32 nr = 0;

	while (nr < machine->nr_played &&
	       machine->events[machine->played[machine->nr_played - 1 - nr].event].when.time > time)
		nr++;
	*all = nr == machine->nr_played && time < machine->kept_from;
	return nr;
}

static void undo_events(struct machine *machine, u32 nr)
{
	if (!nr)
		return;
	machine->nr_played -= nr;
	for (u32 to = machine->played[machine->nr_played].undo; machine->nr_journal > to;)
		undo(machine, &machine->journal[--machine->nr_journal]);
}

/* As if nothing had been played; numbers stay what they are. */
static void undo_all(struct machine *machine)
{
	machine->nr_played = machine->nr_journal = 0;
	machine->kept_from = machine->played_until = 0;
	space__exit(&machine->kernel);
	for (u32 i = 0; i < machine->nr_processes; i++) {
		struct process *process = &machine->processes[i];

		space__exit(&process->text);
		space__exit(&process->data);
		process->execs.nr = 0;
		process->played = false;
		process->born = process->parent_when = (struct moment){ 0 };
		process->parent = ID_NONE;
		process->space = 0;
	}
	for (u32 i = 0; i < machine->nr_pids; i++)
		machine->pids[i].nr = machine->pids[i].nr_noted ? 1 : 0;
	for (u32 i = 0; i < machine->nr_threads; i++) {
		struct thread_state *thread = &machine->threads[i];

		thread->comms.nr = 0;
		thread->told = 0;
		thread->parent = -1;
		thread->played = thread->exited = false;
	}
}

void machine__trim_journal(struct machine *machine, u32 drop)
{
	if (!drop)
		return;
	u32 first = drop < machine->nr_played ? machine->played[drop].undo : machine->nr_journal;

	machine->kept_from = machine->events[machine->played[drop - 1].event].when.time;
	machine->nr_played -= drop;
	memmove(machine->played, machine->played + drop,
	        machine->nr_played * sizeof(*machine->played));
	for (u32 i = 0; i < machine->nr_played; i++)
		machine->played[i].undo -= first;
	machine->nr_journal -= first;
	memmove(machine->journal, machine->journal + first,
	        machine->nr_journal * sizeof(*machine->journal));
}

/* Events that will hardly be gone back behind need not be undone any more. */
static void keep_journal_short(struct machine *machine, u32 nr)
{
	u32 keep = max_u64(JOURNAL_MIN, max_u64(nr, machine->last_nr));

	machine->last_nr = nr;
	if (machine->nr_played >= 3 * keep)
		machine__trim_journal(machine, machine->nr_played - 2 * keep);
}

/* ---- threads that only samples name ---- */

static void note_thread_of(struct machine *machine, u32 process, s32 tid, bool pair)
{
	u32 id = thread_of(machine, process, tid); /* may move the array */
	struct thread_state *thread = &machine->threads[id];

	machine->work++;
	machine->note_pairs += pair && !thread->noted;
	thread->noted = true;
}

/* To all instances of its pid, or (absurdly many) to one. */
static void play_note(struct machine *machine, const struct thread *note)
{
	u32 index;
	struct pid_state *state = state_of_pid(machine, note->pid, &index);

	if (!state->nr)
		bring_process(machine, state, note->pid, index);
	array__reserve(&state->noted, &state->cap_noted, state->nr_noted + 1, sizeof(s32));
	state->noted[state->nr_noted++] = note->tid;
	if (machine->note_pairs > MAX_NOTE_PAIRS && state->nr > 1) {
		if (state->rest == ID_NONE)
			state->rest = state->instances[state->nr - 1];
		note_thread_of(machine, state->rest, note->tid, false);
		return;
	}
	for (u32 i = 0; i < state->nr; i++)
		note_thread_of(machine, state->instances[i], note->tid, i);
}

/* An instance that has just begun has all the threads of its pid, too. */
static void give_notes(struct machine *machine, u32 process)
{
	const struct pid_state *state = &machine->pids[machine->processes[process].by_pid];

	for (u32 i = 0; i < state->nr_noted && machine->note_pairs <= MAX_NOTE_PAIRS; i++)
		note_thread_of(machine, process, state->noted[i], state->nr > 1);
}

static void play_notes(struct machine *machine)
{
	for (u32 i = 0; i < machine->nr_instances_made; i++)
		give_notes(machine, machine->fresh[i]);
	machine->nr_instances_made = 0;
	while (machine->notes_settled < machine->nr_notes)
		play_note(machine, &machine->notes[machine->notes_settled++]);
}

/* ---- all of it ---- */

/* The events to be played, in order: those from @first on, and the last @nr_again of the played. */
static struct keyed *order_events(const struct machine *machine, u32 first, u32 nr_again, u32 *nr)
{
	const struct event *events = machine->events;

	*nr = machine->nr_events - first + nr_again;
	struct keyed *order = xmalloc((size_t)*nr * sizeof(*order)), *next = order;

	for (u32 i = machine->nr_played - nr_again; i < machine->nr_played; i++) {
		u32 id = machine->played[i].event;

		*next++ = (struct keyed){ events[id].when.time, id };
	}
	for (u32 id = first; id < machine->nr_events; id++)
		*next++ = (struct keyed){ events[id].when.time, id };
	keyed__sort(order, *nr);
	return order;
}

/* What happened in the time that is forgotten happened at its end. */
static void raise_time(struct machine *machine, struct event *event)
{
	event->when.time = max_u64(event->when.time, machine->kept_from);
	if (event->kind == EVENT_MAP)
		machine->maps[event->arg].when = event->when;
}

/* What is played: all new events, and those that are behind the first of them. */
static void play_events(struct machine *machine)
{
	u32 first = machine->nr_settled, nr_again = 0, nr;
	u64 earliest = UINT64_MAX;
	bool all = false;

	for (u32 i = first; i < machine->nr_events; i++) {
		if (machine->forgets)
			raise_time(machine, &machine->events[i]);
		earliest = min_u64(earliest, machine->events[i].when.time);
	}
	if (earliest < machine->played_until)
		nr_again = nr_behind(machine, earliest, &all);
	struct keyed *order = order_events(machine, all ? 0 : first, all ? 0 : nr_again, &nr);

	if (all)
		undo_all(machine);
	else
		undo_events(machine, nr_again);
	for (u32 i = 0; i < nr; i++)
		play(machine, order[i].value);
	free(order);
	machine->nr_settled = machine->nr_events;
	if (machine->keeps_journal)
		keep_journal_short(machine, nr);
}

void machine__play_on(struct machine *machine)
{
	play_events(machine);
	play_notes(machine);
	for (u32 i = 0; i < machine->nr_grown; i++)
		machine->work +=
		        space__index(space_of_owner(machine, machine->grown[i]), machine->maps);
	machine->nr_grown = 0;
	name_threads(machine);
}

void machine__clear(struct machine *machine)
{
	for (u32 i = 0; i < machine->nr_processes; i++) {
		free(machine->processes[i].execs.items);
		space__exit(&machine->processes[i].text);
		space__exit(&machine->processes[i].data);
	}
	for (u32 i = 0; i < machine->nr_threads; i++)
		free(machine->threads[i].comms.items);
	for (u32 i = 0; i < machine->nr_pids; i++) {
		free(machine->pids[i].instances);
		free(machine->pids[i].noted);
	}
	space__exit(&machine->kernel);
	free(machine->processes);
	free(machine->threads);
	free(machine->pids);
	u64map__exit(&machine->by_pid);
	u64map__exit(&machine->by_tid);
	free(machine->fresh);
	free(machine->grown);
	free(machine->played);
	free(machine->journal);
	free(machine->free_processes.numbers);
	free(machine->free_threads.numbers);
	free(machine->free_maps.numbers);
	free(machine->unnamed.numbers);
}
