// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/stat_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

/* --- rows --- */

static int compare_rows(const void *a, const void *b)
{
	const struct stat_row *x = a, *y = b;
	double left = x->event->value.mean, right = y->event->value.mean;

	if (left != right)
		return left > right ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static void add_row(const struct stat_view *view, struct stat_row *rows, u32 *nr,
                    const struct aggregate_group *group, u32 event)
{
	const struct stat_event *counted = &group->events[event];

	if (view->hide_zero && stat_event__counted(counted) && !counted->value.mean)
		return;
	rows[(*nr)++] = (struct stat_row){ group, &group->events[event], event };
}

/* All groups of one event. */
static void add_event(const struct stat_view *view, u32 event, struct stat_row *rows, u32 *nr)
{
	const struct aggregation *agg = view->counts;
	bool threads = agg->mode == AGGREGATE_THREAD;
	u32 first = *nr;

	for (u32 g = 0; g < agg->nr; g++) {
		const struct stat_event *counted = &agg->groups[g].events[event];

		if (agg->cores && counted->evsel->percore && agg->cores[g] != g &&
		    !view->percore_all)
			continue;
		if (!threads || !view->only_counted || counted->value.mean)
			add_row(view, rows, nr, &agg->groups[g], event);
	}
	if (threads)
		qsort(rows + first, *nr - first, sizeof(*rows), compare_rows);
	if (*nr == first && !agg->groups[0].events[event].supported) { /* be it known */
		add_row(view, rows, nr, &agg->groups[0], event);
		rows[*nr - 1].group = NULL;
	}
}

struct stat_row *stat_view__rows(const struct stat_view *view, u32 *nr)
{
	const struct aggregation *agg = view->counts;
	struct stat_row *rows = xcalloc((size_t)agg->nr * agg->nr_events + 1, sizeof(*rows));

	*nr = 0;
	if (agg->mode == AGGREGATE_CPU || agg->mode == AGGREGATE_THREAD) {
		for (u32 e = 0; e < agg->nr_events; e++)
			add_event(view, e, rows, nr);
		return rows;
	}
	for (u32 g = 0; g < agg->nr; g++)
		for (u32 e = 0; e < agg->nr_events; e++)
			add_row(view, rows, nr, &agg->groups[g], e);
	return rows;
}

bool stat_view__has_nr_cpus(const struct stat_view *view)
{
	enum aggregate_mode mode = view->counts->mode;

	return mode == AGGREGATE_CORE || mode == AGGREGATE_DIE || mode == AGGREGATE_SOCKET ||
	       mode == AGGREGATE_NODE;
}

bool stat_view__has_cgroups(const struct stat_view *view)
{
	for (u32 e = 0; e < view->counts->nr_events; e++)
		if (view->counts->groups[0].events[e].evsel->cgroup)
			return true;
	return false;
}

u32 stat_row__nr_cpus(const struct stat_row *row)
{
	return row->event->supported ? row->event->nr_counters : row->group->nr_cpus;
}

/* --- figures --- */

u32 stat_view__metrics(const struct stat_view *view, const struct stat_row *row,
                       struct stat_metric metrics[STAT_METRICS_MAX])
{
	const struct stat_event *events;
	u32 nr;

	if (!row->group)
		return 0;
	events = row->group->events;
	nr = stat_metrics__of(events, view->counts->nr_events, row->index, view->wall.mean,
	                      metrics);
	if (view->metrics)
		nr += metric_set__of(view->metrics, events, row->index, view->wall.mean,
		                     metrics + nr, STAT_METRICS_MAX - nr);
	return nr;
}

double stat_event__shown(const struct stat_event *event, int *decimals)
{
	*decimals = event->evsel->scale == 1.0 ? 0 : 2;
	return event->value.mean * event->evsel->scale;
}

bool stat_ci__of(const struct stat_view *view, const struct series *runs, double scale,
                 struct stat_ci *ci)
{
	struct interval interval;

	if (!view->ci || runs->nr < 2)
		return false;
	interval = series__median_interval(runs);
	*ci = (struct stat_ci){ .median = series__median(runs) * scale,
		                .low = interval.low * scale,
		                .high = interval.high * scale,
		                .min = series__min(runs) * scale,
		                .max = series__max(runs) * scale };
	return true;
}

const char *stat_event__absent(const struct stat_event *event)
{
	return event->supported ? "<not counted>" : "<not supported>";
}

double stat_event__percent_running(const struct stat_event *event)
{
	return event->enabled.mean ? 100.0 * event->running.mean / event->enabled.mean : 100.0;
}

/* The formats are those of metrics.c. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
const char *stat_metric__figure(const struct stat_metric *metric, char *buf, size_t size)
{
	size_t blanks;

	snprintf(buf, size, metric->format, metric->value);
	blanks = strspn(buf, " ");
	memmove(buf, buf + blanks, strlen(buf + blanks) + 1);
	buf[strcspn(buf, " %")] = '\0';
	return buf;
}
#pragma GCC diagnostic pop

/* --- columns of --metric-only --- */

bool stat_column__of(const struct stat_column *column, const struct stat_view *view,
                     const struct aggregate_group *group, struct stat_metric *metric)
{
	struct stat_row row = { group, &group->events[column->event], column->event };
	struct stat_metric metrics[STAT_METRICS_MAX];
	u32 nr = stat_view__metrics(view, &row, metrics);

	for (u32 i = 0; i < nr; i++)
		if (!strcmp(metrics[i].unit, column->unit)) {
			*metric = metrics[i];
			return true;
		}
	return false;
}

static bool has_column(const struct stat_column *columns, u32 nr, u32 event, const char *unit)
{
	for (u32 i = 0; i < nr; i++)
		if (columns[i].event == event && !strcmp(columns[i].unit, unit))
			return true;
	return false;
}

static void add_column(struct stat_column *columns, u32 *nr, const struct stat_row *row,
                       const struct stat_metric *metric)
{
	struct stat_column *column = &columns[*nr];

	if ((!metric->asked &&
	     (strstr(metric->unit, "/sec") || !strcmp(metric->unit, "CPUs utilized"))) ||
	    has_column(columns, *nr, row->index, metric->unit))
		return;
	*column = (struct stat_column){ .event = row->index, .unit = metric->unit };
	if (strncmp(metric->unit, "of all", strlen("of all")))
		snprintf(column->name, sizeof(column->name), "%s", metric->unit);
	else
		snprintf(column->name, sizeof(column->name), "%s %s", row->event->evsel->name,
		         metric->unit);
	(*nr)++;
}

struct stat_column *stat_view__columns(const struct stat_view *view, u32 *nr)
{
	const struct aggregation *agg = view->counts;
	struct stat_column *columns =
	        xcalloc((size_t)agg->nr_events * STAT_METRICS_MAX + 1, sizeof(*columns));

	*nr = 0;
	for (u32 e = 0; e < agg->nr_events; e++)
		for (u32 g = 0; g < agg->nr; g++) {
			struct stat_row row = { &agg->groups[g], &agg->groups[g].events[e], e };
			struct stat_metric metrics[STAT_METRICS_MAX];
			u32 nr_metrics = stat_view__metrics(view, &row, metrics);

			for (u32 i = 0; i < nr_metrics && *nr < (e + 1) * STAT_METRICS_MAX; i++)
				add_column(columns, nr, &row, &metrics[i]);
		}
	return columns;
}
