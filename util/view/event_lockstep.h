/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the samples of an event were taken in lockstep with the work (util/lib/lockstep.h). */
#ifndef PERF_UTIL_VIEW_EVENT_LOCKSTEP_H
#define PERF_UTIL_VIEW_EVENT_LOCKSTEP_H

#include "util/view/hists.h"

struct event_lockstep {
	u32 round;      /* so many samples make a round of the work; 0: nothing says so */
	u64 nr_samples; /* of the threads that were hit so */
};

/*
 * Of event @member of the group of @evsel, in what its entries have themselves. Only clocks are
 * looked at, whose periods are times, and only threads that are one (not the idle ones of all
 * CPUs).
 * @slot: of a key of time that tells each moment, among the sample keys of the profile.
 */
struct event_lockstep event_lockstep__find(const struct hists *hists, u32 evsel, u32 member,
                                           u32 slot);

#endif
