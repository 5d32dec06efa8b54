// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forgets what ended, for sessions without an end. What is kept costs a walk over it, and numbers
 * of threads, processes and maps stay what they are; those of the forgotten are given again.
 *
 * Nobody asks for moments before the given one, so of each thread's comms and each process's maps
 * only those are kept that were true at that moment or later. What a child would look up in its
 * parent as of an earlier moment it takes over, because the parent forgets it.
 *
 * What ended may be kept until its pid is given to another process: then no answer is lost.
 */
#include <stdlib.h>
#include <string.h>

#include "util/lib/sort.h"
#include "util/machine/machine_private.h"

#define PAST_MAX 65536 /* maps of a space: nobody tells what was unmapped */

struct forgetting {
	struct machine *machine;
	struct moment before;
	bool keep_ended; /* those whose EXIT came, until their pid has another process */
	u8 *processes;   /* by number: it is kept */
	u8 *threads;
	u8 *maps;
};

static bool is_past(const struct forgetting *f, struct moment when)
{
	return !moment__before(f->before, when);
}

/* ---- what is kept ---- */

/* Threads that run, and whose numbers somebody uses, keep their process. */
static void keep_threads(struct forgetting *f, const u8 *used)
{
	const struct machine *machine = f->machine;

	for (u32 i = 0; i < machine->nr_threads; i++) {
		const struct thread_state *thread = &machine->threads[i];
		bool gone = !f->keep_ended && thread->exited && is_past(f, thread->ended);

		if (thread->public.instance == ID_NONE)
			continue;
		if ((!gone && thread_state__present(thread)) || (used && used[i]))
			f->threads[i] = f->processes[thread->public.instance] = true;
	}
}

/* Another process has the pid since: nothing of this one runs any more. */
static void drop_replaced(struct forgetting *f)
{
	const struct machine *machine = f->machine;

	for (u32 i = 0; i < machine->nr_pids; i++) {
		const struct pid_state *state = &machine->pids[i];

		for (u32 n = 1; n < state->nr; n++)
			if (is_past(f, machine->processes[state->instances[n]].born))
				f->processes[state->instances[n - 1]] = false;
	}
}

static void keep_used(struct forgetting *f, const u8 *used)
{
	const struct machine *machine = f->machine;

	for (u32 i = 0; used && i < machine->nr_threads; i++)
		if (used[i] && machine->threads[i].public.instance != ID_NONE)
			f->processes[machine->threads[i].public.instance] = true;
	for (u32 i = 0; i < machine->nr_processes; i++) {
		const struct process *process = &machine->processes[i];

		while (f->processes[i] && process->parent != ID_NONE &&
		       !is_past(f, process->parent_when) && !f->processes[process->parent]) {
			f->processes[process->parent] = true;
			process = &machine->processes[process->parent];
		}
	}
	/* The first thread of a process stands for it, whether it runs or not. */
	for (u32 i = 0; i < machine->nr_threads; i++) {
		const struct thread *thread = &machine->threads[i].public;

		f->threads[i] = thread->instance != ID_NONE && f->processes[thread->instance] &&
		                (f->threads[i] || thread->tid == thread->pid);
	}
}

/* ---- maps ---- */

/* All of @from up to @when, then what was in @space. */
static void put_before(struct space *space, const struct space *from, const struct map_info *maps,
                       struct moment when)
{
	struct space joined = { .nr = 0 };

	for (u32 i = 0; i < from->nr && !moment__before(when, maps[from->ids[i]].when); i++)
		space__append(&joined, from->ids[i]);
	if (!joined.nr)
		return;
	for (u32 i = 0; i < space->nr; i++)
		space__append(&joined, space->ids[i]);
	space__exit(space);
	*space = joined;
}

static void put_exec_before(struct timeline *execs, const struct timeline *from, struct moment when)
{
	u32 nr = from->nr;

	while (nr && moment__before(when, from->items[nr - 1].when))
		nr--;
	if (!nr)
		return;
	struct change *items = xmalloc((execs->nr + 1) * sizeof(*items));

	items[0] = from->items[nr - 1];
	for (u32 i = 0; i < execs->nr; i++)
		items[i + 1] = execs->items[i];
	free(execs->items);
	*execs = (struct timeline){ items, execs->nr + 1, execs->nr + 1 };
}

/* What the ancestors had mapped when it was forked. */
static void take_over(struct forgetting *f, struct process *process)
{
	const struct machine *machine = f->machine;

	while (process->parent != ID_NONE && is_past(f, process->parent_when)) {
		const struct process *from = &machine->processes[process->parent];
		struct moment when = process->parent_when;

		put_before(&process->text, &from->text, machine->maps, when);
		put_before(&process->data, &from->data, machine->maps, when);
		put_exec_before(&process->execs, &from->execs, when);
		process->parent = from->parent;
		process->parent_when = from->parent_when;
	}
}

