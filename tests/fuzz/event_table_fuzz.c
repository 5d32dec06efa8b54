// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables of events: the JSON of a file (with and without events to refer to before it), its texts
 * as terms of an event, and its formulas.
 */
#include "util/event/event_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/event/cpu_id.h"
#include "util/event/terms.h"
#include "util/lib/formula.h"
#include "util/lib/json_read.h"

static void touch(const char *text)
{
	if (text)
		fuzz__touch(text, strlen(text));
}

static double literal(void *ctx, const char *name)
{
	(void)ctx;
	return *name == 'x' ? NAN : 1;
}

static bool answer(void *ctx, const char *name)
{
	(void)ctx;
	return strlen(name) & 1;
}

static double value(void *ctx, u32 name)
{
	FUZZ_CHECK(formula__name(ctx, name));
	return name % 3;
}

static void check_formula(const char *text)
{
	static const struct formula_facts facts = { literal, answer, answer, NULL };
	struct error err = ERROR_INIT;
	struct formula *formula = formula__parse(text, &facts, &err);
	struct formula_values values = { value, value, formula };
	double result;

	if (!formula) {
		FUZZ_CHECK(err.code < 0 && *err.cause);
		FUZZ_CHECK(err.column <= strlen(err.subject) + 1);
		return;
	}
	result = formula__value(formula, &values);
	FUZZ_CHECK(isnan(result) || isfinite(result));
	for (u32 i = 0; formula__name(formula, i); i++)
		touch(formula__name(formula, i));
	formula__free(formula);
}

static void check_event(const struct event_table *table, const struct table_event *event)
{
	struct event_terms terms = { .nr = 0 };
	u32 at;

	touch(event->name);
	touch(event->source);
	touch(event->brief);
	touch(event->details);
	touch(event->unit);
	FUZZ_CHECK(event_table__find(table, event->name, NULL));
	if (event_terms__parse(&terms, event->terms, strlen(event->terms), &at, NULL))
		FUZZ_CHECK(at <= strlen(event->terms));
	event_terms__exit(&terms);
}

/* The reader alone: tokens end, and what was opened is closed. */
static void check_json(const char *text, size_t size)
{
	struct json_reader reader;
	enum json_token token;
	size_t nr = 0;
	long depth = 0;

	json_reader__init(&reader, text, size);
	while ((token = json_reader__next(&reader)) != JSON_ERROR && token != JSON_END) {
		depth += token == JSON_OBJECT || token == JSON_ARRAY;
		depth -= token == JSON_OBJECT_END || token == JSON_ARRAY_END;
		FUZZ_CHECK(depth >= 0 && depth <= JSON_DEPTH_MAX && ++nr <= size);
		touch(reader.key);
		if (token == JSON_STRING || token == JSON_NUMBER)
			touch(reader.text);
	}
	FUZZ_CHECK(token == JSON_ERROR || !depth);
	FUZZ_CHECK((token == JSON_ERROR) == (reader.error != NULL));
	json_reader__exit(&reader);
}

/* The text as the list of processors, as their events, and as a pattern. */
static void check_folder(const u8 *data, size_t size, const char *text)
{
	static const char *const files[] = { "/x86/mapfile.csv", "/x86/some/a.json",
		                             "/x86/some/b.json", "/x86/some/notes" };
	static struct event_table_selector here = { .arch = "x86", .cpu = "GenuineIntel-6-55-4" };
	struct event_table *table;

	if (!here.root)
		here.root = fuzz__folder(files, ARRAY_SIZE(files));
	fuzz__fill(data, size);
	table = event_table__load(&here);
	for (u32 i = 0; i < table->nr_events; i++)
		check_event(table, &table->events[i]);
	event_table__free(table);
	cpu_id__fits("GenuineIntel-6-55-4", text);
	cpu_id__fits("0x00000000410fd0c1", text);
	FUZZ_CHECK(cpu_id__fits("GenuineIntel-6-55-4", "GenuineIntel-6-5[0-9]"));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const struct event_table_selector nowhere = { "/nonexistent", "x", "y" };
	static const char std[] = "[{\"EventName\":\"STD\",\"EventCode\":\"1\"}]";
	struct event_table *table = event_table__load(&nowhere);
	char *text = malloc(size + 1);
	const char **groups;
	u32 nr;

	FUZZ_CHECK(text);
	memcpy(text, data, size);
	text[size] = '\0';
	check_json(text, size);
	check_formula(text);
	check_folder(data, size, text);
	event_table__read(table, "std.json", "std", std, strlen(std), true);
	event_table__read(table, "a.json", "a", text, size, size & 1);
	event_table__read(table, "b.json", "b", text, size, false);
	for (u32 i = 0; i < table->nr_events; i++)
		check_event(table, &table->events[i]);
	for (u32 i = 0; i < table->nr_metrics; i++) {
		touch(table->metrics[i].name);
		touch(table->metrics[i].unit);
		check_formula(table->metrics[i].formula);
	}
	for (u32 i = 0; i < table->nr_problems && i < TABLE_PROBLEMS_MAX; i++)
		for (const char *s = table->problems[i]; *s; s++)
			FUZZ_CHECK((u8)*s >= 0x20 && *s != 0x7f);
	groups = event_table__groups(table, &nr);
	for (u32 i = 1; i < nr; i++)
		FUZZ_CHECK(strcmp(groups[i - 1], groups[i]) < 0);
	free(groups);
	event_table__free(table);
	free(text);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const seeds[] = {
		"[{\"EventName\":\"A.B\",\"EventCode\":\"0xB7, 0xBB\",\"UMask\":\"0x1\",\"MSRIndex\":"
		"\"0x1a6,0x1a7\",\"MSRValue\":\"0x10003\",\"Filter\":\"filter=1\"}]",
		"{\"Header\":{\"a\":[1]},\"Events\":[{\"ArchStdEvent\":\"STD\"},{\"ArchStdEvent\":\"NO\"}]}",
		"[{\"MetricName\":\"m\",\"MetricExpr\":\"a / b if #smt_on else max(c, "
		"1)\",\"MetricGroup\":\"G;H\",\"ScaleUnit\":\"100%\"}]",
		"[{\"EventName\":\"U\",\"ConfigCode\":7,\"Unit\":\"iMC\",\"Deprecated\":true},\n[],3,null]",
		"d_ratio(1e3 * cpu@A.B\\,cmask\\=1@:u, -#num_cpus) % 2 ^ 3 | 4 & 5",
		"100 * (1 - min(a, b)) if a >= b else has_event(c) + source_count(d) != .5",
		"strcmp_cpuid_str(0x410) == 1",
		"Family,Version,Name,Type\n# x\nGenuineIntel-6-5[56],v1, some ,core\nx,,/etc\n,\n"
		"\377[{\"EventName\":\"F\",\"EventCode\":\"1\"}]\377[{\"EventName\":\"G\"}]\377x",
		"0x00000000410fd0c.",
		"[\"\\u00e4\\ud83d\\ude00\\n\", -1.5e+7, true]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(seeds); i++)
		add(seeds[i], strlen(seeds[i]));
}
