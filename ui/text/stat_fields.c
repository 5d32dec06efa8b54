// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf stat -x and -j: a line of fields, or an object, for each event. The numbers are never in the
 * locale's form.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/text/stat_view.h"
#include "ui/text/table.h"
#include "util/lib/json.h"

enum {
	TIME,
	SUMMARY,
	GROUP,
	NR_CPUS,
	NR_PREFIX, /* of each line; then the event, and one of its metrics */
	VALUE = NR_PREFIX,
	UNIT,
	EVENT,
	CGROUP,
	SPREAD,
	MEDIAN,
	RUNTIME = MEDIAN + 5,
	RUNNING,
	METRIC,
	METRIC_UNIT,
	NR_FIELDS,
};

static const char *const group_keys[] = { NULL, "cpu", "core", "die", "socket", "node", "thread" };

/* Of JSON, which has no summary; the group's is one of those above. */
static const char *const field_keys[NR_FIELDS] = {
	"interval", "summary", "group",         "aggregate-number", "counter-value", "unit",
	"event",    "cgroup",  "variance",      "median",           "ci-low",        "ci-high",
	"min",      "max",     "event-runtime", "pcnt-running",     "metric-value",  "metric-unit",
};

struct line {
	struct cell cells[NR_FIELDS];
	char time[32], value[512], spread[512], figure[64];
};

/* JSON has no word for what is no number. */
static double number(double value)
{
	return isfinite(value) ? value : 0;
}

/* Time and group: what stands before the value. */
static void fill_prefix(const struct stat_view *view, const struct stat_row *row, bool json,
                        struct cell *cells, char time[static 32])
{
	enum aggregate_mode mode = view->counts->mode;
	const char *group = row->group ? row->group->name : "";

	for (u32 i = 0; i < NR_PREFIX; i++)
		cells[i] = (struct cell){ CELL_NONE };
	if (view->interval && json)
		cells[TIME] = cell__time(view->time_ns, 9);
	else if (view->interval) {
		snprintf(time, 32, "%6llu.%09llu", (unsigned long long)(view->time_ns / 1000000000),
		         (unsigned long long)(view->time_ns % 1000000000));
		cells[TIME] = cell__mark(time);
	}
	if (view->summary && !json)
		cells[SUMMARY] = cell__mark("         summary");
	if (mode != AGGREGATE_GLOBAL)
		cells[GROUP] = cell__text(json && mode == AGGREGATE_CPU ? group + 3 : group);
	if (stat_view__has_nr_cpus(view))
		cells[NR_CPUS] = cell__number(stat_row__nr_cpus(row));
}

static void fill_event(const struct stat_view *view, const struct stat_event *event, bool json,
                       struct line *line)
{
	double spread = stats__deviation_percent(&event->value);
	struct cell *cells = line->cells;
	const struct cell none = { CELL_NONE }, empty = { CELL_EMPTY };
	struct stat_ci ci = { 0 };
	bool has_ci = stat_ci__of(view, &event->runs, event->evsel->scale, &ci);
	const double of_runs[] = { ci.median, ci.low, ci.high, ci.min, ci.max };
	int decimals;
	double value = stat_event__shown(event, &decimals);

	snprintf(line->value, sizeof(line->value), "%.*f", json ? 6 : decimals,
	         json ? number(value) : value);
	snprintf(line->spread, sizeof(line->spread), "%.2f%%", spread);
	if (!stat_event__counted(event))
		snprintf(line->value, sizeof(line->value), "%s", stat_event__absent(event));
	cells[VALUE] = json ? cell__text(line->value) : cell__mark(line->value);
	cells[UNIT] = cell__text(event->evsel->unit);
	cells[EVENT] = cell__text(event->evsel->name);
	cells[CGROUP] = event->evsel->cgroup           ? cell__text(event->evsel->cgroup)
	                : stat_view__has_cgroups(view) ? empty
	                                               : none;
	cells[SPREAD] = view->nr_runs < 2 ? none
	                : json            ? cell__real(number(spread), 2)
	                                  : cell__mark(line->spread);
	for (u32 i = 0; i < ARRAY_SIZE(of_runs); i++)
		cells[MEDIAN + i] = has_ci ? cell__real(json ? number(of_runs[i]) : of_runs[i], 6)
		                    : view->ci ? empty
		                               : none;
	cells[RUNTIME] = cell__real(event->running.mean, 0);
	cells[RUNNING] = cell__real(stat_event__percent_running(event), 2);
}

/* @metric NULL: there is none. */
static void fill_metric(const struct stat_event *event, const struct stat_metric *metric, bool json,
                        struct line *line)
{
	/* Linux's perf writes a unit where cycles have no frequency; readers may look for it. */
	bool cycles = stat_event__counted(event) && event->evsel->attr.type == PERF_TYPE_HARDWARE &&
	              event->evsel->attr.config == PERF_COUNT_HW_CPU_CYCLES;
	struct cell *cells = line->cells;

