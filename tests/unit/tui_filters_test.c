// SPDX-License-Identifier: GPL-2.0-or-later
/* The browser: which rows are left by filters, and that they are told. */
#include <string.h>

#include "tests/unit/browse_fixture.h"
#include "tests/unit/fake_terminal.h"
#include "tests/unit/unit.h"
#include "util/lib/text.h"

TEST(browser_filters_and_goes_back)
{
	CHECK(strstr(browse(8, 70, "comm,dso,sym", KEYS('d')), "h: help  dso: prog  lost"));
	CHECK(!strstr(fake.screen, "[unknown]"));
	CHECK(strstr(browse(8, 70, "comm,dso,sym", KEYS('d', KEYS_ESCAPE)), "[unknown]"));
	CHECK(strstr(browse(8, 70, "comm,dso,sym", KEYS('d', 'd')), "[unknown]"));
	CHECK(strstr(browse(8, 70, "comm,dso,sym", KEYS(KEYS_END, 't')), "comm: other"));
	CHECK(!strstr(fake.screen, "[.] g"));
	browse(8, 70, "comm,dso,sym", KEYS('/', 'g', KEYS_ENTER));
	CHECK(strstr(fake.screen, "[.] g") && !strstr(fake.screen, "[.] f"));
	/* As it is typed, and given up again. */
	browse(8, 70, "comm,dso,sym", KEYS('/', 'g'));
	CHECK(strstr(fake.screen, "[.] g") && !strstr(fake.screen, "[.] f"));
	CHECK(strstr(fake.screen, "dsos): g"));
	CHECK(strstr(browse(8, 70, "comm,dso,sym", KEYS('/', 'g', KEYS_ESCAPE)), "[.] f"));
	CHECK(strstr(browse(8, 70, "comm,dso,sym", KEYS('/', 'z', KEYS_ENTER)),
	             "No entry passes  symbols with: z"));
	CHECK(strstr(browse(8, 70, "comm,dso,sym", KEYS('/', 'z', KEYS_ENTER, KEYS_LEFT)),
	             "[.] g"));
	CHECK(strstr(browse(8, 70, "comm", KEYS('d')), "rows are not of one file"));
	browse(8, 70, "comm,dso,sym", KEYS('L', KEYS_BACKSPACE, '3', '0', KEYS_ENTER));
	CHECK(strstr(fake.screen, "[.] g") && !strstr(fake.screen, "[.] f"));
	CHECK(strstr(browse(8, 70, "comm,dso,sym", KEYS('L', 'x', KEYS_ENTER)), "from 0 to 100"));
	CHECK(strstr(browse(8, 70, "dso", KEYS('d', 'F')), "100.00%"));
}

TEST(browser_filters_by_parts_of_other_names)
{
	browse(8, 70, "comm,dso,sym", KEYS('/', KEYS_TAB, 'r', 'o', KEYS_ENTER));
	CHECK(strstr(fake.screen, "dsos with: ro") && !strstr(fake.screen, "[unknown]"));
	browse(8, 70, "comm,dso,sym", KEYS('/', KEYS_TAB, KEYS_TAB, 't', 'h', KEYS_ENTER));
	CHECK(strstr(fake.screen, "comms with: th") && strstr(fake.screen, "[.] 0x0"));
	CHECK(!strstr(fake.screen, "[.] g"));
	/* What nothing has lets nothing through; the same part of another name is another filter.
	 */
	browse(8, 70, "comm,dso,sym", KEYS('/', KEYS_TAB, KEYS_TAB, 'z', KEYS_ENTER));
	CHECK(strstr(fake.screen, "No entry passes  comms with: z"));
	browse(8, 70, "comm,dso,sym", KEYS('/', 'f', KEYS_TAB, KEYS_ENTER));
	CHECK(strstr(fake.screen, "No entry passes  dsos with: f"));
	/* It is asked again: what is there is edited, and comes back when that is given up. */
	browse(8, 70, "comm,dso,sym",
	       KEYS('/', 'f', KEYS_ENTER, '/', KEYS_BACKSPACE, 'g', KEYS_ENTER));
	CHECK(strstr(fake.screen, "[.] g") && !strstr(fake.screen, "[.] f"));
	browse(8, 70, "comm,dso,sym",
	       KEYS('/', 'f', KEYS_ENTER, '/', KEYS_TAB, KEYS_BACKSPACE, 'g', KEYS_ESCAPE));
	CHECK(strstr(fake.screen, "[.] f") && strstr(fake.screen, "symbols with: f"));
	browse(8, 70, "comm,dso,sym", KEYS('/', 'f', KEYS_ENTER, '/', KEYS_BACKSPACE, KEYS_ENTER));
	CHECK(strstr(fake.screen, "[.] f") && !strstr(fake.screen, "with:"));
	/* Inside of a zoom. */
	browse(8, 70, "comm,dso,sym", KEYS('d', '/', KEYS_TAB, 'u', 'n', KEYS_ENTER));
	CHECK(strstr(fake.screen, "No entry passes  dso: prog  dsos with: un"));
	browse(8, 70, "comm,dso,sym",
	       KEYS('d', '/', KEYS_TAB, 'u', 'n', KEYS_ENTER, KEYS_ESCAPE, KEYS_ESCAPE));
	CHECK(strstr(fake.screen, "[unknown]"));
}

