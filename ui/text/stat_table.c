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
#include "ui/text/table.h"
#include "util/lib/alloc.h"

#define COLUMN_WIDTH 20 /* of --metric-only */

enum {
	TIME,
	GROUP,
	NR_CPUS,
	NR_PREFIX, /* columns of each line */
	COUNT = NR_PREFIX,
	UNIT,
	EVENT,
	CGROUP,
	METRIC, /* "# figure unit" */
	SPREAD, /* over the runs */
	SHARE,  /* of the time the event was counted */
	NR_COLUMNS,
};

#define COUNTED_WIDTH   32 /* of EVENT */
#define UNCOUNTED_WIDTH 25

static int unit_width(const struct stat_view *view)
{
	size_t width = strlen("msec");

	for (u32 i = 0; i < view->counts->nr_events; i++) {
		size_t len = strlen(view->counts->groups[0].events[i].evsel->unit);

		width = len > width ? len : width;
	}
	return width > 40 ? 40 : width;
}

/* The columns of each line; returns the gap behind them. */
static int set_prefix(const struct stat_view *view, struct table_column *columns)
{
	static const struct table_column groups[] = {
		[AGGREGATE_CPU] = { "CPU", 10 },
		[AGGREGATE_CORE] = { "core", 16 },
		[AGGREGATE_DIE] = { "die", 13 },
		[AGGREGATE_SOCKET] = { "socket", 7 },
		[AGGREGATE_NODE] = { "node", 7 },
		[AGGREGATE_THREAD] = { "            comm-pid", 25, .ragged = true },
	};
	enum aggregate_mode mode = view->counts->mode;

	columns[TIME] = (struct table_column){ "#           time", 16, 0, TABLE_RIGHT,
		                               .hidden = !view->interval };
	if (mode != AGGREGATE_GLOBAL)
		columns[GROUP] = groups[mode];
	columns[GROUP].hidden = mode == AGGREGATE_GLOBAL;
	columns[GROUP].gap = view->interval;
	columns[NR_CPUS] = (struct table_column){ "cpus", 4, 0, TABLE_RIGHT,
		                                  .hidden = !stat_view__has_nr_cpus(view) };
	return view->interval || mode != AGGREGATE_GLOBAL;
}

/* The text of a group is in @name. */
static void fill_prefix(const struct stat_view *view, const struct stat_row *row, char name[128],
                        struct cell *cells)
{
	const char *group = row->group ? row->group->name : "";
	const char *dash = strrchr(group, '-');
	int comm = dash ? (int)(dash - group) : 16, tid = dash ? (int)strlen(dash) : 0;

	cells[TIME] = cell__time(view->time_ns, 9);
	cells[GROUP] = cell__text(group);
	cells[NR_CPUS] = (struct cell){ CELL_NONE };
	if (view->counts->mode == AGGREGATE_THREAD) { /* "            bash-17      " */
		snprintf(name, 128, "%*s%s%*s", comm < 16 ? 16 - comm : 0, "", group,
		         tid < 9 ? 9 - tid : 0, "");
		cells[GROUP] = cell__text(name);
	} else if (stat_view__has_nr_cpus(view)) {
		cells[NR_CPUS] = cell__number(stat_row__nr_cpus(row));
	}
}

/* Below a value and its unit. */
static void format_ci(const struct stat_ci *ci, int decimals, char *buf, size_t size)
{
	snprintf(buf, size, "median, 95 %% [%.*f, %.*f], all %.*f to %.*f", decimals, ci->low,
	         decimals, ci->high, decimals, ci->min, decimals, ci->max);
}

/* The formats are those of metrics.c. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void format_metric(const struct stat_metric *metric, char *buf, size_t size)
{
	int len = snprintf(buf, size, "# ");

	len += snprintf(buf + len, size - len, metric->format, metric->value);
	snprintf(buf + len, size - len, " %s", metric->unit);
}
#pragma GCC diagnostic pop

/* Further metrics, and the interval of the median, stand on lines of their own below the first. */
static void print_row(const struct stat_view *view, const struct stat_row *row,
                      struct table_column *columns, struct out *out)
{
	const struct table table = { columns, NR_COLUMNS };
	const struct stat_event *event = row->event;
	const struct evsel *evsel = event->evsel;
	double percent = stats__deviation_percent(&event->value);
	struct stat_metric metrics[STAT_METRICS_MAX];
	u32 nr = stat_view__metrics(view, row, metrics);
	char name[128], value[512], metric[512], spread[64], share[64], interval[1024];
	const struct cell none = { CELL_NONE }, empty = { CELL_EMPTY };
	struct cell cells[NR_COLUMNS];
	struct stat_ci ci;
	int decimals;
	double shown = stat_event__shown(event, &decimals);

