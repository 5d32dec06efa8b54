// SPDX-License-Identifier: GPL-2.0-or-later
/* The browser, on a terminal that is an array: what is on the screen after which keys. */
#include "ui/tui/report_browser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/browse_fixture.h"
#include "tests/unit/fake_terminal.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/unit.h"
#include "util/lib/text.h"

TEST(browser_shows_rows_and_opens_them)
{
	CHECK_STR(browse(8, 70, "comm,dso,sym", KEYS()),
	          HEAD "  Overhead  Command  Shared Object  Symbol\n"
	               "+   66.67%  prog     prog           [.] g\n"
	               "+   26.67%  prog     prog           [.] f\n"
	               "+    6.67%  other    [unknown]      [.] 0x0000000000000009\n"
	               "\n\n"
	               "h: help  lost: 3\n");
	CHECK_EQ(fake.chosen, 2);
	CHECK_STR(browse(9, 70, "sym", KEYS(KEYS_ENTER, KEYS_DOWN, KEYS_ENTER)),
	          HEAD "  Overhead  Symbol\n"
	               "-   66.67%  [.] g\n"
	               "    - 66.67%  g\n"
	               "      + 53.33%  f\n"
	               "      + 13.33%  h\n"
	               "+   26.67%  [.] f\n"
	               "+    6.67%  [.] 0x0000000000000009\n"
	               "h: help  lost: 3\n");
	CHECK_EQ(fake.chosen, 3);
	/* Rows above are aligned to wider ones below. */
	CHECK(strstr(browse(8, 70, "sym,comm", KEYS()),
	             "+   66.67%  [.] g                   prog\n"
	             "+   26.67%  [.] f                   prog\n"
	             "+    6.67%  [.] 0x0000000000000009  other\n"));
	/* Closed again, and all at once. */
	CHECK(!strstr(browse(9, 70, "sym", KEYS('+', '+')), "- "));
	CHECK_STR(browse(12, 70, "sym", KEYS(KEYS_DOWN, 'E')), HEAD "  Overhead  Symbol\n"
	                                                            "-   66.67%  [.] g\n"
	                                                            "    - 66.67%  g\n"
	                                                            "      - 53.33%  f\n"
	                                                            "          main\n"
	                                                            "      - 13.33%  h\n"
	                                                            "          main\n"
	                                                            "-   26.67%  [.] f\n"
	                                                            "    - 26.67%  f\n"
	                                                            "        main\n"
	                                                            "h: help  lost: 3\n");
	CHECK_EQ(fake.chosen, 8);
	CHECK(strstr(browse(12, 70, "sym", KEYS('E', KEYS_DOWN, KEYS_DOWN, 'C')), "+   66.67%"));
	CHECK_EQ(fake.chosen, 2);
	CHECK(strstr(browse(12, 70, "sym", KEYS('e')), "        main\n"));
}

TEST(browser_fits_every_terminal)
{
	CHECK_STR(browse(3, 10, "comm,dso,sym", KEYS(KEYS_DOWN)),
	          "Samples: 4\n+   26.67%\nh: help  l\n");
	browse(1, 1, "comm,dso,sym", KEYS(KEYS_DOWN, 'E', 'm', KEYS_ESCAPE, 'h'));
	CHECK(strstr(browse(3, 60, "comm,dso,sym", KEYS(KEYS_END, -8)), "[.] g"));
}

TEST(browser_moves_sideways)
{
	CHECK_STR(browse(5, 20, "comm,dso,sym", KEYS('>', KEYS_DOWN)), "Samples: 4  of event\n"
	                                                               "  d  Shared Object\n"
	                                                               "+    prog\n"
	                                                               "+    prog\n"
	                                                               "h: help  lost: 3\n");
	CHECK(strstr(browse(5, 20, "comm,dso,sym", KEYS('>', '>', '<', '<', '<')),
	             "\n+   66.67%  prog"));
	/* Not beyond the end, and back when what was wider has gone. */
	CHECK(strstr(browse(5, 20, "comm,dso,sym", KEYS('>', '>', '>', '>', '>', '>', '>')),
	             "\n+ "));
	CHECK(strstr(fake.screen, "[.]") || strstr(fake.screen, " g"));
	CHECK(strstr(browse(5, 30, "sym", KEYS(KEYS_END, '>', '/', 'g', KEYS_ENTER)),
	             "\n+   66.67%  [.] g"));
	CHECK(strstr(browse(5, 200, "comm,dso,sym", KEYS('>')), "\n+   66.67%"));
}

