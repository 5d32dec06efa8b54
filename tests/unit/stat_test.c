// SPDX-License-Identifier: GPL-2.0-or-later
/* The arithmetic of stat, from known counts, and the layout of its lines. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "ui/text/stat_view.h"
#include "util/event/parse.h"
#include "util/lib/alloc.h"
#include "util/stat/metrics.h"

#define EVENTS_MAX 8

struct counted {
	struct evlist list;
	struct aggregation agg;
	struct stat_event *events; /* of its one group */
	struct stat_metric metrics[STAT_METRICS_MAX];
	double wall_ns;
};

/* One run with the given counts, all of them counted all the time. */
static void counted__init(struct counted *c, const char *names, const double *values)
{
	struct event_sources sources = EVENT_SOURCES_INIT;
	struct error err = ERROR_INIT;

	*c = (struct counted){ .wall_ns = 1e9 };
	CHECK_EQ(evlist__parse(&c->list, &sources, names, &err), 0);
	evlist__set_units(&c->list);
	CHECK(c->list.nr <= EVENTS_MAX);
	aggregation__init(&c->agg, AGGREGATE_GLOBAL, &c->list, NULL, NULL, "/nowhere", NULL, 0);
	c->events = c->agg.groups[0].events;
	for (u32 i = 0; i < c->list.nr; i++) {
		c->events[i].supported = true;
		c->events[i].run = (struct counts){ values[i], 1000, 1000 };
		stat_event__add_run(&c->events[i]);
	}
	event_sources__exit(&sources);
}

static void counted__exit(struct counted *c)
{
	aggregation__exit(&c->agg);
	evlist__exit(&c->list);
}

static u32 counted__metrics(struct counted *c, u32 index)
{
	return stat_metrics__of(c->events, c->list.nr, index, c->wall_ns, c->metrics);
}

static bool near(double got, double want)
{
	return fabs(got - want) <= fabs(want) * 1e-9;
}

TEST(stats_mean_and_spread)
{
	struct stats stats = { .nr = 0 };

	CHECK(stats__deviation(&stats) == 0);
	stats__add(&stats, 5);
	CHECK(stats.mean == 5 && stats__deviation(&stats) == 0);
	/* 2 4 4 4 5 5 7 9: mean 5, variance of the sample 32/7 */
	stats = (struct stats){ .nr = 0 };
	for (const char *s = "24445579"; *s; s++)
		stats__add(&stats, *s - '0');
	CHECK(near(stats.mean, 5));
	CHECK(near(stats__deviation(&stats), sqrt(32.0 / 7 / 8)));
	CHECK(near(stats__deviation_percent(&stats), 20 * sqrt(32.0 / 7 / 8)));
	/* Large values that are close together lose nothing. */
	stats = (struct stats){ .nr = 0 };
	stats__add(&stats, 1e15);
	stats__add(&stats, 1e15 + 2);
	CHECK(near(stats__deviation(&stats), 1));
	stats = (struct stats){ .nr = 0 };
	stats__add(&stats, 0);
	stats__add(&stats, 0);
	CHECK(stats__deviation_percent(&stats) == 0);
}

TEST(stat_metrics_from_known_counts)
{
	/* 1920.159821 ms in 1.936842598 s; 13 switches; IPC 8625207199 / 5649595479 */
	static const double values[] = { 1920159821, 13, 5649595479, 8625207199, 1000000, 25000 };
	struct counted c;

	counted__init(&c, "task-clock,cs,cycles,instructions,branches,branch-misses", values);
	c.wall_ns = 1936842598;
	CHECK_EQ(counted__metrics(&c, 0), 1);
	CHECK(near(c.metrics[0].value, 1920159821.0 / 1936842598));
	CHECK_EQ((int)(c.metrics[0].value * 1000), 991);
	CHECK_STR(c.metrics[0].unit, "CPUs utilized");
	CHECK_EQ(counted__metrics(&c, 1), 1);
	CHECK(near(c.metrics[0].value, 13 / 1.920159821));
	CHECK_STR(c.metrics[0].unit, "/sec");
	CHECK_EQ(counted__metrics(&c, 2), 1);
	CHECK(near(c.metrics[0].value, 5649595479.0 / 1920159821));
	CHECK_STR(c.metrics[0].unit, "GHz");
	CHECK_EQ(counted__metrics(&c, 3), 1);
	CHECK_EQ((int)(c.metrics[0].value * 100 + 0.5), 153);
	CHECK_STR(c.metrics[0].unit, "insn per cycle");
	CHECK_EQ(counted__metrics(&c, 4), 1);
	CHECK_STR(c.metrics[0].unit, "K/sec");
	CHECK(near(c.metrics[0].value, 1000 / 1.920159821));
	CHECK_EQ(counted__metrics(&c, 5), 1);
	CHECK(near(c.metrics[0].value, 2.5));
	CHECK_STR(c.metrics[0].unit, "of all branches");
	counted__exit(&c);
}

