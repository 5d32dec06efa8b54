/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is mapped in each process now, for following a recording while it is made. The machine
 * (machine.h) answers for any moment, when all records are known; this answers for the last record
 * taken, so records must come in the order of time, and older states are forgotten.
 *
 * The rules are those of the machine: of two maps that overlap the later wins, the rest of the old
 * one stays; a fork inherits its parent's maps, unless perf made the record up from /proc; EXIT
 * ends nothing at once, because samples still follow it; exec clears nothing, its maps cover the
 * old ones.
 *
 * Memory is bounded: an exited process is kept until LIVE_MAPS_DEAD others have exited, equal maps
 * of a parent and its children are one set, and a set has at most LIVE_MAPS_MAX. For one thread.
 */
#ifndef PERF_UTIL_MACHINE_LIVE_MAPS_H
#define PERF_UTIL_MACHINE_LIVE_MAPS_H

#include "util/format/record.h"
#include "util/machine/dsos.h"

#define LIVE_MAPS_DEAD 4096
#define LIVE_MAPS_MAX  65536 /* of a process; the kernel's own limit, unless it was raised */

struct live_maps; /* private */

/* @dsos is borrowed: objects are added to it. All memory without a file is one dso. */
struct live_maps *live_maps__new(struct dsos *dsos);
void live_maps__delete(struct live_maps *maps);

/*
 * Take a record of this machine's byte order; records without maps of user space, and damaged ones,
 * are skipped. Returns the dso if the record maps code, with *addr the address in the dso at which
 * the map begins; else ID_NONE.
 */
u32 live_maps__take(struct live_maps *maps, const struct record *record, u64 *addr);

/*
 * Identifies the maps of a process: while the number stays the same they have not changed, and two
 * processes with one number have the same maps. 0: the process is not known.
 */
u64 live_maps__space(const struct live_maps *maps, s32 pid);

/*
 * The object mapped at *addr, which becomes the address inside it as session_symbols__find() takes
 * it; ID_NONE: none.
 */
u32 live_maps__find(const struct live_maps *maps, s32 pid, u64 *addr);

#endif
