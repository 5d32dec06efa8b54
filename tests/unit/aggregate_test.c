// SPDX-License-Identifier: GPL-2.0-or-later
/* Groups of CPUs and threads, and what is printed of them: lines of Linux's perf 6.1, to the blank.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tests/unit/unit.h"
#include "ui/text/stat_view.h"
#include "util/event/parse.h"
#include "util/stat/aggregate.h"

/* Four CPUs, two cores of two threads each on socket 0 and 1; the nodes are the other way round. */
static const struct cpu_topology topologies[] = {
	{ 0, 0, 0, 1 },
	{ 1, 0, 0, 0 },
	{ 0, 0, 0, 1 },
	{ 1, 0, 3, 0 },
};

struct fixture {
	struct evlist list;
	struct cpu_map cpus;
	struct thread_map threads;
	struct aggregation agg;
	struct stat_view view;
	struct out out;
};

static void fixture__init(struct fixture *f, enum aggregate_mode mode, const char *events)
{
	struct event_sources sources = EVENT_SOURCES_INIT;
	struct error err = ERROR_INIT;

	*f = (struct fixture){ .view = { .title = "'system wide'", .nr_runs = 1 } };
	CHECK_EQ(evlist__parse(&f->list, &sources, events, &err), 0);
	event_sources__exit(&sources);
	CHECK_EQ(cpu_map__parse(&f->cpus, "0-3", &err), 0);
	thread_map__add(&f->threads, THREAD_ALL);
	aggregation__init(&f->agg, mode, &f->list, &f->cpus, &f->threads, "/nowhere", topologies,
	                  4);
	for (u32 e = 0; e < f->list.nr; e++)
		aggregation__set_supported(&f->agg, e, true);
	f->view.counts = &f->agg;
	stats__add(&f->view.wall, 1e9);
	out__init(&f->out, -1);
}

static void fixture__exit(struct fixture *f)
{
	aggregation__exit(&f->agg);
	cpu_map__exit(&f->cpus);
	thread_map__exit(&f->threads);
	evlist__exit(&f->list);
	out__exit(&f->out);
}

/* @values[event][cpu] */
static void fixture__run(struct fixture *f, const u64 (*values)[4])
{
	aggregation__start_run(&f->agg);
	for (u32 e = 0; e < f->list.nr; e++)
		for (s32 cpu = 0; cpu < 4; cpu++) {
			struct reading reading = { values[e][cpu], 1000, 1000 };

			aggregation__add(&f->agg, e, cpu, 0, &reading, true);
		}
	aggregation__end_run(&f->agg);
}

TEST(aggregate_groups_by_topology)
{
	static const struct {
		enum aggregate_mode mode;
		const char *names[5];
		double values[4];
		u32 nr_counters[4];
	} rows[] = {
		{ AGGREGATE_GLOBAL, { "" }, { 15 }, { 4 } },
		{ AGGREGATE_CPU,
		  { "CPU0", "CPU1", "CPU2", "CPU3" },
		  { 1, 2, 4, 8 },
		  { 1, 1, 1, 1 } },
		{ AGGREGATE_CORE,
		  { "S0-D0-C0", "S1-D0-C0", "S1-D0-C3" },
		  { 5, 2, 8 },
		  { 2, 1, 1 } },
		{ AGGREGATE_DIE, { "S0-D0", "S1-D0" }, { 5, 10 }, { 2, 2 } },
		{ AGGREGATE_SOCKET, { "S0", "S1" }, { 5, 10 }, { 2, 2 } },
		{ AGGREGATE_NODE, { "N0", "N1" }, { 10, 5 }, { 2, 2 } },
	};
	static const u64 values[][4] = { { 1, 2, 4, 8 } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fixture f;
		u32 nr = 0;

		fixture__init(&f, rows[i].mode, "faults");
		fixture__run(&f, values);
		for (; rows[i].names[nr]; nr++) {
			CHECK_STR(f.agg.groups[nr].name, rows[i].names[nr]);
			CHECK_EQ(f.agg.groups[nr].events[0].value.mean, rows[i].values[nr]);
			CHECK_EQ(f.agg.groups[nr].events[0].nr_counters, rows[i].nr_counters[nr]);
		}
		CHECK_EQ(f.agg.nr, nr);
		fixture__exit(&f);
	}
}

TEST(aggregate_ratios_are_those_of_the_group)
{
	/* perf-stat of old divided each row by the mean of all rows. */
	static const u64 values[][4] = { { 100, 1000, 300, 10 }, { 50, 4000, 550, 10 } };
	static const double ipc[] = { 600.0 / 400, 4010.0 / 1010 };
	struct stat_metric metrics[STAT_METRICS_MAX];
	struct fixture f;

	fixture__init(&f, AGGREGATE_SOCKET, "cycles,instructions");
	fixture__run(&f, values);
	for (u32 g = 0; g < 2; g++) {
		CHECK_EQ(stat_metrics__of(f.agg.groups[g].events, 2, 1, 1e9, metrics), 1);
		CHECK(metrics[0].value == ipc[g]);
	}
	fixture__exit(&f);
}

