// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/report_browser.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/text/report_stdio.h"
#include "ui/tui/list.h"
#include "ui/tui/text_browser.h"
#include "util/lib/alloc.h"

#define FIGURE_WIDTH  8 /* "  12.34%" */
#define LATENCY_WIDTH 7
#define NUMBER_WIDTH  12
#define CHAIN_INDENT  2
#define FILES_MAX     1000 /* perf.hist.N */
#define LEAST_ROWS    4    /* for headings */
#define LIVE_ROWS     200000
#define UNDO_MAX      16
#define HOT_PERCENT   5.0
#define WARM_PERCENT  0.5

/* What a zoom or a filter changes, to go back to. */
struct restriction {
	struct sample_filter filter;
	const char *symbol_part;
};

struct report_browser {
	struct tui *tui;
	struct view *view;
	const struct report_texts *texts;
	struct view_options options; /* what the view shows now */
	u32 *events, nr_events, event;
	struct list *lists; /* by event */
	u32 widths[VIEW_COLUMNS_MAX];
	bool no_headings;
	struct restriction undo[UNDO_MAX];
	u32 nr_undo;
	/* Texts of filters, to be freed. */
	char **kept;
	u32 nr_kept;
	size_t cap_kept;
	struct out line, health; /* one that is made; what is told of the recording */
};

static const char *keep(struct report_browser *b, const char *text)
{
	array__reserve(&b->kept, &b->cap_kept, (size_t)b->nr_kept + 1, sizeof(*b->kept));
	b->kept[b->nr_kept] = xstrdup(text);
	return b->kept[b->nr_kept++];
}

static u32 evsel_of(const struct report_browser *b)
{
	return b->nr_events ? b->events[b->event] : 0;
}

static struct list *list_of(const struct report_browser *b)
{
	return &b->lists[b->event];
}

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

	if (needed > *width)
		*width = needed;
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

static enum canvas_style style_of(const struct cell *cell)
{
	double percent =
	        cell->kind == CELL_PERCENT && cell->whole ? 100.0 * cell->part / cell->whole : 0;

