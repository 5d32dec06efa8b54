// SPDX-License-Identifier: GPL-2.0-or-later
/* The browser: the code of a function, and its callers. */
#include <string.h>

#include "tests/unit/browse_fixture.h"
#include "tests/unit/fake_terminal.h"
#include "tests/unit/unit.h"

TEST(code_goes_to_its_hottest_instructions)
{
	CHECK_STR(browse(13, 64, "dso,sym", KEYS('a')),
	          "Samples of g\nsource percent label 0\n"
	          "              source 1\n              source 2\n"
	          "  1.00 ┌ 10: insn\n  0.00 │ 14: insn\n 60.00 │ 18: insn\n 30.00 │ 1c: insn\n"
	          "  0.00 │ 20: insn\n  2.00 └ 24: insn\n\n\n"
	          "percent: local period  h: help  q: back  H: hottest  Tab: next\n");
	CHECK_EQ(fake.chosen, 6);
	browse(13, 64, "dso,sym", KEYS('a', KEYS_TAB));
	CHECK_EQ(fake.chosen, 7);
	browse(13, 64, "dso,sym", KEYS('a', KEYS_TAB, KEYS_TAB));
	CHECK_EQ(fake.chosen, 9);
	browse(13, 64, "dso,sym", KEYS('a', KEYS_TAB, KEYS_TAB, KEYS_BACK_TAB));
	CHECK_EQ(fake.chosen, 7);
	browse(13, 64, "dso,sym", KEYS('a', KEYS_TAB, KEYS_TAB, 'H'));
	CHECK_EQ(fake.chosen, 6);
	browse(6, 64, "dso,sym", KEYS('a')); /* three rows of text: in the middle of them */
	CHECK_EQ(fake.chosen, 3);
	browse(2, 6, "dso,sym", KEYS('a', KEYS_DOWN, KEYS_ENTER, 'h'));
}

TEST(code_follows_jumps_and_calls)
{
	CHECK(strstr(browse(13, 64, "dso,sym", KEYS('a', KEYS_UP)), /* an arrow down */
	             "  0.00 │┌14: insn\n 60.00 ││18: insn\n 30.00 │└1c: insn\n"));
	CHECK(!strstr(browse(13, 64, "dso,sym", KEYS('a', KEYS_UP, 'j')), "│"));
	browse(13, 64, "dso,sym", KEYS('a', KEYS_UP, KEYS_ENTER));
	CHECK_EQ(fake.chosen, 7);
	CHECK(strstr(browse(13, 64, "dso,sym", KEYS('a', KEYS_END)), /* and up */
	             "  1.00 ┌┌10: insn\n  0.00 ││14: insn\n 60.00 ││18: insn\n"));
	CHECK(strstr(fake.screen, "  2.00 └└24: insn\n"));
	browse(13, 64, "dso,sym", KEYS('a', KEYS_END, KEYS_ENTER));
	CHECK_EQ(fake.chosen, 4);
	/* The call through the PLT, and back to it. */
	browse(13, 64, "dso,sym", KEYS('a', KEYS_DOWN, KEYS_ENTER));
	CHECK(strstr(fake.screen, "Samples of f\n"));
	browse(13, 64, "dso,sym", KEYS('a', KEYS_DOWN, KEYS_RIGHT, KEYS_LEFT));
	CHECK(strstr(fake.screen, "Samples of g\n"));
	CHECK_EQ(fake.chosen, 7);
	browse(13, 64, "dso,sym", KEYS('a', KEYS_DOWN, KEYS_ENTER, 'q', 'q'));
	CHECK(strstr(fake.screen, "Overhead"));
	browse(13, 64, "dso,sym", KEYS('a', KEYS_DOWN, KEYS_DOWN, KEYS_ENTER));
	CHECK(strstr(fake.screen, "no sample is in nobody"));
	/* The neighbours in the report; one without a name is left out. */
	CHECK(strstr(browse(13, 64, "dso,sym", KEYS('a', '>')), "Samples of f\n"));
	CHECK(strstr(browse(13, 64, "dso,sym", KEYS('a', '>', '<')), "Samples of g\n"));
	CHECK(strstr(browse(13, 64, "dso,sym", KEYS('a', '<')), "there is no other function"));
	CHECK(strstr(browse(13, 64, "dso,sym", KEYS('a', '>', '>')), "there is no other function"));
	/* One without code is said, and gone beyond. */
	const struct view_options all = { .hists.children = true };

	browse_with(all, 13, 64, "dso,sym", KEYS('a', '>', '>', '>'));
	CHECK(strstr(fake.screen, "Samples of g\n") && strstr(fake.screen, "it is gone"));
	browse_with(all, 13, 64, "dso,sym", KEYS('a', '>', '>', '>', 'x', '>'));
	CHECK(strstr(fake.screen, "there is no other function"));
	browse_with(all, 13, 64, "dso,sym", KEYS('a', '>', '>', '>', 'x', '<'));
	CHECK(strstr(fake.screen, "Samples of f\n"));
}

