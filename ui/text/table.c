// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/text/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/term/color.h"
#include "util/lib/alloc.h"
#include "util/lib/json.h"

/* What is printed of @text in @column, to be freed where it is a part. */
static const char *fitting(const struct table_column *column, const char *text, char **part)
{
	*part = NULL;
	if (!column->cut || strlen(text) <= (size_t)column->width)
		return text;
	return *part = xasprintf("%.*s", column->width, text);
}

static void print_text(struct out *out, const struct table_column *column, const struct cell *cell,
                       const char *text)
{
	char *part = NULL;

	if (cell->kind == CELL_TEXT) {
		/* As Linux's perf: without room for the number all of the text. */
		out__name(out,
		          column->width < cell->number_end ? text : fitting(column, text, &part));
		free(part);
	} else {
		out__str(out, text);
	}
}

/* The separator must not occur inside a cell. */
static void replace_separator(const struct table *table, struct out *out, size_t from)
{
	const char *separator = table->separator;

	if (!separator || !separator[0] || separator[1])
		return;
	for (size_t i = from; i < out->len; i++)
		if (out->buf[i] == *separator)
			out->buf[i] = '.';
}

static void print_cell(const struct table *table, struct out *out,
                       const struct table_column *column, const struct cell *cell)
{
	bool right = column->align == TABLE_RIGHT, percent = cell->kind == CELL_PERCENT;
	char buf[CELL_TEXT_SIZE];
	const char *text = percent ? "" : cell__print(cell, buf);
	size_t length = strlen(text), from;

	out__room(out, length + column->width + CELL_TEXT_SIZE); /* no flush within the cell */
	from = out->len;
	if (column->align == TABLE_AFTER_BLANK)
		out__char(out, ' ');
	if (percent)
		color__percent(out, table->colored, cell->part, cell->whole,
		               right ? column->width : 0);
	else if (right)
		out__fill(out, ' ', column->width - (int)length);
	print_text(out, column, cell, text);
	replace_separator(table, out, from);
	if (!right && !column->ragged)
		out__fill(out, ' ', column->width - (int)(out->len - from));
}

/* What stands before a column: nothing before the first of a row of fields. */
static void print_gap(const struct table *table, struct out *out, const struct table_column *column,
                      bool first)
{
	if (!table->separator && column->gap == 2) /* most have that */
		out__mem(out, "  ", 2);
	else if (!table->separator)
		out__fill(out, ' ', column->gap);
	else if (!first)
		out__str(out, table->separator);
}

void table__print_row(const struct table *table, struct out *out, const struct cell *row)
{
	bool first = true;

	for (u32 i = 0; i < table->nr; i++) {
		const struct table_column *column = &table->columns[i];

		if (column->hidden || row[i].kind == CELL_NONE)
			continue;
		print_gap(table, out, column, first);
		print_cell(table, out, column, &row[i]);
		first = false;
	}
	out__char(out, '\n');
}

static void print_head(const struct table *table, struct out *out, bool dots)
{
	bool first = true;

	for (u32 i = 0; i < table->nr; i++) {
		const struct table_column *column = &table->columns[i];
		char *part;

		if (column->hidden)
			continue;
		const char *heading =
		        fitting(column, column->heading ? column->heading : "", &part);

		if (first && table->prefix)
			out__str(out, table->prefix);
		else
			print_gap(table, out, column, first);
		if (dots)
			out__fill(out, '.', column->width);
		else if (column->align == TABLE_RIGHT || column->heading_right)
			out__right(out, heading, column->width);
		else
			out__left(out, heading, column->width);
		free(part);
		first = false;
	}
	out__char(out, '\n');
}

void table__print_heading(const struct table *table, struct out *out)
{
	print_head(table, out, false);
}

void table__print_rules(const struct table *table, struct out *out)
{
	print_head(table, out, true);
}

/* ---- widths ---- */

static void widen(struct table_column *column, size_t width)
{
	if (!column->fixed && (int)width > column->width)
		column->width = width;
}

void table__measure_headings(struct table_column *columns, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (columns[i].heading)
			widen(&columns[i], strlen(columns[i].heading));
}

void table__measure(struct table_column *columns, u32 nr, const struct cell *row)
{
	char buf[CELL_TEXT_SIZE];

	for (u32 i = 0; i < nr; i++)
		widen(&columns[i], strlen(cell__print(&row[i], buf)));
}

/* ---- fields and JSON ---- */

void table__print_fields(struct out *out, const struct cell *row, u32 nr, const char *separator)
{
	bool first = true;
	char buf[CELL_TEXT_SIZE];

	for (u32 i = 0; i < nr; i++) {
		if (row[i].kind == CELL_NONE)
			continue;
		out__str(out, first ? "" : separator);
		if (row[i].kind == CELL_TEXT)
			out__field(out, row[i].text, separator);
		else
			out__str(out, cell__print(&row[i], buf));
		first = false;
	}
}

static void print_value(struct out *out, const struct cell *cell)
{
	char buf[CELL_TEXT_SIZE];

	if (cell->kind == CELL_TEXT)
		json__string(out, cell->text);
	else if (cell->kind == CELL_MARK || (cell->kind == CELL_REAL && !isfinite(cell->real)))
		out__str(out, "null");
	else if (cell->kind == CELL_PERCENT)
		out__percent(out, cell->part, cell->whole, 2, 0);
	else if (cell->kind == CELL_RANGE)
		out__printf(out, "[%.2f, %.2f]", cell->low, cell->high);
	else
		out__str(out, cell__print(cell, buf));
}

void table__print_members(struct out *out, const char *const *keys, const struct cell *row, u32 nr,
                          const char *colon)
{
	bool first = true;

	for (u32 i = 0; i < nr; i++) {
		if (!keys[i] || row[i].kind == CELL_NONE || row[i].kind == CELL_EMPTY)
			continue;
		out__str(out, first ? "" : ", ");
		json__string(out, keys[i]);
		out__str(out, colon);
		print_value(out, &row[i]);
		first = false;
	}
}

void table__print_object(struct out *out, const char *const *keys, const struct cell *row, u32 nr,
                         u32 i)
{
	out__str(out, i ? ",\n  {" : "\n  {");
	table__print_members(out, keys, row, nr, ": ");
	out__char(out, '}');
}
