/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges scheduler samples into ones that show where a task slept, and for how long (inject -s).
 * sched_switch has the chain at which a task went to sleep; sched_stat_sleep and its like come
 * later, from elsewhere, with the duration.
 */
#ifndef PERF_UTIL_EXPORT_SCHED_MERGE_H
#define PERF_UTIL_EXPORT_SCHED_MERGE_H

#include "util/reader/reader.h"

struct sample;

struct sched_merge; /* private */

struct sched_merge *sched_merge__new(const struct perf_data *data); /* borrowed */
void sched_merge__delete(struct sched_merge *merge);

/*
 * False: the sample is of another event and stays. True: it was taken; *merged (valid until the
 * next call) with *size is the sample that replaces it, or NULL. @sample then has the ip, cpumode,
 * pid and tid of @merged.
 */
bool sched_merge__take(struct sched_merge *merge, const struct evsel *evsel, struct sample *sample,
                       const struct record *record, const u8 **merged, u32 *size);

#endif
