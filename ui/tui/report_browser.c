// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/report_browser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/text/report_stdio.h"
#include "ui/tui/keys.h"
#include "ui/tui/report_browser_private.h"
#include "ui/tui/save.h"
#include "ui/tui/text_browser.h"
#include "util/lib/alloc.h"

#define NAME_MAX_SHOWN 40 /* bytes of a name in the menu */
#define NO_RECORDING   "what runs is shown, not a recording: perf report has that key"

/* ---- what is shown ---- */

void report_browser__list_events(struct report_browser *b)
{
	const struct evlist *evlist = b->view->names->session->evlist;

	b->nr_events = 0;
	for (u32 i = 0; i < evlist->nr; i++) {
		bool member = b->options.hists.groups && evlist->evsels[i]->leader != i;

		if (!member && evlist->evsels[i]->same_as == i &&
		    (b->view->hists.events[i].nr_entries || b->view->hists.events[i].count))
			b->events[b->nr_events++] = i;
	}
}

void report_browser__find_health(struct report_browser *b)
{
	b->health.len = 0;
	b->health_due = false;
	if (b->texts->health)
		b->texts->health(b->texts->ctx, b->view, &b->health);
}

void report_browser__change(struct report_browser *b)
{
	report_code__drop_callers(b);
	view__filter(b->view, &b->options);
	if (b->texts->changed)
		b->texts->changed(b->texts->ctx, b->view);
	b->health_due = true;
	b->health.len = 0;
	report_draw__start(b);
	for (u32 i = 0; i < b->nr_events; i++) {
		b->lists[i] = (struct list){ .nr = 0 };
		b->expanded[i] = false;
	}
}

bool report_browser__row(struct report_browser *b, struct view_row *row)
{
	if (!b->nr_events || list_of(b)->at >= view__nr_rows(b->view, evsel_of(b)))
		return false;
	view__row(b->view, evsel_of(b), list_of(b)->at, row);
	return true;
}

static void ask_for_limit(struct report_browser *b)
{
	char text[DIALOG_TEXT], *end;

	snprintf(text, sizeof(text), "%.4g", b->options.percent_limit);
	if (!dialog__ask(b->tui, "Hide rows below this percentage:", text))
		return;
	double limit = strtod(text, &end);

	if (*end || !(limit >= 0 && limit <= 100)) {
		dialog__say(b->tui, "a percentage is a number from 0 to 100");
		return;
	}
	b->options.percent_limit = b->options.chain.threshold = limit;
	report_browser__change(b);
}

static void toggle_relative(struct report_browser *b)
{
	b->options.relative = !b->options.relative;
	report_browser__change(b);
}

static void toggle_headings(struct report_browser *b)
{
	b->no_headings = !b->no_headings;
}

static void to_the_right(struct report_browser *b)
{
	report_draw__sideward(b, SIDEWARD);
}

static void to_the_left(struct report_browser *b)
{
	report_draw__sideward(b, -SIDEWARD);
}

static void toggle_verbose(struct report_browser *b)
{
	b->options.hists.verbose = !b->options.hists.verbose;
	report_browser__change(b);
}

static void sort_by_member(struct report_browser *b, u32 member)
{
	if (member >= hists__nr_members(&b->view->hists, evsel_of(b)))
		return;
	if (member && b->options.hists.children) { /* as Linux's perf */
		dialog__say(b->tui, "rows with Children are sorted by the first event: "
		                    "report --no-children sorts by each");
		return;
	}
	b->options.hists.sort_member = member;
	report_browser__change(b);
}

/* ---- events ---- */

static void go_to_event(struct report_browser *b, u32 event)
{
	b->event = event;
	report_draw__start(b);
}

static void next_event(struct report_browser *b)
{
	go_to_event(b, b->nr_events ? (b->event + 1) % b->nr_events : 0);
}

static void event_before(struct report_browser *b)
{
	go_to_event(b, b->nr_events ? (b->event + b->nr_events - 1) % b->nr_events : 0);
}

/* The user leaves if he chooses none. */
static void choose_event(struct report_browser *b)
{
	const char **items = xcalloc((size_t)b->nr_events + 1, sizeof(*items));
	struct out texts = { .fd = -1 };

	for (u32 i = 0; i < b->nr_events; i++) {
		report_stdio__choice(&texts, b->view, b->events[i]);
		out__char(&texts, '\0');
	}
	for (u32 i = 0, at = 0; i < b->nr_events; i++) {
		items[i] = out__take(&texts) + at;
		at += strlen(items[i]) + 1;
	}
	tui__start(b->tui);
	canvas__put(&b->tui->canvas, b->tui->canvas.nr_rows - 1, 0, b->tui->canvas.nr_columns,
	            CANVAS_FAINT, "Esc: exit, Enter: browse the event");
	int choice = dialog__menu(b->tui, "Available samples", items, b->nr_events);

	if (choice >= 0)
		go_to_event(b, choice);
	else
		b->ended = true;
	out__exit(&texts);
	free(items);
}

