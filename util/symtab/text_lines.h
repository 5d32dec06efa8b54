/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a text file (also of /proc) line by line through a small buffer, and parses hexadecimal
 * numbers.
 */
#ifndef PERF_UTIL_SYMTAB_TEXT_LINES_H
#define PERF_UTIL_SYMTAB_TEXT_LINES_H

#include <string.h>

#include "util/lib/types.h"

/* Number of bytes behind a line's end that may be read (and mean nothing). */
#define LINE_SLACK 64u

/* Longer lines are skipped: no compiler writes such names, and memory stays bounded. */
#define LINE_MAX_SIZE (64u * 1024)

struct lines {
	int fd;    /* borrowed */
	int error; /* -errno of a failed read: the lines ended there */
	bool eof, skipping;
	char *buf;
	size_t pos, len;
};

void lines__init(struct lines *lines, int fd);
void lines__exit(struct lines *lines);

/* The slow half of lines__next(): get more bytes. */
bool lines__refill(struct lines *lines, const char **line, const char **end);

/*
 * The next line as [*line, *end), without its newline; valid until the next call. False at the
 * end of the file or a read error.
 */
static inline bool lines__next(struct lines *lines, const char **line, const char **end)
{
	char *start = lines->buf + lines->pos;
	char *newline = memchr(start, '\n', lines->len - lines->pos);

	if (unlikely(!newline || lines->skipping))
		return lines__refill(lines, line, end);
	*line = start;
	*end = newline;
	lines->pos = newline + 1 - lines->buf;
	return true;
}

/*
 * The last whole line before @before, among those that are buffered but were not returned yet;
 * false: there is none. @before: a line, or NULL: the end of the buffered bytes.
 */
bool lines__last(const struct lines *lines, const char *before, const char **line,
                 const char **end);

/* Skip the lines before @line, which is from lines__last(): it comes next. */
void lines__go_to(struct lines *lines, const char *line);

extern const signed char lines__hex_digits[256]; /* value, or -1 */

/*
 * Parse eight hexadecimal digits at once: each character is checked to be a digit or a lower-case
 * letter, and its four bits (a letter's plus 9) are then packed. False: not eight digits.
 */
static inline bool lines__hex8(const char *p, u64 *value)
{
	const u64 ones = 0x0101010101010101ull;
	u64 x;

	memcpy(&x, p, 8);
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		x = __builtin_bswap64(x);
	u64 letters = x >> 6 & ones, low = x & 15 * ones;

	if ((x & 0xf0 * ones) != 0x30 * ones + letters * 0x30)
		return false;
	x = low + letters * 9;
	/* No digit above 9, no letter above f, none below a. */
	if (((low + (ones - letters) * 6) | x) & 0x10 * ones ||
	    (letters & ~((low + 15 * ones) >> 4 & ones)))
		return false;
	x = (x << 4 | x >> 8) & 0x00ff00ff00ff00ffull;
	x = (x << 8 | x >> 16) & 0x0000ffff0000ffffull;
	*value = (x << 16 | x >> 32) & 0xffffffffull;
	return true;
}

/*
 * The hexadecimal number at @p (no 0x; 1 to 16 digits). Returns the position behind it, or NULL
 * when there is none or it does not fit.
 */
static inline const char *lines__hex(const char *p, const char *end, u64 *value)
{
	const char *start = p;
	u64 v = 0, high, low;

	if (end - p > 16 && p[16] == ' ' && lines__hex8(p, &high) && lines__hex8(p + 8, &low)) {
		*value = high << 32 | low;
		return p + 16;
	}
	for (; p < end; p++) {
		int digit = lines__hex_digits[(u8)*p];

		if (digit < 0)
			break;
		v = v << 4 | digit;
	}
	if (p == start || p - start > 16)
		return NULL;
	*value = v;
	return p;
}

#endif
