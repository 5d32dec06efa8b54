/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a text file (also of /proc) line by line through one small buffer, and the hexadecimal
 * numbers that symbol lists are made of.
 */
#ifndef PERF_UTIL_SYMBOL_LINES_H
#define PERF_UTIL_SYMBOL_LINES_H

#include <string.h>

#include "util/lib/types.h"

/* Longer lines are passed over: no compiler writes such names, and memory stays bounded. */
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

extern const signed char lines__hex_digits[256]; /* value, or -1 */

/*
 * The hexadecimal number at @p (no 0x; 1 to 16 digits). Returns the place behind it, or NULL
 * when there is none or it does not fit.
 */
static inline const char *lines__hex(const char *p, const char *end, u64 *value)
{
	const char *start = p;
	u64 v = 0;

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
