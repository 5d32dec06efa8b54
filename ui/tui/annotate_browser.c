// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/annotate_browser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/tui/code_loops.h"
#include "ui/tui/keys.h"
#include "ui/tui/samples_browser.h"
#include "ui/tui/save.h"
#include "ui/tui/text_browser.h"
#include "util/lib/alloc.h"

#define NR_HEADINGS  2
#define PERIOD_WIDTH 12 /* of the column in front of the labels */
#define SHARE_WIDTH  7

/* Where a call was followed. */
struct stop {
	u32 entry;
	u64 addr;
};

struct annotate_browser {
	struct tui *tui;
	struct view *view;
	const struct code_texts *texts;
	struct annotate_style style;
	u32 entry;
	u32 tried; /* the entry that was stepped to last, without code; ID_NONE: none */
	struct out text;
	char *headings[NR_HEADINGS];
	struct annotate_marks marks;
	u32 *mark_of; /* by line; ID_NONE: it is no instruction */
	struct text_pane pane;
	struct code_loops loops;
	struct stop *stops;
	u32 nr_stops;
	size_t cap_stops;
	bool no_arrows, ended;
};

/* ---- the text ---- */

/* The instruction with the cursor; NULL: it is on another line. */
static const struct annotate_mark *mark_at(const struct annotate_browser *b, u32 line)
{
	bool is = line < b->pane.list.nr && b->mark_of[line] != ID_NONE;

	return is ? &b->marks.list[b->mark_of[line]] : NULL;
}

static const struct annotate_mark *chosen(const struct annotate_browser *b)
{
	return mark_at(b, b->pane.list.at);
}

static void take_headings(struct annotate_browser *b, const char **text)
{
	for (u32 i = 0; i < NR_HEADINGS; i++) {
		size_t len = strcspn(*text, "\n");

		free(b->headings[i]);
		b->headings[i] = xasprintf("%.*s", (int)len, *text);
		*text += len + ((*text)[len] == '\n');
	}
}

