/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Buffered text output with its own integer, hex and percent formatting. On the hot paths of
 * `script` and `report` printf would be most of the cost. One struct out per stream and thread. The
 * first write error is remembered (`error`, negative errno) and later output is dropped, so a
 * command checks once at its end; EPIPE is how `| head` ends us.
 */
#ifndef PERF_UTIL_LIB_OUT_H
#define PERF_UTIL_LIB_OUT_H

#include <string.h>

#include "util/lib/types.h"

#define OUT_SIZE (64 * 1024)

struct out {
	int fd; /* not owned; -1: keep everything in memory (see out__take) */
	int error;
	char *buf;
	size_t len, cap;
	u64 written; /* bytes written to @fd */
};

void out__init(struct out *out, int fd);
void out__exit(struct out *out); /* flushes; frees the buffer */
int out__flush(struct out *out); /* 0 or the remembered error */

/* For fd -1: the collected bytes, NUL-ended, valid until the next call on @out. */
const char *out__take(struct out *out);

/* Make room for @len bytes and return their address; the caller then adds to out->len. */
char *out__room_slow(struct out *out, size_t len);

static inline char *out__room(struct out *out, size_t len)
{
	if (likely(out->cap - out->len >= len))
		return out->buf + out->len;
	return out__room_slow(out, len);
}

static inline void out__mem(struct out *out, const void *data, size_t len)
{
	if (!len) /* @data may be NULL then */
		return;
	memcpy(out__room(out, len), data, len);
	out->len += len;
}

static inline void out__char(struct out *out, char c)
{
	*out__room(out, 1) = c;
	out->len++;
}

static inline void out__str(struct out *out, const char *s)
{
	out__mem(out, s, strlen(s));
}

/* A name from a file: control characters come out as '?'. */
void out__name(struct out *out, const char *s);

/*
 * The same as one field of a line whose fields are separated by @separator. Put in double quotes,
 * with quotes inside doubled, if it would not be read as one field otherwise (RFC 4180).
 */
void out__field(struct out *out, const char *s, const char *separator);

void out__fill(struct out *out, char c, int count);    /* nothing for count <= 0 */
void out__dec(struct out *out, u64 value, int width);  /* right-aligned in blanks to width */
void out__dec0(struct out *out, u64 value, int width); /* the same with leading zeros */
void out__hex(struct out *out, u64 value, int width);  /* lower case, right-aligned in blanks */
void out__hex0(struct out *out, u64 value, int width); /* with leading zeros */
void out__sdec(struct out *out, s64 value);
void out__right(struct out *out, const char *s, int width); /* name, right-aligned */
void out__left(struct out *out, const char *s, int width);  /* name, padded on the right */

/*
 * 100 * part / whole with @decimals places, rounded as printf("%.*f") rounds, right-aligned to
 * @width. whole 0 prints 0.
 */
void out__percent(struct out *out, u64 part, u64 whole, int decimals, int width);

void out__printf(struct out *out, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
