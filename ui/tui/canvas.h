/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a screen is to show: a grid of characters, which the terminal (terminal.h) brings to the
 * user, and a test to its eyes. Text may come from files: what is no character, or would move the
 * cursor, becomes '?'. Widths are those of the locale's wcwidth().
 */
#ifndef PERF_UI_TUI_CANVAS_H
#define PERF_UI_TUI_CANVAS_H

#include "util/lib/cell.h"

enum canvas_style {
	CANVAS_PLAIN,
	CANVAS_TITLE,
	CANVAS_CHOSEN, /* the row with the cursor */
	CANVAS_HOT,    /* red, as in the text: from 5 % */
	CANVAS_WARM,   /* green: from 0.5 % */
	CANVAS_FAINT,
	CANVAS_ARROW,
	CANVAS_STYLES,
};

#define CANVAS_CELL 12 /* bytes: a character and what combines with it */

struct canvas_cell {
	char text[CANVAS_CELL + 1]; /* "": the right half of a wide character */
	u8 style;
};

struct canvas {
	int nr_rows, nr_columns;
	struct canvas_cell *cells; /* row after row */
};

/* All blanks; @canvas is zeroed before the first time. */
void canvas__start(struct canvas *canvas, int nr_rows, int nr_columns);
void canvas__exit(struct canvas *canvas);

/*
 * Put @text from @column on, which may lie outside: what does not fit before column @end is left
 * out. Returns the column behind it.
 */
int canvas__put(struct canvas *canvas, int row, int column, int end, enum canvas_style style,
                const char *text);

/* Give the columns of a row this style. */
void canvas__paint(struct canvas *canvas, int row, int column, int end, enum canvas_style style);

static inline struct canvas_cell *canvas__cell(const struct canvas *canvas, int row, int column)
{
	return &canvas->cells[(size_t)row * canvas->nr_columns + column];
}

/* Of a percentage, as in the text: hot or warm; of others plain. */
enum canvas_style canvas__style_of(double percent);
enum canvas_style canvas__style(const struct cell *cell);

/* The columns that @text takes. */
int canvas__width(const char *text);

#endif