/* Disjoint ranges by address. */
struct covered {
	struct range {
		u64 start, end;
	} * ranges;
	u32 nr;
	size_t cap;
};

/* False: all of it is covered already. */
static bool cover(struct covered *covered, u64 start, u64 end)
{
	u32 low = 0, high = covered->nr, to;

	while (low < high) { /* the first that ends at @start or behind it */
		u32 middle = low + (high - low) / 2;

		if (covered->ranges[middle].end < start)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < covered->nr && covered->ranges[low].start <= start &&
	    covered->ranges[low].end >= end)
		return false;
	for (to = low; to < covered->nr && covered->ranges[to].start <= end; to++) {
		start = min_u64(start, covered->ranges[to].start);
		end = max_u64(end, covered->ranges[to].end);
	}
	array__reserve(&covered->ranges, &covered->cap, covered->nr + 1, sizeof(struct range));
	memmove(covered->ranges + low + 1, covered->ranges + to,
	        (covered->nr - to) * sizeof(struct range));
	covered->ranges[low] = (struct range){ start, end };
	covered->nr += 1 - (to - low);
	return true;
}

/* Of the maps up to the moment those that can still be seen; and all later ones. */
static void prune_space(struct forgetting *f, struct space *space)
{
	const struct map_info *maps = f->machine->maps;
	struct covered covered = { .nr = 0 };
	struct space kept = { .nr = 0 };
	bool all = f->keep_ended && space->nr > PAST_MAX;
	u8 *seen = xcalloc(space->nr, 1);
	u32 nr = 0;

	for (u32 i = space->nr; i--;) {
		const struct map_info *map = &maps[space->ids[i]];

		seen[i] = all || !is_past(f, map->when) ||
		          (nr < PAST_MAX && cover(&covered, map->start, map_info__end(map)));
		nr += seen[i];
	}
	if (nr < space->nr) {
		for (u32 i = 0; i < space->nr; i++)
			if (seen[i])
				space__append(&kept, space->ids[i]);
		space__exit(space);
		*space = kept;
	}
	f->machine->work += space__index(space, maps);
	for (u32 i = 0; i < space->nr; i++)
		f->maps[space->ids[i]] = true;
	free(seen);
	free(covered.ranges);
}

/* The last change up to the moment, and all later ones. */
static void prune_timeline(const struct forgetting *f, struct timeline *timeline)
{
	u32 drop = 0;

	if (!timeline->nr)
		return;
	while (drop + 1 < timeline->nr && is_past(f, timeline->items[drop + 1].when))
		drop++;
	timeline->nr -= drop;
	memmove(timeline->items, timeline->items + drop, timeline->nr * sizeof(struct change));
}

/* ---- numbers ---- */

static void drop_threads(struct forgetting *f)
{
	struct machine *machine = f->machine;

	u64map__exit(&machine->by_tid);
	for (u32 i = 0; i < machine->nr_threads; i++) {
		struct thread_state *thread = &machine->threads[i];

		if (f->threads[i]) {
			prune_timeline(f, &thread->comms);
			*u64map__at(&machine->by_tid,
			            pair_key(thread->public.instance, thread->public.tid)) = i;
		} else if (thread->public.instance != ID_NONE) {
			free(thread->comms.items);
			*thread = (struct thread_state){ .public.instance = ID_NONE, .parent = -1 };
			free_numbers__add(&machine->free_threads, i);
		}
	}
}

/* The numbers of its instances that stay; those that were gone back behind go, too. */
static void prune_pid(struct forgetting *f, struct pid_state *state)
{
	u32 nr = 0;

	for (u32 i = 0; i < state->known; i++)
		if (i < state->nr && f->processes[state->instances[i]])
			state->instances[nr++] = state->instances[i];
	state->nr = state->known = nr;
	if (state->rest != ID_NONE && !f->processes[state->rest])
		state->rest = ID_NONE;
}

/* Of tids that are no threads any more nothing is known. */
static void prune_notes(const struct machine *machine, struct pid_state *state)
{
	u32 nr = 0;

	for (u32 i = 0; i < state->nr_noted; i++)
		for (u32 n = 0; n < state->nr; n++)
			if (u64map__get(&machine->by_tid, pair_key(state->instances[n],
			                                           state->noted[i])) != ID_NONE) {
				state->noted[nr++] = state->noted[i];
				break;
			}
	state->nr_noted = nr;
}

