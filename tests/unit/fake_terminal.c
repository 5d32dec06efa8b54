// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/fake_terminal.h"

#include <locale.h>
#include <string.h>

#include "tests/unit/unit.h"

struct fake_terminal fake;
struct tui tui;

static void size(struct terminal *terminal, int *nr_rows, int *nr_columns)
{
	(void)terminal;
	*nr_rows = fake.nr_rows;
	*nr_columns = fake.nr_columns;
}

/* A negative key is a new number of rows. Users take their time. */
static int next_key(struct terminal *terminal)
{
	if (terminal->work && terminal->work->due == TERMINAL_IDLE)
		return KEYS_TIME;
	if (!*fake.keys) {
		fake.gone = true;
		return KEYS_CLOSED;
	}
	if (*fake.keys > 0)
		return *fake.keys++;
	fake.nr_rows = -*fake.keys++;
	return KEYS_RESIZE;
}

/* Lines without the blanks at their ends; empty ones at the end of all are left out. */
static void show(struct terminal *terminal, const struct canvas *canvas)
{
	size_t len = 0;

	(void)terminal;
	if (fake.gone)
		return;
	fake.chosen = -1;
	for (int row = 0; row < canvas->nr_rows; row++) {
		for (int column = 0; column < canvas->nr_columns; column++) {
			const struct canvas_cell *cell = canvas__cell(canvas, row, column);

			if (cell->style == CANVAS_CHOSEN && fake.chosen < 0)
				fake.chosen = row;
			CHECK(len + CANVAS_CELL + 2 < SCREEN_MAX);
			strcpy(fake.screen + len, cell->text);
			len += strlen(cell->text);
		}
		while (len && fake.screen[len - 1] == ' ')
			len--;
		fake.screen[len++] = '\n';
		fake.screen[len] = '\0';
	}
}

static void copy(struct terminal *terminal, const char *text)
{
	(void)terminal;
	CHECK(strlen(text) < SCREEN_MAX);
	strcpy(fake.copied, text);
}

void fake__start(int nr_rows, int nr_columns, const int *keys)
{
	canvas__exit(&tui.canvas);
	setlocale(LC_CTYPE, "C.UTF-8");
	fake = (struct fake_terminal){ .terminal = { size, next_key, show, copy },
		                       .nr_rows = nr_rows,
		                       .nr_columns = nr_columns,
		                       .keys = keys };
	tui = (struct tui){ .terminal = &fake.terminal };
}

void fake__stop(void)
{
	canvas__exit(&tui.canvas);
	setlocale(LC_CTYPE, "C");
}