	return percent >= HOT_PERCENT    ? CANVAS_HOT
	       : percent >= WARM_PERCENT ? CANVAS_WARM
	                                 : CANVAS_PLAIN;
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
			at = put_right(b, row, at, width, style_of(&cell), text);
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

/* Keys of a hierarchy's level stand behind its figures, further in for each level. */
static void put_entry(struct report_browser *b, int row, const struct view_row *of)
{
	struct view *view = b->view;
	bool indented = false;
	int at = 2;

	canvas__put(&b->tui->canvas, row, 0, 1, CANVAS_PLAIN, mark_of(of));
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
}

static void put_frame(struct report_browser *b, int row, const struct view_row *of)
{
	int at = 2 + CHAIN_INDENT * of->depth, end = b->tui->canvas.nr_columns;
	struct cell share = cell__percent(of->total_period, view__total(b->view, of->evsel));
	char buf[CELL_TEXT_SIZE];

	canvas__put(&b->tui->canvas, row, at, end, CANVAS_PLAIN, mark_of(of));
	at += 2;
	if (of->first) {
		canvas__put(&b->tui->canvas, row, at, end, style_of(&share),
		            cell__print(&share, buf));
		at += FIGURE_WIDTH;
	}
	canvas__put(&b->tui->canvas, row, at, end, CANVAS_PLAIN, view__frame(b->view, of));
}

static void put_headings(struct report_browser *b, int row)
{
	int at = 2;

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
}

/* ---- the line above, the line below ---- */

static void name_filters(const struct report_browser *b, struct out *out)
{
	const struct hist_options *hists = &b->options.hists;
	const struct {
		const char *name;
		const struct name_list *list;
	} lists[] = { { "comm", &hists->filter.comms },
		      { "dso", &hists->filter.dsos },
		      { "symbol", &hists->filter.symbols } };

	for (u32 i = 0; i < ARRAY_SIZE(lists); i++)
		for (u32 n = 0; n < lists[i].list->nr; n++) {
			out__str(out, n ? "," : "  ");
			out__str(out, n ? "" : lists[i].name);
			out__str(out, n ? "" : ": ");
			out__name(out, lists[i].list->names[n]);
		}
	if (hists->symbol_part) {
		out__str(out, "  in symbols: ");
		out__name(out, hists->symbol_part);
	}
	if (b->options.percent_limit)
		out__printf(out, "  from %.4g %%", b->options.percent_limit);
	if (b->options.relative)
		out__str(out, "  100 %: what is shown");
}

static void put_line(struct report_browser *b, int row, enum canvas_style style)
{
	canvas__put(&b->tui->canvas, row, 0, b->tui->canvas.nr_columns, style, out__take(&b->line));
	b->line.len = 0;
}

static void put_status(struct report_browser *b)
{
	if (b->nr_events > 1)
		out__printf(&b->line, "Event %u of %u (Tab)  ", b->event + 1, b->nr_events);
	out__str(&b->line, "h: help");
	name_filters(b, &b->line);
	out__str(&b->line, "  ");
	out__str(&b->line, out__take(&b->health));
	put_line(b, b->tui->canvas.nr_rows - 1, CANVAS_FAINT);
}

/* Why there is nothing. */
static void put_nothing(struct report_browser *b, int row)
{
	out__str(&b->line, b->nr_events ? "No entry passes" : "No samples");
	name_filters(b, &b->line);
	out__str(&b->line, b->nr_undo ? "  (Esc takes the last filter back)" : "");
	put_line(b, row, CANVAS_PLAIN);
}

static void paint(struct report_browser *b)
{
	struct list *list = list_of(b);
	u32 evsel = evsel_of(b), nr = b->nr_events ? view__nr_rows(b->view, evsel) : 0;
	struct view_row row;

	tui__start(b->tui);
	bool headings = !b->no_headings && b->tui->canvas.nr_rows >= LEAST_ROWS;
	int first = headings ? 2 : 1;

	list__fit(list, nr, b->tui->canvas.nr_rows - first - 1);
	if (b->nr_events)
		report_stdio__event(&b->line, b->view, evsel);
	put_line(b, 0, CANVAS_TITLE);
	for (u32 i = list->top; i < nr && i - list->top < list->height; i++) {
		int at = first + i - list->top;

		view__row(b->view, evsel, i, &row);
		if (row.kind == VIEW_FRAME)
			put_frame(b, at, &row);
		else
			put_entry(b, at, &row);
		if (i == list->at)
			canvas__paint(&b->tui->canvas, at, 0, b->tui->canvas.nr_columns,
			              CANVAS_CHOSEN);
	}
	if (!nr)
		put_nothing(b, first);
	if (headings) /* now widths are known */
		put_headings(b, 1);
	put_status(b);
}

/* ---- what is shown ---- */

static void list_events(struct report_browser *b)
{
	const struct evlist *evlist = b->view->names->session->evlist;

	b->events = xcalloc((size_t)evlist->nr + 1, sizeof(*b->events));
	b->lists = xcalloc((size_t)evlist->nr + 1, sizeof(*b->lists));
	for (u32 i = 0; i < evlist->nr; i++) {
		bool member = b->options.hists.groups && evlist->evsels[i]->leader != i;

		if (!member && evlist->evsels[i]->same_as == i &&
		    (b->view->hists.events[i].nr_entries || b->view->hists.events[i].count))
			b->events[b->nr_events++] = i;
	}
}

static void find_widths(struct report_browser *b)
{
	for (u32 i = 0; i < b->view->nr_columns; i++)
		b->widths[i] = least_width(b, i);
}

/* Show the view in another way; the cursor goes to the top. */
static void change(struct report_browser *b)
{
	view__change(b->view, &b->options);
	find_widths(b);
	for (u32 i = 0; i < b->nr_events; i++)
		b->lists[i] = (struct list){ .nr = 0 };
}

static void restrict_view(struct report_browser *b, struct restriction to)
{
	struct hist_options *hists = &b->options.hists;

	if (b->nr_undo == UNDO_MAX) {
		dialog__say(b->tui, "too many filters: Esc takes the last one back");
		return;
	}
	b->undo[b->nr_undo++] = (struct restriction){ hists->filter, hists->symbol_part };
	hists->filter = to.filter;
	hists->symbol_part = to.symbol_part;
	change(b);
}

static void take_back(struct report_browser *b)
{
	const struct restriction *last = &b->undo[--b->nr_undo];

	b->options.hists.filter = last->filter;
	b->options.hists.symbol_part = last->symbol_part;
	change(b);
}

static bool chosen_row(struct report_browser *b, struct view_row *row)
{
	if (!b->nr_events || list_of(b)->at >= view__nr_rows(b->view, evsel_of(b)))
		return false;
	view__row(b->view, evsel_of(b), list_of(b)->at, row);
	return true;
}

/* Only this name of @list passes; where it does so already, the zoom is taken back. */
static void zoom(struct report_browser *b, size_t list_at, const char *name)
{
	struct restriction to = { b->options.hists.filter, b->options.hists.symbol_part };
	struct name_list *list = (struct name_list *)((char *)&to.filter + list_at);

	if (list->nr == 1 && b->nr_undo) {
		take_back(b);
		return;
	}
	array__reserve(&b->kept, &b->cap_kept, (size_t)b->nr_kept + 1, sizeof(*b->kept));
	char **names = xcalloc(1, sizeof(*names));

	b->kept[b->nr_kept++] = (char *)names;
	*names = (char *)keep(b, name);
	*list = (struct name_list){ .names = names, .nr = 1 };
	restrict_view(b, to);
}

static const char *function_name(const struct report_browser *b, const struct view_row *row)
{
	const struct hists *hists = &b->view->hists;
	u32 loc = row->kind == VIEW_FRAME ? row->loc
	                                  : hists->loc_of_key[hists->entries[row->entry].key];

	return sort_keys__has(&hists->options.keys, &key_symbol)
	               ? sym__name(hists->names, &hists->names->syms[hists->names->sym_of_loc[loc]])
	               : NULL;
}

/* The file of the row's code; NULL: entries have none. */
static const char *dso_of(const struct report_browser *b, const struct view_row *row)
{
	const struct hists *hists = &b->view->hists;
	const struct hist_entry *entry = &hists->entries[row->entry];
	u32 loc = row->kind == VIEW_FRAME ? row->loc : hists->loc_of_key[entry->key];

	if (row->kind != VIEW_FRAME && !sort_keys__has(&hists->options.keys, &key_dso) &&
	    !sort_keys__has(&hists->options.keys, &key_symbol))
		return NULL;
	return names__dso(hists->names, hists->names->syms[hists->names->sym_of_loc[loc]].dso_name);
}

static const char *comm_of(const struct report_browser *b, const struct view_row *row)
{
	const struct hists *hists = &b->view->hists;
	const struct hist_group *group = &hists->groups[hists->entries[row->entry].group];
	const struct row *of = &hists->profile->rows[hists->row_of_context[group->context]];

	if (!sort_keys__has(&hists->options.keys, &key_comm))
		return NULL;
	return strtab__get(&hists->names->session->strings, of->comm);
}

static void zoom_into_dso(struct report_browser *b)
{
	struct view_row row;
	const char *name = chosen_row(b, &row) ? dso_of(b, &row) : NULL;

	if (name)
		zoom(b, offsetof(struct sample_filter, dsos), name);
	else
		dialog__say(b->tui, "rows are not of one file: report -s dso,... has such");
}

static void zoom_into_comm(struct report_browser *b)
{
	struct view_row row;
	const char *name = chosen_row(b, &row) ? comm_of(b, &row) : NULL;

	if (name)
		zoom(b, offsetof(struct sample_filter, comms), name);
	else
		dialog__say(b->tui, "rows are not of one command: report -s comm,... has such");
}

static void zoom_into_kernel(struct report_browser *b)
{
	zoom(b, offsetof(struct sample_filter, dsos), "[kernel.kallsyms]");
}

/* Large profiles are filtered when all is typed. */
static void filter_as_typed(void *ctx, const char *text)
{
	struct report_browser *b = ctx;

	if (b->view->hists.nr_entries + b->view->hists.nr_rows <= LIVE_ROWS) {
		b->options.hists.symbol_part = *text ? text : NULL;
		change(b);
	}
	paint(b);
}

static void ask_for_symbols(struct report_browser *b)
{
	struct restriction to = { b->options.hists.filter, NULL };
	const struct dialog_typing typing = { filter_as_typed, b };
	const char *old = b->options.hists.symbol_part;
	char text[DIALOG_TEXT];

	snprintf(text, sizeof(text), "%s", old ? old : "");
	bool wanted = dialog__ask(b->tui, "Only symbols with this in their name:", text, &typing);

	b->options.hists.symbol_part = old;
	to.symbol_part = *text ? keep(b, text) : NULL;
	if (wanted && (*text || old))
		restrict_view(b, to);
	else
		change(b);
}

static void ask_for_limit(struct report_browser *b)
{
	char text[DIALOG_TEXT], *end;

	snprintf(text, sizeof(text), "%.4g", b->options.percent_limit);
	if (!dialog__ask(b->tui, "Hide rows below this percentage:", text, NULL))
		return;
	double limit = strtod(text, &end);

	if (*end || limit < 0 || limit > 100) {
		dialog__say(b->tui, "a percentage is a number from 0 to 100");
		return;
	}
	b->options.percent_limit = b->options.chain.threshold = limit;
	change(b);
}

/* ---- texts ---- */

static void show_text(struct report_browser *b, const char *title, struct out *text)
{
	text_browser__run(b->tui, title, out__take(text));
	out__exit(text);
}

/* The entry of the function of a row; ID_NONE, after saying why: there is none. */
static u32 function_of(struct report_browser *b, const struct view_row *row)
{
	const struct hists *hists = &b->view->hists;
	const struct hist_entry *of = &hists->entries[row->entry];
	u32 key = row->kind == VIEW_FRAME ? hists->key_of_loc[row->loc] : of->key;

	if (!sort_keys__has(&hists->options.keys, &key_symbol)) {
		dialog__say(b->tui, "rows are not of one function: report -s sym,... has such");
		return ID_NONE;
	}
	for (u32 i = 0; i < hists->nr_entries; i++)
		if (hists->entries[i].group == of->group && hists->entries[i].key == key)
			return i;
	dialog__say(b->tui, "no sample is in that function itself");
	return ID_NONE;
}

static void show_code(struct report_browser *b)
{
	struct out text = { .fd = -1 };
	struct error err = ERROR_INIT;
	struct view_row row;
	char message[512];
	u32 entry = b->texts->code && chosen_row(b, &row) ? function_of(b, &row) : ID_NONE;

	if (entry == ID_NONE)
		return;
	if (!b->texts->code(b->texts->ctx, b->view, entry, &text, &err)) {
		show_text(b, "Where the function spends its time", &text);
		return;
	}
	out__exit(&text);
	dialog__say(b->tui, error__text(&err, message, sizeof(message)));
}

static void show_callers(struct report_browser *b)
{
	struct out text = { .fd = -1 };
	struct view_row row;

	u32 entry = b->texts->callers && chosen_row(b, &row) ? function_of(b, &row) : ID_NONE;

	if (entry == ID_NONE)
		return;
	b->texts->callers(b->texts->ctx, b->view, entry, &text);
	show_text(b, "Callers above, callees below", &text);
}

static void show_header(struct report_browser *b)
{
	struct out text = { .fd = -1 };

	if (!b->texts->header)
		return;
	b->texts->header(b->texts->ctx, &text);
	show_text(b, "The recording", &text);
}

/* To the first perf.hist.N that is not there. */
static void print_to_file(struct report_browser *b)
{
	char name[32], message[64];
	struct out out;
	int fd = -1;

	for (u32 i = 0; fd < 0 && i < FILES_MAX; i++) {
		snprintf(name, sizeof(name), "perf.hist.%u", i);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0) {
		dialog__say(b->tui, "perf.hist.N cannot be made here");
		return;
	}
	out__init(&out, fd);
	b->texts->report(b->texts->ctx, b->view, &out);
	out__flush(&out);
	bool failed = close(fd) || out.error;

	out__exit(&out);
	if (failed)
		unlink(name);
	snprintf(message, sizeof(message), failed ? "cannot write %s" : "written to %s", name);
	view__change(b->view, &b->options);
	dialog__say(b->tui, message);
}

/* ---- keys ---- */

static void open_row(struct report_browser *b)
{
	struct view_row row;

	if (chosen_row(b, &row))
		view__open(b->view, evsel_of(b), list_of(b)->at, !row.open);
}

/* All that is below the entry of the row. */
static void open_entry(struct report_browser *b)
{
	u32 evsel = evsel_of(b), at = list_of(b)->at;
	struct view_row row, inside;

	if (!chosen_row(b, &row))
		return;
	while (row.kind == VIEW_FRAME && at)
		view__row(b->view, evsel, --at, &row);
	list__go(list_of(b), at);
	view__open(b->view, evsel, at, !row.open);
	for (u32 i = at + 1; !row.open && i < view__nr_rows(b->view, evsel); i++) {
		view__row(b->view, evsel, i, &inside);
		if (inside.depth <= row.depth)
			break;
		view__open(b->view, evsel, i, true);
	}
}

/* The cursor stays on its entry. */
static void open_all(struct report_browser *b, bool open)
{
	u32 evsel = evsel_of(b), entry;
	struct view_row row;

	if (!chosen_row(b, &row))
		return;
	entry = row.entry;
	view__open_all(b->view, evsel, open);
	for (u32 i = 0; i < view__nr_rows(b->view, evsel); i++) {
		view__row(b->view, evsel, i, &row);
		if (row.entry == entry) {
			list_of(b)->nr = view__nr_rows(b->view, evsel);
			list__go(list_of(b), i);
			break;
		}
	}
}

static void expand_all(struct report_browser *b)
{
	open_all(b, true);
}

static void collapse_all(struct report_browser *b)
{
	open_all(b, false);
}

static void next_event(struct report_browser *b)
{
	b->event = b->nr_events ? (b->event + 1) % b->nr_events : 0;
	find_widths(b);
}

static void event_before(struct report_browser *b)
{
	b->event = b->nr_events ? (b->event + b->nr_events - 1) % b->nr_events : 0;
	find_widths(b);
}

static void toggle_relative(struct report_browser *b)
{
	b->options.relative = !b->options.relative;
	change(b);
}

static void toggle_headings(struct report_browser *b)
{
	b->no_headings = !b->no_headings;
}

static void toggle_verbose(struct report_browser *b)
{
	b->options.hists.verbose = !b->options.hists.verbose;
	change(b);
}

static void show_menu(struct report_browser *b);
static void show_help(struct report_browser *b);

/* Each key with what it does: this table is the help, too. */
static const struct {
	int key;
	const char *name, *help;
	void (*run)(struct report_browser *b);
	const char *item; /* in the menu; with %s for what the row is of; NULL: not there */
	const char *(*of)(const struct report_browser *b, const struct view_row *row);
} keys[] = {
	{ 'a', "a", "annotate: the instructions of the function", show_code, "Annotate %s",
	  function_name },
	{ 'b', "b", "callers and callees of the function", show_callers,
	  "Callers and callees of %s", function_name },
	{ 'd', "d", "zoom into the row's file, and out", zoom_into_dso, "Zoom into %s DSO",
	  dso_of },
	{ 't', "t", "zoom into the row's command, and out", zoom_into_comm, "Zoom into %s command",
	  comm_of },
	{ 'k', "k", "zoom into the kernel, and out", zoom_into_kernel, "Zoom into the kernel" },
	{ KEYS_TAB, "Tab, Shift-Tab", "next, previous event", next_event },
	{ KEYS_BACK_TAB, NULL, NULL, event_before },
	{ '+', "+", "open or close the row", open_row },
	{ 'e', "e", "open or close all below the entry", open_entry },
	{ 'E', "E", "open all", expand_all, "Expand all" },
	{ 'C', "C", "close all", collapse_all, "Collapse all" },
	{ 'c', NULL, NULL, collapse_all },
	{ '/', "/", "only symbols with a text in their name", ask_for_symbols, "Filter by symbol" },
	{ 'L', "L", "hide rows below a percentage", ask_for_limit, "Percent limit" },
	{ 'F', "F", "100 %: everything, or what the filters let through", toggle_relative,
	  "100 %%: all, or what is shown" },
	{ 'H', "H", "column headings", toggle_headings },
	{ 'V', "V", "addresses and whole paths", toggle_verbose },
	{ 'P', "P", "print the report to perf.hist.N", print_to_file, "Print to perf.hist.N" },
	{ 'i', "i", "header of the recording", show_header, "Header of the recording" },
	{ 'm', "m", "menu", show_menu },
	{ 'h', "h, ?, F1", "this help", show_help },
	{ '?', NULL, NULL, show_help },
	{ KEYS_F1, NULL, NULL, show_help },
};

/* The text of a menu's item; false: there is nothing of that kind in the row. */
static bool print_item(const struct report_browser *b, const struct view_row *row, u32 i,
                       char text[DIALOG_TEXT])
{
	const char *of = !keys[i].of ? "" : row ? keys[i].of(b, row) : NULL;

	if (!keys[i].item || !of)
		return false;
	snprintf(text, DIALOG_TEXT, keys[i].item, of);
	return true;
}

static void show_menu(struct report_browser *b)
{
	char texts[ARRAY_SIZE(keys)][DIALOG_TEXT];
	const char *items[ARRAY_SIZE(keys)];
	u32 of[ARRAY_SIZE(keys)], nr = 0;
	struct view_row row;
	bool chosen = chosen_row(b, &row);

	for (u32 i = 0; i < ARRAY_SIZE(keys); i++)
		if (print_item(b, chosen ? &row : NULL, i, texts[nr])) {
			of[nr] = i;
			items[nr] = texts[nr];
			nr++;
		}
	int choice = dialog__menu(b->tui, "Menu (Enter, Esc)", items, nr);

	if (choice >= 0)
		keys[of[choice]].run(b);
}

static void show_help(struct report_browser *b)
{
	struct out text = { .fd = -1 };

	out__str(&text,
	         "up, down, PgUp, PgDn, Space, Home, End\n                  move\n"
	         "Enter, right      open or close the row; the menu where there is nothing in "
	         "it\n"
	         "left, Esc         take the last filter back; Esc without one: leave\n"
	         "q, ^C             leave\n"
	         "0-9               sort a group of events by this one\n");
	for (u32 i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!keys[i].name)
			continue;
		out__left(&text, keys[i].name, 18);
		out__str(&text, keys[i].help);
		out__char(&text, '\n');
	}
	out__str(&text,
	         "\n+ at a row: it can be opened. Not there yet: r (run a script), s (another "
	         "recording), S (zoom into a socket).\n");
	show_text(b, "Keys", &text);
}

