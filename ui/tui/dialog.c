// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/dialog.h"

#include <string.h>

#include "ui/tui/list.h"

void tui__start(struct tui *tui)
{
	int nr_rows, nr_columns;

	tui->terminal->size(tui->terminal, &nr_rows, &nr_columns);
	canvas__start(&tui->canvas, nr_rows > 0 ? nr_rows : 1, nr_columns > 0 ? nr_columns : 1);
}

void tui__show(struct tui *tui)
{
	tui->terminal->show(tui->terminal, &tui->canvas);
}

/* After a change of size nothing is left of what was behind the dialog. */
static int key_of(struct tui *tui)
{
	int key = tui->terminal->key(tui->terminal);

	if (key == KEYS_RESIZE)
		tui__start(tui);
	return key;
}

static void put_row(struct tui *tui, int row, int column, int width, enum canvas_style style,
                    const char *text)
{
	int end = column + width < tui->canvas.nr_columns ? column + width : tui->canvas.nr_columns;
	int at = canvas__put(&tui->canvas, row, column, end, style, text);

	for (; at < end; at++)
		canvas__put(&tui->canvas, row, at, end, style, " ");
}

static void draw_menu(struct tui *tui, const char *title, const char *const *items,
                      struct list *list)
{
	int rows = tui->canvas.nr_rows, columns = tui->canvas.nr_columns;
	int width = canvas__width(title);

	for (u32 i = 0; i < list->nr; i++)
		if (canvas__width(items[i]) > width)
			width = canvas__width(items[i]);
	width = width + 4 < columns ? width + 2 : columns;
	list__fit(list, list->nr, (int)list->nr + 1 < rows ? (int)list->nr : rows - 1);
	int row = (rows - (int)list->height - 1) / 2, column = (columns - width) / 2;

	put_row(tui, row, column, width, CANVAS_TITLE, title);
	for (u32 i = 0; i < list->height && list->top + i < list->nr; i++)
		put_row(tui, row + 1 + i, column, width,
		        list->top + i == list->at ? CANVAS_CHOSEN : CANVAS_PLAIN,
		        items[list->top + i]);
	tui__show(tui);
}

int dialog__menu(struct tui *tui, const char *title, const char *const *items, u32 nr)
{
	struct list list = { .nr = nr };

	while (nr) {
		draw_menu(tui, title, items, &list);
		int key = key_of(tui);

		switch (key) {
		case KEYS_ENTER:
		case KEYS_RIGHT:
			return list.at;
		case KEYS_ESCAPE:
		case KEYS_LEFT:
		case KEYS_INTERRUPT:
		case KEYS_CLOSED:
		case 'q':
			return -1;
		default:
			list__key(&list, key);
		}
	}
	return -1;
}

/* Take the last character, all its bytes, off. */
static void shorten(char *text)
{
	size_t len = strlen(text);

	while (len && (text[len - 1] & 0xc0) == 0x80)
		len--;
	text[len ? len - 1 : 0] = '\0';
}

bool dialog__gives_up(int key)
{
	return key == KEYS_ESCAPE || key == KEYS_INTERRUPT || key == KEYS_CLOSED;
}

int dialog__edit(struct tui *tui, const char *question, char text[DIALOG_TEXT])
{
	int row = tui->canvas.nr_rows - 1, columns = tui->canvas.nr_columns;
	size_t len = strlen(text);

	put_row(tui, row, 0, columns, CANVAS_TITLE, question);
	int at = canvas__put(&tui->canvas, row, canvas__width(question) + 1, columns, CANVAS_PLAIN,
	                     text);

	canvas__put(&tui->canvas, row, at, columns, CANVAS_CHOSEN, " ");
	tui__show(tui);
	int key = key_of(tui);

	if (key == KEYS_BACKSPACE) {
		shorten(text);
	} else if (key >= ' ' && key < 256 && len + 1 < DIALOG_TEXT) {
		text[len] = key;
		text[len + 1] = '\0';
	}
	return key;
}

bool dialog__ask(struct tui *tui, const char *question, char text[DIALOG_TEXT])
{
	int key;

	do
		key = dialog__edit(tui, question, text);
	while (key != KEYS_ENTER && !dialog__gives_up(key));
	return key == KEYS_ENTER;
}

void dialog__show(struct tui *tui, const char *text)
{
	put_row(tui, tui->canvas.nr_rows - 1, 0, tui->canvas.nr_columns, CANVAS_CHOSEN, text);
	tui__show(tui);
}

void dialog__say(struct tui *tui, const char *text)
{
	dialog__show(tui, text);
	key_of(tui);
}