/* Which line is which instruction: both stand in the order of the text. */
static void find_marks(struct annotate_browser *b, const char *whole, const char *text)
{
	u32 mark = 0;

	b->mark_of = xrealloc(b->mark_of, (size_t)b->pane.list.nr + 1, sizeof(*b->mark_of));
	for (u32 line = 0; line < b->pane.list.nr; line++) {
		size_t at = text - whole;
		bool is = mark < b->marks.nr && b->marks.list[mark].at == at;

		b->mark_of[line] = is ? mark : ID_NONE;
		b->pane.percent[line] = is ? b->marks.list[mark].percent : 0;
		mark += is;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
}

/* Where figures end and labels begin. */
static int label_column(const struct annotate_browser *b)
{
	const struct hists *hists = &b->view->hists;
	u32 nr = hists__nr_members(hists, hists->groups[hists->entries[b->entry].group].evsel);

	return (b->style.show_period ? PERIOD_WIDTH : SHARE_WIDTH) * nr + b->marks.cycles_width;
}

/* The text with room for the brackets of loops, which stand in front of the labels. */
static char *make_room(const struct annotate_browser *b, const char *text)
{
	size_t column = label_column(b);
	struct out wide = { .fd = -1 };

	while (*text) {
		size_t len = strcspn(text, "\n"), left = len < column ? len : column;

		out__mem(&wide, text, left);
		out__fill(&wide, ' ', len > left ? (int)b->loops.depth : 0);
		out__mem(&wide, text + left, len - left);
		out__char(&wide, '\n');
		text += len + (text[len] == '\n');
	}
	char *copy = xstrdup(out__take(&wide));

	out__exit(&wide);
	return copy;
}

static void find_loops(struct annotate_browser *b)
{
	u32 *line_of = xcalloc((size_t)b->marks.nr + 1, sizeof(*line_of));

	code_loops__exit(&b->loops);
	for (u32 line = 0; line < b->pane.list.nr; line++)
		if (b->mark_of[line] != ID_NONE)
			line_of[b->mark_of[line]] = line;
	if (b->style.labels)
		code_loops__init(&b->loops, &b->marks, line_of);
	free(line_of);
}

static bool go_to_addr(struct annotate_browser *b, u64 addr)
{
	for (u32 line = 0; line < b->pane.list.nr; line++)
		if (mark_at(b, line) && mark_at(b, line)->addr == addr) {
			list__go(&b->pane.list, line);
			return true;
		}
	return false;
}

/* Make the text of a function: false, after a message, and nothing has changed. */
static bool load(struct annotate_browser *b, u32 entry)
{
	struct annotate_marks marks = { .nr = 0 };
	struct out text = { .fd = -1 };
	struct error err = ERROR_INIT;
	const char *rest;
	char message[512];

	if (b->texts->print(b->texts->ctx, b->view, entry, &b->style, &text, &marks, &err)) {
		annotate_marks__exit(&marks);
		out__exit(&text);
		dialog__say(b->tui, error__text(&err, message, sizeof(message)));
		return false;
	}
	annotate_marks__exit(&b->marks);
	out__exit(&b->text);
	b->marks = marks;
	b->text = text;
	b->entry = entry;
	b->tried = ID_NONE;
	rest = out__take(&b->text);
	take_headings(b, &rest);
	text_pane__set(&b->pane, rest);
	find_marks(b, b->text.buf, rest);
	find_loops(b);
	if (b->loops.depth) {
		char *wide = make_room(b, rest);

		text_pane__set(&b->pane, wide);
		find_marks(b, b->text.buf, rest);
		free(wide);
	}
	return true;
}

/* The same function in another way; the cursor stays on its instruction. False as load(). */
static bool load_again(struct annotate_browser *b)
{
	const struct annotate_mark *mark = chosen(b);
	u64 addr = mark ? mark->addr : 0;

	if (!load(b, b->entry))
		return false;
	text_pane__find_hot(&b->pane, !mark);
	if (mark)
		go_to_addr(b, addr);
	return true;
}

/* ---- the screen ---- */

static void put(struct annotate_browser *b, int row, int column, const char *utf8,
                const char *ascii)
{
	canvas__put(&b->tui->canvas, row, column, b->tui->canvas.nr_columns, CANVAS_ARROW,
	            MB_CUR_MAX > 1 ? utf8 : ascii);
}

/* Each loop from its beginning to its jump back. */
static void draw_loops(struct annotate_browser *b, int first_row)
{
	static const char *const utf8[] = { " ", "┌", "│", "└" }, *const ascii[] = { " ", "+", "|",
		                                                                     "+" };
	const struct list *list = &b->pane.list;
	int column = label_column(b) - b->pane.from;

	for (u32 i = list->top; i < list->top + list->height && i < list->nr; i++)
		for (u32 depth = 0; depth < b->loops.depth && !b->no_arrows; depth++) {
			enum loop_part part = code_loops__at(&b->loops, i, depth);

			if (part != LOOP_NONE)
				put(b, first_row + i - list->top, column + depth, utf8[part],
				    ascii[part]);
		}
}

/* From the jump with the cursor to where it leads, in the blank in front of the labels. */
static void draw_arrow(struct annotate_browser *b, int first_row)
{
	const struct annotate_mark *mark = chosen(b);
	const struct list *list = &b->pane.list;
	int column = label_column(b) + (int)b->loops.depth - b->pane.from;
	bool down = mark && mark->target > mark->addr;
	u32 to = list->at;

	if (!mark || !mark->target || b->no_arrows || !b->style.labels)
		return;
	while (to < list->nr && !(mark_at(b, to) && mark_at(b, to)->addr == mark->target)) {
		if (!down && !to)
			return;
		to += down ? 1 : -1;
	}
	for (u32 i = list->top; i < list->top + list->height && i < list->nr; i++) {
		int row = first_row + i - list->top;

		if (i == (down ? list->at : to))
			put(b, row, column, "┌", "+");
		else if (i == (down ? to : list->at))
			put(b, row, column, "└", "+");
		else if (i > (down ? list->at : to) && i < (down ? to : list->at))
			put(b, row, column, "│", "|");
	}
}

/* What figures are of, which narrow terminals cut off the heading. */
static void draw_status(struct annotate_browser *b)
{
	const struct annotate_style *style = &b->style;
	struct canvas *canvas = &b->tui->canvas;
	char text[320];

	snprintf(text, sizeof(text),
	         "%s: %s %s%s%.160s  h: help  q: back  H: hottest  Tab: next  Enter: follow",
	         style->show_period    ? "periods"
	         : style->show_samples ? "samples"
	                               : "percent",
	         style->percent.global ? "global" : "local",
	         style->percent.hits ? "hits" : "period", b->marks.note ? "  " : "",
	         b->marks.note ? b->marks.note : "");
	canvas__put(canvas, canvas->nr_rows - 1, 0, canvas->nr_columns, CANVAS_FAINT, text);
}

static void draw(struct annotate_browser *b)
{
	struct canvas *canvas = &b->tui->canvas;

	tui__start(b->tui);
	for (int i = 0; i < NR_HEADINGS; i++)
		canvas__put(canvas, i, 0, canvas->nr_columns, CANVAS_TITLE, b->headings[i]);
	text_pane__draw(&b->pane, NR_HEADINGS, canvas->nr_rows - NR_HEADINGS - 1);
	draw_loops(b, NR_HEADINGS);
	draw_arrow(b, NR_HEADINGS);
	draw_status(b);
	tui__show(b->tui);
}

/* ---- other functions ---- */

static const struct sym *sym_of(const struct annotate_browser *b, u32 entry)
{
	return hist_entry__sym(&b->view->hists, &b->view->hists.entries[entry]);
}

static u32 evsel_of(const struct annotate_browser *b, u32 entry)
{
	const struct hists *hists = &b->view->hists;

	return hists->groups[hists->entries[entry].group].evsel;
}

/* An entry of a function with this name, best of the same file; ID_NONE: none has samples. */
static u32 find_function(const struct annotate_browser *b, const char *name, size_t len)
{
	const struct names *names = b->view->names;
	u32 found = ID_NONE;

	for (u32 i = 0; i < b->view->hists.nr_entries; i++) {
		const struct sym *sym = sym_of(b, i);
		const char *of = sym__name(names, sym);

		if (!of || strlen(of) != len || memcmp(of, name, len) != 0 ||
		    evsel_of(b, i) != evsel_of(b, b->entry))
			continue;
		if (sym->dso == sym_of(b, b->entry)->dso)
			return i;
		found = found == ID_NONE ? i : found;
	}
	return found;
}

static void follow_call(struct annotate_browser *b, const struct annotate_mark *mark)
{
	const char *at = strstr(mark->callee, "@plt");
	size_t len = at ? (size_t)(at - mark->callee) : strlen(mark->callee);
	u32 entry = find_function(b, mark->callee, len);
	struct stop stop = { b->entry, mark->addr };
	char message[DIALOG_TEXT];

	if (entry == ID_NONE) {
		snprintf(message, sizeof(message), "no sample is in %.*s", (int)len, mark->callee);
		dialog__say(b->tui, message);
		return;
	}
	if (!load(b, entry))
		return;
	array__reserve(&b->stops, &b->cap_stops, (size_t)b->nr_stops + 1, sizeof(*b->stops));
	b->stops[b->nr_stops++] = stop;
	text_pane__find_hot(&b->pane, true);
}

/*
 * To the next entry of another function in the order of the report, or the one before; beyond one
 * whose code was not found, if that has been said.
 */
static void step(struct annotate_browser *b, int by)
{
	const struct hists *hists = &b->view->hists;
	const struct hist_event *event = &hists->events[evsel_of(b, b->entry)];

	u32 from = b->tried == ID_NONE ? b->entry : b->tried;

	for (u32 i = from + by; i - event->first_entry < event->nr_entries; i += by) {
		const struct sym *sym = sym_of(b, i);

		if (hists->entries[i].hidden || !sym__named(sym) || sym == sym_of(b, b->entry))
			continue;
		b->tried = i;
		if (load(b, i))
			text_pane__find_hot(&b->pane, true);
		return;
	}
	dialog__say(b->tui, "there is no other function");
}

/* ---- keys ---- */

static void enter(struct annotate_browser *b)
{
	const struct annotate_mark *mark = chosen(b);

	if (mark && mark->target)
		go_to_addr(b, mark->target);
	else if (mark && mark->callee)
		follow_call(b, mark);
}

/* The way that long lines are read, where there is nothing to follow. */
static void right(struct annotate_browser *b)
{
	const struct annotate_mark *mark = chosen(b);

	if (mark && (mark->target || mark->callee))
		enter(b);
	else
		text_pane__key(&b->pane, KEYS_RIGHT);
}

static void go_back(struct annotate_browser *b)
{
	const struct stop *stop;

	if (!b->nr_stops) {
		b->ended = true;
		return;
	}
	stop = &b->stops[--b->nr_stops];
	if (load(b, stop->entry)) {
		text_pane__find_hot(&b->pane, false);
		go_to_addr(b, stop->addr);
	}
}

static void leave(struct annotate_browser *b)
{
	b->ended = true;
}

static void next_function(struct annotate_browser *b)
{
	step(b, 1);
}

static void function_before(struct annotate_browser *b)
{
	step(b, -1);
}

static void toggle(struct annotate_browser *b, bool *what)
{
	*what = !*what;
	load_again(b);
}

static void toggle_source(struct annotate_browser *b)
{
	toggle(b, &b->style.source);
}

static void toggle_labels(struct annotate_browser *b)
{
	toggle(b, &b->style.labels);
}

static void toggle_numbers(struct annotate_browser *b)
{
	toggle(b, &b->style.line_numbers);
}

static void toggle_places(struct annotate_browser *b)
{
	toggle(b, &b->style.places);
}

static void toggle_addresses(struct annotate_browser *b)
{
	toggle(b, &b->style.addresses);
}

static void toggle_nr_jumps(struct annotate_browser *b)
{
	toggle(b, &b->style.nr_jumps);
}

static void toggle_arrows(struct annotate_browser *b)
{
	b->no_arrows = !b->no_arrows;
}

static void toggle_global(struct annotate_browser *b)
{
	toggle(b, &b->style.percent.global);
}

static void toggle_hits(struct annotate_browser *b)
{
	toggle(b, &b->style.percent.hits);
}

static void next_label(struct annotate_browser *b)
{
	b->style.label = b->style.label == LABEL_ALL ? LABEL_TARGETS : b->style.label + 1;
	load_again(b);
}

/* Percentages, periods, samples. */
static void next_figure(struct annotate_browser *b)
{
	bool period = b->style.show_period, samples = b->style.show_samples;

	b->style.show_period = !period && !samples;
	b->style.show_samples = period;
	load_again(b);
}

static void print_text(void *ctx, struct out *out)
{
	const struct annotate_browser *b = ctx;

	out__mem(out, b->text.buf, b->text.len);
}

static void print_to_file(struct annotate_browser *b)
{
	const struct save_text text = { print_text, b };
	const char *name = sym__name(b->view->names, sym_of(b, b->entry));
	char *stem = xasprintf("%.100s.annotation", name ? name : "function");

	for (char *at = stem; *at; at++)
		if (*at == '/')
			*at = '_';
	save__numbered(b->tui, stem, true, &text);
	free(stem);
}

static void show_samples(struct annotate_browser *b)
{
	const char *name = sym__name(b->view->names, sym_of(b, b->entry));

	if (name)
		samples_browser__of_symbol(b->tui, b->texts, b->view, name, NULL);
	else
		dialog__say(b->tui, "the function has no name to find its samples by");
}

static void tell_of_types(struct annotate_browser *b)
{
	dialog__say(b->tui, "data types of memory accesses need the types of variables in the "
	                    "debug information, which are not read yet: s and l show the source "
	                    "of the accesses, perf report --mem-mode where they went");
}

/* None, the average of each branch, the least and the most, too: beside labels. */
static void next_cycles(struct annotate_browser *b)
{
	const struct annotate_style before = b->style;

	if (!code_cycles__recorded(b->view->names->session)) {
		dialog__say(b->tui, "cycles are those of branches, and this was recorded without: "
		                    "record with -b, where the processor can");
		return;
	}
	b->style.cycles = b->style.cycles == CYCLES_RANGE ? CYCLES_NONE : b->style.cycles + 1;
	b->style.labels |= b->style.cycles != CYCLES_NONE;
	if (!load_again(b))
		b->style = before;
	else if (b->style.cycles == CYCLES_AVERAGE && !b->marks.cycles_width)
		dialog__say(b->tui, "no branch in this function was recorded with its cycles");
}

static void show_help(struct annotate_browser *b);

static const struct {
	struct tui_key key;
	void (*run)(struct annotate_browser *b);
} keys[] = {
	{ { KEYS_UP, "up, down, PgUp, PgDn, Space, Home, End", "move" }, NULL },
	{ { KEYS_ENTER, "Enter, right", "follow the jump or the call" }, enter },
	{ { KEYS_RIGHT, NULL, NULL }, right },
	{ { KEYS_LEFT, "q, Esc, left", "back to the caller; from the first function: leave" },
	  go_back },
	{ { 'q', NULL, NULL }, go_back },
	{ { KEYS_ESCAPE, NULL, NULL }, go_back },
	{ { KEYS_INTERRUPT, "^C", "leave" }, leave },
	{ { KEYS_CLOSED, NULL, NULL }, leave },
	{ { 'H', "H", "hottest instruction" }, NULL },
	{ { KEYS_TAB, "Tab, Shift-Tab", "next hottest instruction, the one before" }, NULL },
	{ { '/', "/, ?, n", "search, search backwards, again" }, NULL },
	{ { '<', "<, >", "previous, next function of the report" }, function_before },
	{ { '>', NULL, NULL }, next_function },
	{ { 'j', "j", "the arrow of the jump with the cursor, brackets of loops" }, toggle_arrows },
	{ { 'J', "J", "number of jumps that lead to an instruction" }, toggle_nr_jumps },
	{ { 'o', "o", "plain disassembly" }, toggle_labels },
	{ { 'O', "O", "labels: where jumps lead, calls too, all" }, next_label },
	{ { 'f', "f", "labels: offsets or addresses" }, toggle_addresses },
	{ { 's', "s", "source" }, toggle_source },
	{ { 'k', "k", "numbers of source lines" }, toggle_numbers },
	{ { 'l', "l", "file and line of the source" }, toggle_places },
	{ { 't', "t", "percentages, periods, samples" }, next_figure },
	{ { 'p', "p", "100 %: the function, or everything" }, toggle_global },
	{ { 'b', "b", "percentages of periods, or of samples" }, toggle_hits },
	{ { 'P', "P", "print to FUNCTION.annotation" }, print_to_file },
	{ { 'r', "r", "the function's samples, as perf script prints them" }, show_samples },
	{ { 'c', "c", "instructions a cycle, cycles of branches, the least and the most" },
	  next_cycles },
	{ { 'T', "T", "data types: what is missing for them" }, tell_of_types },
	{ { 'h', "h, F1", "this help" }, show_help },
	{ { KEYS_F1, NULL, NULL }, show_help },
};

static void show_help(struct annotate_browser *b)
{
	struct out text = { .fd = -1 };

	tui_keys__print(keys, sizeof(*keys), ARRAY_SIZE(keys), &text);
	text_browser__run(b->tui, "Keys", out__take(&text));
	out__exit(&text);
}

static void obey(struct annotate_browser *b, int key)
{
	u32 i = tui_keys__find(keys, sizeof(*keys), ARRAY_SIZE(keys), key);

	if (key != KEYS_RIGHT && text_pane__key(&b->pane, key))
		return;
	if (i != ID_NONE && keys[i].run)
		keys[i].run(b);
}

void annotate_browser__run(struct tui *tui, struct view *view, const struct code_texts *texts,
                           u32 entry, u64 addr)
{
	struct annotate_browser b = { .tui = tui,
		                      .view = view,
		                      .texts = texts,
		                      .style = texts->style,
		                      .tried = ID_NONE,
		                      .text = { .fd = -1 },
		                      .pane = { .tui = tui } };

	b.style.labels = true;
	b.ended = !load(&b, entry);
	tui__start(tui);
	list__fit(&b.pane.list, b.pane.list.nr, tui->canvas.nr_rows - NR_HEADINGS - 1);
	if (!b.ended)
		text_pane__find_hot(&b.pane, true);
	if (!b.ended && addr)
		go_to_addr(&b, addr);
	while (!b.ended) {
		draw(&b);
		obey(&b, tui__key(tui));
	}
	text_pane__exit(&b.pane);
	code_loops__exit(&b.loops);
	annotate_marks__exit(&b.marks);
	out__exit(&b.text);
	for (u32 i = 0; i < NR_HEADINGS; i++)
		free(b.headings[i]);
	free(b.mark_of);
	free(b.stops);
}
