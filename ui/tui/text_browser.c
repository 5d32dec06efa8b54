// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/text_browser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

#define TAB_STOP 8
#define STATUS   "q: back  /, ?: search, backwards  n: again"

/* A line of its own, with blanks for tabs. */
static char *expand(const char *line, size_t len)
{
	char *copy = xrealloc(NULL, len * TAB_STOP + 1, 1);
	size_t at = 0;

	for (size_t i = 0; i < len; i++) {
		if (line[i] != '\t') {
			copy[at++] = line[i];
			continue;
		}
		do
			copy[at++] = ' ';
		while (at % TAB_STOP);
	}
	copy[at] = '\0';
	return copy;
}

static void drop_lines(struct text_pane *pane)
{
	for (u32 i = 0; i < pane->list.nr; i++)
		free(pane->lines[i]);
	free(pane->percent);
	free(pane->hot);
}

void text_pane__set(struct text_pane *pane, const char *text)
{
	u32 nr = 0;

	drop_lines(pane);
	while (*text) {
		size_t len = strcspn(text, "\n");

		array__reserve(&pane->lines, &pane->cap, (size_t)nr + 1, sizeof(*pane->lines));
		pane->lines[nr++] = expand(text, len);
		text += len + (text[len] == '\n');
	}
	pane->percent = xcalloc((size_t)nr + 1, sizeof(*pane->percent));
	pane->hot = xcalloc((size_t)nr + 1, sizeof(*pane->hot));
	pane->nr_hot = pane->hot_at = 0;
	list__fit(&pane->list, nr, pane->list.height);
}

void text_pane__exit(struct text_pane *pane)
{
	drop_lines(pane);
	free(pane->lines);
}

static int compare_hot(const void *left, const void *right, void *ctx)
{
	const double *percent = ctx;
	u32 a = *(const u32 *)left, b = *(const u32 *)right;

	if (percent[a] != percent[b])
		return percent[a] > percent[b] ? -1 : 1;
	return (a > b) - (a < b);
}

static void go_to_hot(struct text_pane *pane, u32 at)
{
	struct list *list = &pane->list;

	if (!pane->nr_hot)
		return;
	pane->hot_at = at % pane->nr_hot;
	list__go(list, pane->hot[pane->hot_at]);
	list->top = list->at > list->height / 2 ? list->at - list->height / 2 : 0;
}

void text_pane__find_hot(struct text_pane *pane, bool go)
{
	pane->nr_hot = 0;
	for (u32 i = 0; i < pane->list.nr; i++)
		if (pane->percent[i] > 0)
			pane->hot[pane->nr_hot++] = i;
	qsort_r(pane->hot, pane->nr_hot, sizeof(*pane->hot), compare_hot, pane->percent);
	if (go)
		go_to_hot(pane, 0);
}

void text_pane__draw(struct text_pane *pane, int row, int nr_rows)
{
	struct canvas *canvas = &pane->tui->canvas;
	struct list *list = &pane->list;

	list__fit(list, list->nr, nr_rows);
	for (u32 i = 0; i < list->height && list->top + i < list->nr; i++) {
		u32 line = list->top + i;

		canvas__put(canvas, row + i, -pane->from, canvas->nr_columns,
		            canvas__style_of(pane->percent[line]), pane->lines[line]);
		if (line == list->at)
			canvas__paint(canvas, row + i, 0, canvas->nr_columns, CANVAS_CHOSEN);
	}
}

static void search(struct text_pane *pane, bool backwards)
{
	struct list *list = &pane->list;

	for (u32 i = 1; *pane->wanted && i <= list->nr; i++) {
		u32 line = (list->at + (backwards ? list->nr - i : i)) % list->nr;

		if (strcasestr(pane->lines[line], pane->wanted)) {
			list__go(list, line);
			return;
		}
	}
	dialog__say(pane->tui, "no line has that text");
}

static void ask(struct text_pane *pane, bool backwards)
{
	pane->backwards = backwards;
	if (dialog__ask(pane->tui, backwards ? "Search backwards:" : "Search:", pane->wanted))
		search(pane, backwards);
}

/* Of the lines in sight: to look at all would take long. */
static int widest(const struct text_pane *pane)
{
	const struct list *list = &pane->list;
	int width = 0;

	for (u32 i = list->top; i < list->nr && i - list->top < list->height; i++)
		if (canvas__width(pane->lines[i]) > width)
			width = canvas__width(pane->lines[i]);
	return width;
}

bool text_pane__key(struct text_pane *pane, int key)
{
	switch (key) {
	case KEYS_RIGHT:
		if (widest(pane) - pane->from > pane->tui->canvas.nr_columns)
			pane->from += SIDEWARD;
		return true;
	case KEYS_LEFT:
		if (!pane->from)
			return false;
		pane->from -= SIDEWARD;
		return true;
	case 'H':
		go_to_hot(pane, 0);
		return true;
	case KEYS_TAB:
		go_to_hot(pane, pane->hot_at + 1);
		return true;
	case KEYS_BACK_TAB:
		go_to_hot(pane, pane->hot_at + pane->nr_hot - 1);
		return true;
	case '/':
	case '?':
		ask(pane, key == '?');
		return true;
	case 'n':
		if (*pane->wanted)
			search(pane, pane->backwards);
		else
			ask(pane, pane->backwards);
		return true;
	default:
		return list__key(&pane->list, key);
	}
}

/* Where the cursor is, in a text that has more lines than the screen. */
static void put_place(const struct text_pane *pane)
{
	struct canvas *canvas = &pane->tui->canvas;
	int row = canvas->nr_rows - 1, end = canvas->nr_columns;
	char text[48];

	if (pane->list.nr <= pane->list.height)
		return;
	snprintf(text, sizeof(text), "  line %u of %u", pane->list.at + 1, pane->list.nr);
	int at = end - canvas__width(text);

	canvas__put(canvas, row, at < canvas__width(STATUS) ? at : canvas__width(STATUS), end,
	            CANVAS_FAINT, text);
}

void text_browser__run(struct tui *tui, const char *title, const char *text)
{
	struct text_pane pane = { .tui = tui, .list = { .height = 1 } };
	struct canvas *canvas = &tui->canvas;
	int key;

	text_pane__set(&pane, text);
	do {
		tui__start(tui);
		canvas__put(canvas, 0, 0, canvas->nr_columns, CANVAS_TITLE, title);
		text_pane__draw(&pane, 1, canvas->nr_rows - 2);
		canvas__put(canvas, canvas->nr_rows - 1, 0, canvas->nr_columns, CANVAS_FAINT,
		            STATUS);
		put_place(&pane);
		tui__show(tui);
		key = tui__key(tui);
	} while (text_pane__key(&pane, key) ||
	         !(key == 'q' || key == KEYS_LEFT || dialog__gives_up(key)));
	text_pane__exit(&pane);
}
