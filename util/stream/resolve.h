/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resolve the pid, tid and addresses of a sample to ids, through a worker's private caches.
 *
 * The caches are in front of the machine's look-ups. Each entry has the time span it is valid for.
 */
#ifndef PERF_UTIL_STREAM_RESOLVE_H
#define PERF_UTIL_STREAM_RESOLVE_H

#include "util/machine/machine.h"

enum loc_flags {
	LOC_BEFORE_EXEC = 1u << 0, /* found in a map older than the last exec */
	LOC_DATA = 1u << 1,        /* variables name it, too; set by who looks for such */
	LOC_BRANCH_TO = 1u << 2,   /* a frame of a branch stack: where a branch led to ... */
	LOC_BRANCH_FROM = 1u << 3, /* ... and where it came from; loc.branch tells more */
	LOC_BRANCH = LOC_BRANCH_TO | LOC_BRANCH_FROM,
};

/* loc.branch of a target: its kind (branch_entry__kind()) in the bits from LOC_TO_KIND on. */
enum {
	LOC_TO_MISPREDICTED = 1u << 0,
	LOC_TO_ABORTED = 1u << 1,
	LOC_TO_BACK = 1u << 2, /* of a conditional one */
	LOC_TO_KIND = 3,
};

/* loc.branch of a source: its cycles (16 bits), and at the end of the rounds of a loop how many
 * there were but for this one (16 bits), and the cycles of all (32). */
enum {
	LOC_FROM_MORE = 16,
	LOC_FROM_ROUNDS_CYCLES = 32,
};

struct loc {
	u64 addr; /* inside the dso if mapped (see session_symbols__find), raw if dso is ID_NONE */
	u64 branch; /* LOC_BRANCH_TO: LOC_TO_*; LOC_BRANCH_FROM: LOC_FROM_*; else 0 */
	u32 dso;
	u8 cpumode; /* PERF_RECORD_MISC_KERNEL, _USER ... */
	u8 flags;
};

/* The time span [since, until). */
struct validity {
	struct moment since, until;
};

static inline bool validity__covers(const struct validity *v, struct moment when)
{
	return !moment__before(when, v->since) && moment__before(when, v->until);
}

/* Shrink @v to what it has in common with @other. */
static inline void validity__intersect(struct validity *v, const struct validity *other)
{
	if (moment__before(v->since, other->since))
		v->since = other->since;
	if (moment__before(other->until, v->until))
		v->until = other->until;
}

struct task {
	s32 pid, tid;
	u32 thread, comm;
	u32 instance; /* the thread's process instance: the owner of the address space */
	struct validity valid;
};

/* A resolved address of one address space. */
struct place {
	struct loc loc;
	struct validity valid;
	bool clock_miss; /* nothing was mapped here, but something was less than 1 ms later */
};

struct resolver; /* private; one per worker */

struct resolver *resolver__new(const struct machine *machine, const struct dsos *dsos);
void resolver__delete(struct resolver *resolver);

/* Drop the caches: earlier answers of the machine are invalid (machine__settle()). */
void resolver__forget(struct resolver *resolver);

/* NULL: unknown task. Valid until the next call with the same @resolver. */
const struct task *resolver__task(struct resolver *resolver, s32 pid, s32 tid, struct moment when);

/* Resolve @addr of @task at @when in the address space of @cpumode (PERF_RECORD_MISC_*). */
void resolver__place(struct resolver *resolver, const struct task *task, u8 cpumode, u64 addr,
                     struct moment when, struct place *place);

/* The same for an address of data, which may lie in a map of data (record -d); uncached. */
void resolver__place_data(struct resolver *resolver, const struct task *task, u8 cpumode, u64 addr,
                          struct moment when, struct place *place);

#endif