/* Rows are opened as they come into sight: all of them are seen, whichever way one goes. */
TEST(browser_opens_what_comes_into_sight)
{
	static const char all[] = "-   66.67%  [.] g\n"
	                          "    - 66.67%  g\n"
	                          "      - 53.33%  f\n"
	                          "          main\n"
	                          "      - 13.33%  h\n"
	                          "          main\n"
	                          "-   26.67%  [.] f\n"
	                          "    - 26.67%  f\n"
	                          "        main\n"
	                          "-    6.67%  [.] 0x0000000000000009\n"
	                          "    - 6.67%   0x9\n"
	                          "        0x7\n";
	int keys[32] = { 'E' };

	CHECK(strstr(browse(20, 70, "sym", KEYS('E')), all));
	for (u32 i = 0; i < 11; i++) { /* one by one, on a screen of two rows */
		const char *line = all;

		for (u32 n = 0; n < i; n++) {
			keys[n + 1] = KEYS_DOWN;
			line = strchr(line, '\n') + 1;
		}
		keys[i + 1] = 0;
		browse(5, 70, "sym", keys);
		char *at = strchr(strchr(fake.screen, '\n') + 1, '\n') + 1;

		for (int row = 2; row < fake.chosen; row++)
			at = strchr(at, '\n') + 1;
		CHECK(!strncmp(at, line, strcspn(line, "\n") + 1));
	}
	CHECK(strstr(browse(5, 70, "sym", KEYS('E', KEYS_END)),
	             "    - 6.67%   0x9\n        0x7\n"));
	CHECK_EQ(fake.chosen, 3);
	CHECK(strstr(browse(5, 70, "sym", KEYS('E', KEYS_END, KEYS_UP, KEYS_UP, KEYS_UP)),
	             "        main\n-    6.67%"));
	CHECK_EQ(fake.chosen, 2);
	browse(5, 70, "sym", KEYS('E', KEYS_END, KEYS_PAGE_UP, KEYS_PAGE_UP));
	CHECK(strstr(fake.screen, "    - 26.67%  f\n        main\n"));
	/* What is closed stays closed, what is opened again is whole; C ends it all. */
	browse(20, 70, "sym", KEYS('E', KEYS_ENTER, KEYS_DOWN));
	CHECK(strstr(fake.screen, "+   66.67%  [.] g\n-   26.67%"));
	browse(20, 70, "sym", KEYS('E', KEYS_ENTER, 'E'));
	CHECK(strstr(fake.screen, all));
	CHECK(!strstr(browse(20, 70, "sym", KEYS('E', 'C', KEYS_END)), "- "));
	CHECK(!strstr(browse(20, 70, "sym", KEYS('E', 'x', KEYS_END)), "- "));
}

TEST(browser_goes_on_with_another_file)
{
	browse(8, 70, "sym", KEYS('s', KEYS_DOWN, KEYS_ENTER));
	CHECK_STR(browsed.next_file, "b.data");
	browse(8, 70, "sym", KEYS('s', KEYS_ESCAPE));
	CHECK_STR(browsed.next_file, "");
}

