// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/dialog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/tui/list.h"

#define LEAST_COLUMNS 20 /* for lines at the sides of a menu */
#define MESSAGE_SIZE  1024
#define UTF8_MAX      4

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

int tui__key(struct tui *tui)
{
	int key = tui->kept;

	tui->kept = 0;
	return key ? key : tui->terminal->key(tui->terminal);
}

/* After a change of size nothing is left of what was behind the dialog. */
static int key_of(struct tui *tui)
{
	int key = tui__key(tui);

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

static int menu_width(const char *title, const char *const *items, u32 nr)
{
	int width = canvas__width(title);

	for (u32 i = 0; i < nr; i++)
		if (canvas__width(items[i]) > width)
			width = canvas__width(items[i]);
	return width;
}

/* What is behind the menu is kept apart from it by a line at its sides. */
static void draw_menu(struct tui *tui, const char *title, const char *const *items,
                      struct list *list)
{
	int rows = tui->canvas.nr_rows, columns = tui->canvas.nr_columns;
	int width = menu_width(title, items, list->nr), sides = columns > LEAST_COLUMNS ? 2 : 0;
	const char *side = MB_CUR_MAX > 1 ? "│" : "|";

	width = width + 2 * sides < columns ? width : columns - 2 * sides;
	list__fit(list, list->nr, (int)list->nr + 1 < rows ? (int)list->nr : rows - 1);
	int row = (rows - (int)list->height - 1) / 2, column = (columns - width) / 2;

	for (u32 i = 0; i <= list->height && i <= list->nr - list->top; i++, row++) {
		u32 item = list->top + i - 1;

		put_row(tui, row, column - sides, width + 2 * sides, CANVAS_ARROW,
		        sides ? side : "");
		canvas__put(&tui->canvas, row, column + width + sides - 1, columns, CANVAS_ARROW,
		            sides ? side : "");
		put_row(tui, row, column, width,
		        !i                 ? CANVAS_TITLE
		        : item == list->at ? CANVAS_CHOSEN
		                           : CANVAS_PLAIN,
		        i ? items[item] : title);
	}
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

/* Where there is not room for both, the end of the text goes before the question. */
static void draw_line(struct tui *tui, const char *question, const char *text)
{
	int row = tui->canvas.nr_rows - 1, columns = tui->canvas.nr_columns;
	int asked = canvas__width(question) + 1, room = columns - 1 - canvas__width(text);

	if (asked > room)
		asked = room > columns / 2 ? room : columns / 2;
	int from = asked < room ? asked : room;

	put_row(tui, row, 0, columns, CANVAS_PLAIN, "");
	int at = canvas__put(&tui->canvas, row, from, columns, CANVAS_PLAIN, text);

	canvas__put(&tui->canvas, row, at, columns, CANVAS_CHOSEN, " ");
	put_row(tui, row, 0, asked - 1, CANVAS_TITLE, question);
	put_row(tui, row, asked - 1, 1, CANVAS_TITLE, "");
	tui__show(tui);
}

int dialog__edit(struct tui *tui, const char *question, char text[DIALOG_TEXT])
{
	size_t len = strlen(text);

	draw_line(tui, question, text);
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

/*
 * Copy what a row takes of @text, to the end of a word if one ends there. Returns what comes
 * behind.
 */
static const char *take_row(const char *text, int columns, char row[MESSAGE_SIZE])
{
	size_t len = 0, words = 0;

	while (text[len] && text[len] != '\n' && len + UTF8_MAX < MESSAGE_SIZE) {
		size_t next = len + 1;

		while ((text[next] & 0xc0) == 0x80 && next - len < UTF8_MAX)
			next++;
		snprintf(row, MESSAGE_SIZE, "%.*s", (int)next, text);
		if (len && canvas__width(row) > columns) {
			len = text[len] == ' ' || !words ? len : words;
			break;
		}
		len = next;
		if (text[len] == ' ')
			words = len;
	}
	snprintf(row, MESSAGE_SIZE, "%.*s", (int)len, text);
	return text + len + (text[len] == ' ' || text[len] == '\n');
}

static void draw_message(struct tui *tui, const char *text)
{
	int nr = 0, nr_rows = tui->canvas.nr_rows, columns = tui->canvas.nr_columns;
	char row[MESSAGE_SIZE];

	for (const char *rest = text; *rest && nr < nr_rows; nr++)
		rest = take_row(rest, columns, row);
	for (int i = nr_rows - nr; i < nr_rows; i++) {
		text = take_row(text, columns, row);
		put_row(tui, i, 0, columns, CANVAS_CHOSEN, row);
	}
	tui__show(tui);
}

void dialog__say(struct tui *tui, const char *text)
{
	int key;

	do {
		draw_message(tui, text);
		key = key_of(tui);
	} while (key == KEYS_RESIZE);
	if (key != KEYS_ENTER && key != ' ' && key != 'q' && key != KEYS_ESCAPE &&
	    key != KEYS_INTERRUPT)
		tui->kept = key;
}
