/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `report -T`: the counts of each thread, below the profile.
 *
 *	#   PID    TID  cpu-clock
 *	  27799  27799   84632797
 */
#ifndef PERF_UI_TEXT_THREAD_TABLE_H
#define PERF_UI_TEXT_THREAD_TABLE_H

#include "util/analysis/thread_counts.h"
#include "util/lib/out.h"

void thread_table__print(struct out *out, const struct thread_counts *counts);

#endif
