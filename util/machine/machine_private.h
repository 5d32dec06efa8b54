/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What machine.c (feeding, playing) builds and lookup.c (asking) reads: nothing of it changes
 * after machine__finish(). Nobody else includes this.
 */
#ifndef PERF_UTIL_MACHINE_MACHINE_PRIVATE_H
#define PERF_UTIL_MACHINE_MACHINE_PRIVATE_H

#include "util/lib/alloc.h"
#include "util/lib/hash.h"
#include "util/machine/machine.h"
#include "util/machine/space.h"

struct event; /* of machine.c */
struct fork;

/* Items grouped by owner: those of owner i are items[first[i]] .. items[first[i + 1] - 1]. */
struct groups {
	u32 *first;
	u32 *items;
};

/* An instance of a process: from its FORK to the next FORK of its pid. */
struct process {
	s32 pid;
	bool has_own;       /* maps or execs, so far while playing: worth a look-up */
	struct moment born; /* the FORK; zero if it was there from the beginning */
	/* The process to search for what is not mapped here, and as of when; ID_NONE: none. */
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
	u8 told;       /* enum thread_told */
	s32 parent;    /* tid that forked it; -1: unknown */
};

struct machine {
	struct strtab *strings;
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
	bool unsettled;      /* something was fed since the last machine__settle() */
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
	u32 *map_owner;          /* by map: KERNEL_OWNER, process_owner(); ID_NONE: nobody's */
	struct u64map by_pid;    /* -> latest process while playing, then owner in `instances` */
	struct groups instances; /* of a pid, by moment */
	u32 *comm_first, *exec_first;
	struct u64map by_tid; /* (process, tid) -> thread */
	struct space kernel;
	u32 *map_ids;
};

static inline u64 pair_key(u32 a, s32 b)
{
	return (u64)a << 32 | (u32)b;
}

#endif
