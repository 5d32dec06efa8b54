// SPDX-License-Identifier: GPL-2.0-or-later
/* The screen of the report browser: rows of the view that are in sight, and the lines around them.
 */
#include <string.h>

#include "ui/text/report_stdio.h"
#include "ui/tui/report_browser_private.h"
#include "util/view/confidence.h"

#define FIGURE_WIDTH  8 /* "  12.34%" */
#define LATENCY_WIDTH 7
#define NUMBER_WIDTH  12
#define CHAIN_INDENT  2
#define MARK_WIDTH    2 /* "+ " */
#define COPY_COLUMNS  16384
#define COPY_MAX      50000 /* bytes: what terminals bear */
#define LEAST_ROWS    4     /* for headings */
#define LEAST_SEEN    4     /* columns of rows that were moved sideways */

/* ---- rows ---- */

static u32 nr_members(const struct report_browser *b, u32 column)
{
	return b->view->columns[column].figure == VIEW_KEY
	               ? 1
	               : hists__nr_members(&b->view->hists, evsel_of(b));
}

/* Wide enough for what was seen so far: to look at all rows would take long. */
static u32 width_of(struct report_browser *b, u32 column, const char *text)
{
	u32 *width = &b->widths[column], needed = canvas__width(text);

	if (needed > *width) {
		*width = needed;
		b->wider = true;
	}
	return *width;
}

static u32 least_width(const struct report_browser *b, u32 column)
{
	const char *heading = view__heading(b->view, column);
	u32 width = canvas__width(heading);

	switch (b->view->columns[column].figure) {
	case VIEW_KEY:
		return width;
	case VIEW_LATENCY:
		return LATENCY_WIDTH;
	case VIEW_SAMPLES:
	case VIEW_PERIOD:
		return NUMBER_WIDTH;
	default:
		return width > FIGURE_WIDTH ? width : FIGURE_WIDTH;
	}
}

static int put_right(struct report_browser *b, int row, int column, int width,
                     enum canvas_style style, const char *text)
{
	int blank = width - canvas__width(text), end = b->tui->canvas.nr_columns;

	canvas__put(&b->tui->canvas, row, column + (blank > 0 ? blank : 0), end, style, text);
	return column + (blank > 0 ? width : canvas__width(text));
}

/* The cell of each event of a group, side by side. */
static int put_cells(struct report_browser *b, int row, int at, const struct view_row *of,
                     u32 column)
{
	bool key = b->view->columns[column].figure == VIEW_KEY;
	struct view_row member;
	struct cell cell;
	char buf[CELL_TEXT_SIZE];

	for (u32 m = 0; m < nr_members(b, column); m++) {
		view__member(b->view, of, m, &member);
		view__cell(b->view, &member, column, &cell);
		const char *text = cell.kind == CELL_NONE ? "" : cell__print(&cell, buf);
		int width = width_of(b, column, text);

		if (!key) {
			at = put_right(b, row, at, width, canvas__style(&cell), text);
			continue;
		}
		canvas__put(&b->tui->canvas, row, at, b->tui->canvas.nr_columns, CANVAS_PLAIN,
		            text);
		at += width;
	}
	return at;
}

static const char *mark_of(const struct view_row *row)
{
	return !row->openable ? " " : row->open ? "-" : "+";
}

static void note_width(struct report_browser *b, int end)
{
	if (end + b->from > b->text_width)
		b->text_width = end + b->from;
}

/* What stands left of an entry, and stays there when the text moves. */
static void put_margin(struct report_browser *b, int row, const char *mark)
{
	canvas__put(&b->tui->canvas, row, 0, MARK_WIDTH, CANVAS_PLAIN, "  ");
	canvas__put(&b->tui->canvas, row, 0, MARK_WIDTH, CANVAS_PLAIN, mark);
}

