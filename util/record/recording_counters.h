/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters of a recording: the default event, opening them with all fallbacks, on and off. */
#ifndef PERF_UTIL_RECORD_RECORDING_COUNTERS_H
#define PERF_UTIL_RECORD_RECORDING_COUNTERS_H

#include "util/record/recording.h"

/* cycles at the highest precision, and in user space only where the kernel is not ours to see. */
void recording__add_default_event(struct recording *recording);

/* Open all events, with filters and ids. 0 or a negative errno. */
int recording__open_counters(struct recording *recording, struct error *err);

/*
 * Read the ids of the open counters of @evsel, and apply its filter, if any: that of a tracepoint,
 * or of samples. Counters that are to stand in for an event later are filtered in its name: they
 * have the same @evsel. 0 or a negative errno with @err.
 */
int recording__filter(struct recording *recording, struct evsel *evsel, struct error *err);

/*
 * Turn on or off the leaders among the @nr events from @first on. 0, or the first negative errno.
 */
int recording__each_leader(struct recording *recording, u32 first, u32 nr,
                           int (*turn)(struct evsel *evsel), const char *what, struct error *err);

#endif
