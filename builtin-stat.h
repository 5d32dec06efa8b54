/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of perf stat have in common. */
#ifndef PERF_BUILTIN_STAT_H
#define PERF_BUILTIN_STAT_H

#include "builtin.h"
#include "util/event/parse.h"
#include "util/lib/out.h"
#include "util/stat/measure.h"

/* Exit status that Linux's perf makes of -EINVAL. */
#define EXIT_EINVAL 234

struct stat_command {
	const char *cpu_list, *pids, *tids, *output, *separator, *pre, *post;
	bool system_wide, append, null_run, big_num, scale, group, quiet;
	bool all_user, all_kernel, has_log_fd, has_big_num;
	bool json, summary, no_csv_summary, metric_only, table, interval_clear, topdown;
	bool transaction, no_merge, percore_show_thread;
	unsigned nr_runs, log_fd;
	const char *control, *for_each_cgroup, *metrics;
	u32 next_cgroup; /* index of the event that the next -G begins with */
	double *run_ns;  /* --table: elapsed time of each run */
	int verbose, detailed;
	struct event_sources sources;
	struct evlist list;
	u32 last_first; /* index of the first event of the last -e */
	struct measurement measurement;
	char *title;
	struct out out;
	u32 nr_intervals; /* printed */
	u64 interval_ns;  /* length of the one that is printed */
};

/* Fills @stat. 0 to go on, or the exit status. */
int stat__parse_options(struct stat_command *stat, int argc, const char **argv);

/* Is it about CPUs, not about a command or tasks? */
bool stat__is_system_wide(const struct stat_command *stat);

#endif
