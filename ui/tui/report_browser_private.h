/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the report browser share: what is shown, and where the user is in it. */
#ifndef PERF_UI_TUI_REPORT_BROWSER_PRIVATE_H
#define PERF_UI_TUI_REPORT_BROWSER_PRIVATE_H

#include "ui/tui/list.h"
#include "ui/tui/report_browser.h"
#include "util/callers/call_tree.h"

struct restriction; /* private to report_filters.c */

/* An entry as it was at the last look; by content, as numbers are others then. */
struct seen_entry {
	u64 content;
	bool open, in_sight;
};

struct report_browser {
	struct tui *tui;
	struct view *view;
	const struct report_texts *texts;
	struct view_options before;  /* the view came with */
	struct view_options options; /* what it shows now */
	u32 *events, nr_events, event;
	struct list *lists; /* by event */
	bool *expanded;     /* by event: all is open, as far as it was in sight */
	u32 widths[VIEW_COLUMNS_MAX];
	bool wider;     /* a column became so by the rows that were drawn last */
	int from;       /* the first column of rows that is seen */
	int text_width; /* of the widest row on the screen */
	bool no_headings;
	struct restriction **restrictions; /* since then, one on top of the other */
	u32 nr_restrictions;
	size_t cap_restrictions;
	struct call_tree call_tree; /* of this event; ID_NONE: not added up */
	u32 callers_evsel;
	/* Of a live view: report_live.c. */
	struct seen_entry *seen; /* by content */
	u32 nr_seen;
	u64 *risen; /* entries that came into sight by the last look */
	u32 nr_risen;
	char sample_fields[DIALOG_TEXT]; /* of lists of samples, as script -F takes them; or "" */
	bool ended;
	char *next_file;         /* to go on with then */
	struct out line, health; /* one that is made; what is told of the recording */
	bool health_due;         /* filters are others now */
};

static inline u32 evsel_of(const struct report_browser *b)
{
	return b->nr_events ? b->events[b->event] : 0;
}

static inline struct list *list_of(const struct report_browser *b)
{
	return &b->lists[b->event];
}

/* Of a menu about a row. In @text %s is what @of says the row has; NULL from it: left out. */
struct row_item {
	const char *text;
	void (*run)(struct report_browser *b);
	const char *(*of)(const struct report_browser *b, const struct view_row *row);
};

/* Let the user choose, and do it. */
void report_browser__menu(struct report_browser *b, const char *title, const struct row_item *items,
                          u32 nr);

/* The row with the cursor; false: there is none. */
bool report_browser__row(struct report_browser *b, struct view_row *row);

/* The events that have something to show. */
void report_browser__list_events(struct report_browser *b);

/* Ask what is to be told of the recording. */
void report_browser__find_health(struct report_browser *b);

/* Show the view as the options are now; the cursor goes to the top. */
void report_browser__change(struct report_browser *b);

/* ---- report_draw.c ---- */

/* Forget how wide columns were. */
void report_draw__start(struct report_browser *b);

/* Rows move sideways by so many columns, as far as there is something to see. */
void report_draw__sideward(struct report_browser *b, int by);

/* The row with the cursor and what is open in it, as they are shown but whole. */
void report_draw__copy(struct report_browser *b, struct out *out);

/* On the canvas only. */
void report_draw__all(struct report_browser *b);

/* ---- report_live.c ---- */

/* Let the live view be made again; the cursor stays on its entry, and what is open stays so. */
void report_live__look(struct report_browser *b);

/* Did the entry come into sight by that? */
bool report_live__is_risen(struct report_browser *b, const struct view_row *row);

void report_live__exit(struct report_browser *b);

/* ---- report_filters.c ---- */

/* The location of the row: of a frame its own, else one that has the entry's key. */
u32 report_filters__loc(const struct report_browser *b, const struct view_row *row);

/* What the row is of, to zoom into; NULL (or ID_NONE): nothing of the
 * kind. */
const char *report_filters__dso(const struct report_browser *b, const struct view_row *row);
u32 report_filters__dso_id(const struct report_browser *b, const struct view_row *row);
const char *report_filters__symbol(const struct report_browser *b, const struct view_row *row);
const char *report_filters__task(const struct report_browser *b, const struct view_row *row);
const char *report_filters__socket(const struct report_browser *b, const struct view_row *row);

/* Is what report_filters__task() names a thread, not a command? */
bool report_filters__tid(const struct report_browser *b, const struct view_row *row, u32 *tid);

/* Is it of one function, perhaps without a name? */
bool report_filters__has_function(const struct report_browser *b, const struct view_row *row);

/* Zoom into that of the row with the cursor; or out, if that has been done. */
void report_filters__zoom_dso(struct report_browser *b);
void report_filters__zoom_symbol(struct report_browser *b);
void report_filters__zoom_task(struct report_browser *b);
void report_filters__zoom_socket(struct report_browser *b);
void report_filters__zoom_kernel(struct report_browser *b);

/* By a part of a name, while it is typed. */
void report_filters__ask(struct report_browser *b);

/* Take the last restriction back; false: there is none. */
bool report_filters__back(struct report_browser *b);

/* "  dso: libc.so.6  symbols with 'alloc'" */
void report_filters__print(const struct report_browser *b, struct out *out);

void report_filters__exit(struct report_browser *b);

/* ---- report_code.c ---- */

/* The code of the function of the row with the cursor; its callers and callees. */
void report_code__show(struct report_browser *b);
void report_code__show_callers(struct report_browser *b);

/* Forget the sums of callers and callees. */
void report_code__drop_callers(struct report_browser *b);

/* ---- report_samples.c ---- */

/* Which samples are to be listed: what scripts would be run on. */
void report_samples__choose(struct report_browser *b);

#endif