TEST(stat_metrics_of_caches_and_stalls)
{
	static const double values[] = { 1000, 2000, 100, 300, 50, 5, 40, 4 };
	struct counted c;

	counted__init(&c,
	              "cycles,instructions,stalled-cycles-frontend,stalled-cycles-backend,"
	              "L1-dcache-loads,L1-dcache-load-misses,cache-references,cache-misses",
	              values);
	CHECK_EQ(counted__metrics(&c, 0), 0); /* no clock */
	CHECK_EQ(counted__metrics(&c, 1), 2);
	CHECK(near(c.metrics[0].value, 2) && near(c.metrics[1].value, 0.15));
	CHECK_STR(c.metrics[1].unit, "stalled cycles per insn");
	CHECK_EQ(counted__metrics(&c, 2), 1);
	CHECK(near(c.metrics[0].value, 10));
	CHECK_EQ(counted__metrics(&c, 3), 1);
	CHECK(near(c.metrics[0].value, 30));
	CHECK_EQ(counted__metrics(&c, 4), 0);
	CHECK_EQ(counted__metrics(&c, 5), 1);
	CHECK(near(c.metrics[0].value, 10));
	CHECK_STR(c.metrics[0].unit, "of all L1-dcache accesses");
	CHECK_EQ(counted__metrics(&c, 7), 1);
	CHECK(near(c.metrics[0].value, 10));
	CHECK_STR(c.metrics[0].format, "%8.3f %%");
	counted__exit(&c);
}

TEST(stat_metrics_pair_modes_and_groups)
{
	static const double values[] = { 100, 300, 1000, 4000, 2000, 7000 };
	struct counted c;

	counted__init(&c, "cycles:u,instructions:u,{cycles,instructions},cycles,instructions",
	              values);
	CHECK_EQ(counted__metrics(&c, 1), 1);
	CHECK(near(c.metrics[0].value, 3));
	CHECK_EQ(counted__metrics(&c, 3), 1);
	CHECK(near(c.metrics[0].value, 4)); /* of its own group */
	CHECK_EQ(counted__metrics(&c, 5), 1);
	CHECK(near(c.metrics[0].value, 3.5)); /* the nearest before */
	counted__exit(&c);
	counted__init(&c, "cycles:u,instructions:k", values);
	CHECK_EQ(counted__metrics(&c, 1), 0);
	counted__exit(&c);
}

TEST(stat_metrics_need_a_counted_partner)
{
	static const double values[] = { 100, 300 };
	struct counted c;

	counted__init(&c, "cycles,instructions", values);
	c.events[0].supported = false;
	CHECK_EQ(counted__metrics(&c, 1), 0);
	CHECK_EQ(counted__metrics(&c, 0), 0);
	c.events[0].supported = true;
	c.events[0].running = (struct stats){ .nr = 1 };
	CHECK_EQ(counted__metrics(&c, 1), 0);
	counted__exit(&c);
}

static const char *printed(const struct counted *c, const char *separator, u32 nr_runs,
                           struct out *out)
{
	struct stat_view view = {
		.title = "'x'",
		.nr_runs = nr_runs,
		.counts = &c->agg,
		.separator = separator,
	};

	stats__add(&view.wall, c->wall_ns);
	if (nr_runs > 1)
		stats__add(&view.wall, c->wall_ns * 1.02);
	out__init(out, -1);
	if (separator && !strcmp(separator, "json"))
		stat_json__print(&view, out);
	else if (separator)
		stat_csv__print(&view, out);
	else
		stat_table__print(&view, out);
	return out__take(out);
}

TEST(stat_table_layout)
{
	static const double values[] = { 500000000, 1234567, 0, 7 };
	struct counted c;
	struct out out;

	counted__init(&c, "task-clock,faults,cycles,cs:u", values);
	c.events[2].supported = false;
	c.events[3].running = (struct stats){ .nr = 1 };
	CHECK_STR(
	        printed(&c, NULL, 1, &out),
	        "\n Performance counter stats for 'x':\n\n"
	        "            500.00 msec task-clock                       #    0.500 CPUs utilized  "
	        "        \n"
	        "           1234567      faults                           #    2.469 M/sec          "
	        "        \n"
	        "   <not supported>      cycles                                                      "
	        "\n"
	        "     <not counted>      cs:u                                                        "
	        "  (0.00%)\n"
	        "\n       1.000000000 seconds time elapsed\n\n");
	out__exit(&out);
	counted__exit(&c);
}