static void drop_pids(struct forgetting *f)
{
	struct machine *machine = f->machine;
	u32 nr = 0;

	u64map__exit(&machine->by_pid);
	u64map__exit(&machine->noted);
	for (u32 i = 0; i < machine->nr_pids; i++) {
		struct pid_state state = machine->pids[i];

		prune_pid(f, &state);
		if (!state.nr) {
			free(state.instances);
			free(state.noted);
			continue;
		}
		s32 pid = machine->processes[state.instances[0]].pid;

		prune_notes(machine, &state);
		for (u32 n = 0; n < state.nr; n++)
			machine->processes[state.instances[n]].by_pid = nr;
		for (u32 n = 0; n < state.nr_noted; n++)
			*u64map__at(&machine->noted, pair_key(pid, state.noted[n])) = 0;
		*u64map__at(&machine->by_pid, (u32)pid) = nr;
		machine->pids[nr++] = state;
	}
	machine->nr_pids = nr;
	machine->nr_notes = machine->notes_settled = 0;
}

static void drop_processes(struct forgetting *f)
{
	struct machine *machine = f->machine;

	for (u32 i = 0; i < machine->nr_processes; i++) {
		struct process *process = &machine->processes[i];

		if (f->processes[i] || process->by_pid == ID_NONE)
			continue;
		free(process->execs.items);
		space__exit(&process->text);
		space__exit(&process->data);
		*process = (struct process){ .by_pid = ID_NONE, .parent = ID_NONE };
		free_numbers__add(&machine->free_processes, i);
	}
}

static void drop_maps(struct forgetting *f)
{
	struct machine *machine = f->machine;

	for (u32 i = 0; i < machine->nr_maps; i++)
		if (!f->maps[i] && machine->maps[i].pid != NO_MAP) {
			machine->maps[i] = (struct map_info){ .pid = NO_MAP, .dso = ID_NONE };
			free_numbers__add(&machine->free_maps, i);
		}
}

/* Only what can be undone is played again. */
static void drop_events(struct forgetting *f)
{
	struct machine *machine = f->machine;
	u32 drop = 0;

	while (drop < machine->nr_played &&
	       is_past(f, machine->events[machine->played[drop].event].when))
		drop++;
	machine__trim_journal(machine, drop);
	machine->kept_from = max_u64(machine->kept_from, f->before.time);
	struct event *events = xmalloc(machine->nr_played * sizeof(*events));

	for (u32 i = 0; i < machine->nr_played; i++) {
		events[i] = machine->events[machine->played[i].event];
		machine->played[i].event = i;
		if (events[i].kind == EVENT_MAP) /* even an empty one */
			f->maps[events[i].arg] = true;
	}
	free(machine->events);
	machine->events = events;
	machine->events_cap = machine->nr_events = machine->nr_settled = machine->nr_played;
}

static void forget(struct machine *machine, struct moment before, const u8 *used, bool keep_ended)
{
	struct forgetting f = { .machine = machine, .before = before, .keep_ended = keep_ended };

	BUG_ON(machine->nr_settled != machine->nr_events);
	f.processes = xcalloc(machine->nr_processes, 1);
	f.threads = xcalloc(machine->nr_threads, 1);
	f.maps = xcalloc(machine->nr_maps, 1);
	keep_threads(&f, used);
	drop_replaced(&f);
	keep_used(&f, used);
	for (u32 i = 0; i < machine->nr_processes; i++)
		if (f.processes[i])
			take_over(&f, &machine->processes[i]);
	for (u32 i = 0; i < machine->nr_processes; i++) {
		if (!f.processes[i])
			continue;
		prune_space(&f, &machine->processes[i].text);
		prune_space(&f, &machine->processes[i].data);
		prune_timeline(&f, &machine->processes[i].execs);
	}
	prune_space(&f, &machine->kernel);
	drop_events(&f);
	drop_threads(&f);
	drop_pids(&f);
	drop_processes(&f);
	drop_maps(&f);
	free(f.processes);
	free(f.threads);
	free(f.maps);
}

void machine__forget(struct machine *machine, struct moment before, const u8 *used)
{
	machine->forgets = true;
	forget(machine, before, used, false);
}

void machine__forget_replaced(struct machine *machine, struct moment before, const u8 *used)
{
	forget(machine, before, used, true);
}

u64 machine__reaches(const struct machine *machine)
{
	return machine->kept_from;
}

u32 machine__size(const struct machine *machine)
{
	return machine->nr_threads - machine->free_threads.nr + machine->nr_maps -
	       machine->free_maps.nr;
}

u32 machine__nr_events(const struct machine *machine)
{
	return machine->nr_events;
}
