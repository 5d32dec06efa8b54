// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat -j: an object for each event, one a line. The numbers are never in the locale's form.
 */
#include <math.h>
#include <stdlib.h>

#include "ui/text/stat_view.h"
#include "util/lib/json.h"

static const char *const group_keys[] = {
	[AGGREGATE_GLOBAL] = NULL,     [AGGREGATE_CPU] = "cpu",       [AGGREGATE_CORE] = "core",
	[AGGREGATE_DIE] = "die",       [AGGREGATE_SOCKET] = "socket", [AGGREGATE_NODE] = "node",
	[AGGREGATE_THREAD] = "thread",
};

/* JSON has no word for what is no number. */
static double number(double value)
{
	return isfinite(value) ? value : 0;
}

static void print_text(const char *key, const char *text, struct out *out)
{
	out__printf(out, "\"%s\" : ", key);
	json__string(out, text);
	out__str(out, ", ");
}

static void print_prefix(const struct stat_view *view, const struct stat_row *row, struct out *out)
{
	const char *key = group_keys[view->counts->mode];
	const char *name = row->group ? row->group->name : "";

	out__char(out, '{');
	if (view->interval)
		out__printf(out, "\"interval\" : %llu.%09llu, ",
		            (unsigned long long)(view->time_ns / 1000000000),
		            (unsigned long long)(view->time_ns % 1000000000));
	if (!key)
		return;
	print_text(key, view->counts->mode == AGGREGATE_CPU ? name + 3 : name, out);
	if (stat_view__has_nr_cpus(view))
		out__printf(out, "\"aggregate-number\" : %u, ", stat_row__nr_cpus(row));
}

static void print_metric(const struct stat_event *event, const struct stat_metric *metric,
                         struct out *out)
{
	/* Linux's perf writes a unit where cycles have no frequency; readers may look for it. */
	bool cycles = stat_event__counted(event) && event->evsel->attr.type == PERF_TYPE_HARDWARE &&
	              event->evsel->attr.config == PERF_COUNT_HW_CPU_CYCLES;

	out__printf(out, "\"metric-value\" : %f, \"metric-unit\" : ",
	            metric ? number(metric->value) : 0.0);
	json__string(out, metric ? metric->unit : cycles ? "Ghz" : "");
	out__str(out, "}\n");
}

static void print_row(const struct stat_view *view, const struct stat_row *row, struct out *out)
{
	const struct stat_event *event = row->event;
	struct stat_metric metrics[STAT_METRICS_MAX];
	u32 nr = stat_view__metrics(view, row, metrics);
	struct stat_ci ci;
	int decimals;

	print_prefix(view, row, out);
	if (stat_event__counted(event))
		out__printf(out, "\"counter-value\" : \"%f\", ",
		            number(stat_event__shown(event, &decimals)));
	else
		print_text("counter-value", stat_event__absent(event), out);
	print_text("unit", event->evsel->unit, out);
	print_text("event", event->evsel->name, out);
	if (event->evsel->cgroup)
		print_text("cgroup", event->evsel->cgroup, out);
	if (view->nr_runs > 1)
		out__printf(out, "\"variance\" : %.2f, ",
		            number(stats__deviation_percent(&event->value)));
	if (stat_ci__of(view, &event->runs, event->evsel->scale, &ci))
		out__printf(out,
		            "\"median\" : %f, \"ci-low\" : %f, \"ci-high\" : %f, \"min\" : %f, "
		            "\"max\" : %f, ",
		            number(ci.median), number(ci.low), number(ci.high), number(ci.min),
		            number(ci.max));
	out__printf(out, "\"event-runtime\" : %.0f, \"pcnt-running\" : %.2f, ", event->running.mean,
	            stat_event__percent_running(event));
	print_metric(event, nr ? &metrics[0] : NULL, out);
	for (u32 i = 1; i < nr; i++) {
		print_prefix(view, row, out);
		print_metric(event, &metrics[i], out);
	}
}

/* --metric-only: an object for each group, with a member for each figure. */
static void print_figures(const struct stat_view *view, struct out *out)
{
	const struct aggregation *agg = view->counts;
	struct stat_column *columns;
	u32 nr;

	columns = stat_view__columns(view, &nr);
	for (u32 g = 0; g < agg->nr && agg->nr_events; g++) {
		struct stat_row row = { &agg->groups[g], agg->groups[g].events, 0 };
		const char *before = "";

		print_prefix(view, &row, out);
		out__str(out, "\"metrics\" : {");
		for (u32 i = 0; i < nr; i++) {
			struct stat_metric metric;

			if (!stat_column__of(&columns[i], view, row.group, &metric))
				continue;
			out__str(out, before);
			json__string(out, columns[i].name);
			out__printf(out, " : %f", number(metric.value));
			before = ", ";
		}
		out__str(out, "}}\n");
	}
	free(columns);
}

void stat_json__print(const struct stat_view *view, struct out *out)
{
	if (view->metric_only)
		print_figures(view, out);
	else
		stat_view__each_row(view, out, print_row);
}
