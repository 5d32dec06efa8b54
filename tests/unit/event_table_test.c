// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/event_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/event/cpu_id.h"

static struct event_table *empty_table(void)
{
	static const struct event_table_selector nowhere = { "/nonexistent", "x", "y" };

	return event_table__load(&nowhere);
}

static struct event_table *read_text(const char *text)
{
	struct event_table *table = empty_table();

	event_table__read(table, "t/pipe.json", "pipe", text, strlen(text), false);
	return table;
}

TEST(event_table_codes_become_terms)
{
	static const struct {
		const char *fields, *terms, *source;
	} rows[] = {
		{ "\"EventCode\": \"0xC4\", \"UMask\": \"0x20\"", "event=0xc4,umask=0x20", NULL },
		{ "\"EventCode\": 17", "event=0x11", NULL },
		{ "\"EventCode\": \"0x3C\", \"UMask\": \"0x00\", \"CounterMask\": \"2\", \"Invert\": \"1\"",
		  "event=0x3c,cmask=0x2,inv=0x1", NULL },
		{ "\"EventCode\": \"0x00\", \"UMask\": \"0x01\", \"SampleAfterValue\": \"2000003\"",
		  "event=0xc0,period=0x1e8483", NULL },
		{ "\"EventCode\": \"0x00\", \"UMask\": \"0x02\"", "event=0x3c", NULL },
		{ "\"EventCode\": \"0x00\", \"UMask\": \"0x03\"", "event=0,umask=0x3", NULL },
		{ "\"EventCode\": \"0xB7, 0xBB\", \"UMask\": \"0x01\", \"MSRIndex\": \"0x1a6,0x1a7\", "
		  "\"MSRValue\": \"0x10003\"",
		  "event=0xb7,umask=0x1,offcore_rsp=0x10003", NULL },
		{ "\"EventCode\": \"0xcd\", \"MSRIndex\": \"0x3F6\", \"MSRValue\": \"0x40\"",
		  "event=0xcd,ldlat=0x40", NULL },
		{ "\"ConfigCode\": \"0x8\"", "config=0x8", NULL },
		{ "\"EventCode\": \"0x34\", \"Unit\": \"CBO\", \"Filter\": \"filter_opc=0x1\"",
		  "event=0x34,filter_opc=0x1", "uncore_cbox" },
		{ "\"EventCode\": \"0x0\", \"UMask\": \"0x1\", \"Unit\": \"iMC\"",
		  "event=0,umask=0x1", "uncore_imc" },
		{ "\"EventCode\": \"1\", \"Unit\": \"cpu_atom\"", "event=0x1", "cpu_atom" },
		{ "\"EventCode\": \"1\", \"Unit\": \"hisi_sccl,ddrc\"", "event=0x1",
		  "hisi_sccl,ddrc" },
		{ "\"EventCode\": \"1\", \"Unit\": \"L3PMC\"", "event=0x1", "amd_l3" },
	};
	char text[512];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_table *table;

		snprintf(text, sizeof(text), "[{ \"EventName\": \"X.Y\", %s }]", rows[i].fields);
		table = read_text(text);
		CHECK_EQ(table->nr_problems, 0);
		CHECK_EQ(table->nr_events, 1);
		if (table->nr_events) {
			CHECK_STR(table->events[0].terms, rows[i].terms);
			CHECK_STR(table->events[0].source ? table->events[0].source : "-",
			          rows[i].source ? rows[i].source : "-");
			CHECK_STR(table->events[0].topic, "pipe");
			CHECK(event_table__find(table, "x.Y", NULL) == table->events);
			CHECK(!event_table__find(table, "x.Y", table->events));
		}
		event_table__free(table);
	}
}