/* What the last line says is what is shown: a filter that another took the place of is not in it.
 */
TEST(browser_tells_which_filters_hold)
{
	char *prog = (char[]){ "prog" }, *other = (char[]){ "other" };
	struct view_options part = { .hists.symbol_part = "f" };
	struct view_options file = { .hists.filter.dsos = { &prog, 1, 0 } };
	struct view_options task = { .hists.filter.comms = { &other, 1, 0 } };

	browse_with(part, 8, 70, "comm,dso,sym", KEYS('/', 'g', KEYS_ENTER));
	CHECK(strstr(fake.screen, "[.] g") &&
	      strstr(fake.screen, "h: help  symbols with: g  lost"));
	browse_with(part, 8, 70, "comm,dso,sym", KEYS('/', 'g', KEYS_ENTER, KEYS_ESCAPE));
	CHECK(strstr(fake.screen, "[.] f") &&
	      strstr(fake.screen, "h: help  symbols with: f  lost"));
	browse(8, 70, "comm,dso,sym", KEYS('/', 'f', KEYS_ENTER, 'd', '/', 'g', KEYS_ENTER));
	CHECK(strstr(fake.screen, "h: help  dso: prog  symbols with: g  lost"));
	browse_with(file, 8, 70, "comm,dso,sym", KEYS('k'));
	CHECK(strstr(fake.screen, "No entry passes  dso: [kernel.kallsyms]"));
	browse_with(file, 8, 70, "comm,dso,sym", KEYS('/', KEYS_TAB, 'p', KEYS_ENTER));
	CHECK(strstr(fake.screen, "h: help  dso: prog  dsos with: p  lost"));
	/* Out of a zoom below it: files that the zoom left out are there again. */
	browse(8, 70, "comm,dso,sym", KEYS('d', '/', KEYS_TAB, 'u', 'n', KEYS_ENTER, 'd'));
	CHECK(strstr(fake.screen, "[.] 0x0") &&
	      strstr(fake.screen, "h: help  dsos with: un  lost"));
	browse(8, 70, "comm,dso,sym",
	       KEYS('d', 't', '/', KEYS_TAB, 'r', 'o', KEYS_ENTER, 't', 'd', KEYS_ESCAPE));
	CHECK(strstr(fake.screen, "[unknown]") && strstr(fake.screen, "h: help  lost"));
	/* A whole name that was left out is a part of none. */
	browse_with(task, 8, 70, "comm,dso,sym",
	            KEYS('/', KEYS_TAB, KEYS_TAB, 'p', 'r', 'o', 'g', KEYS_ENTER));
	CHECK(strstr(fake.screen, "No entry passes  comm: other  comms with: prog"));
}

TEST(browser_zooms_by_what_rows_are_of)
{
	CHECK(strstr(browse(8, 70, "tid,sym", KEYS(KEYS_END, 't')), "thread: 200"));
	CHECK(!strstr(fake.screen, "[.] g"));
	CHECK(strstr(browse(8, 70, "tid,sym", KEYS(KEYS_END, 't', 't')), "[.] g"));
	CHECK(strstr(browse(8, 70, "sym", KEYS('t')), "rows are not of one thread"));
	CHECK(strstr(browse(8, 70, "sym", KEYS('S')), "rows are not of one socket"));
	/* The one below goes, the other stays. */
	browse(8, 70, "comm,dso,sym", KEYS('d', 't', 'd'));
	CHECK(strstr(fake.screen, "h: help  comm: prog  lost"));
	browse(8, 70, "comm,dso,sym", KEYS('k'));
	CHECK(strstr(fake.screen, "No entry passes  dso: [kernel.kallsyms]"));
	/* Zoom into the symbol, by the menu. */
	browse(30, 70, "comm,dso,sym",
	       KEYS('m', KEYS_DOWN, KEYS_DOWN, KEYS_DOWN, KEYS_DOWN, KEYS_ENTER));
	CHECK(strstr(fake.screen, "symbol: g") && !strstr(fake.screen, "+   26.67%"));
}

