// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of perf stat. Columns: time of the interval, group, count 18, unit at least 4, name 25
 * padded to 32 where a count stands, cgroup, metric 35 (" # ", figure, blank, unit), spread, share
 * of time.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/text/stat_view.h"

#define METRIC_WIDTH 35
#define COLUMN_WIDTH 20 /* of --metric-only */

static int unit_width(const struct stat_view *view)
{
	size_t width = strlen("msec");

	for (u32 i = 0; i < view->counts->nr_events; i++) {
		size_t len = strlen(view->counts->groups[0].events[i].evsel->unit);

		width = len > width ? len : width;
	}
	return width > 40 ? 40 : width;
}

/* Width of the name of a group; behind it are the number of CPUs, if there is one, and a blank. */
static int group_width(enum aggregate_mode mode)
{
	static const int widths[] = {
		[AGGREGATE_CPU] = 10,   [AGGREGATE_CORE] = 16, [AGGREGATE_DIE] = 13,
		[AGGREGATE_SOCKET] = 7, [AGGREGATE_NODE] = 7,  [AGGREGATE_THREAD] = 25,
	};

	return mode < ARRAY_SIZE(widths) ? widths[mode] : 0;
}

/* "            bash-17      ": the comm right-aligned to 16, the tid left-aligned to 8. */
static void print_thread(const char *name, struct out *out)
{
	const char *dash = strrchr(name, '-');
	int comm = dash ? (int)(dash - name) : 16;

	out__fill(out, ' ', 16 - comm);
	out__name(out, name);
	out__fill(out, ' ', 9 - (dash ? (int)strlen(dash) : 0));
	out__char(out, ' ');
}

static void print_prefix(const struct stat_view *view, const struct stat_row *row, struct out *out)
{
	enum aggregate_mode mode = view->counts->mode;

	if (view->interval)
		out__printf(out, "%6llu.%09llu ", (unsigned long long)(view->time_ns / 1000000000),
		            (unsigned long long)(view->time_ns % 1000000000));
	if (mode == AGGREGATE_GLOBAL)
		return;
	if (mode == AGGREGATE_THREAD) {
		print_thread(row->group ? row->group->name : "", out);
		return;
	}
	out__left(out, row->group->name, group_width(mode));
	if (stat_view__has_nr_cpus(view))
		out__printf(out, "%4u", stat_row__nr_cpus(row));
	out__char(out, ' ');
}

/* The formats are those of metrics.c. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void format_figure(const struct stat_metric *metric, char *buf, size_t size)
{
	snprintf(buf, size, metric->format, metric->value);
}
#pragma GCC diagnostic pop

static void print_metric(const struct stat_metric *metric, struct out *out)
{
	char figure[64];
	int len;

	if (!metric) {
		out__fill(out, ' ', METRIC_WIDTH);
		return;
	}
	format_figure(metric, figure, sizeof(figure));
	len = strlen(" # ") + strlen(figure) + 1 + strlen(metric->unit);
	out__printf(out, " # %s ", figure);
	out__name(out, metric->unit);
	out__fill(out, ' ', METRIC_WIDTH - len);
}

/* What follows the metric: spread over the runs, share of the time it was counted. */
static void print_notes(const struct stat_view *view, const struct stat_event *event,
                        struct out *out)
{
	double percent = stats__deviation_percent(&event->value);

	if (view->nr_runs > 1 && event->supported && percent)
		out__printf(out, "  ( +-%6.2f%% )", percent);
	if (event->supported && event->running.mean != event->enabled.mean)
		out__printf(out, "  (%.2f%%)", stat_event__percent_running(event));
	out__char(out, '\n');
}

static void print_cgroup(const struct stat_view *view, const struct stat_event *event,
                         struct out *out)
{
	if (!stat_view__has_cgroups(view))
		return;
	out__char(out, ' ');
	out__name(out, event->evsel->cgroup ? event->evsel->cgroup : "");
}

/* Below a value and its unit. */
static void print_ci(const struct stat_ci *ci, int decimals, int width, struct out *out)
{
	out__printf(out, "%18.*f %-*s median, 95 %% [%.*f, %.*f], all %.*f to %.*f\n", decimals,
	            ci->median, width, "", decimals, ci->low, decimals, ci->high, decimals, ci->min,
	            decimals, ci->max);
}

static void print_row(const struct stat_view *view, const struct stat_row *row, int width,
                      struct out *out)
{
	const struct stat_event *event = row->event;
	struct stat_metric metrics[STAT_METRICS_MAX];
	u32 nr = stat_view__metrics(view, row, metrics);
	bool counted = stat_event__counted(event);
	struct stat_ci ci;
	int decimals;
	double value;

	print_prefix(view, row, out);
	value = stat_event__shown(event, &decimals);
	if (!counted)
		out__printf(out, "%18s ", stat_event__absent(event));
	else if (view->big_num)
		out__printf(out, "%'18.*f ", decimals, value);
	else
		out__printf(out, "%18.*f ", decimals, value);
	out__left(out, event->evsel->unit, width); /* perhaps from a file */
	out__char(out, ' ');
	out__left(out, event->evsel->name, counted ? 32 : 25);
	print_cgroup(view, event, out);
	print_metric(nr ? &metrics[0] : NULL, out);
	for (u32 i = 1; i < nr; i++) { /* on lines of their own, below the first */
		out__char(out, '\n');
		print_prefix(view, row, out);
		out__fill(out, ' ', 18 + 1 + width + 1 + 32);
		print_metric(&metrics[i], out);
	}
	print_notes(view, event, out);
	if (stat_ci__of(view, &event->runs, event->evsel->scale, &ci)) {
		print_prefix(view, row, out);
		print_ci(&ci, decimals, width, out);
	}
}

