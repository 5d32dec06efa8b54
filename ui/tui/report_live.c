// SPDX-License-Identifier: GPL-2.0-or-later
/* A view that grows while it is browsed: what was where is found again by its content. */
#include <stdlib.h>

#include "ui/tui/report_browser_private.h"
#include "util/lib/alloc.h"
#include "util/lib/hash.h"

#define SEEN_MAX 2000 /* entries from the first on: of those behind nothing is kept */

static u64 content_of(struct report_browser *b, const struct view_row *row)
{
	u64 hash = row->evsel;
	struct cell cell;

	for (u32 i = 0; i < b->view->nr_columns; i++) {
		if (b->view->columns[i].figure != VIEW_KEY)
			continue;
		view__cell(b->view, row, i, &cell);
		hash = hash__add(hash, cell.kind == CELL_TEXT
		                               ? hash__bytes(cell.text, strlen(cell.text))
		                               : cell.part);
	}
	return hash;
}

static int compare_seen(const void *a, const void *b)
{
	u64 first = ((const struct seen_entry *)a)->content,
	    second = ((const struct seen_entry *)b)->content;

	return first < second ? -1 : first > second;
}

static const struct seen_entry *find_seen(const struct report_browser *b, u64 content)
{
	const struct seen_entry wanted = { .content = content };

	return b->nr_seen ? bsearch(&wanted, b->seen, b->nr_seen, sizeof(*b->seen), compare_seen)
	                  : NULL;
}

static bool is_in_sight(const struct list *list, u32 i)
{
	return i >= list->top && i - list->top < list->height;
}

/* Where the entries are now. Returns the content of the one with the cursor; 0: there is none. */
static u64 remember(struct report_browser *b)
{
	const struct list *list = list_of(b);
	u32 nr = b->nr_events ? view__nr_rows(b->view, evsel_of(b)) : 0;
	struct view_row row;
	u64 at = 0;

	b->seen = xrealloc(b->seen, SEEN_MAX, sizeof(*b->seen));
	b->nr_seen = 0;
	for (u32 i = 0; i < nr && b->nr_seen < SEEN_MAX; i++) {
		if (view__depth(b->view, evsel_of(b), i))
			continue;
		view__row(b->view, evsel_of(b), i, &row);
		struct seen_entry *seen = &b->seen[b->nr_seen++];

		*seen = (struct seen_entry){ content_of(b, &row), row.open, is_in_sight(list, i) };
		if (i <= list->at)
			at = seen->content;
	}
	qsort(b->seen, b->nr_seen, sizeof(*b->seen), compare_seen);
	return at;
}

/* Open what was open, and go to the entry @at, which stays where it was on the screen. */
static void restore(struct report_browser *b, u64 at)
{
	struct list *list = list_of(b);
	u32 evsel = evsel_of(b), below = list->at - list->top, nr_entries = 0;
	struct view_row row;

	if (b->expanded[b->event])
		view__spread_all(b->view, evsel);
	for (u32 i = 0; i < view__nr_rows(b->view, evsel) && nr_entries < SEEN_MAX; i++) {
		if (view__depth(b->view, evsel, i))
			continue;
		view__row(b->view, evsel, i, &row);
		u64 content = content_of(b, &row);
		const struct seen_entry *seen = find_seen(b, content);

		nr_entries++;
		if (seen && seen->open)
			view__open(b->view, evsel, i, true);
		/* The first row shows what is first, whatever that is. */
		if (content == at && list->at) {
			list->at = i;
			list->top = i > below ? i - below : 0;
		}
	}
	list__fit(list, view__nr_rows(b->view, evsel), list->height);
}

static void find_risen(struct report_browser *b)
{
	const struct list *list = list_of(b);
	u32 nr = b->nr_events ? view__nr_rows(b->view, evsel_of(b)) : 0;
	struct view_row row;

	b->risen = xrealloc(b->risen, (size_t)list->height + 1, sizeof(*b->risen));
	b->nr_risen = 0;
	for (u32 i = list->top; i < nr && is_in_sight(list, i); i++) {
		if (view__depth(b->view, evsel_of(b), i))
			continue;
		view__row(b->view, evsel_of(b), i, &row);
		u64 content = content_of(b, &row);
		const struct seen_entry *seen = find_seen(b, content);

		if (!seen || !seen->in_sight)
			b->risen[b->nr_risen++] = content;
	}
}

void report_live__look(struct report_browser *b)
{
	const struct live_view *live = b->texts->live;
	u32 evsel = evsel_of(b);
	u64 at = remember(b);

	report_code__drop_callers(b);
	live->look(live->ctx, &b->options);
	b->options = b->view->options;
	b->before.hists.source = b->options.hists.source;
	report_browser__list_events(b);
	for (u32 i = b->event = 0; i < b->nr_events; i++)
		if (b->events[i] == evsel)
			b->event = i;
	if (b->nr_events) {
		restore(b, at);
		if (b->nr_seen)
			find_risen(b);
	}
	report_browser__find_health(b);
}

bool report_live__is_risen(struct report_browser *b, const struct view_row *row)
{
	if (!b->nr_risen || row->depth)
		return false;
	u64 content = content_of(b, row);

	for (u32 i = 0; i < b->nr_risen; i++)
		if (b->risen[i] == content)
			return true;
	return false;
}

void report_live__exit(struct report_browser *b)
{
	free(b->seen);
	free(b->risen);
}
