// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Columns: count 18, unit at least 4, name 25 padded to 32 where a count stands, metric 35
 * (" # ", figure, blank, unit), spread, share of time.
 */
#include "ui/stat_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "util/stat/metrics.h"

#define METRIC_WIDTH 35

/* The formats are those of metrics.c. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void format_figure(const struct stat_metric *metric, char *buf, size_t size)
{
	snprintf(buf, size, metric->format, metric->value);
}
#pragma GCC diagnostic pop

static const char *event_unit(const struct stat_event *event)
{
	return evsel__is_clock(event->evsel) ? "msec" : event->evsel->unit;
}

/* The mean as shown, and the decimals it is shown with. */
static double shown_value(const struct stat_event *event, int *decimals)
{
	double value = event->value.mean * event->evsel->scale;

	*decimals = event->evsel->scale == 1.0 ? 0 : 2;
	if (evsel__is_clock(event->evsel)) {
		*decimals = 2;
		value /= 1e6;
	}
	return value;
}

static const char *absent_text(const struct stat_event *event)
{
	return event->supported ? "<not counted>" : "<not supported>";
}

static double percent_running(const struct stat_event *event)
{
	return event->enabled.mean ? 100.0 * event->running.mean / event->enabled.mean : 100.0;
}

static int unit_width(const struct stat_table *table)
{
	size_t width = strlen("msec");

	for (u32 i = 0; i < table->nr_events; i++) {
		size_t len = strlen(event_unit(&table->events[i]));

		width = len > width ? len : width;
	}
	return width > 40 ? 40 : width;
}

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
	out__printf(out, " # %s %s", figure, metric->unit);
	out__fill(out, ' ', METRIC_WIDTH - len);
}

/* What follows the metric: spread over the runs, share of the time it was counted. */
static void print_notes(const struct stat_table *table, const struct stat_event *event,
                        struct out *out)
{
	double percent = stats__deviation_percent(&event->value);

	if (table->nr_runs > 1 && event->supported && percent)
		out__printf(out, "  ( +-%6.2f%% )", percent);
	if (event->supported && event->running.mean != event->enabled.mean)
		out__printf(out, "  (%.2f%%)", percent_running(event));
	out__char(out, '\n');
}

static void print_row(const struct stat_table *table, u32 index, int width, struct out *out)
{
	const struct stat_event *event = &table->events[index];
	struct stat_metric metrics[STAT_METRICS_MAX];
	u32 nr =
	        stat_metrics__of(table->events, table->nr_events, index, table->wall.mean, metrics);
	int decimals;
	double value;

	if (!stat_event__counted(event)) {
		out__printf(out, "%18s %-*s ", absent_text(event), width, event_unit(event));
		out__left(out, event->evsel->name, 25);
		out__fill(out, ' ', METRIC_WIDTH);
		print_notes(table, event, out);
		return;
	}
	value = shown_value(event, &decimals);
	if (table->big_num)
		out__printf(out, "%'18.*f %-*s ", decimals, value, width, event_unit(event));
	else
		out__printf(out, "%18.*f %-*s ", decimals, value, width, event_unit(event));
	out__left(out, event->evsel->name, 32);
	print_metric(nr ? &metrics[0] : NULL, out);
	if (nr > 1) { /* on a line of its own, below the first */
		out__char(out, '\n');
		out__fill(out, ' ', 18 + 1 + width + 1 + 32);
		print_metric(&metrics[1], out);
	}
	print_notes(table, event, out);
}

/* Two digits of the spread beyond its first: 0.0158 -> 4, 0.0000264 -> 7. */
static int spread_decimals(double seconds)
{
	int decimals;

	if (seconds <= 0)
		return 9;
	decimals = (int)ceil(-log10(seconds)) + 2;
	return decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
}

static void print_times(const struct stat_table *table, struct out *out)
{
	double mean = table->wall.mean / 1e9, spread = stats__deviation(&table->wall) / 1e9;

	if (table->nr_events)
		out__char(out, '\n');
	if (table->nr_runs <= 1) {
		out__printf(out, " %17.9f seconds time elapsed\n\n", mean);
	} else {
		int decimals = spread_decimals(spread);

		out__printf(out, " %17.*f +- %.*f seconds time elapsed  ( +-%6.2f%% )\n\n",
		            decimals, mean, decimals, spread,
		            stats__deviation_percent(&table->wall));
		return;
	}
	if (table->has_usage)
		out__printf(out, " %17.9f seconds user\n %17.9f seconds sys\n\n\n",
		            table->user_ns / 1e9, table->sys_ns / 1e9);
}

void stat_table__print(const struct stat_table *table, struct out *out)
{
	int width = unit_width(table);

	out__str(out, "\n Performance counter stats for ");
	out__name(out, table->title);
	if (table->nr_runs > 1)
		out__printf(out, " (%u runs)", table->nr_runs);
	out__str(out, ":\n\n");
	for (u32 i = 0; i < table->nr_events; i++)
		print_row(table, i, width, out);
	print_times(table, out);
}

/* --- -x --- */

/* The figure alone: no blanks, no percent sign. */
static void print_csv_figure(const struct stat_metric *metric, struct out *out)
{
	char figure[64], *start = figure;

	format_figure(metric, figure, sizeof(figure));
	start += strspn(start, " ");
	start[strcspn(start, " %")] = '\0';
	out__str(out, start);
}

static void print_csv_metric(const struct stat_metric *metric, const char *separator,
                             struct out *out)
{
	out__str(out, separator);
	if (metric)
		print_csv_figure(metric, out);
	out__str(out, separator);
	if (metric)
		out__str(out, metric->unit);
	out__char(out, '\n');
}

static void print_csv_row(const struct stat_table *table, u32 index, const char *separator,
                          struct out *out)
{
	const struct stat_event *event = &table->events[index];
	struct stat_metric metrics[STAT_METRICS_MAX];
	u32 nr =
	        stat_metrics__of(table->events, table->nr_events, index, table->wall.mean, metrics);
	int decimals;
	double value;

	if (stat_event__counted(event)) {
		value = shown_value(event, &decimals);
		out__printf(out, "%.*f", decimals, value);
	} else {
		out__str(out, absent_text(event));
	}
	out__str(out, separator);
	out__name(out, event_unit(event));
	out__str(out, separator);
	out__name(out, event->evsel->name);
	if (table->nr_runs > 1)
		out__printf(out, "%s%.2f%%", separator, stats__deviation_percent(&event->value));
	out__printf(out, "%s%.0f%s%.2f", separator, event->running.mean, separator,
	            percent_running(event));
	print_csv_metric(nr ? &metrics[0] : NULL, separator, out);
	if (nr > 1) { /* empty fields up to the metric's */
		for (u32 i = 0; i < (table->nr_runs > 1 ? 5u : 4u); i++)
			out__str(out, separator);
		print_csv_metric(&metrics[1], separator, out);
	}
}

void stat_table__print_csv(const struct stat_table *table, const char *separator, struct out *out)
{
	for (u32 i = 0; i < table->nr_events; i++)
		print_csv_row(table, i, separator, out);
}