TEST(aggregate_runs_have_a_spread_in_each_group)
{
	static const u64 first[][4] = { { 10, 1, 0, 0 } }, second[][4] = { { 14, 1, 0, 0 } };
	struct fixture f;

	fixture__init(&f, AGGREGATE_CPU, "faults");
	fixture__run(&f, first);
	fixture__run(&f, second);
	CHECK(f.agg.groups[0].events[0].value.mean == 12);
	CHECK(stats__deviation(&f.agg.groups[0].events[0].value) == 2);
	CHECK(stats__deviation(&f.agg.groups[1].events[0].value) == 0);
	aggregation__reset(&f.agg);
	CHECK(f.agg.groups[0].events[0].value.nr == 0);
	fixture__exit(&f);
}

static void write_number(const char *root, const char *file, const char *text)
{
	char path[512];
	FILE *to;

	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu7/%s", root, file);
	to = fopen(path, "w");
	CHECK(to && fputs(text, to) >= 0);
	if (to)
		fclose(to);
}

TEST(aggregate_reads_the_topology_of_a_cpu)
{
	static const char *const folders[] = { "devices",
		                               "devices/system",
		                               "devices/system/cpu",
		                               "devices/system/cpu/cpu7",
		                               "devices/system/cpu/cpu7/topology",
		                               "devices/system/cpu/cpu7/node2" };
	const char *root = unit__tmpdir();
	struct cpu_topology topology;
	char path[512];

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		CHECK_EQ(mkdir(path, 0755), 0);
	}
	write_number(root, "topology/physical_package_id", "3\n");
	write_number(root, "topology/core_id", "12\n");
	write_number(root, "topology/die_id", "-1\n");
	topology = cpu_topology__read(root, 7);
	CHECK_EQ(topology.socket, 3);
	CHECK_EQ(topology.core, 12);
	CHECK_EQ(topology.die, 0); /* none */
	CHECK_EQ(topology.node, 2);
	write_number(root, "topology/core_id", "99999999999999999999\n");
	write_number(root, "topology/physical_package_id", "\xff\n");
	topology = cpu_topology__read(root, 7);
	CHECK_EQ(topology.core, 0);
	CHECK_EQ(topology.socket, 0);
	topology = cpu_topology__read("/nowhere", 7);
	CHECK_EQ(topology.node, 0);
}

TEST(aggregate_table_of_groups)
{
	static const u64 values[][4] = { { 72, 78, 0, 0 } };
	static const struct {
		enum aggregate_mode mode;
		const char *row;
	} rows[] = {
		{ AGGREGATE_CPU, "CPU0                       72      cs            " },
		{ AGGREGATE_CORE, "S0-D0-C0           2                 72      cs  " },
		{ AGGREGATE_DIE, "S0-D0           2                 72      cs     " },
		{ AGGREGATE_SOCKET, "S0        2                 72      cs         " },
		{ AGGREGATE_NODE, "N1        2                 72      cs         " },
	};
	struct fixture f;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		fixture__init(&f, rows[i].mode, "cs");
		fixture__run(&f, values);
		stat_table__print(&f.view, &f.out);
		CHECK(strstr(out__take(&f.out), rows[i].row));
		fixture__exit(&f);
	}
	fixture__init(&f, AGGREGATE_CPU, "cs");
	fixture__run(&f, values);
	stat_json__print(&f.view, &f.out);
	CHECK(strstr(out__take(&f.out), "{\"cpu\" : \"0\", \"counter-value\" : \"72.000000\", "));
	fixture__exit(&f);
	fixture__init(&f, AGGREGATE_CORE, "cs");
	fixture__run(&f, values);
	f.view.interval = f.view.heading = true;
	f.view.time_ns = 107959726;
	stat_table__print(&f.view, &f.out);
	CHECK(strstr(out__take(&f.out),
	             "#           time core            cpus             counts unit events\n"
	             "     0.107959726 S0-D0-C0           2                 72      cs  "));
	fixture__exit(&f);
}

