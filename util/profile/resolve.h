/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what a sample says (pid, tid, addresses) to ids, through a worker's private caches in
 * front of the machine's look-ups. A cache entry carries the stretch of time it is true for.
 */
#ifndef PERF_UTIL_PROFILE_RESOLVE_H
#define PERF_UTIL_PROFILE_RESOLVE_H

#include "util/machine/machine.h"
#include "util/profile/profile.h"

/* Everything is valid for moments in [since, until). */
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
	u32 instance; /* of the thread's process: whose address space */
	struct validity valid;
};

/* An address in one address space, found. */
struct place {
	struct loc loc;
	struct validity valid;
	bool clock_miss; /* nothing was mapped here, but less than 1 ms later something is */
};

struct resolver; /* private; one per worker */

struct resolver *resolver__new(const struct machine *machine, const struct dsos *dsos);
void resolver__delete(struct resolver *resolver);

/* What the machine said before is not true any more (machine__settle()). */
void resolver__forget(struct resolver *resolver);

/* NULL: never heard of. Valid until the next call with the same @resolver. */
const struct task *resolver__task(struct resolver *resolver, s32 pid, s32 tid, struct moment when);

/* Where @addr is for @task at @when in the space that @cpumode (PERF_RECORD_MISC_*) names. */
void resolver__place(struct resolver *resolver, const struct task *task, u8 cpumode, u64 addr,
                     struct moment when, struct place *place);

#endif
