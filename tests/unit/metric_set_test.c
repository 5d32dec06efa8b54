// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/metric_set.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/stat/aggregate.h"

static const char table[] =
        "[{ \"MetricName\": \"ipc\", \"MetricExpr\": \"instructions / cycles\", \"MetricGroup\": "
        "\"Basic\" },"
        " { \"MetricName\": \"miss\", \"MetricExpr\": \"branch\\\\-misses / branches\", "
        "\"MetricGroup\": \"Basic;B\", \"ScaleUnit\": \"100%\" },"
        " { \"MetricName\": \"part\", \"MetricExpr\": \"1 - cpi * 0.5\", \"MetricGroup\": \"C\" },"
        " { \"MetricName\": \"cpi\", \"MetricExpr\": \"cycles / instructions\" },"
        " { \"MetricName\": \"wide\", \"MetricExpr\": \"cycles + instructions + branches\" },"
        " { \"MetricName\": \"busy\", \"MetricExpr\": \"task\\\\-clock / 1e9 / duration_time\" },"
        " { \"MetricName\": \"faults\", \"MetricExpr\": \"page\\\\-faults / (task\\\\-clock / 1e9)\" },"
        " { \"MetricName\": \"one\", \"MetricExpr\": \"two + 1\" },"
        " { \"MetricName\": \"two\", \"MetricExpr\": \"one + 1\" },"
        " { \"MetricName\": \"bad\", \"MetricExpr\": \"1 +\", \"MetricGroup\": \"Basic\" },"
        " { \"MetricName\": \"gone\", \"MetricExpr\": \"nosuch.event\", \"MetricGroup\": \"G\" },"
        " { \"MetricName\": \"instructions\", \"MetricExpr\": \"instructions\" },"
        " { \"MetricName\": \"lone\", \"MetricExpr\": \"cycles - branches\","
        "   \"MetricConstraint\": \"NO_GROUP_EVENTS\" }]";

struct world {
	struct event_sources sources;
	struct evlist list;
	struct metric_set set;
	struct aggregation agg;
	struct error err;
	bool counted;
};

static void world__init(struct world *w)
{
	static const struct event_table_selector nowhere = { "/nonexistent", "x", "y" };

	*w = (struct world){ .sources = EVENT_SOURCES_INIT };
	w->sources.sysfs = "/nonexistent";
	w->sources.table = event_table__load(&nowhere);
	event_table__read(w->sources.table, "t.json", "t", table, strlen(table), false);
}

static void world__exit(struct world *w)
{
	if (w->counted)
		aggregation__exit(&w->agg);
	metric_set__exit(&w->set);
	evlist__exit(&w->list);
	event_sources__exit(&w->sources);
}

static int add(struct world *w, const char *text)
{
	return metric_set__add(&w->set, &w->list, &w->sources, text, &w->err);
}

/* "{a,b}c d": the events, groups in braces */
static const char *layout(const struct evlist *list, char *buf, size_t size)
{
	size_t len = 0;

	*buf = '\0';
	for (u32 i = 0; i < list->nr; i++) {
		const struct evsel *evsel = list->evsels[i], *leader = list->evsels[evsel->leader];
		bool grouped = leader->nr_members > 1;
		bool last = i + 1 == leader->idx + leader->nr_members;

		len += snprintf(buf + len, size - len, "%s%s%s",
		                grouped && evsel == leader ? "{" : "", evsel->name,
		                grouped && last ? "}"
		                : grouped       ? ","
		                                : " ");
	}
	return buf;
}

/* Each event of the list counted as @values says; below 0: not counted. */
static void count(struct world *w, const double *values)
{
	aggregation__init(&w->agg, AGGREGATE_GLOBAL, &w->list, NULL, NULL, "/nowhere", NULL, 0);
	w->counted = true;
	for (u32 i = 0; i < w->list.nr; i++) {
		struct stat_event *event = &w->agg.groups[0].events[i];

		event->supported = true;
		event->run = (struct counts){ values[i], 1000, values[i] < 0 ? 0 : 1000 };
		stat_event__add_run(event);
	}
}

static u32 figures(struct world *w, u32 index, struct stat_metric *metrics)
{
	return metric_set__of(&w->set, w->agg.groups[0].events, index, 2e9, metrics,
	                      STAT_METRICS_MAX);
}

