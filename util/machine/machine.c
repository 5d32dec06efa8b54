// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Feeding only appends to flat arrays. machine__settle() sorts what is new by moment and plays it,
 * in order, on tables of the present state (play.c). What was never gone through again is not
 * touched, so the cost is that of what is new.
 */
#include "util/machine/machine.h"

#include <stdlib.h>

#include "util/machine/machine_private.h"

void free_numbers__add(struct free_numbers *free_numbers, u32 number)
{
	array__reserve(&free_numbers->numbers, &free_numbers->cap, free_numbers->nr + 1,
	               sizeof(u32));
	free_numbers->numbers[free_numbers->nr++] = number;
}

struct machine *machine__new(struct strtab *strings)
{
	struct machine *machine = xcalloc(1, sizeof(*machine));

	machine->strings = strings;
	return machine;
}

static void drop_what_was_fed(struct machine *machine)
{
	free(machine->events);
	machine->events = NULL;
	u64map__exit(&machine->noted);
	free(machine->notes);
	machine->notes = NULL;
}

void machine__delete(struct machine *machine)
{
	if (!machine)
		return;
	machine__clear(machine);
	drop_what_was_fed(machine);
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

	*event = (struct event){ .when = when, .kind = kind, .pid = pid, .tid = tid };
	return event;
}

void machine__map(struct machine *machine, const struct map_info *map)
{
	array__reserve(&machine->maps, &machine->maps_cap, machine->nr_maps + 1,
	               sizeof(*machine->maps));
	u32 id = free_numbers__take(&machine->free_maps, &machine->nr_maps);

	machine->maps[id] = *map;
	feed(machine, map->when, EVENT_MAP, map->pid, map->tid)->arg = id;
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
	struct event *event = feed(machine, when, EVENT_FORK, pid, tid);

	event->arg = ppid;
	event->ptid = ptid;
	event->flag = inherit_maps;
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
	event->flag = exec;
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

/* ---- settling ---- */

static bool settle(struct machine *machine)
{
	bool first = !machine->was_settled;

	if (!first && machine->nr_settled == machine->nr_events &&
	    machine->notes_settled == machine->nr_notes)
		return false;
	machine->was_settled = true;
	machine__play_on(machine);
	return true;
}

bool machine__settle(struct machine *machine)
{
	machine->keeps_journal = true;
	return settle(machine);
}

bool machine__finish(struct machine *machine)
{
	bool changed = settle(machine);

	drop_what_was_fed(machine);
	return changed;
}

u64 machine__work(const struct machine *machine)
{
	return machine->work;
}
