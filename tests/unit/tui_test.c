// SPDX-License-Identifier: GPL-2.0-or-later
/* The browser, on a terminal that is an array: what is on the screen after which keys. */
#include "ui/tui/report_browser.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/fake_terminal.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/unit.h"
#include "util/lib/alloc.h"

static bool has_cycles = true; /* the code that is shown */

/* A line of code, which has a mark. */
static void add_insn(struct out *out, struct annotate_marks *marks, enum insn_kind kind, u64 addr,
                     u64 target, const char *callee, double percent)
{
	array__reserve(&marks->list, &marks->cap, (size_t)marks->nr + 1, sizeof(*marks->list));
	marks->list[marks->nr++] =
	        (struct annotate_mark){ .at = out->len,
		                        .kind = kind,
		                        .addr = addr,
		                        .target = target,
		                        .callee = callee ? xstrdup(callee) : NULL,
		                        .percent = percent };
	out__printf(out, " %5.2f  %2llx: insn\n", percent, (unsigned long long)addr);
}

static int some_code(void *ctx, struct view *view, u32 entry, const struct annotate_style *style,
                     struct out *out, struct annotate_marks *marks, struct error *err)
{
	const char *name =
	        sym__name(view->names, hist_entry__sym(&view->hists, &view->hists.entries[entry]));

	(void)ctx;
	if (!name || !strcmp(name, "h"))
		return error__set(err, -ENOENT, "no code", name, "it is gone");
	out__printf(out, "Samples of %s\n%s%s%s%s%s%s%s%s%s label %d\n", name,
	            style->labels ? "" : "plain ", style->source ? "source " : "",
	            style->line_numbers ? "numbers " : "", style->places ? "places " : "",
	            style->addresses ? "addresses " : "", style->nr_jumps ? "jumps " : "",
	            style->percent.global ? "global " : "", style->percent.hits ? "hits " : "",
	            style->show_period    ? "periods"
	            : style->show_samples ? "samples"
	                                  : "percent",
	            style->label);
	if (style->cycles && has_cycles) {
		out__printf(out, "cycles %d\n", style->cycles);
		marks->cycles_width = 12;
	}
	out__str(out, style->source ? "             source 1\n             source 2\n" : "");
	add_insn(out, marks, INSN_OTHER, 0x10, 0, NULL, 1);
	add_insn(out, marks, INSN_JUMP, 0x14, 0x1c, NULL, 0);
	add_insn(out, marks, INSN_OTHER, 0x18, 0, NULL, 60);
	add_insn(out, marks, INSN_CALL, 0x1c, 0, "f@plt", 30);
	add_insn(out, marks, INSN_CALL, 0x20, 0, "nobody", 0);
	add_insn(out, marks, INSN_JUMP, 0x24, 0x10, NULL, 2);
	return 0;
}

/* What is asked for. */
static int some_samples(void *ctx, struct view *view, const struct sample_filter *filter,
                        const char *fields, struct out *out, struct error *err)
{
	(void)ctx;
	(void)view;
	if (filter->symbols.nr && !strcmp(filter->symbols.names[0], "f"))
		return error__set(err, -EIO, "no samples", "f", "they are gone");
	for (u32 i = 0; i < filter->symbols.nr; i++)
		out__printf(out, "symbol %s\n", filter->symbols.names[i]);
	for (u32 i = 0; i < filter->dsos.nr; i++)
		out__printf(out, "dso %s\n", filter->dsos.names[i]);
	for (u32 i = 0; i < filter->comms.nr; i++)
		out__printf(out, "comm %s\n", filter->comms.names[i]);
	for (u32 i = 0; i < filter->tids.nr; i++)
		out__printf(out, "tid %u\n", filter->tids.ids[i]);
	if (fields)
		out__printf(out, "fields %s\n", fields);
	out__str(out, "end\n");
	return 0;
}