TEST(metric_set_events_are_grouped)
{
	static const struct {
		const char *text, *layout;
		bool no_group, no_merge;
	} rows[] = {
		{ "ipc", "{instructions,cycles}", false, false },
		{ "IPC,ipc", "{instructions,cycles}", false, false },
		{ "ipc,miss", "{instructions,cycles}{branch-misses,branches}", false, false },
		{ "B", "{branch-misses,branches}", false, false },
		{ "ipc,wide", "{cycles,instructions,branches}", false, false },
		{ "ipc,wide", "{cycles,instructions,branches}{instructions,cycles}", false, true },
		{ "ipc,wide", "cycles instructions branches ", true, false },
		{ "part", "{cycles,instructions}", false, false },
		{ "busy", "task-clock duration_time ", false, false },
		{ "busy,faults", "task-clock duration_time page-faults ", false, false },
		{ "lone", "cycles branches ", false, false },
		{ "instructions", "instructions ", false, false },
	};
	char buf[300];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct world w;

		world__init(&w);
		w.set.no_group = rows[i].no_group;
		w.set.no_merge = rows[i].no_merge;
		CHECK_EQ(add(&w, rows[i].text), 0);
		CHECK_STR(layout(&w.list, buf, sizeof(buf)), rows[i].layout);
		if (rows[i].layout[0] == '{')
			CHECK(w.list.evsels[0]->weak_group);
		world__exit(&w);
	}
}

TEST(metric_set_values_from_known_counts)
{
	static const double counts[] = { 3000, 2000, 5, 200 };
	struct stat_metric metrics[STAT_METRICS_MAX];
	struct world w;

	world__init(&w);
	CHECK_EQ(add(&w, "ipc,part,miss"), 0);
	CHECK_EQ(w.list.nr, 4);
	count(&w, counts);
	CHECK_EQ(figures(&w, 0, metrics), 2);
	CHECK(metrics[0].value == 1.5);
	CHECK_STR(metrics[0].unit, "ipc");
	CHECK_STR(metrics[0].format, "%8.2f");
	CHECK(fabs(metrics[1].value - (1 - 2.0 / 3 * 0.5)) < 1e-12);
	CHECK_STR(metrics[1].unit, "part");
	CHECK(metrics[0].asked);
	CHECK_EQ(figures(&w, 1, metrics), 0);
	CHECK_EQ(figures(&w, 2, metrics), 1);
	CHECK(metrics[0].value == 2.5);
	CHECK_STR(metrics[0].unit, "%  miss");
	CHECK_STR(metrics[0].format, "%8.1f");
	CHECK_EQ(metric_set__of(&w.set, w.agg.groups[0].events, 0, 1, metrics, 1), 1);
	world__exit(&w);
}

TEST(metric_set_without_a_value_has_no_figure)
{
	static const double zero[] = { 5, 0 }, absent[] = { 5, -1 }, clock[] = { 3e9, 77 };
	struct stat_metric metrics[STAT_METRICS_MAX];
	struct world w;

	for (u32 i = 0; i < 2; i++) {
		world__init(&w);
		CHECK_EQ(add(&w, "ipc"), 0);
		count(&w, i ? absent : zero);
		CHECK_EQ(figures(&w, 0, metrics), 0);
		world__exit(&w);
	}
	/* duration_time is that of the measurement, in seconds; task-clock counts ns */
	world__init(&w);
	CHECK_EQ(add(&w, "busy"), 0);
	count(&w, clock);
	CHECK_EQ(figures(&w, 0, metrics), 1);
	CHECK(metrics[0].value == 1.5);
	world__exit(&w);
}

TEST(metric_set_of_each_cgroup)
{
	static const double counts[] = { 3000, 2000, 1, 1, 100, 400, 1, 1 };
	struct stat_metric metrics[STAT_METRICS_MAX];
	struct error err;
	struct world w;

	world__init(&w);
	CHECK_EQ(add(&w, "ipc"), 0);
	/* what -d and --for-each-cgroup do */
	CHECK_EQ(evlist__parse(&w.list, &w.sources, "cs,faults", &err), 0);
	w.set.stride = w.list.nr;
	CHECK_EQ(evlist__parse(&w.list, &w.sources, "{instructions,cycles},cs,faults", &err), 0);
	count(&w, counts);
	CHECK_EQ(figures(&w, 0, metrics), 1);
	CHECK(metrics[0].value == 1.5);
	CHECK_EQ(figures(&w, 2, metrics), 0);
	CHECK_EQ(figures(&w, 4, metrics), 1);
	CHECK(metrics[0].value == 0.25);
	world__exit(&w);
}

