// SPDX-License-Identifier: GPL-2.0-or-later
/* The colours of the browser by their names. */
#include "ui/tui/colors.h"

#include <errno.h>

#include "tests/unit/unit.h"

TEST(colors_have_names)
{
	static const struct {
		const char *text;
		short front, back;
	} rows[] = {
		{ "default", -1, -1 },    { "black, default", 0, -1 }, { "red,green", 1, 2 },
		{ "yellow, blue", 3, 4 }, { "magenta cyan", 5, 6 },    { "White, LIGHTGRAY", 7, 7 },
		{ "lightgray", 7, -1 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct tui_color color = { .set = false };
		const struct option option = { .value = &color };
		struct error err = ERROR_INIT;

		CHECK_EQ(tui_color__parse(&option, rows[i].text, false, &err), 0);
		CHECK(color.set);
		CHECK_EQ(color.front, rows[i].front);
		CHECK_EQ(color.back, rows[i].back);
	}
}

TEST(colors_that_there_are_not_are_refused)
{
	static const char *const texts[] = { "", "pink", "re", "redd", "red, pink", ",red" };

	for (u32 i = 0; i < ARRAY_SIZE(texts); i++) {
		struct tui_color color = { .set = false };
		const struct option option = { .value = &color };
		struct error err = ERROR_INIT;

		CHECK_EQ(tui_color__parse(&option, texts[i], false, &err), -EINVAL);
		CHECK_STR(err.subject, texts[i]);
		CHECK(!color.set);
	}
}