	if (metric && !json)
		cells[METRIC] =
		        cell__mark(stat_metric__figure(metric, line->figure, sizeof(line->figure)));
	else
		cells[METRIC] = json ? cell__real(metric ? number(metric->value) : 0, 6)
		                     : (struct cell){ CELL_EMPTY };
	cells[METRIC_UNIT] = cell__text(metric ? metric->unit : json && cycles ? "Ghz" : "");
}

static void print_cells(const struct stat_view *view, const struct cell *cells, u32 nr, bool json,
                        struct out *out)
{
	const char *keys[NR_FIELDS];

	memcpy(keys, field_keys, sizeof(keys));
	keys[GROUP] = group_keys[view->counts->mode];
	if (json)
		table__print_members(out, keys, cells, nr, " : ");
	else
		table__print_fields(out, cells, nr, view->separator);
}

/* Further metrics stand on lines of their own, in -x behind fields that are empty. */
static void print_row(const struct stat_view *view, const struct stat_row *row, bool json,
                      struct out *out)
{
	struct stat_metric metrics[STAT_METRICS_MAX];
	u32 nr = stat_view__metrics(view, row, metrics);
	struct line line;

	fill_prefix(view, row, json, line.cells, line.time);
	fill_event(view, row->event, json, &line);
	for (u32 i = 0; i < nr || !i; i++) {
		for (u32 f = json ? NR_PREFIX : 0; i && f < METRIC; f++)
			if (line.cells[f].kind != CELL_NONE)
				line.cells[f].kind = CELL_EMPTY;
		fill_metric(row->event, nr ? &metrics[i] : NULL, json, &line);
		out__str(out, json ? "{" : "");
		print_cells(view, line.cells, NR_FIELDS, json, out);
		out__str(out, json ? "}\n" : "\n");
	}
}

/* --- --metric-only: in -x a line of names, then one for each group; an object for each --- */

static void print_names(const struct stat_view *view, const struct stat_column *columns, u32 nr,
                        struct out *out)
{
	const char *kind = group_keys[view->counts->mode], *separator = view->separator;

	if (view->interval)
		out__printf(out, "time%s", separator);
	if (kind)
		out__printf(out, "%s%s", kind, separator);
	if (stat_view__has_nr_cpus(view))
		out__printf(out, "cpus%s", separator);
	for (u32 i = 0; i < nr; i++) {
		out__field(out, columns[i].name, separator);
		out__str(out, separator);
	}
	out__char(out, '\n');
}

static void print_group(const struct stat_view *view, const struct stat_row *row,
                        const struct stat_column *columns, u32 nr, bool json, struct out *out)
{
	struct cell cells[NR_PREFIX];
	char time[32], figure[64];
	const char *before = "";
	struct stat_metric metric;

	fill_prefix(view, row, json, cells, time);
	out__str(out, json ? "{" : "");
	print_cells(view, cells, NR_PREFIX, json, out);
	if (view->interval || view->counts->mode != AGGREGATE_GLOBAL || (view->summary && !json))
		out__str(out, json ? ", " : view->separator);
	out__str(out, json ? "\"metrics\" : {" : "");
	for (u32 i = 0; i < nr; i++) {
		bool has = stat_column__of(&columns[i], view, row->group, &metric);

		if (!json) {
			if (has)
				out__str(out, stat_metric__figure(&metric, figure, sizeof(figure)));
			out__str(out, view->separator);
		} else if (has) {
			out__str(out, before);
			json__string(out, columns[i].name);
			out__printf(out, " : %f", number(metric.value));
			before = ", ";
		}
	}
	out__str(out, json ? "}}\n" : "\n");
}

static void print(const struct stat_view *view, bool json, struct out *out)
{
	const struct aggregation *agg = view->counts;
	struct stat_column *columns;
	struct stat_row *rows;
	u32 nr;

	if (!view->metric_only) {
		rows = stat_view__rows(view, &nr);
		for (u32 i = 0; i < nr; i++)
			print_row(view, &rows[i], json, out);
		free(rows);
		return;
	}
	columns = stat_view__columns(view, &nr);
	if (!json && (!view->interval || view->heading))
		print_names(view, columns, nr, out);
	for (u32 g = 0; g < agg->nr && agg->nr_events; g++) {
		const struct stat_row row = { &agg->groups[g], agg->groups[g].events, 0 };

		print_group(view, &row, columns, nr, json, out);
	}
	free(columns);
}

void stat_csv__print(const struct stat_view *view, struct out *out)
{
	print(view, false, out);
}

void stat_json__print(const struct stat_view *view, struct out *out)
{
	print(view, true, out);
}