/* ---- open and close ---- */

static void open_row(struct report_browser *b)
{
	struct view_row row;

	if (report_browser__row(b, &row))
		view__open(b->view, evsel_of(b), list_of(b)->at, !row.open);
}

/* All that is below the entry of the row, as it comes into sight. */
static void open_entry(struct report_browser *b)
{
	u32 evsel = evsel_of(b), at = list_of(b)->at;
	u16 depth = b->view->nr_levels ? b->view->nr_levels - 1 : 0; /* of entries */
	struct view_row row;

	if (!report_browser__row(b, &row))
		return;
	while (at && view__depth(b->view, evsel, at) > depth)
		at--;
	list__go(list_of(b), at);
	view__row(b->view, evsel, at, &row);
	if (row.open)
		view__open(b->view, evsel, at, false);
	else
		view__spread(b->view, evsel, at);
}

/* The cursor stays on its entry. */
static void close_all(struct report_browser *b, bool spreads)
{
	u32 evsel = evsel_of(b), at;
	struct view_row row;

	if (!report_browser__row(b, &row))
		return;
	b->expanded[b->event] = spreads;
	if (spreads)
		view__spread_all(b->view, evsel);
	else
		view__open_all(b->view, evsel, false);
	at = view__find_entry(b->view, evsel, row.entry);
	list_of(b)->nr = view__nr_rows(b->view, evsel);
	if (at != ID_NONE)
		list__go(list_of(b), at);
}

static void collapse_all(struct report_browser *b)
{
	close_all(b, false);
}

/* Rows are opened when they come into sight. Those between the first and the cursor push it down.
 */
static void expand_all(struct report_browser *b)
{
	struct list *list = list_of(b);
	u32 nr;

	close_all(b, true);
	if (!list->nr)
		return;
	nr = view__show_before(b->view, evsel_of(b), list->top, list->at, list->height);
	list->nr += nr;
	list__go(list, list->at + nr);
}

/* Open what a key is about to move over, so that nothing appears between it and what was in sight.
 */
static void show_before_moving(struct report_browser *b, int key)
{
	struct list *list = list_of(b);
	u32 evsel = evsel_of(b), nr;

	if (!list->nr)
		return;
	switch (key) {
	case KEYS_UP:
	case KEYS_PAGE_UP:
		nr = view__show_before(b->view, evsel, 0, list->top, list->height);
		list->top += nr;
		list->at += nr;
		list->nr += nr;
		break;
	case KEYS_END:
		list->nr += view__show_before(b->view, evsel, 0, list->nr, list->height);
		break;
	}
}

static bool move(struct report_browser *b, int key)
{
	show_before_moving(b, key);
	return list__key(list_of(b), key);
}

/* ---- texts ---- */

static void show_text(struct report_browser *b, const char *title, struct out *text)
{
	text_browser__run(b->tui, title, out__take(text));
	out__exit(text);
}

static void show_header(struct report_browser *b)
{
	struct out text = { .fd = -1 };

	if (!b->texts->header) {
		dialog__say(b->tui, NO_RECORDING);
		return;
	}
	b->texts->header(b->texts->ctx, &text);
	show_text(b, "The recording", &text);
}

/* What stood on the terminal before the browser did, and what came since. */
static void show_messages(struct report_browser *b)
{
	u32 nr;
	const char *said = b->texts->said ? b->texts->said(&nr) : "";

	if (*said)
		text_browser__run(b->tui, "Messages", said);
	else
		dialog__say(b->tui, "there were no warnings");
}

/* The symbols of the row's file. */
static void show_map(struct report_browser *b)
{
	struct out text = { .fd = -1 };
	struct error err = ERROR_INIT;
	struct view_row row;
	char message[512];
	u32 dso = report_browser__row(b, &row) ? report_filters__dso_id(b, &row) : ID_NONE;

	if (dso == ID_NONE)
		return;
	dialog__show(b->tui, "reading symbols ...");
	if (b->texts->map(b->texts->ctx, dso, &text, &err)) {
		dialog__say(b->tui, error__text(&err, message, sizeof(message)));
		out__exit(&text);
		return;
	}
	show_text(b, report_filters__dso(b, &row), &text);
}

/* ---- files ---- */