/* Keys of a hierarchy's level stand behind its figures, further in for each level. */
static void put_entry(struct report_browser *b, int row, const struct view_row *of)
{
	struct view *view = b->view;
	bool indented = false;
	int at = MARK_WIDTH - b->from;

	for (u32 i = 0; i < view->nr_columns; i++) {
		bool key = view->columns[i].figure == VIEW_KEY;

		if (!view__has_column(view, i, of->evsel) ||
		    (key && view->nr_levels && view__level_of(view, i) != of->depth))
			continue;
		if (key && view->nr_levels && !indented) {
			at += CHAIN_INDENT * of->depth;
			indented = true;
		}
		at = put_cells(b, row, at, of, i) + 2;
	}
	note_width(b, at - 2);
	put_margin(b, row, mark_of(of));
	if (report_live__is_risen(b, of))
		canvas__put(&b->tui->canvas, row, 1, MARK_WIDTH, CANVAS_HOT, "^");
}

static void put_frame(struct report_browser *b, int row, const struct view_row *of)
{
	int at = MARK_WIDTH + CHAIN_INDENT * of->depth - b->from, end = b->tui->canvas.nr_columns;
	const char *name = view__frame(b->view, of);
	struct cell share = cell__percent(of->total_period, view__total(b->view, of->evsel));
	char buf[CELL_TEXT_SIZE];

	canvas__put(&b->tui->canvas, row, at, end, CANVAS_PLAIN, mark_of(of));
	at += 2;
	if (of->first) {
		canvas__put(&b->tui->canvas, row, at, end, canvas__style(&share),
		            cell__print(&share, buf));
		at += FIGURE_WIDTH;
	}
	canvas__put(&b->tui->canvas, row, at, end, CANVAS_PLAIN, name);
	note_width(b, at + canvas__width(name));
}

static void put_row(struct report_browser *b, int row, const struct view_row *of)
{
	if (of->kind == VIEW_FRAME)
		put_frame(b, row, of);
	else
		put_entry(b, row, of);
}

static void put_headings(struct report_browser *b, int row)
{
	int at = MARK_WIDTH - b->from;

	for (u32 i = 0; i < b->view->nr_columns; i++) {
		const char *heading = view__heading(b->view, i);
		bool key = b->view->columns[i].figure == VIEW_KEY;
		int width = b->widths[i] * nr_members(b, i);

		if (!view__has_column(b->view, i, evsel_of(b)))
			continue;
		heading += strspn(heading, " ");
		if (key && b->view->nr_levels) {
			at = canvas__put(&b->tui->canvas, row, at, b->tui->canvas.nr_columns,
			                 CANVAS_TITLE, heading);
			at = canvas__put(&b->tui->canvas, row, at, b->tui->canvas.nr_columns,
			                 CANVAS_TITLE, i + 1 < b->view->nr_columns ? " / " : "");
			continue;
		}
		if (key)
			canvas__put(&b->tui->canvas, row, at, b->tui->canvas.nr_columns,
			            CANVAS_TITLE, heading);
		else
			put_right(b, row, at, width, CANVAS_TITLE, heading);
		at += width + 2;
	}
	put_margin(b, row, "");
}

/* ---- the line above, the line below ---- */

static void put_line(struct report_browser *b, int row, enum canvas_style style)
{
	canvas__put(&b->tui->canvas, row, 0, b->tui->canvas.nr_columns, style, out__take(&b->line));
	b->line.len = 0;
}

/* What its samples are worth, which the head of the text says, too. */
static void put_worth(struct report_browser *b)
{
	const struct confidence *confidence = b->view->confidence;
	const struct event_confidence *event =
	        confidence && b->nr_events ? &confidence->events[evsel_of(b)] : NULL;

	if (event && !event->sees_bursts)
		out__printf(&b->line, "  intervals " CONFIDENCE_NO_BURSTS, SHARES_SLICES_MIN);
	else if (event)
		out__printf(&b->line, "  %llu samples are worth %llu independent ones",
		            (unsigned long long)event->nr_samples,
		            (unsigned long long)event_confidence__independent(event));
}

