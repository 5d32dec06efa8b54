/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Software events of one kind (page-faults and page-faults:u) in one recording: since 6.2 kernels
 * give the samples of all of them that come from one fault the id of one, so that nobody can tell
 * whose they are. What they fill in once for one fault is not filled in again. The clocks, which
 * happen for each counter, are right, and so are tracepoints.
 */
#ifndef PERF_UTIL_COUNTER_SHARED_IDS_H
#define PERF_UTIL_COUNTER_SHARED_IDS_H

#include "util/event/evsel.h"

/* Does the kernel of this release ("6.18.1-amd64") do it, unless it was mended (id_check.h)? */
bool shared_ids__are_of(const char *release);

/*
 * The next events whose samples cannot be told apart, as "'page-faults' and 'page-faults:u'", to be
 * freed; NULL: there are no more. @from is 0 at first. @samples: how many the file has of each
 * event, since one sample alone is right; NULL: that is not known.
 */
char *shared_ids__next(const struct evlist *list, const u64 *samples, u32 *from);

#endif