TEST(browser_shows_texts_of_a_row)
{
	CHECK(strstr(browse(12, 70, "dso,sym", KEYS('a')), " 60.00 │ 18: insn\n"));
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS(KEYS_END, 'a')), "no code"));
	CHECK(strstr(browse(8, 70, "comm", KEYS('a')), "rows are not of one function"));
	CHECK(strstr(browse(8, 70, "comm", KEYS('b')), "rows are not of one function"));
	/* A frame: of its function, if that has samples itself. */
	CHECK(strstr(browse(12, 70, "dso,sym", KEYS('+', KEYS_DOWN, '+', KEYS_DOWN, 'a')),
	             "Samples of f\n"));
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS('E', KEYS_DOWN, KEYS_DOWN, KEYS_DOWN, 'a')),
	             "no sample is in"));
	CHECK(strstr(browse(50, 70, "dso,sym", KEYS('h')), "annotate: the instructions"));
	CHECK(strstr(browse(50, 70, "dso,sym", KEYS('h')), "C, c, x           close all"));
	CHECK(strstr(browse(20, 70, "dso,sym", KEYS('m')), "Annotate g"));
	CHECK(strstr(fake.screen, "Zoom into prog DSO"));
	CHECK(!strstr(fake.screen, "thread"));
	CHECK(strstr(browse(20, 70, "dso,sym", KEYS('m', KEYS_ENTER)), "Samples of g"));
	CHECK(!strstr(browse(8, 70, "dso,sym", KEYS('H')), "Overhead"));
}

TEST(browser_shows_the_map_of_a_file)
{
	CHECK_STR(browse(20, 70, "dso,sym", KEYS('m', MENU_MAP, KEYS_ENTER)),
	          "prog\n10 20 g f\n20 30 g g\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
	          "q: back  /, ?: search, backwards  n: again\n");
	CHECK(strstr(browse(30, 70, "dso,sym", KEYS('m')), "│ Browse map of prog "));
	/* Where no file is known, and where rows are of several. */
	browse(30, 70, "dso,sym", KEYS(KEYS_END, 'm'));
	CHECK(strstr(fake.screen, "Expand all") && !strstr(fake.screen, "Browse map"));
	browse(30, 70, "comm", KEYS('m'));
	CHECK(strstr(fake.screen, "Expand all") && !strstr(fake.screen, "Browse map"));
}

/* Rows of the screen from its top to the first with @text. */
static int rows_before(const char *screen, const char *text)
{
	const char *at = strstr(screen, text);
	int nr = 0;

	CHECK(at);
	for (const char *s = screen; at && s < at; s++)
		nr += *s == '\n';
	return nr;
}

TEST(browser_opens_menus_in_the_middle)
{
	const int nr_rows = 41;
	const char *screen = browse(nr_rows, 70, "dso,sym", KEYS('m'));
	int above = rows_before(screen, "Annotate g") - 1; /* of the title */
	int below = nr_rows - 1 - rows_before(screen, "Exit");

	CHECK(below == above || below == above + 1);
}

TEST(browser_copies_a_row_with_what_is_open_in_it)
{
	/* Whole, however narrow the screen is; the next entry is left out. */
	browse(10, 20, "dso,sym",
	       KEYS(KEYS_ENTER, '>', 'm', KEYS_END, KEYS_UP, KEYS_UP, KEYS_UP, KEYS_UP,
	            KEYS_ENTER));
	CHECK_STR(fake.copied, "-   66.67%  prog           [.] g\n"
	                       "    + 66.67%  g\n");
	CHECK(strstr(fake.screen, "OSC 52"));
	browse(10, 70, "dso,sym",
	       KEYS(KEYS_DOWN, 'm', KEYS_END, KEYS_UP, KEYS_UP, KEYS_UP, KEYS_UP, KEYS_ENTER));
	CHECK_STR(fake.copied, "+   26.67%  prog           [.] f\n");
	browse(10, 70, "dso,sym", KEYS('m', KEYS_END, KEYS_ENTER));
	CHECK(!*fake.copied); /* only when it is asked for */
}

