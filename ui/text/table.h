/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of cells (util/lib/cell.h) as lines: in aligned columns, as fields with a separator (-x), or
 * as members of JSON objects. A row is an array with one cell for each column. Rows are printed as
 * they come; where widths depend on them, they pass table__measure() first.
 */
#ifndef PERF_UI_TEXT_TABLE_H
#define PERF_UI_TEXT_TABLE_H

#include "util/lib/cell.h"
#include "util/lib/out.h"

enum table_align {
	TABLE_LEFT,
	TABLE_RIGHT,
	TABLE_AFTER_BLANK, /* left, after a blank that is part of the width: numbers of report -t */
};

/* Widths are bytes, as in Linux's perf; a longer cell pushes what follows to the right. */
struct table_column {
	const char *heading; /* NULL: none */
	const char *key;     /* the member's name in JSON; NULL: not there */
	int width;           /* at least; table__measure() makes it wider */
	int gap;             /* blanks before the column, where no separator is */
	enum table_align align;
	bool hidden; /* as if it were not there */
	bool fixed;  /* table__measure() leaves the width */
	bool ragged; /* nothing is added behind its cells: a last column of long names */
};

struct table {
	const struct table_column *columns; /* may be changed between rows */
	u32 nr;
	const char *prefix;    /* before headings, instead of the first gap: "# "; NULL: the gap */
	const char *separator; /* between cells, instead of the gaps; NULL: gaps */
	bool quoted;  /* texts that contain the separator are put in quotes (out__field()); else a
	               * separator of one character becomes a dot in all cells */
	bool colored; /* percentages (ui/term/color.h) */
	const char *colon; /* between name and value of JSON members; NULL: ": " */
};

/* Make columns as wide as their headings; then as wide as the cells of a row, too. */
void table__measure_headings(struct table_column *columns, u32 nr);
void table__measure(struct table_column *columns, u32 nr, const struct cell *row);

/* A line of the headings; a table with several sets them and calls this for each. */
void table__print_heading(const struct table *table, struct out *out);
void table__print_rules(const struct table *table, struct out *out); /* "# ....  ......" */

void table__print_row(const struct table *table, struct out *out, const struct cell *row);

/* Object @i of an array, on a line of its own. */
void table__print_object(const struct table *table, struct out *out, const struct cell *row, u32 i);

/* "name": value, ... without the braces, so that the caller can go on with what is no cell. */
void table__print_members(const struct table *table, struct out *out, const struct cell *row);

#endif