TEST(aggregate_threads_by_their_counts)
{
	struct reading readings[] = { { 0, 0, 0 }, { 28195130, 1000, 1000 }, { 7, 10, 10 } };
	struct fixture f;
	const char *text;

	fixture__init(&f, AGGREGATE_GLOBAL, "faults,cycles");
	aggregation__exit(&f.agg);
	f.threads.nr = 0;
	for (s32 tid = 999999990; tid < 999999993; tid++) /* none has such a number */
		thread_map__add(&f.threads, tid);
	aggregation__init(&f.agg, AGGREGATE_THREAD, &f.list, &f.cpus, &f.threads, "/nowhere", NULL,
	                  0);
	aggregation__set_supported(&f.agg, 0, true);
	aggregation__start_run(&f.agg);
	for (u32 i = 0; i < 3; i++)
		aggregation__add(&f.agg, 0, CPU_ANY, i, &readings[i], true);
	aggregation__end_run(&f.agg);
	f.view.separator = ",";
	stat_csv__print(&f.view, &f.out);
	CHECK_STR(out__take(&f.out), "-999999991,28195130,,faults,1000,100.00,,\n"
	                             "-999999992,7,,faults,10,100.00,,\n"
	                             "-999999990,<not counted>,,faults,0,100.00,,\n"
	                             "-999999990,<not supported>,,cycles,0,100.00,,\n"
	                             "-999999991,<not supported>,,cycles,0,100.00,,\n"
	                             "-999999992,<not supported>,,cycles,0,100.00,,\n");
	f.out.len = 0;
	f.view.only_counted = true; /* but what nobody could count is not lost */
	stat_csv__print(&f.view, &f.out);
	CHECK_STR(out__take(&f.out), "-999999991,28195130,,faults,1000,100.00,,\n"
	                             "-999999992,7,,faults,10,100.00,,\n"
	                             ",<not supported>,,cycles,0,100.00,,\n");
	snprintf(f.agg.groups[1].name, sizeof(f.agg.groups[1].name), "cc1-21416");
	f.out.len = 0;
	stat_table__print(&f.view, &f.out);
	text = out__take(&f.out);
	CHECK(strstr(text, "\n             cc1-21416              28195130      faults    "));
	fixture__exit(&f);
}

TEST(aggregate_csv_and_json_fields)
{
	static const u64 values[][4] = { { 4000, 4000, 0, 0 },
		                         { 1000, 2000, 1000, 0 },
		                         { 100, 0, 20, 0 } };
	struct fixture f;

	fixture__init(&f, AGGREGATE_SOCKET, "cycles,instructions,stalled-cycles-backend");
	evsel__set_text(&f.list.evsels[2]->cgroup, "a\"b");
	f.list.evsels[2]->cgroup_fd = -1;
	fixture__run(&f, values);
	f.view.separator = ",";
	f.view.interval = true;
	f.view.time_ns = 1104110748;
	stat_csv__print(&f.view, &f.out);
	CHECK_STR(out__take(&f.out),
	          "     1.104110748,S0,2,4000,,cycles,,2000,100.00,,\n"
	          "     1.104110748,S0,2,2000,,instructions,,2000,100.00,0.50,insn per cycle\n"
	          ",,,,,,,,,0.06,stalled cycles per insn\n"
	          "     1.104110748,S0,2,120,,stalled-cycles-backend,a\"b,2000,100.00,3.00,backend "
	          "cycles idle\n"
	          "     1.104110748,S1,2,4000,,cycles,,2000,100.00,,\n"
	          "     1.104110748,S1,2,2000,,instructions,,2000,100.00,0.50,insn per cycle\n"
	          "     1.104110748,S1,2,0,,stalled-cycles-backend,a\"b,2000,100.00,0.00,backend "
	          "cycles idle\n");
	f.out.len = 0;
	f.agg.nr = 1;
	f.view.interval = false;
	stat_json__print(&f.view, &f.out);
	CHECK_STR(
	        out__take(&f.out),
	        "{\"socket\" : \"S0\", \"aggregate-number\" : 2, \"counter-value\" : "
	        "\"4000.000000\", \"unit\" : \"\", \"event\" : \"cycles\", \"event-runtime\" : "
	        "2000, \"pcnt-running\" : 100.00, \"metric-value\" : 0.000000, \"metric-unit\" : "
	        "\"Ghz\"}\n"
	        "{\"socket\" : \"S0\", \"aggregate-number\" : 2, \"counter-value\" : "
	        "\"2000.000000\", \"unit\" : \"\", \"event\" : \"instructions\", "
	        "\"event-runtime\" : 2000, \"pcnt-running\" : 100.00, \"metric-value\" : 0.500000, "
	        "\"metric-unit\" : \"insn per cycle\"}\n"
	        "{\"socket\" : \"S0\", \"aggregate-number\" : 2, \"metric-value\" : 0.060000, "
	        "\"metric-unit\" : \"stalled cycles per insn\"}\n"
	        "{\"socket\" : \"S0\", \"aggregate-number\" : 2, \"counter-value\" : "
	        "\"120.000000\", \"unit\" : \"\", \"event\" : \"stalled-cycles-backend\", "
	        "\"cgroup\" : \"a\\\"b\", \"event-runtime\" : 2000, \"pcnt-running\" : 100.00, "
	        "\"metric-value\" : 3.000000, \"metric-unit\" : \"backend cycles idle\"}\n");
	f.agg.nr = 2;
	fixture__exit(&f);
}

