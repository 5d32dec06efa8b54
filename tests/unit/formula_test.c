// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/unit.h"

static double literal(void *ctx, const char *name)
{
	(void)ctx;
	return !strcmp(name, "smt_on") ? 1 : !strcmp(name, "num_cpus") ? 8 : NAN;
}

static bool has_event(void *ctx, const char *event)
{
	(void)ctx;
	return !strcmp(event, "there");
}

static bool is_cpu(void *ctx, const char *pattern)
{
	(void)ctx;
	return !strcmp(pattern, "0x410fd490");
}

static const struct formula_facts facts = { literal, has_event, is_cpu, NULL };

/* a is 1, b 2 ...; z is 0; any other name has no value. */
static double value(void *ctx, u32 name)
{
	const char *text = formula__name(ctx, name);

	if (strlen(text) != 1)
		return NAN;
	return *text == 'z' ? 0 : *text - 'a' + 1;
}

static double sources(void *ctx, u32 name)
{
	(void)ctx;
	(void)name;
	return 4;
}

static double of(const char *text)
{
	struct error err = ERROR_INIT;
	struct formula *formula = formula__parse(text, &facts, &err);
	struct formula_values values = { value, sources, formula };
	double result;

	if (!formula) {
		CHECK_STR(text, err.cause);
		return -1e99;
	}
	result = formula__value(formula, &values);
	formula__free(formula);
	return result;
}

TEST(formula_computes)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = {
		{ "1", 1 },
		{ ".5", 0.5 },
		{ "1e3", 1000 },
		{ "2 + 3 * 4", 14 },
		{ "(2 + 3) * 4", 20 },
		{ "10 - 3 - 2", 5 },
		{ "12 / 3 / 2", 2 },
		{ "7 % 4", 3 },
		{ "-a + 3", 2 },
		{ "- - 2", 2 },
		{ "2 - -2", 4 },
		{ "a / b", 0.5 },
		{ "min(a, b) + max(a, b) * 10", 21 },
		{ "d_ratio(c, b)", 1.5 },
		{ "d_ratio(c, z)", 0 },
		{ "a < b", 1 },
		{ "a > b", 0 },
		{ "a <= 1", 1 },
		{ "a >= b", 0 },
		{ "a == 1", 1 },
		{ "a != 1", 0 },
		{ "1 + 1 < 3", 1 },
		{ "6 & 3", 2 },
		{ "6 | 1", 7 },
		{ "6 ^ 3", 5 },
		{ "1 | 2 & 0", 1 },
		{ "b if a < b else c", 2 },
		{ "b if a > b else c", 3 },
		{ "1 if z else 2 if z else 3", 3 },
		{ "(b if #smt_on else c) * 2", 4 },
		{ "#num_cpus", 8 },
		{ "has_event(there) * 2 + has_event(gone)", 2 },
		{ "strcmp_cpuid_str(0x410fd490)", 1 },
		{ "source_count(imc_0@event\\=0x1@)", 4 },
		{ "a / z if z > 0 else 5", 5 },
		{ "min(1, 2) if 1 else 3", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (of(rows[i].text) != rows[i].value) {
			CHECK_STR(rows[i].text, "");
			CHECK(of(rows[i].text) == rows[i].value);
		}
}

TEST(formula_without_a_value_is_nan)
{
	static const char *const rows[] = { "a / z",         "1 / 0",
		                            "1 % z",         "unknown",
		                            "1 + 0 / 0",     "min(a, unknown)",
		                            "unknown < 1",   "a if unknown else b",
		                            "1e300 * 1e300", "d_ratio(1, unknown)",
		                            "1e300 & 1" };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!isnan(of(rows[i])))
			CHECK_STR(rows[i], "");
}

/* The names that matter, with commas. */
static const char *names_of(const char *text, char *buf, size_t size)
{
	struct formula *formula = formula__parse(text, &facts, NULL);
	size_t used = 0;

	*buf = '\0';
	for (u32 i = 0; formula && formula__name(formula, i); i++)
		used += snprintf(buf + used, size - used, "%s%s", i ? "," : "",
		                 formula__name(formula, i));
	formula__free(formula);
	return buf;
}

TEST(formula_names_are_those_that_matter)
{
	static const char *const rows[][2] = {
		{ "INST_RETIRED.ANY / CPU_CLK_UNHALTED.THREAD",
		  "INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD" },
		{ "cpu@UOPS.X\\,cmask\\=0x1@ + cycles:u", "cpu/UOPS.X,cmask=0x1/,cycles:u" },
		{ "cstate_core@c6\\-residency@:k", "cstate_core/c6-residency/:k" },
		{ "branch\\-misses / branches", "branch-misses,branches" },
		{ "a if #smt_on else b", "a" },
		{ "(a + d) if 1 - #smt_on else b", "b" },
		{ "a if b else c", "a,b,c" },
		{ "a + a * b", "a,b" },
		{ "minimum + iffy", "minimum,iffy" },
		{ "0 * 1 + 2", "" },
	};
	char buf[200];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CHECK_STR(names_of(rows[i][0], buf, sizeof(buf)), rows[i][1]);
}

TEST(formula_mistakes_have_a_column)
{
	static const struct {
		const char *text;
		u32 column;
	} rows[] = {
		{ "", 1 },
		{ "1 +", 4 },
		{ "1 2", 3 },
		{ "(1", 3 },
		{ "min(1)", 6 },
		{ "max 1", 5 },
		{ "1 if 2", 7 },
		{ "a @ b", 3 },
		{ "imc@x", 6 },
		{ "#nothing", 1 },
		{ "1 + * 2", 5 },
		{ "if 1 else 2", 3 },
		{ "has_event()", 11 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error err = ERROR_INIT;

		CHECK(!formula__parse(rows[i].text, &facts, &err));
		CHECK(err.code < 0 && *err.cause);
		CHECK_EQ(err.column, rows[i].column);
	}
}

TEST(formula_depth_is_bounded)
{
	char deep[20001];

	memset(deep, '(', 20000);
	deep[20000] = '\0';
	CHECK(!formula__parse(deep, &facts, NULL));
	for (size_t i = 0; i < 20000; i += 2)
		memcpy(deep + i, "1+", 2);
	deep[19999] = '\0';
	CHECK(of(deep) == 10000);
}