/* It opens and closes rows, as the text of a report does. */
static void whole(void *ctx, struct view *view, struct out *out)
{
	(void)ctx;
	view__open_all(view, 0, true);
	out__printf(out, "the report: %u rows\n", view__nr_rows(view, 0));
	view__open_all(view, 0, false);
}

static void list_files(void *ctx, struct name_list *files)
{
	(void)ctx;
	name_list__add(files, "a.data");
	name_list__add(files, "b.data");
}

static int map(void *ctx, u32 dso, struct out *out, struct error *err)
{
	const struct fixture *f = ctx;
	const char *path = strtab__get(&f->session.strings, dsos__at(&f->session.dsos, dso)->name);

	if (!strstr(path, "prog"))
		return error__set(err, -ENOENT, "no symbols", path, NULL);
	out__str(out, "10 20 g f\n20 30 g g\n");
	return 0;
}

static void health(void *ctx, struct view *view, struct out *out)
{
	(void)ctx;
	out__str(out, "lost: 3");
	if (view->options.hists.filter.dsos.nr)
		out__printf(out, " of %s", view->options.hists.filter.dsos.names[0]);
}

static const char *warned_of = "";

static const char *said(u32 *nr)
{
	*nr = *warned_of ? 1 : 0;
	return warned_of;
}

static bool branches; /* the event has them, by its attributes */

static char next_file[32]; /* that the browser was left for */

/* The screen after @keys, of samples in two programs. */
static const char *browse_with(struct view_options options, int nr_rows, int nr_columns,
                               const char *sort, const int *keys)
{
	struct fixture f;
	const struct report_texts texts = {
		.code = { NULL, some_code, some_samples, { .source = true } },
		.report = whole,
		.map = map,
		.ctx = &f,
		.list_files = list_files,
		.health = health,
		.said = said
	};
	struct error err = ERROR_INIT;
	struct view view;

	fixture__init(&f);
	fixture__sample(&f, "main;f;g", 40);
	fixture__sample(&f, "main;f", 20);
	fixture__sample(&f, "main;h;g", 10);
	f.last.pid = f.last.tid = 200;
	builder__comm(&f.file.data, FIXTURE_TYPE, &f.last, "other");
	fixture__sample(&f, "?7;?9", 5);
	fixture__profile(&f, 1);
	options.chain = (struct chain_options)CHAIN_OPTIONS_INIT;
	CHECK_EQ(chain_options__parse(&options.chain, "graph,0.5,callee", &err), 0);
	CHECK_EQ(sort_keys__parse(&options.hists.keys, sort, NULL, &err), 0);
	view__init(&view, &f.chains, &f.names, &options);
	if (branches)
		f.session.evlist->evsels[0]->attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	fake__start(nr_rows, nr_columns, keys);
	char *next = report_browser__run(&tui, &view, &texts);

	snprintf(next_file, sizeof(next_file), "%s", next ? next : "");
	free(next);
	fake__stop();
	view__exit(&view);
	fixture__exit(&f);
	return fake.screen;
}

static const char *browse(int nr_rows, int nr_columns, const char *sort, const int *keys)
{
	return browse_with((struct view_options){ .hists.children = false }, nr_rows, nr_columns,
	                   sort, keys);
}

