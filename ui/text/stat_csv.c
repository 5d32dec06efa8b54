// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat -x: a line for each event. The numbers are never in the locale's form. */
#include <stdio.h>
#include <stdlib.h>

#include "ui/text/stat_view.h"

/* Time and group: what stands before the value. Returns the number of fields. */
static u32 print_prefix(const struct stat_view *view, const struct stat_row *row, struct out *out)
{
	const char *separator = view->separator;
	u32 nr = 0;

	if (view->interval) {
		out__printf(out, "%6llu.%09llu%s", (unsigned long long)(view->time_ns / 1000000000),
		            (unsigned long long)(view->time_ns % 1000000000), separator);
		nr++;
	}
	if (view->summary) {
		out__printf(out, "%16s%s", "summary", separator);
		nr++;
	}
	if (view->counts->mode == AGGREGATE_GLOBAL)
		return nr;
	out__field(out, row->group ? row->group->name : "", separator);
	out__str(out, separator);
	nr++;
	if (!stat_view__has_nr_cpus(view))
		return nr;
	out__printf(out, "%u%s", stat_row__nr_cpus(row), separator);
	return nr + 1;
}

static void print_metric(const struct stat_metric *metric, const char *separator, struct out *out)
{
	char figure[64];

	out__str(out, separator);
	if (metric)
		out__str(out, stat_metric__figure(metric, figure, sizeof(figure)));
	out__str(out, separator);
	if (metric)
		out__field(out, metric->unit, separator);
	out__char(out, '\n');
}

static void print_value(const struct stat_event *event, const char *separator, struct out *out)
{
	int decimals;
	double value;

	if (stat_event__counted(event)) {
		value = stat_event__shown(event, &decimals);
		out__printf(out, "%.*f", decimals, value);
	} else {
		out__str(out, stat_event__absent(event));
	}
	out__str(out, separator);
	out__field(out, event->evsel->unit, separator);
	out__str(out, separator);
	out__field(out, event->evsel->name, separator);
}

/* --ci: five fields, empty without runs. */
static u32 print_ci(const struct stat_view *view, const struct stat_event *event, struct out *out)
{
	const char *separator = view->separator;
	struct stat_ci ci;

	if (stat_ci__of(view, &event->runs, event->evsel->scale, &ci))
		out__printf(out, "%s%f%s%f%s%f%s%f%s%f", separator, ci.median, separator, ci.low,
		            separator, ci.high, separator, ci.min, separator, ci.max);
	else
		for (int i = 0; i < 5; i++)
			out__str(out, separator);
	return 5;
}

static void print_row(const struct stat_view *view, const struct stat_row *row, struct out *out)
{
	const struct stat_event *event = row->event;
	struct stat_metric metrics[STAT_METRICS_MAX];
	u32 nr = stat_view__metrics(view, row, metrics);
	u32 nr_fields = print_prefix(view, row, out) + 4;
	const char *separator = view->separator;

	print_value(event, separator, out);
	if (stat_view__has_cgroups(view)) {
		out__str(out, separator);
		out__field(out, event->evsel->cgroup ? event->evsel->cgroup : "", separator);
		nr_fields++;
	}
	if (view->nr_runs > 1) {
		out__printf(out, "%s%.2f%%", separator, stats__deviation_percent(&event->value));
		nr_fields++;
	}
	if (view->ci)
		nr_fields += print_ci(view, event, out);
	out__printf(out, "%s%.0f%s%.2f", separator, event->running.mean, separator,
	            stat_event__percent_running(event));
	print_metric(nr ? &metrics[0] : NULL, separator, out);
	for (u32 i = 1; i < nr; i++) {
		for (u32 field = 0; field < nr_fields; field++) /* empty up to the metric's */
			out__str(out, separator);
		print_metric(&metrics[i], separator, out);
	}
}

/* --- --metric-only: a line of names, then one for each group --- */

static void print_names(const struct stat_view *view, const struct stat_column *columns, u32 nr,
                        struct out *out)
{
	static const char *const kinds[] = { "", "cpu", "core", "die", "socket", "node", "thread" };

	if (view->interval)
		out__printf(out, "time%s", view->separator);
	if (view->counts->mode != AGGREGATE_GLOBAL)
		out__printf(out, "%s%s", kinds[view->counts->mode], view->separator);
	if (stat_view__has_nr_cpus(view))
		out__printf(out, "cpus%s", view->separator);
	for (u32 i = 0; i < nr; i++) {
		out__field(out, columns[i].name, view->separator);
		out__str(out, view->separator);
	}
	out__char(out, '\n');
}

static void print_figures(const struct stat_view *view, struct out *out)
{
	const struct aggregation *agg = view->counts;
	struct stat_column *columns;
	u32 nr;

	columns = stat_view__columns(view, &nr);
	if (!view->interval || view->heading)
		print_names(view, columns, nr, out);
	for (u32 g = 0; g < agg->nr && agg->nr_events; g++) {
		struct stat_row row = { &agg->groups[g], agg->groups[g].events, 0 };

		print_prefix(view, &row, out);
		for (u32 i = 0; i < nr; i++) {
			struct stat_metric metric;
			char text[64];

			if (stat_column__of(&columns[i], view, row.group, &metric))
				out__str(out, stat_metric__figure(&metric, text, sizeof(text)));
			out__str(out, view->separator);
		}
		out__char(out, '\n');
	}
	free(columns);
}

void stat_csv__print(const struct stat_view *view, struct out *out)
{
	if (view->metric_only)
		print_figures(view, out);
	else
		stat_view__each_row(view, out, print_row);
}
