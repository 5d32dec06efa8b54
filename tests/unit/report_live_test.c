// SPDX-License-Identifier: GPL-2.0-or-later
/* The browser of a view that grows while it is shown, as in perf top. */
#include <string.h>

#include "tests/unit/fake_terminal.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/unit.h"
#include "ui/tui/report_browser.h"

static void health(void *ctx, struct view *view, struct out *out)
{
	(void)ctx;
	(void)view;
	out__str(out, "lost: 3");
}

struct growing {
	struct fixture *fixture;
	struct view *view;
	u32 nr_looks;
	int keys[4], nr_keys;
};

static u64 look_soon(void *ctx)
{
	return ((struct growing *)ctx)->nr_looks ? 0 : 1000;
}

/* First one process, then all. */
static void look(void *ctx, const struct view_options *options)
{
	struct growing *growing = ctx;
	struct view_options more = *options;

	CHECK_EQ(tui.terminal->work->due, 0); /* nobody asks for time in a dialog */
	growing->nr_looks++;
	more.hists.filter.pids.nr = 0;
	view__exit(growing->view);
	view__init(growing->view, &growing->fixture->chains, &growing->fixture->names, &more);
}

static bool is_its_key(void *ctx, int key)
{
	struct growing *growing = ctx;

	if (key != 'z')
		return false;
	growing->keys[growing->nr_keys++] = key;
	return true;
}

TEST(browser_of_a_view_that_grows_keeps_its_place)
{
	struct fixture f;
	struct view view;
	struct growing growing = { .fixture = &f, .view = &view };
	const struct live_view live = { &growing, look_soon, look, is_its_key, "z    zero\n" };
	const struct report_texts texts = { .live = &live, .health = health };
	struct terminal_work work = { .fd = -1 };
	u32 other = 200;
	struct view_options options = { .hists.filter.pids = { &other, 1 } };
	struct error err = ERROR_INIT;

	fixture__init(&f);
	fixture__sample(&f, "main;f;g", 40);
	f.last.pid = f.last.tid = other;
	builder__comm(&f.file.data, FIXTURE_TYPE, &f.last, "other");
	fixture__sample(&f, "?7;?9", 5);
	fixture__sample(&f, "?7;?8", 3);
	fixture__profile(&f, 1);
	options.chain = (struct chain_options)CHAIN_OPTIONS_INIT;
	CHECK_EQ(chain_options__parse(&options.chain, "graph,0.5,callee", &err), 0);
	CHECK_EQ(sort_keys__parse(&options.hists.keys, "sym", NULL, &err), 0);
	view__init(&view, &f.chains, &f.names, &options);
	fake__start(9, 70, (const int[]){ KEYS_DOWN, KEYS_ENTER, 'z', KEYS_TIME, 0 });
	fake.terminal.work = &work;
	CHECK(!report_browser__run(&tui, &view, &texts));
	CHECK_STR(strchr(fake.screen, '\n'), "\n  Overhead  Symbol\n"
	                                     "+^  83.33%  [.] g\n"
	                                     "+   10.42%  [.] 0x0000000000000009\n"
	                                     "-    6.25%  [.] 0x0000000000000008\n"
	                                     "    + 6.25%   0x8\n"
	                                     "\n\n"
	                                     "h: help  pid: 200  lost: 3\n");
	CHECK_EQ(fake.chosen, 4);
	CHECK_EQ(growing.nr_looks, 1);
	CHECK_EQ(growing.nr_keys, 1);
	/* In the first row the cursor stays there, whatever comes to stand in it. */
	view__change(&view, &options);
	growing.nr_looks = 0;
	fake__start(9, 70, (const int[]){ KEYS_TIME, 0 });
	fake.terminal.work = &work;
	CHECK(!report_browser__run(&tui, &view, &texts));
	CHECK_EQ(fake.chosen, 2);
	fake__stop();
	view__exit(&view);
	fixture__exit(&f);
}