static void sort_by_member(struct report_browser *b, u32 member)
{
	if (member >= hists__nr_members(&b->view->hists, evsel_of(b)))
		return;
	b->options.hists.sort_member = member;
	change(b);
}

static void enter(struct report_browser *b)
{
	struct view_row row;

	if (chosen_row(b, &row) && row.openable)
		open_row(b);
	else
		show_menu(b);
}

/* False: the user leaves. */
static bool obey(struct report_browser *b, int key)
{
	if (list__key(list_of(b), key))
		return true;
	if (key == KEYS_ENTER || key == KEYS_RIGHT) {
		enter(b);
		return true;
	}
	if (key == KEYS_INTERRUPT || key == KEYS_CLOSED || key == 'q')
		return false;
	if (key == KEYS_ESCAPE || key == KEYS_LEFT) {
		bool back = b->nr_undo;

		if (back)
			take_back(b);
		return back || key == KEYS_LEFT;
	}
	if (key >= '0' && key <= '9')
		sort_by_member(b, key - '0');
	for (u32 i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].key == key)
			keys[i].run(b);
	return true;
}

void report_browser__run(struct tui *tui, struct view *view, const struct report_texts *texts)
{
	struct report_browser b = { .tui = tui,
		                    .view = view,
		                    .texts = texts,
		                    .options = view->options,
		                    .line = { .fd = -1 },
		                    .health = { .fd = -1 } };
	const struct view_options before = view->options;

	list_events(&b);
	find_widths(&b);
	if (texts->health)
		texts->health(texts->ctx, view, &b.health);
	do {
		paint(&b);
		tui__show(tui);
	} while (obey(&b, tui->terminal->key(tui->terminal)));
	if (b.nr_undo)
		view__change(view, &before);
	for (u32 i = 0; i < b.nr_kept; i++)
		free(b.kept[i]);
	free(b.kept);
	free(b.events);
	free(b.lists);
	out__exit(&b.line);
	out__exit(&b.health);
}