/* Each of 100,000 samples is of a command of its own. */
TEST_WITH_THREADS(browser_bears_many_commands)
{
	const struct report_texts texts = { .report = browse_report };
	struct view_options options = { .chain = CHAIN_OPTIONS_INIT };
	struct error err = ERROR_INIT;
	char name[16];
	struct fixture f;
	struct view view;

	fixture__init(&f);
	for (u32 i = 0; i < 100000; i++) {
		snprintf(name, sizeof(name), "task-%05u", i);
		f.last.pid = f.last.tid = 1000 + i;
		builder__comm(&f.file.data, FIXTURE_TYPE, &f.last, name);
		fixture__sample(&f, "main", 1 + i % 7);
	}
	fixture__profile(&f, 1);
	CHECK_EQ(chain_options__parse(&options.chain, "graph,0,callee", &err), 0);
	CHECK_EQ(sort_keys__parse(&options.hists.keys, "comm", NULL, &err), 0);
	view__init(&view, &f.chains, &f.names, &options);
	fake__start(8, 60,
	            KEYS('/', KEYS_TAB, KEYS_TAB, '9', '8', '7', '6', KEYS_ENTER, KEYS_END, 'E'));
	free(report_browser__run(&tui, &view, &texts));
	CHECK_EQ(view.hists.events[0].nr_entries, 100000);
	CHECK(strstr(fake.screen, "task-"));
	CHECK(strstr(fake.screen, "comms with: 9876"));
	CHECK(strstr(fake.screen, "9876"));
	fake__stop();
	view__exit(&view);
	fixture__exit(&f);
}

TEST(browser_says_what_it_has_not)
{
	CHECK(strstr(browse(9, 120, "sym", KEYS('r', KEYS_END, KEYS_ENTER)),
	             "no engine for scripts in Python or Perl yet"));
	CHECK(strstr(browse(8, 100, "dso,sym", KEYS('a', 'T')), "--mem-mode"));
	CHECK(strstr(browse(8, 100, "dso,sym", KEYS('a', 'c')), "record with -b"));
}

TEST(browser_shows_cycles_of_branches)
{
	browsed.branches = true;
	CHECK(strstr(browse(16, 100, "dso,sym", KEYS('a', 'c')), "cycles 1\n"));
	CHECK(strstr(browse(16, 100, "dso,sym", KEYS('a', 'c', 'c')), "cycles 2\n"));
	CHECK(!strstr(browse(16, 100, "dso,sym", KEYS('a', 'c', 'c', 'c')), "cycles"));
	/* They stand beside labels, and the brackets of loops behind them. */
	CHECK(strstr(browse(16, 100, "dso,sym", KEYS('a', 'o', 'c')),
	             "\nsource percent label 0\ncycles 1\n"));
	CHECK(strstr(browse(16, 100, "dso,sym", KEYS('a')), "  1.00 ┌ 10: insn\n"));
	CHECK(strstr(browse(16, 100, "dso,sym", KEYS('a', 'c')), "  1.00  10: insn   ┌\n"));
	browsed.has_cycles = false;
	CHECK(strstr(browse(16, 100, "dso,sym", KEYS('a', 'c')), "no branch in this function"));
	browsed.has_cycles = true;
	browsed.branches = false;
}

TEST(browser_prints_to_a_new_file)
{
	char old[4096], text[32] = "";

	CHECK(getcwd(old, sizeof(old)));
	CHECK_EQ(chdir(unit__tmpdir()), 0);
	FILE *mine = fopen("perf.hist.0", "w");

	fputs("mine\n", mine);
	fclose(mine);
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS('P')), "written to perf.hist.1"));
	FILE *file = fopen("perf.hist.1", "r");

	CHECK(file && fgets(text, sizeof(text), file));
	CHECK_STR(text, "the report: 12 rows\n");
	fclose(file);
	file = fopen("perf.hist.0", "r");
	CHECK(fgets(text, sizeof(text), file));
	CHECK_STR(text, "mine\n");
	fclose(file);
	CHECK(strstr(browse(8, 70, "dso,sym",
	                    KEYS('m', KEYS_END, KEYS_UP, KEYS_UP, KEYS_ENTER, 'x', KEYS_ENTER)),
	             "written to x"));
	CHECK(strstr(browse(8, 70, "dso,sym",
	                    KEYS('m', KEYS_END, KEYS_UP, KEYS_UP, KEYS_ENTER, 'x', KEYS_ENTER)),
	             "cannot write 'x': File exists"));
	/* The code of a function. */
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS('a', 'P')), "written to g.annotation"));
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS('a', 'P')), "written to g.annotation.0"));
	file = fopen("g.annotation", "r");
	CHECK(fgets(text, sizeof(text), file));
	CHECK_STR(text, "Samples of g\n");
	fclose(file);
	CHECK_EQ(chdir(old), 0);
}