/* From a view of its own: it opens rows. */
static void print_report(void *ctx, struct out *out)
{
	struct report_browser *b = ctx;
	struct out filters = { .fd = -1 };
	struct view view;

	report_filters__print(b, &filters);
	if (filters.len)
		out__printf(out, "# Filters:%s\n#\n", out__take(&filters));
	out__exit(&filters);
	view__init(&view, b->view->chains, b->view->names, &b->view->options);
	view.confidence = b->view->confidence;
	b->texts->report(b->texts->ctx, &view, out);
	view__exit(&view);
}

static void print_to_file(struct report_browser *b)
{
	save__numbered(b->tui, "perf.hist", false, &(struct save_text){ print_report, b });
}

static void save_recording(struct report_browser *b)
{
	char name[DIALOG_TEXT] = "perf.data", message[DIALOG_TEXT + 256];
	struct error err = ERROR_INIT;

	if (!dialog__ask(b->tui, "Save the recording as:", name) || !*name)
		return;
	if (b->texts->recording(b->texts->ctx, name, &err))
		error__text(&err, message, sizeof(message));
	else
		snprintf(message, sizeof(message), "written to %s", name);
	dialog__say(b->tui, message);
}

static void save_as(struct report_browser *b)
{
	static const char *const forms[] = { "the report, as text",
		                             "a recording, for perf report -i" };
	int form = b->texts->recording ? dialog__menu(b->tui, "What is shown, as", forms, 2) : 0;
	char name[DIALOG_TEXT] = "";

	report_draw__all(b); /* where the menu was */
	if (form == 1)
		return save_recording(b);
	if (!form && dialog__ask(b->tui, "Save the report as:", name) && *name)
		save__as(b->tui, name, &(struct save_text){ print_report, b });
}

static void copy_row(struct report_browser *b)
{
	struct out text = { .fd = -1 };

	report_draw__copy(b, &text);
	b->tui->terminal->copy(b->tui->terminal, out__take(&text));
	dialog__say(b->tui, "sent to the terminal's clipboard, if it takes such (OSC 52)");
	out__exit(&text);
}

static void choose_file(struct report_browser *b)
{
	struct name_list files = { .nr = 0 };
	int choice;

	if (!b->texts->list_files) {
		dialog__say(b->tui, NO_RECORDING);
		return;
	}
	b->texts->list_files(b->texts->ctx, &files);
	choice = dialog__menu(b->tui, "Recordings in this folder", (const char *const *)files.names,
	                      files.nr);
	if (choice >= 0) {
		b->next_file = xstrdup(files.names[choice]);
		b->ended = true;
	} else if (!files.nr) {
		dialog__say(b->tui, "there is no recording in this folder");
	}
	name_list__exit(&files);
}

/* ---- keys ---- */

static void leave(struct report_browser *b)
{
	b->ended = true;
}

/* A step back: out of the last filter, to the choice of events, out. */
static void go_back(struct report_browser *b, bool out)
{
	if (report_filters__back(b))
		return;
	if (b->nr_events > 1)
		choose_event(b);
	else
		b->ended = out;
}

static void escape(struct report_browser *b)
{
	go_back(b, true);
}

static void left(struct report_browser *b)
{
	go_back(b, false);
}

static void enter(struct report_browser *b);
static void show_menu(struct report_browser *b);
static void show_help(struct report_browser *b);