TEST(stat_table_spread_and_share)
{
	static const double values[] = { 100 };
	struct counted c;
	struct out out;

	counted__init(&c, "faults", values);
	c.events[0].run = (struct counts){ 104, 1000, 500 };
	stat_event__add_run(&c.events[0]);
	CHECK_STR(
	        printed(&c, NULL, 2, &out),
	        "\n Performance counter stats for 'x' (2 runs):\n\n"
	        "               102      faults                                                     "
	        "          ( +-  1.96% )  (75.00%)\n"
	        "\n            1.0100 +- 0.0100 seconds time elapsed  ( +-  0.99% )\n\n");
	out__exit(&out);
	counted__exit(&c);
}

TEST(stat_runs_without_a_counter_do_not_pull_the_mean_down)
{
	static const double values[] = { 100 };
	struct counted c;

	counted__init(&c, "faults", values);
	c.events[0].run = (struct counts){ 0, 1000, 0 };
	stat_event__add_run(&c.events[0]);
	CHECK(c.events[0].value.mean == 100 && c.events[0].value.nr == 1);
	CHECK(c.events[0].running.mean == 500 && c.events[0].enabled.mean == 1000);
	counted__exit(&c);
}

TEST(stat_csv_fields)
{
	static const double values[] = { 500000000, 1000, 2000, 0 };
	struct counted c;
	struct out out;

	counted__init(&c, "task-clock,cycles,instructions,branches", values);
	c.events[3].supported = false;
	c.events[3].enabled = c.events[3].running = (struct stats){ .nr = 0 };
	CHECK_STR(printed(&c, ",", 1, &out), "500.00,msec,task-clock,1000,100.00,0.500,CPUs "
	                                     "utilized\n"
	                                     "1000,,cycles,1000,100.00,0.000,GHz\n"
	                                     "2000,,instructions,1000,100.00,2.00,insn per cycle\n"
	                                     "<not supported>,,branches,0,100.00,,\n");
	out__exit(&out);
	CHECK_STR(printed(&c, ";", 2, &out),
	          "500.00;msec;task-clock;0.00%;1000;100.00;0.495;CPUs "
	          "utilized\n"
	          "1000;;cycles;0.00%;1000;100.00;0.000;GHz\n"
	          "2000;;instructions;0.00%;1000;100.00;2.00;insn per cycle\n"
	          "<not supported>;;branches;0.00%;0;100.00;;\n");
	out__exit(&out);
	counted__exit(&c);
}

/* One counter's answer to read(). */
static int answer(u64 value, u64 enabled, u64 running)
{
	const u64 words[] = { value, enabled, running };
	int fds[2];

	CHECK_EQ(pipe(fds), 0);
	CHECK_EQ(write(fds[1], words, sizeof(words)), sizeof(words));
	close(fds[1]); /* a second read gets nothing, as from a counter in error */
	return fds[0];
}

/* Three counters of 100: always counting, half of the time, never. One is not open. */
TEST(stat_counts_are_scaled_each_by_its_own_share)
{
	for (int scale = 0; scale < 2; scale++) {
		struct evlist list = { 0 };
		struct evsel *evsel = evlist__add_named(&list, "cycles");
		struct counts counts;

		evsel->nr_cpus = 2;
		evsel->nr_threads = 2;
		evsel->fds = xcalloc(4, sizeof(*evsel->fds));
		evsel->fds[0] = answer(100, 20, 20);
		evsel->fds[1] = answer(100, 20, 10);
		evsel->fds[2] = -1;
		evsel->fds[3] = answer(100, 20, 0);
		CHECK_EQ(evsel__read_counts(evsel, scale, &counts, NULL), 0);
		CHECK_EQ(counts.value, scale ? 400 : 300);
		CHECK_EQ(counts.enabled, 60);
		CHECK_EQ(counts.running, 30);
		CHECK_EQ(evsel__read_counts(evsel, scale, &counts, NULL), -EIO);
		evsel->attr.pinned = 1; /* one that found no place says so by an empty read */
		CHECK_EQ(evsel__read_counts(evsel, scale, &counts, NULL), 0);
		CHECK_EQ(counts.value, 0);
		evlist__exit(&list);
	}
}

/* --ci: one run has no spread; of two all that is shown is between them. */
TEST(stat_ci_is_of_two_runs_or_more)
{
	struct stat_view view = { .ci = true };
	struct series runs = { .nr = 0 };
	struct stat_ci ci;

	series__add(&runs, 4);
	CHECK(!stat_ci__of(&view, &runs, 1, &ci));
	series__add(&runs, 2);
	CHECK(stat_ci__of(&view, &runs, 10, &ci));
	CHECK(ci.min == 20 && ci.max == 40 && ci.median == 30);
	CHECK(ci.low >= 20 && ci.low <= 30 && ci.high >= 30 && ci.high <= 40);
	view.ci = false;
	CHECK(!stat_ci__of(&view, &runs, 1, &ci));
	series__exit(&runs);
}
