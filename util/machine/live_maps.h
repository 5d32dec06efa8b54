/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is mapped in each process now: for who follows a recording while it is made. The machine
 * (machine.h) answers for any moment, when all records are known; this one for the last record it
 * was told of, so records must come in the order of time, and it forgets what is over.
 *
 * The same rules: of two maps that overlap the later wins, the rest of the old one stays; a fork
 * has what its parent had, but not one that perf made up from /proc; EXIT ends nothing at once,
 * because samples still follow it; exec clears nothing, its maps cover the old ones.
 *
 * Memory is bounded: processes that have exited are kept until LIVE_MAPS_DEAD others have, equal
 * maps of a parent and its children are one set, and a set has at most LIVE_MAPS_MAX. One thread.
 */
#ifndef PERF_UTIL_MACHINE_LIVE_MAPS_H
#define PERF_UTIL_MACHINE_LIVE_MAPS_H

#include "util/format/record.h"
#include "util/machine/dsos.h"

#define LIVE_MAPS_DEAD 4096
#define LIVE_MAPS_MAX  65536 /* of a process; the kernel's own limit, unless it was raised */

struct live_maps; /* private */

/* @dsos is borrowed: objects are added to it. Memory without a file is one dso for all. */
struct live_maps *live_maps__new(struct dsos *dsos);
void live_maps__delete(struct live_maps *maps);

/*
 * Take a record of this machine's byte order; those that tell nothing of maps in user space are
 * passed over. Returns the dso of a map of code (ID_NONE: it was none), *addr is then where it
 * begins in the object. -EBADMSG never: what makes no sense is passed over, too.
 */
u32 live_maps__take(struct live_maps *maps, const struct record *record, u64 *addr);

/*
 * Tells maps apart: as long as a process has the same number, nothing has changed in it, and two
 * processes with one number have the same maps. 0: the process is not known.
 */
u64 live_maps__space(const struct live_maps *maps, s32 pid);

/*
 * The object mapped at @addr, and *addr inside it as session_symbols__find() takes it; ID_NONE:
 * nothing.
 */
u32 live_maps__find(const struct live_maps *maps, s32 pid, u64 *addr);

#endif
