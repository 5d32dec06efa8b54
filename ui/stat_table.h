/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How `perf stat` shows its counts: the table, and the lines of -x. Both are read by scripts: the
 * layout is that of Linux's perf 6.1 to the blank.
 */
#ifndef PERF_UI_STAT_TABLE_H
#define PERF_UI_STAT_TABLE_H

#include "util/lib/out.h"
#include "util/stat/counts.h"

struct stat_table {
	const char *title; /* "'ls -l'", "'system wide'", "process id '1'" */
	u32 nr_runs;       /* of -r; 1 shows no spread */
	const struct stat_event *events;
	u32 nr_events;
	struct stats wall; /* elapsed ns of the runs */
	bool has_usage;    /* show user_ns and sys_ns (of one run) */
	u64 user_ns, sys_ns;
	bool big_num; /* thousands separators of the locale */
};

void stat_table__print(const struct stat_table *table, struct out *out);
void stat_table__print_csv(const struct stat_table *table, const char *separator, struct out *out);

#endif