TEST(code_is_shown_in_other_ways)
{
	/* Without labels, and with j, loops are not drawn. */
	CHECK(strstr(browse(13, 64, "dso,sym", KEYS('a', 'o')), " 60.00  18: insn\n"));
	CHECK(!strstr(browse(13, 64, "dso,sym", KEYS('a', 'j')), "│"));
	static const struct {
		const char *keys, *want;
	} cases[] = {
		{ "s", "\npercent label 0\n" },
		{ "ss", "\nsource percent label 0\n" },
		{ "o", "\nplain source percent label 0\n" },
		{ "O", "\nsource percent label 1\n" },
		{ "OO", "\nsource percent label 2\n" },
		{ "OOO", "\nsource percent label 0\n" },
		{ "k", "\nsource numbers percent label 0\n" },
		{ "l", "\nsource places percent label 0\n" },
		{ "f", "\nsource addresses percent label 0\n" },
		{ "J", "\nsource jumps percent label 0\n" },
		{ "t", "\nsource periods label 0\n" },
		{ "tt", "\nsource samples label 0\n" },
		{ "ttt", "\nsource percent label 0\n" },
		{ "p", "\nsource global percent label 0\n" },
		{ "b", "\nsource hits percent label 0\n" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		int keys[8] = { 'a', KEYS_TAB };
		u32 nr = 2;

		for (const char *key = cases[i].keys; *key; key++)
			keys[nr++] = *key;
		CHECK(strstr(browse(13, 64, "dso,sym", keys), cases[i].want));
		/* The cursor stays on its instruction. */
		CHECK_EQ(fake.chosen, strstr(fake.screen, "source 1") ? 7 : 5);
	}
	CHECK(strstr(browse(40, 70, "dso,sym", KEYS('a', 'h')), "follow the jump or the call"));
}

TEST(callers_are_walked_along)
{
	CHECK_STR(browse(8, 70, "dso,sym", KEYS('b')),
	          "   Total      Part  Callers above, callees below\n"
	          "            53.33%      f\n"
	          "            13.33%      h\n"
	          "  66.67%            g\n"
	          "            66.67%      [self]\n"
	          "\n\n"
	          "h: help  Enter: go to the function  left: back  a: annotate  q: leave\n");
	CHECK_EQ(fake.chosen, 3);
	CHECK_STR(browse(8, 70, "dso,sym", KEYS('b', KEYS_HOME, KEYS_ENTER)),
	          "   Total      Part  Callers above, callees below\n"
	          "            80.00%      main\n"
	          "  80.00%            f\n"
	          "            26.67%      [self]\n"
	          "            53.33%      g\n"
	          "\n\n"
	          "h: help  Enter: go to the function  left: back  a: annotate  q: leave\n");
	CHECK_EQ(fake.chosen, 2);
	browse(8, 70, "dso,sym", KEYS('b', KEYS_HOME, KEYS_ENTER, KEYS_HOME, KEYS_RIGHT));
	CHECK(strstr(fake.screen, "            93.33%      [no caller]\n"
	                          "  93.33%            main\n"
	                          "            80.00%      f\n"
	                          "            13.33%      h\n"));
	/* What is no function is not gone to; back the way we came; out. */
	browse(8, 70, "dso,sym", KEYS('b', KEYS_END, KEYS_ENTER));
	CHECK(strstr(fake.screen, "  66.67%            g\n"));
	browse(8, 70, "dso,sym", KEYS('b', KEYS_HOME, KEYS_ENTER, KEYS_END, KEYS_ENTER, KEYS_LEFT));
	CHECK(strstr(fake.screen, "  80.00%            f\n"));
	browse(8, 70, "dso,sym", KEYS('b', KEYS_HOME, KEYS_ENTER, KEYS_ESCAPE, KEYS_ESCAPE));
	CHECK(strstr(fake.screen, "Overhead"));
	browse(8, 70, "dso,sym", KEYS('b', KEYS_HOME, KEYS_ENTER, 'q'));
	CHECK(strstr(fake.screen, "Overhead"));
	/* A frame without samples of its own has callers, too; code only where samples are. */
	browse(8, 70, "dso,sym", KEYS('E', KEYS_DOWN, KEYS_DOWN, KEYS_DOWN, 'b'));
	CHECK(strstr(fake.screen, "  93.33%            main\n"));
	CHECK(strstr(browse(13, 70, "dso,sym", KEYS('b', KEYS_HOME, 'a')), "Samples of f\n"));
	CHECK(strstr(browse(13, 70, "dso,sym", KEYS('b', KEYS_DOWN, 'a')), "Samples of g\n"));
	CHECK(strstr(browse(20, 70, "dso,sym", KEYS('b', 'h')), "put the function in the middle"));
	browse(1, 1, "dso,sym", KEYS('b', KEYS_DOWN, KEYS_ENTER));
	/* Those that pass the filters. */
	browse(8, 70, "comm,sym", KEYS('t', 'b'));
	CHECK(strstr(fake.screen, "  66.67%            g\n"));
}