static const struct {
	struct tui_key key;
	void (*run)(struct report_browser *b);
} keys[] = {
	{ { KEYS_UP, "up, down, PgUp, PgDn, Space, Home, End", "move" }, NULL },
	{ { KEYS_ENTER, "Enter, right", "open or close the row; the menu where nothing is in it" },
	  enter },
	{ { KEYS_RIGHT, NULL, NULL }, enter },
	{ { KEYS_LEFT, "left", "take the last filter back; choose an event" }, left },
	{ { KEYS_ESCAPE, "Esc", "the same; where there is neither: leave" }, escape },
	{ { 'q', "q, ^C", "leave" }, leave },
	{ { KEYS_INTERRUPT, NULL, NULL }, leave },
	{ { KEYS_CLOSED, NULL, NULL }, leave },
	{ { KEYS_TAB, "Tab, Shift-Tab", "next, previous event" }, next_event },
	{ { KEYS_BACK_TAB, NULL, NULL }, event_before },
	{ { 'a', "a", "annotate: the instructions of the function" }, report_code__show },
	{ { 'b', "b", "callers and callees of the function" }, report_code__show_callers },
	{ { 'd', "d", "zoom into the row's file, and out" }, report_filters__zoom_dso },
	{ { 't', "t", "zoom into the row's thread or command, and out" },
	  report_filters__zoom_task },
	{ { 'k', "k", "zoom into the kernel, and out" }, report_filters__zoom_kernel },
	{ { 'S', "S", "zoom into the row's socket, and out" }, report_filters__zoom_socket },
	{ { '+', "+", "open or close the row" }, open_row },
	{ { 'e', "e", "open or close all below the entry" }, open_entry },
	{ { 'E', "E", "open all" }, expand_all },
	{ { 'C', "C, c, x", "close all" }, collapse_all },
	{ { 'c', NULL, NULL }, collapse_all },
	{ { 'x', NULL, NULL }, collapse_all },
	{ { '/', "/", "only symbols (Tab: dsos, commands) with a text in their name" },
	  report_filters__ask },
	{ { 'L', "L", "hide rows below a percentage" }, ask_for_limit },
	{ { 'F', "F", "100 %: everything, or what the filters let through" }, toggle_relative },
	{ { '0', "0-9", "sort a group of events by this one" }, NULL },
	{ { '>', ">, <", "see more at the right, at the left" }, to_the_right },
	{ { '<', NULL, NULL }, to_the_left },
	{ { 'H', "H", "column headings" }, toggle_headings },
	{ { 'V', "V", "addresses and whole paths" }, toggle_verbose },
	{ { 'P', "P", "print the report to perf.hist.N" }, print_to_file },
	{ { 'w', "w", "write the report to a file: as text; in perf top also as a recording" },
	  save_as },
	{ { 's', "s", "another recording of this folder" }, choose_file },
	{ { 'i', "i", "header of the recording" }, show_header },
	{ { 'W', "W", "warnings: what could not be used or named" }, show_messages },
	{ { 'r', "r", "samples of the row, as perf script prints them" }, report_samples__choose },
	{ { 'm', "m", "menu" }, show_menu },
	{ { 'h', "h, ?, F1", "this help" }, show_help },
	{ { '?', NULL, NULL }, show_help },
	{ { KEYS_F1, NULL, NULL }, show_help },
};

/* Some are about what only recordings have. */
static bool works(const struct report_browser *b, const struct tui_key *key)
{
	switch (key->key) {
	case 's':
		return b->texts->list_files;
	case 'i':
		return b->texts->header;
	case 'r':
		return b->texts->code.samples;
	default:
		return true;
	}
}

static void show_help(struct report_browser *b)
{
	struct out text = { .fd = -1 };

	for (u32 i = 0; i < ARRAY_SIZE(keys); i++)
		if (works(b, &keys[i].key))
			tui_keys__print(&keys[i], sizeof(*keys), 1, &text);
	if (b->texts->live)
		out__str(&text, b->texts->live->keys);
	out__str(&text,
	         "\n+ at a row: it can be opened. The menu (m) has more: the symbols of a file,\n"
	         "a copy of the row in the terminal's clipboard, the report in a file.\n");
	show_text(b, "Keys", &text);
}

static const char *has_events(const struct report_browser *b, const struct view_row *row)
{
	(void)row;
	return b->nr_events > 1 ? "" : NULL;
}

static const char *has_map(const struct report_browser *b, const struct view_row *row)
{
	bool has = b->texts->map && report_filters__dso_id(b, row) != ID_NONE;

	return has ? report_filters__dso(b, row) : NULL;
}

static const char *has_clipboard(const struct report_browser *b, const struct view_row *row)
{
	(void)row;
	return b->tui->terminal->copy ? "" : NULL;
}

static const struct row_item menu[] = {
	{ "Annotate %s", report_code__show, report_filters__symbol },
	{ "Callers and callees of %s", report_code__show_callers, report_filters__symbol },
	{ "Zoom into %s thread", report_filters__zoom_task, report_filters__task },
	{ "Zoom into %s DSO", report_filters__zoom_dso, report_filters__dso },
	{ "Zoom into %s symbol", report_filters__zoom_symbol, report_filters__symbol },
	{ "Zoom into socket %s", report_filters__zoom_socket, report_filters__socket },
	{ "Zoom into the kernel", report_filters__zoom_kernel, NULL },
	{ "Browse map of %s", show_map, has_map },
	{ "Expand all", expand_all, NULL },
	{ "Collapse all", collapse_all, NULL },
	{ "Filter by a part of a name", report_filters__ask, NULL },
	{ "Percent limit", ask_for_limit, NULL },
	{ "Choose another event", choose_event, has_events },
	{ "Warnings", show_messages, NULL },
	{ "List samples (scripts)", report_samples__choose, NULL },
	{ "Switch to another recording", choose_file, NULL },
	{ "Copy the row to the clipboard", copy_row, has_clipboard },
	{ "Print to perf.hist.N", print_to_file, NULL },
	{ "Save as", save_as, NULL },
	{ "Header of the recording", show_header, NULL },
	{ "Exit", leave, NULL },
};

