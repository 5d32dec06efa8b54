/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where tasks slept and for how long (inject -s): sched_switch tells where a task went to sleep,
 * with its chain; sched_stat_sleep and its like, later and from elsewhere, for how long. Together
 * they are one sample.
 */
#ifndef PERF_UTIL_EXPORT_SCHED_MERGE_H
#define PERF_UTIL_EXPORT_SCHED_MERGE_H

#include "util/reader/reader.h"

struct sample;

struct sched_merge; /* private */

struct sched_merge *sched_merge__new(const struct perf_data *data); /* borrowed */
void sched_merge__delete(struct sched_merge *merge);

/*
 * False: not of these events, it goes its way. True: it was taken; *merged (valid until the next
 * call) with *size is the sample that comes in its place, or NULL. @sample then says what @merged
 * does of place and thread.
 */
bool sched_merge__take(struct sched_merge *merge, const struct evsel *evsel, struct sample *sample,
                       const struct record *record, const u8 **merged, u32 *size);

#endif