TEST(event_table_fields)
{
	static const char text[] =
	        "{ \"Header\": { \"Version\": [1, 2] }, \"Events\": [\n"
	        "{ \"EventName\": \"A\", \"EventCode\": \"1\", \"BriefDescription\": \"short\",\n"
	        "  \"PublicDescription\": \"long\", \"Deprecated\": \"1\", \"ScaleUnit\": \"64Bytes\",\n"
	        "  \"Unknown\": { \"x\": [] } },\n"
	        "{ \"EventName\": \"B\", \"EventCode\": \"2\", \"Deprecated\": \"0\" },\n"
	        "{ \"MetricName\": \"m\", \"MetricExpr\": \"A / B\", \"MetricGroup\": \"Two;One\",\n"
	        "  \"ScaleUnit\": \"100%\", \"BriefDescription\": \"ratio\" },\n"
	        "{ \"MetricName\": \"n\", \"MetricExpr\": \"B\", \"MetricConstraint\": "
	        "\"NO_GROUP_EVENTS\" } ] }";
	struct event_table *table = read_text(text);
	const struct table_metric *metric = event_table__metric(table, "M");
	const char **groups;
	u32 nr;

	CHECK_EQ(table->nr_problems, 0);
	CHECK_EQ(table->nr_events, 2);
	CHECK_EQ(table->nr_metrics, 2);
	CHECK_STR(table->events[0].brief, "short");
	CHECK_STR(table->events[0].details, "long");
	CHECK_STR(table->events[0].scale, "64Bytes");
	CHECK_STR(table->events[0].unit, "Bytes");
	CHECK(table->events[0].deprecated && !table->events[1].deprecated);
	CHECK(metric && metric->scale == 100 && !metric->apart);
	CHECK_STR(metric->unit, "%");
	CHECK_STR(metric->formula, "A / B");
	CHECK_EQ(metric->line, 6);
	CHECK(table_metric__is_in(metric, "one") && table_metric__is_in(metric, "Two"));
	CHECK(!table_metric__is_in(metric, "On") && !table_metric__is_in(metric, "Two;One"));
	CHECK(event_table__metric(table, "n")->apart);
	CHECK(!event_table__metric(table, "n")->unit);
	groups = event_table__groups(table, &nr);
	CHECK_EQ(nr, 2);
	CHECK_STR(groups[0], "One");
	CHECK_STR(groups[1], "Two");
	free(groups);
	event_table__free(table);
}