static void put_status(struct report_browser *b)
{
	u32 nr_messages = 0;

	if (b->texts->said)
		b->texts->said(&nr_messages);
	if (b->nr_events > 1)
		out__printf(&b->line, "Event %u of %u (Tab)  ", b->event + 1, b->nr_events);
	out__str(&b->line, "h: help");
	if (nr_messages)
		out__printf(&b->line, "  W: %u warning%s", nr_messages, nr_messages > 1 ? "s" : "");
	report_filters__print(b, &b->line);
	put_worth(b);
	out__str(&b->line, "  ");
	out__str(&b->line, out__take(&b->health));
	put_line(b, b->tui->canvas.nr_rows - 1, CANVAS_FAINT);
}

/* Why there is nothing. */
static void put_nothing(struct report_browser *b, int row)
{
	out__str(&b->line, b->nr_events ? "No entry passes" : "No samples");
	report_filters__print(b, &b->line);
	out__str(&b->line, b->nr_restrictions ? "  (Esc takes the last filter back)" : "");
	put_line(b, row, CANVAS_PLAIN);
}

static void put_rows(struct report_browser *b, int first, u32 nr)
{
	const struct list *list = list_of(b);
	struct view_row row;

	b->wider = false;
	b->text_width = 0;
	for (u32 i = list->top; i < nr && i - list->top < list->height; i++) {
		int at = first + i - list->top;

		view__row(b->view, evsel_of(b), i, &row);
		put_row(b, at, &row);
		if (i == list->at)
			canvas__paint(&b->tui->canvas, at, 0, b->tui->canvas.nr_columns,
			              CANVAS_CHOSEN);
	}
}

void report_draw__all(struct report_browser *b)
{
	struct list *list = list_of(b);
	u32 evsel = evsel_of(b), nr = b->nr_events ? view__nr_rows(b->view, evsel) : 0;

	tui__start(b->tui);
	bool headings = !b->no_headings && b->tui->canvas.nr_rows >= LEAST_ROWS;
	int first = headings ? 2 : 1;

	list__fit(list, nr, b->tui->canvas.nr_rows - first - 1);
	if (nr)
		nr += view__show(b->view, evsel, list->top, list->height);
	list__fit(list, nr, list->height);
	put_rows(b, first, nr);
	bool beside = b->from && b->text_width - b->from < LEAST_SEEN; /* other rows were wider */

	if (beside)
		b->from = 0;
	if (b->wider || beside) { /* what stands above is aligned to it, too */
		tui__start(b->tui);
		put_rows(b, first, nr);
	}
	if (b->nr_events)
		report_stdio__event(&b->line, b->view, evsel);
	put_line(b, 0, CANVAS_TITLE);
	if (!nr)
		put_nothing(b, first);
	if (headings) /* now widths are known */
		put_headings(b, 1);
	put_status(b);
}

static void take_text(const struct canvas *canvas, struct out *out)
{
	int end = canvas->nr_columns;

	while (end && !strcmp(canvas__cell(canvas, 0, end - 1)->text, " "))
		end--;
	for (int i = 0; i < end; i++)
		out__str(out, canvas__cell(canvas, 0, i)->text);
	out__char(out, '\n');
}

void report_draw__copy(struct report_browser *b, struct out *out)
{
	const struct canvas screen = b->tui->canvas;
	u32 evsel = evsel_of(b), i = list_of(b)->at, nr = view__nr_rows(b->view, evsel);
	int from = b->from;
	struct view_row row;

	if (!report_browser__row(b, &row))
		return;
	u16 depth = row.depth;

	b->tui->canvas = (struct canvas){ .nr_rows = 0 };
	b->from = 0;
	do {
		canvas__start(&b->tui->canvas, 1, COPY_COLUMNS);
		put_row(b, 0, &row);
		take_text(&b->tui->canvas, out);
		if (++i < nr)
			view__row(b->view, evsel, i, &row);
	} while (i < nr && row.depth > depth && out->len < COPY_MAX);
	canvas__exit(&b->tui->canvas);
	b->tui->canvas = screen;
	b->from = from;
}

void report_draw__sideward(struct report_browser *b, int by)
{
	if (by < 0 || b->text_width - b->from > b->tui->canvas.nr_columns)
		b->from += by;
	if (b->from < 0)
		b->from = 0;
}

void report_draw__start(struct report_browser *b)
{
	for (u32 i = 0; i < b->view->nr_columns; i++)
		b->widths[i] = least_width(b, i);
}