	fill_prefix(view, row, name, cells);
	snprintf(value, sizeof(value), view->big_num ? "%'.*f" : "%.*f", decimals, shown);
	snprintf(spread, sizeof(spread), "( +-%6.2f%% )", percent);
	snprintf(share, sizeof(share), "(%.2f%%)", stat_event__percent_running(event));
	columns[EVENT].width = stat_event__counted(event) ? COUNTED_WIDTH : UNCOUNTED_WIDTH;
	cells[COUNT] = cell__mark(stat_event__counted(event) ? value : stat_event__absent(event));
	cells[UNIT] = cell__text(evsel->unit);
	cells[EVENT] = cell__text(evsel->name);
	cells[CGROUP] = stat_view__has_cgroups(view)
	                        ? cell__text(evsel->cgroup ? evsel->cgroup : "")
	                        : none;
	cells[METRIC] = empty;
	for (u32 i = 0; i < nr || !i; i++) {
		bool last = i + 1 >= nr;

		if (nr) {
			format_metric(&metrics[i], metric, sizeof(metric));
			cells[METRIC] = cell__text(metric);
		}
		cells[SPREAD] = last && view->nr_runs > 1 && event->supported && percent
		                        ? cell__mark(spread)
		                        : none;
		cells[SHARE] =
		        last && event->supported && event->running.mean != event->enabled.mean
		                ? cell__mark(share)
		                : none;
		table__print_row(&table, out, cells);
		columns[EVENT].width = COUNTED_WIDTH;
		cells[COUNT] = cells[UNIT] = cells[EVENT] = empty;
		cells[CGROUP] = none;
	}
	if (!stat_ci__of(view, &event->runs, evsel->scale, &ci))
		return;
	format_ci(&ci, decimals, interval, sizeof(interval));
	columns[EVENT].width = 0;
	cells[COUNT] = cell__real(ci.median, decimals);
	cells[EVENT] = cell__mark(interval);
	cells[METRIC] = cells[SPREAD] = cells[SHARE] = none;
	table__print_row(&table, out, cells);
}

static void print_rows(const struct stat_view *view, struct out *out)
{
	struct table_column columns[NR_COLUMNS] = {
		[COUNT] = { "counts", 18, 0, TABLE_RIGHT },
		[UNIT] = { "unit", unit_width(view), 1 },
		[EVENT] = { "events", 0, 1 },
		[CGROUP] = { NULL, 0, 1 },
		[METRIC] = { NULL, 34, 1 },
		[SPREAD] = { NULL, 0, 2 },
		[SHARE] = { NULL, 0, 2 },
	};
	const struct table heading = { columns, EVENT + 1 };
	struct stat_row *rows;
	u32 nr;

	columns[COUNT].gap = set_prefix(view, columns);
	if (view->interval && view->heading)
		table__print_heading(&heading, out);
	rows = stat_view__rows(view, &nr);
	for (u32 i = 0; i < nr; i++)
		print_row(view, &rows[i], columns, out);
	free(rows);
}

/* --- --metric-only --- */

static void print_figures(const struct stat_view *view, struct out *out)
{
	const struct aggregation *agg = view->counts;
	struct stat_column *names;
	struct table_column *columns;
	struct cell *cells;
	char(*figures)[64], name[128];
	struct stat_metric metric;
	u32 nr;
	int gap;

	names = stat_view__columns(view, &nr);
	columns = xcalloc(NR_PREFIX + nr + 1, sizeof(*columns));
	cells = xcalloc(NR_PREFIX + nr + 1, sizeof(*cells));
	figures = xcalloc(nr + 1, sizeof(*figures));
	gap = set_prefix(view, columns);
	for (u32 i = 0; i <= nr; i++) { /* the last one is the gap behind the others */
		columns[NR_PREFIX + i] =
		        (struct table_column){ names[i].name, i < nr ? COLUMN_WIDTH : 0,
			                       i ? 1 : gap, TABLE_RIGHT };
		cells[NR_PREFIX + i].kind = CELL_EMPTY;
	}
	table__measure_headings(columns + NR_PREFIX, nr);
	const struct table table = { columns, NR_PREFIX + nr + 1 };

	if (!view->interval)
		columns[GROUP].heading = columns[NR_CPUS].heading = NULL;
	if (!view->interval || view->heading)
		table__print_heading(&table, out);
	for (u32 g = 0; g < agg->nr; g++) {
		const struct stat_row row = { &agg->groups[g], agg->groups[g].events, 0 };

		fill_prefix(view, &row, name, cells);
		for (u32 i = 0; i < nr; i++)
			cells[NR_PREFIX + i] =
			        stat_column__of(&names[i], view, row.group, &metric)
			                ? cell__mark(stat_metric__figure(&metric, figures[i], 64))
			                : (struct cell){ CELL_EMPTY };
		table__print_row(&table, out, cells);
	}
	free(names);
	free(columns);
	free(cells);
	free(figures);
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
		char interval[1024];

		if (view->table)
			print_runs(view, decimals, out);
		out__printf(out, " %17.*f +- %.*f seconds time elapsed  ( +-%6.2f%% )\n", decimals,
		            mean, decimals, spread, stats__deviation_percent(&view->wall));
		if (view->run_ns && stat_ci__of(view, &runs, 1e-9, &ci)) {
			format_ci(&ci, decimals, interval, sizeof(interval));
			out__printf(out, "%18.*f  %s\n", decimals, ci.median, interval);
		}
		out__char(out, '\n');
		return;
	}
	out__printf(out, " %17.9f seconds time elapsed\n\n", mean);
	if (view->has_usage)
		out__printf(out, " %17.9f seconds user\n %17.9f seconds sys\n\n\n",
		            view->user_ns / 1e9, view->sys_ns / 1e9);
}

void stat_table__print(const struct stat_view *view, struct out *out)
{
	if (!view->interval) {
		out__str(out, "\n Performance counter stats for ");
		out__name(out, view->title);
		if (view->nr_runs > 1)
			out__printf(out, " (%u runs)", view->nr_runs);
		out__str(out, ":\n\n");
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
