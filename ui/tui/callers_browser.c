// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/callers_browser.h"

#include <stdlib.h>

#include "ui/tui/keys.h"
#include "ui/tui/list.h"
#include "ui/tui/text_browser.h"
#include "util/lib/alloc.h"
#include "util/lib/cell.h"

#define SHARE_WIDTH 8
#define GAP         2
#define INDENT      4

struct callers_browser {
	struct tui *tui;
	const struct callers_shown *shown;
	u32 loc;                /* of the function in the middle */
	u32 *before, nr_before; /* where we came from */
	size_t cap_before;
	struct neighbours near; /* of that function */
	struct list list;
	bool ended;
	struct out text;
};

/* What a row is: an edge's other end, the function itself, or a part of its own. */
struct callers_row {
	enum { CALLER, NO_CALLER, MIDDLE, SELF, CALLEE } kind;
	u32 loc; /* of CALLER, MIDDLE, CALLEE */
	struct weight sums;
};

static u32 nr_above(const struct callers_browser *b)
{
	return b->near.nr_callers + (b->near.outermost.count ? 1 : 0);
}

static u32 nr_rows(const struct callers_browser *b)
{
	return nr_above(b) + 1 + (b->near.self.count ? 1 : 0) + b->near.nr_callees;
}

static struct callers_row row_of(int kind, const struct neighbour *neighbour)
{
	return (struct callers_row){ kind, neighbour->loc, neighbour->sums };
}

static struct callers_row row_at(const struct callers_browser *b, u32 i)
{
	const struct neighbours *near = &b->near;

	if (i < near->nr_callers)
		return row_of(CALLER, &near->callers[i]);
	if (i < nr_above(b))
		return (struct callers_row){ NO_CALLER, ID_NONE, near->outermost };
	i -= nr_above(b);
	if (!i)
		return (struct callers_row){ MIDDLE, b->loc, near->total };
	if (i == 1 && near->self.count)
		return (struct callers_row){ SELF, ID_NONE, near->self };
	return row_of(CALLEE, &near->callees[i - (near->self.count ? 2 : 1)]);
}

static const char *name_of(struct callers_browser *b, const struct callers_row *row)
{
	if (row->kind == NO_CALLER)
		return "[no caller]";
	if (row->kind == SELF)
		return "[self]";
	b->text.len = 0;
	names__print_frame(b->shown->view->names, &b->text, row->loc, false);
	return out__take(&b->text);
}

static void draw_row(struct callers_browser *b, int at, const struct callers_row *row)
{
	struct canvas *canvas = &b->tui->canvas;
	struct cell share =
	        cell__percent(row->sums.period, view__total(b->shown->view, b->shown->evsel));
	bool middle = row->kind == MIDDLE;
	char buf[CELL_TEXT_SIZE];
	const char *text = cell__print(&share, buf);
	int column = (middle ? 1 : 2) * SHARE_WIDTH + (middle ? 0 : GAP);
	int name = 2 * (SHARE_WIDTH + GAP) + (middle ? 0 : INDENT);

	canvas__put(canvas, at, column - canvas__width(text), canvas->nr_columns,
	            canvas__style(&share), text);
	canvas__put(canvas, at, name, canvas->nr_columns, middle ? CANVAS_TITLE : CANVAS_PLAIN,
	            name_of(b, row));
}

static void draw(struct callers_browser *b)
{
	struct canvas *canvas = &b->tui->canvas;

	tui__start(b->tui);
	list__fit(&b->list, nr_rows(b), canvas->nr_rows - 2);
	canvas__put(canvas, 0, 0, canvas->nr_columns, CANVAS_TITLE,
	            "   Total      Part  Callers above, callees below");
	for (u32 i = 0; i < b->list.height && b->list.top + i < b->list.nr; i++) {
		struct callers_row row = row_at(b, b->list.top + i);

		draw_row(b, 1 + i, &row);
		if (b->list.top + i == b->list.at)
			canvas__paint(canvas, 1 + i, 0, canvas->nr_columns, CANVAS_CHOSEN);
	}
	canvas__put(canvas, canvas->nr_rows - 1, 0, canvas->nr_columns, CANVAS_FAINT,
	            "h: help  Enter: go to the function  left: back  a: annotate  q: leave");
	tui__show(b->tui);
}