/* A long name without its middle: what is done with it is still to be read behind it. */
static void shorten(const char *of, char name[DIALOG_TEXT])
{
	size_t len = strlen(of);

	if (len <= NAME_MAX_SHOWN) {
		strcpy(name, of);
		return;
	}
	size_t left = NAME_MAX_SHOWN / 2, right = len - NAME_MAX_SHOWN / 2;

	while (left && (of[left] & 0xc0) == 0x80)
		left--;
	while (right < len && (of[right] & 0xc0) == 0x80)
		right++;
	snprintf(name, DIALOG_TEXT, "%.*s...%s", (int)left, of, of + right);
}

void report_browser__menu(struct report_browser *b, const char *title, const struct row_item *items,
                          u32 nr_items)
{
	char name[DIALOG_TEXT];
	char(*texts)[DIALOG_TEXT] = xcalloc(nr_items, sizeof(*texts));
	const char **shown = xcalloc(nr_items, sizeof(*shown));
	u32 *number = xcalloc(nr_items, sizeof(*number)), nr = 0;
	struct view_row row;
	bool there = report_browser__row(b, &row);

	for (u32 i = 0; i < nr_items; i++) {
		const char *of = !items[i].of ? "" : there ? items[i].of(b, &row) : NULL;

		if (!of)
			continue;
		shorten(of, name);
		snprintf(texts[nr], DIALOG_TEXT, items[i].text, name);
		shown[nr] = texts[nr];
		number[nr++] = i;
	}
	int choice = dialog__menu(b->tui, title, shown, nr);

	if (choice >= 0)
		items[number[choice]].run(b);
	free(texts);
	free(shown);
	free(number);
}

static void show_menu(struct report_browser *b)
{
	report_browser__menu(b, "Menu (Enter, Esc)", menu, ARRAY_SIZE(menu));
}

static void enter(struct report_browser *b)
{
	struct view_row row;

	if (report_browser__row(b, &row) && row.openable)
		open_row(b);
	else
		show_menu(b);
}

static void obey(struct report_browser *b, int key)
{
	const struct live_view *live = b->texts->live;
	u32 i = tui_keys__find(keys, sizeof(*keys), ARRAY_SIZE(keys), key);

	if (key == KEYS_TIME && b->health_due)
		report_browser__find_health(b);
	else if (live && key == KEYS_TIME)
		report_live__look(b);
	if (move(b, key) || (live && live->key(live->ctx, key)))
		return;
	if (key >= '0' && key <= '9')
		sort_by_member(b, key - '0');
	else if (i != ID_NONE)
		keys[i].run(b);
}

/*
 * A live view is made again only here, where nothing else is on the screen; and what is to be told
 * of the recording is asked for when nobody waits for it.
 */
static int wait_for_key(struct report_browser *b)
{
	const struct live_view *live = b->texts->live;
	struct terminal *terminal = b->tui->terminal;
	struct terminal_work idle = { .fd = -1 }, *work = live ? terminal->work : &idle;

	work->due = b->health_due ? TERMINAL_IDLE : live ? live->due(live->ctx) : 0;
	terminal->work = work;
	int key = tui__key(b->tui);

	work->due = 0;
	if (!live)
		terminal->work = NULL;
	return key;
}

char *report_browser__run(struct tui *tui, struct view *view, const struct report_texts *texts)
{
	struct report_browser b = { .tui = tui,
		                    .view = view,
		                    .texts = texts,
		                    .before = view->options,
		                    .options = view->options,
		                    .callers_evsel = ID_NONE,
		                    .line = { .fd = -1 },
		                    .health = { .fd = -1 } };

	u32 nr = view->names->session->evlist->nr + 1;

	b.events = xcalloc(nr, sizeof(*b.events));
	b.lists = xcalloc(nr, sizeof(*b.lists));
	b.expanded = xcalloc(nr, sizeof(*b.expanded));
	report_browser__list_events(&b);
	report_draw__start(&b);
	report_browser__find_health(&b);
	if (b.nr_events > 1)
		choose_event(&b);
	while (!b.ended) {
		report_draw__all(&b);
		tui__show(tui);
		obey(&b, wait_for_key(&b));
	}
	report_filters__exit(&b);
	report_live__exit(&b);
	report_code__drop_callers(&b);
	free(b.events);
	free(b.lists);
	free(b.expanded);
	out__exit(&b.line);
	out__exit(&b.health);
	return b.next_file;
}
