/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of cells (util/lib/cell.h) as lines: in aligned columns, as fields (-x), or as members of
 * JSON objects. A row is an array with one cell for each column. Rows are printed as they come;
 * where widths depend on them, they pass table__measure() first.
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

/*
 * Widths are bytes, as in Linux's perf; a longer cell pushes what follows to the right, unless the
 * column cuts it.
 */
struct table_column {
	const char *heading; /* NULL: none */
	int width;           /* at least; table__measure() makes it wider */
	int gap;             /* blanks before the column, where no separator is */
	enum table_align align;
	bool heading_right; /* the heading stands at the right, whatever align is */
	bool hidden;        /* as if it were not there */
	bool fixed;         /* table__measure() leaves the width */
	bool cut;           /* texts and the heading end where the column does */
	bool ragged;        /* nothing is added behind its cells: a last column of long names */
};

struct table {
	const struct table_column *columns; /* may be changed between rows */
	u32 nr;
	const char *prefix;    /* before headings, instead of the first gap: "# "; NULL: the gap */
	const char *separator; /* between cells, instead of the gaps; NULL: gaps. In a cell one of a
	                        * single character becomes a dot */
	bool colored;          /* percentages (ui/term/color.h) */
};

/* Make columns as wide as their headings; then as wide as the cells of a row, too. */
void table__measure_headings(struct table_column *columns, u32 nr);
void table__measure(struct table_column *columns, u32 nr, const struct cell *row);

/* A line of the headings; a table with several sets them and calls this for each. */
void table__print_heading(const struct table *table, struct out *out);
void table__print_rules(const struct table *table, struct out *out); /* "# ....  ......" */

void table__print_row(const struct table *table, struct out *out, const struct cell *row);

/* Fields without padding or line end; texts with the separator stand in quotes (out__field()). */
void table__print_fields(struct out *out, const struct cell *row, u32 nr, const char *separator);

/* "key": value, ... without braces, so that the caller can go on. NULL: the cell has no key. */
void table__print_members(struct out *out, const char *const *keys, const struct cell *row, u32 nr,
                          const char *colon);

/* Object @i of an array, on a line of its own. */
void table__print_object(struct out *out, const char *const *keys, const struct cell *row, u32 nr,
                         u32 i);

#endif