/* Put a function in the middle, and the cursor on it. */
static void go_to(struct callers_browser *b, u32 loc)
{
	b->loc = loc;
	neighbours__exit(&b->near);
	call_tree__find(b->shown->tree, loc, &b->near);
	b->list = (struct list){ .nr = nr_rows(b), .height = 1 };
	list__go(&b->list, nr_above(b));
}

/* ---- keys ---- */

static void enter(struct callers_browser *b)
{
	struct callers_row row = row_at(b, b->list.at);

	if (row.kind != CALLER && row.kind != CALLEE)
		return;
	array__reserve(&b->before, &b->cap_before, (size_t)b->nr_before + 1, sizeof(*b->before));
	b->before[b->nr_before++] = b->loc;
	go_to(b, row.loc);
}

static void leave(struct callers_browser *b)
{
	b->ended = true;
}

static void go_back(struct callers_browser *b)
{
	if (b->nr_before)
		go_to(b, b->before[--b->nr_before]);
	else
		b->ended = true;
}

static void annotate(struct callers_browser *b)
{
	struct callers_row row = row_at(b, b->list.at);

	b->shown->show_code(b->shown->ctx, row.loc == ID_NONE ? b->loc : row.loc);
}

static void show_help(struct callers_browser *b);

static const struct {
	struct tui_key key;
	void (*run)(struct callers_browser *b);
} keys[] = {
	{ { KEYS_UP, "up, down, PgUp, PgDn, Space, Home, End", "move" }, NULL },
	{ { KEYS_ENTER, "Enter, right", "put the function in the middle" }, enter },
	{ { KEYS_RIGHT, NULL, NULL }, enter },
	{ { KEYS_LEFT, "left, Esc", "back to the function before; from the first: leave" },
	  go_back },
	{ { KEYS_ESCAPE, NULL, NULL }, go_back },
	{ { KEYS_BACKSPACE, NULL, NULL }, go_back },
	{ { 'a', "a", "annotate: the instructions of the function" }, annotate },
	{ { 'q', "q, b, ^C", "leave" }, leave },
	{ { 'b', NULL, NULL }, leave },
	{ { KEYS_INTERRUPT, NULL, NULL }, leave },
	{ { KEYS_CLOSED, NULL, NULL }, leave },
	{ { 'h', "h, ?, F1", "this help" }, show_help },
	{ { '?', NULL, NULL }, show_help },
	{ { KEYS_F1, NULL, NULL }, show_help },
};

static void show_help(struct callers_browser *b)
{
	struct out text = { .fd = -1 };

	tui_keys__print(keys, sizeof(*keys), ARRAY_SIZE(keys), &text);
	out__str(&text,
	         "\nTotal: the share of chains with the function. Part: of those with the edge; "
	         "callers, or what the\nfunction has itself and its callees, add up to the "
	         "total, unless it is recursive.\n");
	text_browser__run(b->tui, "Keys", out__take(&text));
	out__exit(&text);
}

static void obey(struct callers_browser *b, int key)
{
	u32 i = tui_keys__find(keys, sizeof(*keys), ARRAY_SIZE(keys), key);

	if (!list__key(&b->list, key) && i != ID_NONE)
		keys[i].run(b);
}

bool callers_browser__run(struct tui *tui, const struct callers_shown *shown, u32 loc)
{
	struct callers_browser b = { .tui = tui, .shown = shown, .text = { .fd = -1 } };
	bool any;

	go_to(&b, loc);
	any = b.near.total.count;
	b.ended = !any;
	while (!b.ended) {
		draw(&b);
		obey(&b, tui__key(tui));
	}
	neighbours__exit(&b.near);
	free(b.before);
	out__exit(&b.text);
	return any;
}