/* The first line of a file. */
static const char *first_line(const char *name)
{
	static char text[128];
	FILE *file = fopen(name, "r");

	text[0] = '\0';
	CHECK(file && fgets(text, sizeof(text), file));
	if (file)
		fclose(file);
	return text;
}

TEST(browser_prints_what_is_shown_and_goes_on)
{
	char old[4096];

	CHECK(getcwd(old, sizeof(old)));
	CHECK_EQ(chdir(unit__tmpdir()), 0);
	/* What is open stays open, and the cursor where it was. */
	browse(12, 70, "dso,sym", KEYS('E', KEYS_DOWN, KEYS_DOWN, 'P', KEYS_ESCAPE));
	CHECK(strstr(fake.screen, "      - 53.33%  f\n          main\n"));
	CHECK_EQ(fake.chosen, 4);
	browse(12, 70, "dso,sym",
	       KEYS(KEYS_ENTER, KEYS_DOWN, 'w', 'o', 'p', KEYS_ENTER, KEYS_ESCAPE));
	CHECK(strstr(fake.screen, "- 66.67%  g\n") || strstr(fake.screen, "+ 66.67%  g\n"));
	CHECK_EQ(fake.chosen, 3);
	/* Filters are named. */
	browse(8, 70, "comm,dso,sym",
	       KEYS('d', '/', 'f', KEYS_ENTER, 'w', 'f', 'i', 'l', KEYS_ENTER));
	CHECK_STR(first_line("fil"), "# Filters:  dso: prog  symbols with: f\n");
	CHECK_STR(first_line("op"), "the report: 12 rows\n");
	CHECK_EQ(chdir(old), 0);
}

/* A key behind a message does what it means, in each browser. */
TEST(browser_obeys_keys_behind_messages)
{
	char old[4096];

	CHECK(getcwd(old, sizeof(old)));
	CHECK_EQ(chdir(unit__tmpdir()), 0);
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS('P', 'P')), "written to perf.hist.1"));
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS('P', 'w', 'n', KEYS_ENTER)), "written to n"));
	browse(8, 70, "dso,sym", KEYS('P', KEYS_DOWN));
	CHECK_EQ(fake.chosen, 3);
	browse(8, 70, "dso,sym", KEYS('P', KEYS_ESCAPE, KEYS_DOWN)); /* it does not leave */
	CHECK_EQ(fake.chosen, 3);
	CHECK_STR(first_line("perf.hist.4"), "the report: 12 rows\n");
	CHECK(access("perf.hist.5", F_OK));
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS('a', 'P', 'P')), "written to g.annotation.0"));
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS('a', '/', 'z', KEYS_ENTER, '/', 'x')),
	             "Search: zx"));
	CHECK_EQ(chdir(old), 0);
}

TEST(browser_shows_what_was_warned_of)
{
	browsed.warned_of = "";
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS('W')), "there were no warnings"));
	CHECK(!strstr(browse(8, 70, "dso,sym", KEYS(KEYS_HOME)), "W:"));
	browsed.warned_of = "Warning: it is cut\n";
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS(KEYS_HOME)), "h: help  W: 1 warning  lost: 3"));
	CHECK(text__starts_with(browse(8, 70, "dso,sym", KEYS('W', KEYS_END)), "Messages\n"));
	CHECK(strstr(fake.screen, "Warning: it is cut\n"));
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS('W', 'q')), "Overhead"));
	browsed.warned_of = "";
}

TEST(browser_is_left_by_each_way_out)
{
	static const int ways[] = { 'q', KEYS_ESCAPE, KEYS_INTERRUPT };

	for (unsigned i = 0; i < ARRAY_SIZE(ways); i++) {
		browse(8, 70, "sym", KEYS(ways[i], 'E'));
		CHECK_EQ(*fake.keys, 'E'); /* not asked for */
	}
	browse(8, 70, "sym", KEYS(KEYS_LEFT, 'E')); /* that one stays */
	CHECK_EQ(*fake.keys, 0);
}

