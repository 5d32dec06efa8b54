/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of `perf stat`: the table for people, lines of fields (-x), lines of JSON (-j).
 * Scripts read all three: the layout is exactly that of Linux's perf 6.1.
 *
 * A view is one output: the end of a measurement, or one interval of -I.
 */
#ifndef PERF_UI_TEXT_STAT_VIEW_H
#define PERF_UI_TEXT_STAT_VIEW_H

#include "util/lib/out.h"
#include "util/stat/aggregate.h"
#include "util/stat/metric_set.h"
#include "util/stat/metrics.h"

struct stat_view {
	const char *title; /* "'ls -l'", "'system wide'", "process id '1'" */
	u32 nr_runs;       /* -r; 1: no spread is shown */
	const struct aggregation *counts;
	struct metric_set *metrics; /* -M; NULL: none */
	struct stats wall;          /* elapsed ns of the runs, or of the interval */
	bool has_usage;             /* show user_ns and sys_ns (of one run) */
	u64 user_ns, sys_ns;
	bool big_num;     /* thousands separators of the locale */
	bool metric_only; /* --metric-only: the figures without the counts, in one line per group */
	bool percore_all; /* --percore-show-thread: events per core have a row for each CPU, too */
	bool hide_zero;   /* --hide-zero-events: no rows for counts of 0 */
	bool only_counted; /* leave out threads that did nothing */
	bool interval;     /* an interval, which ended at time_ns */
	u64 time_ns;
	bool heading;          /* print the names of the columns before this interval */
	bool summary;          /* lines of -x begin with "summary" */
	const double *run_ns;  /* --table, --ci: the elapsed time of each of the nr_runs, or NULL */
	bool table;            /* --table: show them */
	bool ci;               /* --ci: median, its interval, smallest and largest run */
	const char *separator; /* -x */
	const char *note;      /* below the table: why events are <not supported>; NULL: none */
};

void stat_table__print(const struct stat_view *view, struct out *out);
void stat_csv__print(const struct stat_view *view, struct out *out);
void stat_json__print(const struct stat_view *view, struct out *out);

/* --- for the three --- */

struct stat_row {
	const struct aggregate_group *group; /* NULL: an event no thread of the view counted */
	const struct stat_event *event;
	u32 index; /* of the event */
};

/*
 * The rows, ordered by group, then event; with a group for each CPU or thread by event
 * first, threads with the largest count first. The caller frees the array.
 */
struct stat_row *stat_view__rows(const struct stat_view *view, u32 *nr);

/* The metrics of a row, from the counts of its own group. Returns their number. */
u32 stat_view__metrics(const struct stat_view *view, const struct stat_row *row,
                       struct stat_metric metrics[STAT_METRICS_MAX]);

/* The mean in the event's unit, and the number of decimals to show. */
double stat_event__shown(const struct stat_event *event, int *decimals);
const char *stat_event__absent(const struct stat_event *event); /* "<not counted>" or so */
double stat_event__percent_running(const struct stat_event *event);
u32 stat_row__nr_cpus(const struct stat_row *row);

/* Do the rows of groups have a number of CPUs? */
bool stat_view__has_nr_cpus(const struct stat_view *view);
bool stat_view__has_cgroups(const struct stat_view *view);

/* The values that --ci shows, each times @scale. False: there are fewer than two runs. */
struct stat_ci {
	double median, low, high, min, max;
};
bool stat_ci__of(const struct stat_view *view, const struct series *runs, double scale,
                 struct stat_ci *ci);

/* The figure alone, without blanks and percent sign. */
const char *stat_metric__figure(const struct stat_metric *metric, char *buf, size_t size);

/* A column of --metric-only: one figure of one event, where any group has it. */
struct stat_column {
	u32 event;
	char name[96]; /* "insn per cycle", "branch-misses of all branches" */
	const char *unit;
};

/* The columns of the view, without rates and utilizations. The caller frees the array. */
struct stat_column *stat_view__columns(const struct stat_view *view, u32 *nr);

/* The figure of @group in @column; false: there is none. */
bool stat_column__of(const struct stat_column *column, const struct stat_view *view,
                     const struct aggregate_group *group, struct stat_metric *metric);

#endif
