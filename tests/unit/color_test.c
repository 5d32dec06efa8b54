// SPDX-License-Identifier: GPL-2.0-or-later
/* Percentages in colour: the bounds, and that colour changes no width. */
#include "ui/term/color.h"

#include "tests/unit/unit.h"

static void check_percent(bool colored, u64 part, int width, const char *want)
{
	struct out out;

	out__init(&out, -1);
	color__percent(&out, colored, part, 10000, width);
	CHECK_STR(out__take(&out), want);
	out__exit(&out);
}

TEST(color_of_percentages)
{
	check_percent(true, 10000, 0, COLOR_RED "100.00%" COLOR_RESET);
	check_percent(true, 500, 0, COLOR_RED "5.00%" COLOR_RESET);
	check_percent(true, 499, 0, COLOR_GREEN "4.99%" COLOR_RESET);
	check_percent(true, 50, 0, COLOR_GREEN "0.50%" COLOR_RESET);
	check_percent(true, 49, 0, "0.49%");
	check_percent(false, 10000, 8, " 100.00%");
	check_percent(true, 500, 8, COLOR_RED "   5.00%" COLOR_RESET);
}

TEST(color_words)
{
	static const struct {
		const char *word;
		int mode;
	} cases[] = {
		{ "always", COLOR_ALWAYS }, { "never", COLOR_NEVER }, { "auto", COLOR_AUTO },
		{ "true", COLOR_AUTO },     { "false", COLOR_NEVER },
	};

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		enum color_mode mode = -1;
		struct option option = { .value = &mode };
		struct error err = ERROR_INIT;

		CHECK_EQ(color__parse(&option, cases[i].word, false, &err), 0);
		CHECK_EQ(mode, cases[i].mode);
	}
	enum color_mode mode = COLOR_NEVER;
	struct option option = { .value = &mode };
	struct error err = ERROR_INIT;

	CHECK(color__parse(&option, "red", false, &err) < 0);
	CHECK(color__wanted(COLOR_ALWAYS));
	CHECK(!color__wanted(COLOR_NEVER));
}
