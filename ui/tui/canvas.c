// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tui/canvas.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

#define HOT_PERCENT  5.0
#define WARM_PERCENT 0.5

void canvas__start(struct canvas *canvas, int nr_rows, int nr_columns)
{
	size_t nr = (size_t)nr_rows * nr_columns;

	canvas->nr_rows = nr_rows;
	canvas->nr_columns = nr_columns;
	canvas->cells = xrealloc(canvas->cells, nr + 1, sizeof(*canvas->cells));
	for (size_t i = 0; i < nr; i++)
		canvas->cells[i] = (struct canvas_cell){ .text = " " };
}

void canvas__exit(struct canvas *canvas)
{
	free(canvas->cells);
	*canvas = (struct canvas){ .nr_rows = 0 };
}

static wchar_t decode(const char *s, unsigned len)
{
	wchar_t c = len == 1 ? *s : *s & (0xff >> (len + 1));

	for (unsigned i = 1; i < len; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

/* The character at *@s, which moves on: its bytes are put to @text. Returns its width. */
static int take(const char **s, char text[CANVAS_CELL + 1])
{
	unsigned len = text__utf8_length(*s);
	int width = len && text__is_printable(*s, len) ? wcwidth(decode(*s, len)) : -1;

	if (width >= 0) {
		memcpy(text, *s, len);
		text[len] = '\0';
	} else {
		strcpy(text, "?");
		width = 1;
	}
	*s += len ? len : 1;
	return width;
}

int canvas__width(const char *text)
{
	char bytes[CANVAS_CELL + 1];
	int width = 0;

	while (*text)
		width += take(&text, bytes);
	return width;
}

/* What combines with the character before it; more than a cell can hold is left out. */
static void combine(struct canvas_cell *cell, const char *bytes)
{
	size_t len = strlen(cell->text);

	if (len && len + strlen(bytes) <= CANVAS_CELL)
		strcpy(cell->text + len, bytes);
}

int canvas__put(struct canvas *canvas, int row, int column, int end, enum canvas_style style,
                const char *text)
{
	char bytes[CANVAS_CELL + 1];

	if (end > canvas->nr_columns)
		end = canvas->nr_columns;
	if (row < 0 || row >= canvas->nr_rows)
		return column;
	while (*text) {
		int width = take(&text, bytes);

		if (column + width > end)
			break;
		if (!width && column > 0)
			combine(canvas__cell(canvas, row, column - 1), bytes);
		for (int i = 0; i < width; i++, column++) {
			struct canvas_cell *cell;

			if (column < 0)
				continue;
			cell = canvas__cell(canvas, row, column);
			strcpy(cell->text, i ? "" : bytes);
			cell->style = style;
		}
	}
	return column;
}

void canvas__paint(struct canvas *canvas, int row, int column, int end, enum canvas_style style)
{
	for (; row >= 0 && row < canvas->nr_rows && column < end && column < canvas->nr_columns;
	     column++)
		canvas__cell(canvas, row, column)->style = style;
}

enum canvas_style canvas__style_of(double percent)
{
	return percent >= HOT_PERCENT    ? CANVAS_HOT
	       : percent >= WARM_PERCENT ? CANVAS_WARM
	                                 : CANVAS_PLAIN;
}

enum canvas_style canvas__style(const struct cell *cell)
{
	return canvas__style_of(
	        cell->kind == CELL_PERCENT && cell->whole ? 100.0 * cell->part / cell->whole : 0);
}