TEST(browser_shows_levels_of_a_hierarchy)
{
	const struct view_options options = { .hierarchy = true };

	CHECK_STR(browse_with(options, 10, 70, "comm,dso,sym", KEYS()),
	          HEAD "  Overhead  Command / Shared Object / Symbol\n"
	               "+   93.33%  prog\n"
	               "+    6.67%  other\n"
	               "\n\n\n\n\n"
	               "h: help  lost: 3\n");
	CHECK_STR(browse_with(options, 10, 70, "comm,dso,sym",
	                      KEYS(KEYS_ENTER, KEYS_DOWN, KEYS_ENTER, KEYS_DOWN, KEYS_ENTER)),
	          HEAD "  Overhead  Command / Shared Object / Symbol\n"
	               "-   93.33%  prog\n"
	               "-   93.33%    prog\n"
	               "-   66.67%      [.] g\n"
	               "        + 66.67%  g\n"
	               "+   26.67%      [.] f\n"
	               "+    6.67%  other\n"
	               "\n"
	               "h: help  lost: 3\n");
	/* What a level is of: keys above its own, too, but none below. */
	CHECK(strstr(browse_with(options, 10, 70, "comm,dso,sym", KEYS('t')), "comm: prog"));
	CHECK(strstr(browse_with(options, 10, 70, "comm,dso,sym", KEYS('a')),
	             "rows are not of one function"));
	CHECK(strstr(browse_with(options, 10, 70, "comm,dso,sym", KEYS('+', KEYS_DOWN, 't')),
	             "comm: prog"));
	CHECK(strstr(browse_with(options, 20, 70, "comm,dso,sym", KEYS('E')), "main\n"));
	CHECK(!strstr(browse_with(options, 20, 70, "comm,dso,sym", KEYS('E', 'C')), "- "));
}

static u32 random_below(u32 nr)
{
	static u64 state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % nr;
}

/* Every key and size in any order; sanitizers and the fake screen tell what is wrong. */
TEST(browser_bears_all_keys)
{
	static const int all[] = {
		KEYS_UP,
		KEYS_DOWN,
		KEYS_LEFT,
		KEYS_RIGHT,
		KEYS_PAGE_UP,
		KEYS_PAGE_DOWN,
		KEYS_HOME,
		KEYS_END,
		KEYS_BACK_TAB,
		KEYS_TAB,
		KEYS_ENTER,
		KEYS_ENTER,
		KEYS_BACKSPACE,
		KEYS_UNKNOWN,
		KEYS_RESIZE,
		KEYS_ESCAPE,
		'a',
		'b',
		'c',
		'T',
		'r',
		'd',
		't',
		'k',
		'S',
		'+',
		'e',
		'E',
		'C',
		'/',
		'L',
		'F',
		'H',
		'V',
		'i',
		'm',
		'h',
		'?',
		'W',
		'g',
		'0',
		'1',
		's',
		'o',
		'O',
		'j',
		'J',
		'l',
		'<',
		'>',
		'n',
		'p',
		-1,
		-3,
		-7,
		-30,
	};
	static const char *const sorts[] = { "comm,dso,sym", "sym", "comm", "tid,sym", "dso,tid" };
	int keys[200];
	char old[4096];

	CHECK(getcwd(old, sizeof(old)));
	CHECK_EQ(chdir(unit__tmpdir()), 0); /* for what the menu prints */
	for (u32 run = 0; run < 150; run++) {
		struct view_options options = { .hierarchy = random_below(2),
			                        .hists.children = random_below(2) };

		for (u32 i = 0; i + 1 < ARRAY_SIZE(keys); i++)
			keys[i] = all[random_below(ARRAY_SIZE(all))];
		keys[ARRAY_SIZE(keys) - 1] = 0;
		browse_with(options, 1 + random_below(20), 1 + random_below(90),
		            sorts[random_below(ARRAY_SIZE(sorts))], keys);
		CHECK(*fake.screen);
	}
	CHECK_EQ(chdir(old), 0);
}
