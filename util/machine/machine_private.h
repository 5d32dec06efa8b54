/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What machine.c (feeding), play.c (playing, going back) and forget.c build and lookup.c (asking)
 * reads: nothing of it changes between two calls of machine__settle(). Nobody else includes this.
 *
 * Numbers of processes and threads are given once: a process is the n-th instance of its pid, a
 * thread a tid of a process. Going back only takes them off the lists of what is present, so that
 * playing again finds the same numbers.
 */
#ifndef PERF_UTIL_MACHINE_MACHINE_PRIVATE_H
#define PERF_UTIL_MACHINE_MACHINE_PRIVATE_H

#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/machine/machine.h"
#include "util/machine/space.h"

#define KERNEL_PID (-1)

enum event_kind { EVENT_MAP, EVENT_FORK, EVENT_COMM, EVENT_EXIT };

struct event {
	struct moment when;
	u32 arg; /* MAP: index of the map; FORK: the parent's pid; COMM: the comm's string */
	s32 pid, tid;
	s32 ptid; /* FORK */
	u8 kind;
	bool flag; /* FORK: inherits maps; COMM: an exec */
};

/* What happened to one owner, by moment. */
struct timeline {
	struct change {
		struct moment when;
		u32 value; /* comms: its string; ID_NONE: unknown from now on */
	} * items;
	u32 nr, cap;
};

/* The instances of a pid: from its FORK to the next one. */
struct pid_state {
	u32 *instances; /* processes, by moment */
	u32 nr;         /* present ones ... */
	u32 known, cap; /* ... and those that have a number */
	s32 *noted;     /* tids that samples name: threads of each instance */
	u32 nr_noted;
	size_t cap_noted;
	u32 rest; /* the one instance that has them where they are too many for each; ID_NONE */
};

struct process {
	s32 pid;
	u32 by_pid;         /* index of its pid_state; ID_NONE: the number is free */
	bool played;        /* an event told of it; else only samples did */
	struct moment born; /* the FORK; zero if it was there from the beginning */
	/* The process to search for what is not mapped here, and as of when; ID_NONE: none. */
	u32 parent;
	struct moment parent_when;
	u64 space; /* see machine__space() */
	struct timeline execs;
	struct space text, data;
};

struct thread_state {
	struct thread public;
	u32 no_comm;        /* ":TID": before the first COMM; ID_NONE: no name was needed yet */
	s32 parent;         /* tid that forked it; -1: unknown */
	u32 made;           /* how many threads were made before */
	u8 told;            /* enum thread_told */
	bool played, noted; /* by an event, by samples; neither: it is not there (any more) */
	bool exited;
	struct moment ended; /* if so */
	struct timeline comms;
};

/* How to undo a step of playing. */
struct undo {
	u8 kind;
	u8 told;
	bool played, exited;
	u32 id;
	s32 parent;
};

struct played {
	u32 event;
	u32 undo; /* its first in the journal */
};

/* Of array elements that are not in use. */
struct free_numbers {
	u32 *numbers;
	u32 nr;
	size_t cap;
};

/* One of them, else the next: *nr becomes one more. */
static inline u32 free_numbers__take(struct free_numbers *free_numbers, u32 *nr)
{
	return free_numbers->nr ? free_numbers->numbers[--free_numbers->nr] : (*nr)++;
}

void free_numbers__add(struct free_numbers *free_numbers, u32 number);

#define NO_MAP INT32_MIN /* pid of a map whose number is free */

struct machine {
	struct strtab *strings;

	/* As fed */
	struct map_info *maps;
	u32 nr_maps;
	size_t maps_cap;
	struct event *events;
	u32 nr_events, nr_settled; /* all, and those that were played */
	size_t events_cap;
	struct u64map noted; /* (pid, tid) -> index */
	struct thread *notes;
	u32 nr_notes, notes_settled;
	size_t notes_cap;

	/* The present state: what was played */
	struct process *processes;
	u32 nr_processes;
	size_t processes_cap;
	struct thread_state *threads;
	u32 nr_threads;
	size_t threads_cap;
	struct pid_state *pids;
	u32 nr_pids;
	size_t pids_cap;
	struct u64map by_pid; /* -> index in pids */
	struct u64map by_tid; /* (process, tid) -> thread */
	struct space kernel;
	u32 nr_made;    /* threads so far, forgotten ones, too */
	u32 note_pairs; /* threads that were made of notes beyond one for each */
	u64 last_space;
	u32 nr_instances_made; /* with notes they have not got yet, in `fresh` */
	u32 *fresh;
	size_t fresh_cap;
	u32 *grown; /* owners of spaces that may need an index */
	u32 nr_grown;
	size_t grown_cap;

	/* To go back: what was played last, in order, and how to undo it */
	bool was_settled, keeps_journal;
	u64 played_until; /* time of the last event that was played ... */
	u64 kept_from;    /* ... and of the last one that is not in here */
	struct played *played;
	u32 nr_played;
	size_t played_cap;
	struct undo *journal;
	u32 nr_journal;
	size_t journal_cap;
	u32 last_nr; /* events of the last call */

	/* See forget.c */
	bool forgets;
	struct free_numbers free_processes, free_threads, free_maps;
	struct free_numbers unnamed; /* threads that may need a name */
	u64 work;                    /* see machine__work() */
};

static inline u64 pair_key(u32 a, s32 b)
{
	return (u64)a << 32 | (u32)b;
}

static inline bool thread_state__present(const struct thread_state *thread)
{
	return thread->played || thread->noted;
}

/* ---- play.c ---- */

/* Free all that was made, so that everything can be played from the start. */
void machine__clear(struct machine *machine);

/* Play events[nr_settled..], going back as far as is necessary; then what samples told of. */
void machine__play_on(struct machine *machine);

/* What the first @drop events of the journal did is never undone. */
void machine__trim_journal(struct machine *machine, u32 drop);

/* The process that @pid is at present; ID_NONE: there is none. */
static inline u32 machine__present(const struct machine *machine, s32 pid)
{
	u32 index = u64map__get(&machine->by_pid, (u32)pid);
	const struct pid_state *state = index == ID_NONE ? NULL : &machine->pids[index];

	return state && state->nr ? state->instances[state->nr - 1] : ID_NONE;
}

/* Whose a map is: one number for each address space. */
#define KERNEL_OWNER 0

static inline u32 process_owner(u32 process, bool data)
{
	return 1 + 2 * process + data;
}

static inline struct space *space_of_owner(struct machine *machine, u32 owner)
{
	struct process *process = owner ? &machine->processes[(owner - 1) / 2] : NULL;

	if (!process)
		return &machine->kernel;
	return owner % 2 ? &process->text : &process->data;
}

#endif