/* What is listed is of the row, on top of the filters that are in force. */
TEST(browser_lists_samples)
{
	CHECK_STR(browse(9, 70, "dso,sym", KEYS('r', KEYS_ENTER)),
	          "Samples taken in g\nsymbol g\nend\n\n\n\n\n\n"
	          "q: back  /, ?: search, backwards  n: again\n");
	browse(12, 70, "dso,sym", KEYS('r', KEYS_DOWN, KEYS_ENTER));
	CHECK(text__starts_with(fake.screen, "Samples taken in prog\ndso prog\nend\n"));
	browse(12, 70, "comm,sym",
	       KEYS(KEYS_END, 'r', KEYS_END, KEYS_UP, KEYS_UP, KEYS_UP, KEYS_ENTER));
	CHECK(text__starts_with(fake.screen, "Samples of other\ncomm other\nend\n"));
	browse(12, 70, "tid,sym",
	       KEYS(KEYS_END, 'r', KEYS_END, KEYS_UP, KEYS_UP, KEYS_UP, KEYS_ENTER));
	CHECK(text__starts_with(fake.screen, "Samples of 200\ntid 200\nend\n"));
	browse(12, 70, "dso,sym", KEYS('d', 'r', KEYS_END, KEYS_UP, KEYS_UP, KEYS_ENTER));
	CHECK(text__starts_with(fake.screen, "Samples that pass the filters\ndso prog\nend\n"));
	/* With other fields, which stay; given up. */
	browse(12, 70, "dso,sym",
	       KEYS('r', KEYS_END, KEYS_UP, KEYS_ENTER, 'i', 'p', KEYS_ENTER, KEYS_ENTER, 'q', 'r',
	            KEYS_DOWN, KEYS_ENTER));
	CHECK(text__starts_with(fake.screen, "Samples taken in prog\ndso prog\nfields ip\nend\n"));
	browse(12, 70, "dso,sym", KEYS('r', KEYS_END, KEYS_UP, KEYS_ENTER, KEYS_ESCAPE));
	CHECK(strstr(fake.screen, "Overhead"));
	browse(12, 70, "dso,sym", KEYS('a', 'r'));
	CHECK(text__starts_with(fake.screen, "Samples taken in g\nsymbol g\nend\n"));
	CHECK(strstr(browse(12, 70, "dso,sym", KEYS(KEYS_DOWN, 'r', KEYS_ENTER)), "no samples"));
}

/* What is said of stacks and losses is of what is shown. */
TEST(browser_tells_the_health_of_what_passes)
{
	CHECK(strstr(browse(8, 70, "comm,dso,sym", KEYS('d')), "lost: 3 of prog\n"));
	CHECK(strstr(browse(8, 70, "comm,dso,sym", KEYS('d', KEYS_ESCAPE)), "  lost: 3\n"));
	browse(8, 70, "comm,dso,sym", KEYS('/', KEYS_TAB, 'r', 'o', KEYS_ENTER));
	CHECK(strstr(fake.screen, "dsos with: ro  lost: 3 of prog\n"));
}

/* Those of the command line that no key takes back. */
TEST(browser_tells_of_filters_by_task_time_and_cpu)
{
	u32 pids[] = { 100 }, tids[] = { 100, 101 };
	u8 cpus[] = { 1, 1, 0, 1 };
	struct time_range range = { 0, 90000000000 };
	const struct view_options options = { .hists = { .filter = { .pids = { pids, 1 },
		                                                     .tids = { tids, 2 },
		                                                     .cpu_set = cpus,
		                                                     .nr_cpu_set = 4,
		                                                     .times = { &range, 1 } } } };
	const struct view_options socket = { .hists = { .has_socket = true, .socket = -1 } };

	browse_with(options, 8, 120, "tid,sym", KEYS());
	CHECK(strstr(fake.screen, "h: help  cpu: 0-1,3  time: 0.000000..90.000000  pid: 100  "
	                          "thread: 100,101  lost"));
	CHECK(!strstr(fake.screen, "  0x0"));
	browse_with(options, 8, 120, "tid,sym", KEYS('t'));
	CHECK(strstr(fake.screen, "  pid: 100  thread: 100  lost"));
	browse_with(options, 8, 120, "tid,sym", KEYS('t', 't'));
	CHECK(strstr(fake.screen, "  thread: 100,101  lost"));
	browse_with(socket, 8, 120, "sym", KEYS());
	CHECK(strstr(fake.screen, "  socket: -1  lost"));
}
