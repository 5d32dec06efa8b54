/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One cell of a table: a value with its type, which a front end shows in its own way (as text:
 * ui/text/table.h). Cells own nothing: a text lives at least until its row is printed.
 */
#ifndef PERF_UTIL_LIB_CELL_H
#define PERF_UTIL_LIB_CELL_H

#include "util/lib/types.h"

enum cell_kind {
	CELL_NONE,   /* the row does not have the column: no room is kept for it */
	CELL_EMPTY,  /* blanks; no member of a JSON object */
	CELL_TEXT,   /* text: a name, perhaps from a file; control characters are masked */
	CELL_MARK,   /* text: words of perf's own where there is no value, as "?"; null in JSON */
	CELL_NUMBER, /* number */
	CELL_SIGNED, /* integer */
	CELL_REAL, /* real, with decimals; -9: nine digits that count, as printf("%.9g") has them */
	CELL_PERCENT, /* 100 * part / whole with two decimals, "12.34%"; whole 0: "0.00%" */
	CELL_RANGE,   /* low to high, percents: "12.34-15.00%"; in JSON an array of both */
	CELL_TIME,    /* number of ns, as seconds; further decimals are cut off */
};

struct cell {
	enum cell_kind kind;
	int number_end; /* CELL_TEXT: it begins with a number of so many bytes, which is not cut */
	int decimals;   /* of CELL_REAL and CELL_TIME: 1 to 9 for the latter */
	union {
		const char *text; /* never NULL */
		u64 number;
		s64 integer;
		double real;
		struct {
			u64 part, whole;
		};
		struct {
			double low, high;
		};
	};
};

#define CELL_TEXT_SIZE 512 /* a double has up to 309 digits before its point */

/* Its text, without colour or padding: made in @buf of CELL_TEXT_SIZE bytes, or a text it has. */
const char *cell__print(const struct cell *cell, char *buf);

static inline struct cell cell__text(const char *text)
{
	return (struct cell){ .kind = CELL_TEXT, .text = text };
}

/* @is_number: a part of it would be another number. */
static inline struct cell cell__text_or_number(const char *text, bool is_number)
{
	return (struct cell){ .kind = CELL_TEXT,
		              .text = text,
		              .number_end = is_number ? INT32_MAX : 0 };
}

static inline struct cell cell__mark(const char *text)
{
	return (struct cell){ .kind = CELL_MARK, .text = text };
}

static inline struct cell cell__number(u64 number)
{
	return (struct cell){ .kind = CELL_NUMBER, .number = number };
}

static inline struct cell cell__signed(s64 integer)
{
	return (struct cell){ .kind = CELL_SIGNED, .integer = integer };
}

static inline struct cell cell__real(double real, int decimals)
{
	return (struct cell){ .kind = CELL_REAL, .decimals = decimals, .real = real };
}

static inline struct cell cell__percent(u64 part, u64 whole)
{
	return (struct cell){ .kind = CELL_PERCENT, .part = part, .whole = whole };
}

static inline struct cell cell__range(double low, double high)
{
	return (struct cell){ .kind = CELL_RANGE, .low = low, .high = high };
}

static inline struct cell cell__time(u64 ns, int decimals)
{
	return (struct cell){ .kind = CELL_TIME, .decimals = decimals, .number = ns };
}

#endif
