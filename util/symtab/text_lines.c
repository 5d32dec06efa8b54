// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symtab/text_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/lib/alloc.h"

#define X4(v)  v, v, v, v
#define X16(v) X4(v), X4(v), X4(v), X4(v)

/* clang-format off */
const signed char lines__hex_digits[256] = {
	X16(-1), X16(-1), X16(-1),
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1, -1, -1, -1, -1,
	-1, 10, 11, 12, 13, 14, 15, -1, X4(-1), X4(-1), X16(-1),
	-1, 10, 11, 12, 13, 14, 15, -1, X4(-1), X4(-1), X16(-1),
	X16(-1), X16(-1), X16(-1), X16(-1), X16(-1), X16(-1), X16(-1), X16(-1),
};
/* clang-format on */

void lines__init(struct lines *lines, int fd)
{
	*lines = (struct lines){ .fd = fd, .buf = xcalloc(1, LINE_MAX_SIZE + LINE_SLACK) };
}

void lines__exit(struct lines *lines)
{
	free(lines->buf);
	lines->buf = NULL;
}

/* Append what one read gives. False at the end or on an error. */
static bool fill(struct lines *lines)
{
	ssize_t n;

	do {
		n = read(lines->fd, lines->buf + lines->len, LINE_MAX_SIZE - lines->len);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		lines->error = -errno;
	if (n <= 0) {
		lines->eof = true;
		return false;
	}
	lines->len += n;
	return true;
}

bool lines__refill(struct lines *lines, const char **line, const char **end)
{
	size_t searched = 0;

	for (;;) {
		char *start = lines->buf + lines->pos;
		size_t left = lines->len - lines->pos;
		char *newline = memchr(start + searched, '\n', left - searched);

		if (newline) {
			lines->pos = newline + 1 - lines->buf;
			if (lines->skipping) { /* the end of a line that was too long */
				lines->skipping = false;
				searched = 0;
				continue;
			}
			*line = start;
			*end = newline;
			return true;
		}
		memmove(lines->buf, start, left);
		lines->pos = 0;
		lines->len = left;
		if (left == LINE_MAX_SIZE) {
			lines->skipping = true;
			lines->len = left = 0;
		}
		searched = left;
		if (lines->eof || !fill(lines))
			break;
	}
	/* The last line may lack its newline. */
	*line = lines->buf;
	*end = lines->buf + lines->len;
	bool any = lines->len && !lines->skipping;

	lines->pos = lines->len = 0;
	return any;
}

bool lines__last(const struct lines *lines, const char *before, const char **line, const char **end)
{
	const char *start = lines->buf + lines->pos;

	*end = before ? before - 1 : memrchr(start, '\n', lines->len - lines->pos);
	if (!*end || *end <= start || lines->skipping)
		return false;
	const char *newline = memrchr(start, '\n', *end - start);

	*line = newline ? newline + 1 : start;
	return true;
}

void lines__go_to(struct lines *lines, const char *line)
{
	lines->pos = line - lines->buf;
}