TEST(aggregate_metric_only_has_one_column_for_a_figure)
{
	static const u64 values[][4] = {
		{ 4000, 0, 0, 0 }, { 1000, 2000, 1000, 0 }, { 10, 20, 10, 0 }, { 1, 2, 0, 0 }
	};
	struct fixture f;

	fixture__init(&f, AGGREGATE_SOCKET, "cycles,instructions,branches,branch-misses");
	fixture__run(&f, values);
	f.agg.groups[1].events[0].supported = false; /* no IPC there: an empty field */
	f.view.metric_only = true;
	f.view.separator = ";";
	stat_csv__print(&f.view, &f.out);
	CHECK_STR(out__take(&f.out), "socket;cpus;insn per cycle;branch-misses of all branches;\n"
	                             "S0;2;0.50;5.00;\n"
	                             "S1;2;;10.00;\n");
	f.out.len = 0;
	stat_json__print(&f.view, &f.out);
	CHECK_STR(
	        out__take(&f.out),
	        "{\"socket\" : \"S0\", \"aggregate-number\" : 2, \"metrics\" : {\"insn per cycle\" "
	        ": 0.500000, \"branch-misses of all branches\" : 5.000000}}\n"
	        "{\"socket\" : \"S1\", \"aggregate-number\" : 2, \"metrics\" : {\"branch-misses of "
	        "all branches\" : 10.000000}}\n");
	f.out.len = 0;
	stat_table__print(&f.view, &f.out);
	CHECK(strstr(out__take(&f.out),
	             "\n                  insn per cycle branch-misses of all branches \n"
	             "S0        2                 0.50                          5.00 \n"
	             "S1        2                                              10.00 \n"));
	fixture__exit(&f);
}

TEST(aggregate_table_of_runs)
{
	static const double runs[] = { 61290000, 95600000, 15640000 };
	struct fixture f;

	fixture__init(&f, AGGREGATE_GLOBAL, "cs");
	f.view.wall = (struct stats){ .nr = 0 };
	for (size_t i = 0; i < 3; i++)
		stats__add(&f.view.wall, runs[i]);
	f.view.run_ns = runs;
	f.view.table = true;
	f.view.nr_runs = 3;
	f.agg.nr_events = 0;
	stat_table__print(&f.view, &f.out);
	CHECK_STR(out__take(&f.out), "\n Performance counter stats for 'system wide' (3 runs):\n\n"
	                             "            # Table of individual measurements:\n"
	                             "            0.0613 (+0.0038) ##\n"
	                             "            0.0956 (+0.0381) ########\n"
	                             "            0.0156 (-0.0419) "
	                             "######################################################\n"
	                             "\n            # Final result:\n"
	                             "            0.0575 +- 0.0232 seconds time elapsed  ( +- "
	                             "40.27% )\n\n");
	f.agg.nr_events = 1;
	fixture__exit(&f);
}

TEST(aggregate_percore_counts_are_those_of_the_core)
{
	static const struct cpu_topology siblings[] = {
		{ 0, 0, 7, 0 }, { 0, 0, 8, 0 }, { 0, 0, 7, 0 }, { 1, 0, 8, 0 }
	};
	const struct reading reading = { 10, 1000, 1000 };
	struct fixture f;
	u32 nr;

	fixture__init(&f, AGGREGATE_CPU, "cs/percore/,faults");
	aggregation__exit(&f.agg);
	aggregation__init(&f.agg, AGGREGATE_CPU, &f.list, &f.cpus, &f.threads, NULL, siblings, 4);
	aggregation__start_run(&f.agg);
	for (u32 e = 0; e < 2; e++) {
		aggregation__set_supported(&f.agg, e, true);
		for (s32 cpu = 0; cpu < 4; cpu++)
			aggregation__add(&f.agg, e, cpu, 0, &reading, true);
	}
	aggregation__end_run(&f.agg);
	CHECK_EQ(f.agg.groups[0].events[0].value.mean, 20); /* CPUs 0 and 2 */
	CHECK_EQ(f.agg.groups[1].events[0].value.mean, 10);
	CHECK_EQ(f.agg.groups[2].events[0].value.mean, 20);
	CHECK_EQ(f.agg.groups[3].events[0].value.mean, 10); /* of another socket */
	CHECK_EQ(f.agg.groups[0].events[1].value.mean, 10); /* without the term */
	free(stat_view__rows(&f.view, &nr));
	CHECK_EQ(nr, 3 + 4);
	f.view.percore_all = true;
	free(stat_view__rows(&f.view, &nr));
	CHECK_EQ(nr, 4 + 4);
	fixture__exit(&f);
}