#define KEYS(...) ((const int[]){ __VA_ARGS__ __VA_OPT__(, ) 0 })
/* From the first item of the menu to that of the map, for rows of dso and sym. */
#define MENU_MAP KEYS_DOWN, KEYS_DOWN, KEYS_DOWN, KEYS_DOWN, KEYS_DOWN
#define HEAD     "Samples: 4  of event 'cpu-clock:HG', Event count (approx.): 75\n"

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
	CHECK_STR(next_file, "b.data");
	browse(8, 70, "sym", KEYS('s', KEYS_ESCAPE));
	CHECK_STR(next_file, "");
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
	const struct report_texts texts = { .report = whole };
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
	branches = true;
	CHECK(strstr(browse(16, 100, "dso,sym", KEYS('a', 'c')), "cycles 1\n"));
	CHECK(strstr(browse(16, 100, "dso,sym", KEYS('a', 'c', 'c')), "cycles 2\n"));
	CHECK(!strstr(browse(16, 100, "dso,sym", KEYS('a', 'c', 'c', 'c')), "cycles"));
	/* They stand beside labels, and the brackets of loops behind them. */
	CHECK(strstr(browse(16, 100, "dso,sym", KEYS('a', 'o', 'c')),
	             "\nsource percent label 0\ncycles 1\n"));
	CHECK(strstr(browse(16, 100, "dso,sym", KEYS('a')), "  1.00 ┌ 10: insn\n"));
	CHECK(strstr(browse(16, 100, "dso,sym", KEYS('a', 'c')), "  1.00  10: insn   ┌\n"));
	has_cycles = false;
	CHECK(strstr(browse(16, 100, "dso,sym", KEYS('a', 'c')), "no branch in this function"));
	has_cycles = true;
	branches = false;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* What is listed is of the row, on top of the filters that are in force. */
TEST(browser_lists_samples)
{
	CHECK_STR(browse(9, 70, "dso,sym", KEYS('r', KEYS_ENTER)),
	          "Samples taken in g\nsymbol g\nend\n\n\n\n\n\n"
	          "q: back  /, ?: search, backwards  n: again\n");
	browse(12, 70, "dso,sym", KEYS('r', KEYS_DOWN, KEYS_ENTER));
	CHECK(begins(fake.screen, "Samples taken in prog\ndso prog\nend\n"));
	browse(12, 70, "comm,sym",
	       KEYS(KEYS_END, 'r', KEYS_END, KEYS_UP, KEYS_UP, KEYS_UP, KEYS_ENTER));
	CHECK(begins(fake.screen, "Samples of other\ncomm other\nend\n"));
	browse(12, 70, "tid,sym",
	       KEYS(KEYS_END, 'r', KEYS_END, KEYS_UP, KEYS_UP, KEYS_UP, KEYS_ENTER));
	CHECK(begins(fake.screen, "Samples of 200\ntid 200\nend\n"));
	browse(12, 70, "dso,sym", KEYS('d', 'r', KEYS_END, KEYS_UP, KEYS_UP, KEYS_ENTER));
	CHECK(begins(fake.screen, "Samples that pass the filters\ndso prog\nend\n"));
	/* With other fields, which stay; given up. */
	browse(12, 70, "dso,sym",
	       KEYS('r', KEYS_END, KEYS_UP, KEYS_ENTER, 'i', 'p', KEYS_ENTER, KEYS_ENTER, 'q', 'r',
	            KEYS_DOWN, KEYS_ENTER));
	CHECK(begins(fake.screen, "Samples taken in prog\ndso prog\nfields ip\nend\n"));
	browse(12, 70, "dso,sym", KEYS('r', KEYS_END, KEYS_UP, KEYS_ENTER, KEYS_ESCAPE));
	CHECK(strstr(fake.screen, "Overhead"));
	browse(12, 70, "dso,sym", KEYS('a', 'r'));
	CHECK(begins(fake.screen, "Samples taken in g\nsymbol g\nend\n"));
	CHECK(strstr(browse(12, 70, "dso,sym", KEYS(KEYS_DOWN, 'r', KEYS_ENTER)), "no samples"));
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
	warned_of = "";
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS('W')), "there were no warnings"));
	CHECK(!strstr(browse(8, 70, "dso,sym", KEYS(KEYS_HOME)), "W:"));
	warned_of = "Warning: it is cut\n";
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS(KEYS_HOME)), "h: help  W: 1 warning  lost: 3"));
	CHECK(begins(browse(8, 70, "dso,sym", KEYS('W', KEYS_END)), "Messages\n"));
	CHECK(strstr(fake.screen, "Warning: it is cut\n"));
	CHECK(strstr(browse(8, 70, "dso,sym", KEYS('W', 'q')), "Overhead"));
	warned_of = "";
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