TEST(event_table_mistakes_name_the_line_and_cost_no_more)
{
	static const struct {
		const char *text, *problem;
		u32 nr_events;
	} rows[] = {
		{ "[\n{ \"EventName\": \"A\", \"EventCode\": \"1\" },\n{ \"EventName\": \"B\" },\n"
		  "{ \"EventName\": \"C\", \"EventCode\": \"3\" }]",
		  "t/pipe.json:3: the event 'B' has neither EventCode nor ConfigCode", 2 },
		{ "[{ \"EventName\": \"A\", \"EventCode\": \"one\" }]",
		  "t/pipe.json:1: EventCode is no number: 'one'", 0 },
		{ "[{ \"EventName\": \"A\", \"EventCode\": \"1\" },\n\n{ \"EventName\" \"B\" }]",
		  "t/pipe.json:3: ':' is missing after a name", 1 },
		{ "[{ \"EventName\": \"A\", \"EventCode\": \"1\" },\n7,\n{}]",
		  "t/pipe.json:2: an entry is no object", 1 },
		{ "[{ \"BriefDescription\": \"A\" }]",
		  "t/pipe.json:1: neither EventName nor MetricName", 0 },
		{ "[{ \"MetricName\": \"A\" }]", "t/pipe.json:1: the metric 'A' has no MetricExpr",
		  0 },
		{ "[{ \"ArchStdEvent\": \"A\" }]",
		  "t/pipe.json:1: ArchStdEvent 'A' is in none of the files next to mapfile.csv",
		  0 },
		{ "\n7", "t/pipe.json:2: it is not an array of objects", 0 },
		{ "", "t/pipe.json:1: the text ends in the middle", 0 },
		{ "[{ \"EventName\": \"\\u001b[31m\" }]",
		  "t/pipe.json:1: the event '?[31m' has neither EventCode nor ConfigCode", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_table *table = read_text(rows[i].text);

		CHECK(table->nr_problems >= 1);
		if (table->nr_problems)
			CHECK_STR(table->problems[0], rows[i].problem);
		CHECK_EQ(table->nr_events, rows[i].nr_events);
		event_table__free(table);
	}
}

TEST(event_table_problems_are_counted)
{
	static const char one[] = "[{ \"EventName\": \"A\" }]";
	struct event_table *table = empty_table();

	for (u32 i = 0; i < TABLE_PROBLEMS_MAX + 5; i++)
		event_table__read(table, "f", "f", one, strlen(one), false);
	CHECK_EQ(table->nr_problems, TABLE_PROBLEMS_MAX + 5);
	event_table__free(table);
}

TEST(event_table_is_chosen_by_the_cpu)
{
	const char *dir = unit__tmpdir();
	struct event_table_selector selector = { dir, "arm64", "0x00000000411fd0c1" };
	struct event_table *table;

	put_test_text(dir, "common/all.json", "[{ \"MetricName\": \"m\", \"MetricExpr\": \"1\" }]");
	put_test_text(dir, "arm64/mapfile.csv",
	              "Family-model,Version,Filename,EventType\n# comment,,,\n"
	              "0x00000000410fd030,v1,a53,core\n0x00000000410fd0c0,v1,arm/n1,core\n");
	put_test_text(
	        dir, "arm64/std.json",
	        "[{ \"EventName\": \"STD\", \"EventCode\": \"0x11\", \"BriefDescription\": \"std\" }]");
	put_test_text(dir, "arm64/arm/n1/pipe.json",
	              "[{ \"ArchStdEvent\": \"STD\", \"BriefDescription\": \"own\" },\n"
	              "{ \"MetricName\": \"M\", \"MetricExpr\": \"2\" }]");
	put_test_text(dir, "arm64/arm/n1/notes.txt", "no JSON");
	table = event_table__load(&selector);
	CHECK_EQ(table->nr_problems, 0);
	CHECK_STR(table->folder ? table->folder : "", "arm64/arm/n1");
	CHECK_EQ(table->nr_events, 1);
	CHECK_STR(table->events[0].name, "STD");
	CHECK_STR(table->events[0].terms, "event=0x11");
	CHECK_STR(table->events[0].brief, "own");
	CHECK_EQ(table->nr_metrics, 1);
	CHECK_STR(table->metrics[0].formula, "2");
	event_table__free(table);

	selector.cpu = "0x00000000410fd460";
	table = event_table__load(&selector);
	CHECK(!table->folder && !table->nr_events);
	CHECK_EQ(table->nr_metrics, 1);
	event_table__free(table);
}

TEST(event_table_mapfile_mistakes)
{
	const char *dir = unit__tmpdir();
	struct event_table_selector selector = { dir, "x86", "GenuineIntel-6-55-4" };
	struct event_table *table;
	char expected[600];

	put_test_text(dir, "x86/mapfile.csv",
	              "Family-model,Version,Filename,EventType\nx\ny,v1,../../etc,core\n"
	              "GenuineIntel-6-(55,v1,a,core\nGenuineIntel-6-55-[0-4],v1,skx,core\n");
	put_test_text(dir, "x86/skx/a.json", "[]");
	table = event_table__load(&selector);
	CHECK_EQ(table->nr_problems, 2);
	snprintf(expected, sizeof(expected), "%s/x86/mapfile.csv:3: no folder in the third field",
	         dir);
	CHECK_STR(table->problems[1], expected);
	CHECK_STR(table->folder ? table->folder : "", "x86/skx");
	event_table__free(table);
}

TEST(cpu_id_patterns)
{
	static const struct {
		const char *id, *pattern;
		bool fits;
	} rows[] = {
		{ "GenuineIntel-6-55-4", "GenuineIntel-6-55-[01234]", true },
		{ "GenuineIntel-6-55-7", "GenuineIntel-6-55-[01234]", false },
		{ "GenuineIntel-6-55-7", "GenuineIntel-6-55", true },
		{ "GenuineIntel-6-1C-2", "GenuineIntel-6-(1C|26|27)", true },
		{ "GenuineIntel-6-5-1", "GenuineIntel-6-55", false },
		{ "GenuineIntel-16-55-1", "GenuineIntel-6-55", false },
		{ "AuthenticAMD-25-1-0", "AuthenticAMD-25-([245][[:xdigit:]]|[[:xdigit:]])", true },
		{ "AuthenticAMD-26-2-1", "AuthenticAMD-25-.*", false },
		{ "0x00000000413fd0c1", "0x00000000410fd0c0", true },
		{ "0x00000000410fd0d0", "0x00000000410fd0c0", false },
		{ "0x00000000480fd010", "0x[0-9a-f]*", true },
		{ "a", "(", false },
		{ "aaaa", "a{4}", false },
		{ "a", "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (cpu_id__fits(rows[i].id, rows[i].pattern) != rows[i].fits)
			CHECK_STR(rows[i].pattern, rows[i].id);
}

TEST(cpu_id_of_a_machine)
{
	const struct arch *arch = arch__find("x86_64");
	const char *dir = unit__tmpdir();
	char id[CPU_ID_SIZE];

	unsetenv("PERF_CPUID");
	CHECK(!cpu_id__read(arch, dir, id));
	CHECK_STR(id, "");
	put_test_text(dir, "proc/cpuinfo",
	              "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"
	              "model name\t: X\nstepping\t: 4\n");
	CHECK(cpu_id__read(arch, dir, id));
	CHECK_STR(id, "GenuineIntel-6-55-4");
	arch = arch__find("aarch64");
	CHECK(!cpu_id__read(arch, dir, id));
	put_test_text(dir, "sys/devices/system/cpu/cpu0/regs/identification/midr_el1",
	              "0x00000000410fd0c0\n");
	CHECK(cpu_id__read(arch, dir, id));
	CHECK_STR(id, "0x00000000410fd0c0");
	setenv("PERF_CPUID", "testcpu", 1);
	CHECK(cpu_id__read(arch, dir, id));
	CHECK_STR(id, "testcpu");
	unsetenv("PERF_CPUID");
}