/* The names of the columns above intervals. */
static void print_heading(const struct stat_view *view, struct out *out)
{
	static const char *const groups[] = {
		[AGGREGATE_GLOBAL] = "",
		[AGGREGATE_CPU] = "CPU        ",
		[AGGREGATE_CORE] = "core            cpus ",
		[AGGREGATE_DIE] = "die          cpus ",
		[AGGREGATE_SOCKET] = "socket cpus ",
		[AGGREGATE_NODE] = "node   cpus ",
		[AGGREGATE_THREAD] = "            comm-pid      ",
	};

	out__printf(out, "#           time %s", groups[view->counts->mode]);
	if (!view->metric_only)
		out__printf(out, "            counts %-*s events\n", unit_width(view), "unit");
}

/* --- --metric-only --- */

static void print_columns(const struct stat_view *view, const struct stat_column *columns, u32 nr,
                          const struct aggregate_group *group, struct out *out)
{
	for (u32 i = 0; i < nr; i++) {
		int width = strlen(columns[i].name);
		struct stat_metric metric;
		char figure[64];
		bool has = group && stat_column__of(&columns[i], view, group, &metric);

		if (has)
			stat_metric__figure(&metric, figure, sizeof(figure));
		out__right(out,
		           has     ? figure
		           : group ? ""
		                   : columns[i].name,
		           width < COLUMN_WIDTH ? COLUMN_WIDTH : width);
		out__char(out, ' ');
	}
	out__char(out, '\n');
}

static void print_figures(const struct stat_view *view, struct out *out)
{
	enum aggregate_mode mode = view->counts->mode;
	struct stat_column *columns;
	u32 nr;

	columns = stat_view__columns(view, &nr);
	if (view->interval && view->heading)
		print_heading(view, out);
	else if (!view->interval && mode != AGGREGATE_GLOBAL)
		out__fill(out, ' ', group_width(mode) + 1 + (stat_view__has_nr_cpus(view) ? 4 : 0));
	if (!view->interval || view->heading)
		print_columns(view, columns, nr, NULL, out);
	for (u32 g = 0; g < view->counts->nr; g++) {
		struct stat_row row = { &view->counts->groups[g], view->counts->groups[g].events,
			                0 };

		print_prefix(view, &row, out);
		print_columns(view, columns, nr, row.group, out);
	}
	free(columns);
}

/* --- times --- */

/* Two digits of the spread beyond its first: 0.0158 -> 4, 0.0000264 -> 7. */
static int spread_decimals(double seconds)
{
	int decimals;

	if (seconds <= 0)
		return 9;
	decimals = (int)ceil(-log10(seconds)) + 2;
	return decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
}

/* --table: the time of each run, its distance from the mean, a bar: a # for each 5 % of itself. */
static void print_runs(const struct stat_view *view, int decimals, struct out *out)
{
	double mean = view->wall.mean / 1e9;
	int indent = 17 - snprintf(NULL, 0, "%.*f", decimals, mean);
	out__printf(out, " %*s# Table of individual measurements:\n", indent, "");
	for (u32 i = 0; i < view->wall.nr; i++) {
		double time = view->run_ns[i] / 1e9;
		double bar = time > 0 ? ceil(20 * fabs(time - mean) / time) : 1;

		out__printf(out, " %17.*f (%+.*f) ", decimals, time, decimals, time - mean);
		out__fill(out, '#', bar < 1 ? 1 : bar > 100 ? 100 : (int)bar);
		out__char(out, '\n');
	}
	out__printf(out, "\n %*s# Final result:\n", indent, "");
}

static void print_times(const struct stat_view *view, struct out *out)
{
	double mean = view->wall.mean / 1e9, spread = stats__deviation(&view->wall) / 1e9;
	int decimals = spread_decimals(spread);

	if (view->counts->nr_events)
		out__char(out, '\n');
	if (view->nr_runs > 1) {
		const struct series runs = { (double *)view->run_ns, view->wall.nr, 0 };
		struct stat_ci ci;

		if (view->table)
			print_runs(view, decimals, out);
		out__printf(out, " %17.*f +- %.*f seconds time elapsed  ( +-%6.2f%% )\n", decimals,
		            mean, decimals, spread, stats__deviation_percent(&view->wall));
		if (view->run_ns && stat_ci__of(view, &runs, 1e-9, &ci))
			print_ci(&ci, decimals, 0, out);
		out__char(out, '\n');
		return;
	}
	out__printf(out, " %17.9f seconds time elapsed\n\n", mean);
	if (view->has_usage)
		out__printf(out, " %17.9f seconds user\n %17.9f seconds sys\n\n\n",
		            view->user_ns / 1e9, view->sys_ns / 1e9);
}

static void print_rows(const struct stat_view *view, struct out *out)
{
	struct stat_row *rows;
	u32 nr;

	rows = stat_view__rows(view, &nr);
	for (u32 i = 0; i < nr; i++)
		print_row(view, &rows[i], unit_width(view), out);
	free(rows);
}

void stat_table__print(const struct stat_view *view, struct out *out)
{
	if (!view->interval) {
		out__str(out, "\n Performance counter stats for ");
		out__name(out, view->title);
		if (view->nr_runs > 1)
			out__printf(out, " (%u runs)", view->nr_runs);
		out__str(out, ":\n\n");
	} else if (view->heading && !view->metric_only) {
		print_heading(view, out);
	}
	if (view->metric_only)
		print_figures(view, out);
	else
		print_rows(view, out);
	if (!view->interval)
		print_times(view, out);
	if (!view->interval && view->note)
		out__printf(out, "<not supported>: %s; 'perf doctor cpu-counters' says more\n\n",
		            view->note);
}