TEST(metric_set_mistakes)
{
	static const struct {
		const char *text, *what, *subject, *cause;
		int code;
	} rows[] = {
		{ "ipd", "Cannot find metric or group", "ipd", "did you mean 'ipc'?", -ENOENT },
		{ "ipc,xyzzy", "Cannot find metric or group", "xyzzy",
		  "this CPU has no table of its own", -ENOENT },
		{ "one", "cannot compute metric", "", "metrics refer to each other without end",
		  -EINVAL },
		{ "bad", "cannot compute metric", "bad", "it ends too early", -EINVAL },
		{ "gone", "cannot count metric", "gone", "its event 'nosuch.event': unknown event",
		  -EINVAL },
		{ "G", "cannot count metric", "gone", "its event 'nosuch.event': unknown event",
		  -EINVAL },
		{ ",", "cannot use option", "-M",
		  "a metric is missing; 'perf list metric' names them", -EINVAL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct world w;

		world__init(&w);
		CHECK_EQ(add(&w, rows[i].text), rows[i].code);
		CHECK_STR(w.err.what, rows[i].what);
		if (*rows[i].subject)
			CHECK_STR(w.err.subject, rows[i].subject);
		CHECK_STR(w.err.cause, rows[i].cause);
		world__exit(&w);
	}
}

TEST(metric_set_groups_leave_out_what_cannot_be_counted)
{
	struct world w;
	char buf[300];

	world__init(&w);
	CHECK_EQ(add(&w, "Basic"), 0);
	CHECK_EQ(w.set.nr_skipped, 1);
	CHECK_STR(w.set.skipped.subject, "bad");
	CHECK_STR(layout(&w.list, buf, sizeof(buf)),
	          "{instructions,cycles}{branch-misses,branches}");
	world__exit(&w);
}

/* --topdown and -T: the groups of the table as it is installed. */
static void check_intel(const char *group, const char *events, const double *counts,
                        const double *values, u32 nr)
{
	static const struct event_table_selector intel = { "events", "x86", "GenuineIntel-6-8F-8" };
	static const char *const names[] = { "slots",
		                             "topdown-retiring",
		                             "topdown-bad-spec",
		                             "topdown-fe-bound",
		                             "topdown-be-bound",
		                             "cycles-t",
		                             "cycles-ct",
		                             "tx-start",
		                             "el-start" };
	struct stat_metric metrics[STAT_METRICS_MAX];
	char sysfs[300], file[60], buf[300];
	struct world w;
	u32 at = 0;

	world__init(&w);
	snprintf(sysfs, sizeof(sysfs), "%s/devices", unit__tmpdir());
	put_test_text(sysfs, "cpu/type", "4\n");
	put_test_text(sysfs, "cpu/format/event", "config:0-7\n");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(file, sizeof(file), "cpu/events/%s", names[i]);
		put_test_text(sysfs, file, "event=0x1\n");
	}
	event_table__free(w.sources.table);
	w.sources.table = event_table__load(&intel);
	w.sources.sysfs = sysfs;
	CHECK_EQ(add(&w, group), 0);
	CHECK_EQ(w.set.nr_skipped, 0);
	CHECK_STR(layout(&w.list, buf, sizeof(buf)), events);
	count(&w, counts);
	for (u32 i = 0; i < w.list.nr; i++)
		for (u32 m = 0, found = figures(&w, i, metrics); m < found; m++, at++)
			CHECK(at < nr && fabs(metrics[m].value - values[at]) < 1e-9);
	CHECK_EQ(at, nr);
	world__exit(&w);
}

TEST(metric_set_of_topdown)
{
	static const double counts[] = { 400, 40, 100, 20, 40 }, values[] = { 20, 10, 20, 50 };

	check_intel("TopdownL1",
	            "{slots,topdown-be-bound,topdown-retiring,topdown-bad-spec,topdown-fe-bound}",
	            counts, values, 4);
}

TEST(metric_set_of_transactions)
{
	static const double counts[] = { 600, 400, 1000, 600, 30, 600, 20 };
	static const double values[] = { 20, 60, 20, 30 };

	check_intel("transaction",
	            "{cycles-t,cycles-ct,cycles}{cycles-t,el-start}{cycles-t,tx-start}", counts,
	            values, 4);
}
