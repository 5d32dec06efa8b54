// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/text_browser.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ui/tui/list.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

#define TAB_STOP 8
#define SIDEWARD 16 /* columns at a time */

struct text_browser {
	struct tui *tui;
	const char *title;
	char **lines;
	double *percent; /* that they begin with; 0: none */
	u32 *hot;        /* lines with one, the hottest first */
	u32 nr_hot, hot_at;
	size_t cap;
	struct list list;
	int from; /* the first column that is seen */
	char wanted[DIALOG_TEXT];
};

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

static double percent_of(const char *line)
{
	const char *end;
	double percent = text__double(line + strspn(line, " "), &end);

	return *end == '%' || *end == ' ' ? percent : 0;
}

static int compare_hot(const void *left, const void *right, void *ctx)
{
	const double *percent = ctx;
	u32 a = *(const u32 *)left, b = *(const u32 *)right;

	if (percent[a] != percent[b])
		return percent[a] > percent[b] ? -1 : 1;
	return (a > b) - (a < b);
}

static void cut(struct text_browser *b, const char *text)
{
	u32 nr = 0;

	while (*text) {
		size_t len = strcspn(text, "\n");

		array__reserve(&b->lines, &b->cap, (size_t)nr + 1, sizeof(*b->lines));
		b->lines[nr++] = expand(text, len);
		text += len + (text[len] == '\n');
	}
	b->percent = xcalloc((size_t)nr + 1, sizeof(*b->percent));
	b->hot = xcalloc((size_t)nr + 1, sizeof(*b->hot));
	for (u32 i = 0; i < nr; i++) {
		b->percent[i] = percent_of(b->lines[i]);
		if (b->percent[i] > 0)
			b->hot[b->nr_hot++] = i;
	}
	qsort_r(b->hot, b->nr_hot, sizeof(*b->hot), compare_hot, b->percent);
	b->list.nr = nr;
}

static void draw(struct text_browser *b)
{
	struct canvas *canvas = &b->tui->canvas;

	tui__start(b->tui);
	list__fit(&b->list, b->list.nr, canvas->nr_rows - 2);
	canvas__put(canvas, 0, 0, canvas->nr_columns, CANVAS_TITLE, b->title);
	for (u32 i = 0; i < b->list.height && b->list.top + i < b->list.nr; i++) {
		u32 line = b->list.top + i;
		enum canvas_style style = b->percent[line] >= 5     ? CANVAS_HOT
		                          : b->percent[line] >= 0.5 ? CANVAS_WARM
		                                                    : CANVAS_PLAIN;

		canvas__put(canvas, 1 + i, -b->from, canvas->nr_columns, style, b->lines[line]);
		if (line == b->list.at)
			canvas__paint(canvas, 1 + i, 0, canvas->nr_columns, CANVAS_CHOSEN);
	}
	canvas__put(canvas, canvas->nr_rows - 1, 0, canvas->nr_columns, CANVAS_FAINT,
	            b->nr_hot ? "q: back  H: hottest line  Tab: next hottest  /: search  n: again"
	                      : "q: back  /: search  n: again");
	tui__show(b->tui);
}

static void search(struct text_browser *b)
{
	for (u32 i = 1; *b->wanted && i <= b->list.nr; i++) {
		u32 line = (b->list.at + i) % b->list.nr;

		if (strcasestr(b->lines[line], b->wanted)) {
			list__go(&b->list, line);
			return;
		}
	}
	dialog__say(b->tui, "no line has that text");
}

static void go_to_hot(struct text_browser *b, u32 at)
{
	if (!b->nr_hot)
		return;
	b->hot_at = at % b->nr_hot;
	list__go(&b->list, b->hot[b->hot_at]);
	b->list.top = b->list.at > b->list.height / 2 ? b->list.at - b->list.height / 2 : 0;
}

/* True: it leads out. */
static bool leaves(const struct text_browser *b, int key)
{
	return key == 'q' || key == KEYS_ESCAPE || key == KEYS_INTERRUPT || key == KEYS_CLOSED ||
	       (key == KEYS_LEFT && !b->from);
}

static void obey(struct text_browser *b, int key)
{
	switch (key) {
	case KEYS_RIGHT:
		b->from += SIDEWARD;
		break;
	case KEYS_LEFT:
		b->from -= SIDEWARD;
		break;
	case 'H':
		go_to_hot(b, 0);
		break;
	case KEYS_TAB:
		go_to_hot(b, b->hot_at + 1);
		break;
	case KEYS_BACK_TAB:
		go_to_hot(b, b->hot_at + b->nr_hot - 1);
		break;
	case '/':
		if (dialog__ask(b->tui, "Search:", b->wanted))
			search(b);
		break;
	case 'n':
		search(b);
		break;
	default:
		list__key(&b->list, key);
	}
}

int text_browser__run(struct tui *tui, const char *title, const char *text)
{
	struct text_browser b = { .tui = tui, .title = title };
	int key;

	cut(&b, text);
	go_to_hot(&b, 0);
	for (;;) {
		draw(&b);
		key = tui->terminal->key(tui->terminal);
		if (leaves(&b, key))
			break;
		obey(&b, key);
	}
	for (u32 i = 0; i < b.list.nr; i++)
		free(b.lines[i]);
	free(b.lines);
	free(b.percent);
	free(b.hot);
	return key;
}
