/* SPDX-License-Identifier: GPL-2.0-or-later */
/* String helpers: make text from files safe for a terminal, parse numbers strictly, match globs. */
#ifndef PERF_UTIL_LIB_TEXT_H
#define PERF_UTIL_LIB_TEXT_H

#include "util/lib/types.h"

/* Of names in C, for strspn(). */
#define TEXT_WORD_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* Length in bytes of the UTF-8 character at @s (NUL-ended); 0: it is not one (RFC 3629). */
unsigned text__utf8_length(const char *s);

/*
 * Copy @src to @dst of @size bytes (cut if needed, always NUL-ended), with '?' for each byte of a
 * control character. These are: below 0x20; 0x7f; U+0080 to U+009f, in UTF-8 or as a single byte,
 * which begin terminal sequences as ESC [ does; U+202a to U+202e and U+2066 to U+2069, which change
 * the direction of text. Other bytes that are not UTF-8 pass. Returns @dst.
 */
char *text__printable(char *dst, size_t size, const char *src);

/*
 * Are the @len bytes at @s free of control characters (NUL is one)? @s is NUL-ended, there or
 * later. Plain names are checked eight bytes at a time.
 */
bool text__is_printable(const char *s, size_t len);

/*
 * Parse the whole of @s as an unsigned number (decimal, 0x hex, 0 octal). Returns 0, -EINVAL
 * (empty, sign, trailing bytes) or -ERANGE; *value is written on success only.
 */
int text__parse_u64(const char *s, u64 *value);

/*
 * The number that @s begins with, with a decimal point in every locale; *end is after it. If there
 * is none: 0, and *end is @s.
 */
double text__double(const char *s, const char **end);

/*
 * The part of @text around @at, a place in it, that is fit for one line of an error (70 bytes);
 * *@column is where @at is in it.
 */
void text__excerpt(const char *text, const char *at, char *buf, size_t size, size_t *column);

/* The part after the last '/', or all of @path. Never NULL; points into @path. */
const char *text__basename(const char *path);

/* Does @s start with @prefix? Inline, because most texts differ in their first byte. */
static inline bool text__starts_with(const char *s, const char *prefix)
{
	while (*prefix && *s == *prefix)
		s++, prefix++;
	return !*prefix;
}

/* Shell-style match with * ? [a-z]; the whole of @s must match. No escapes, never recursive. */
bool text__glob(const char *pattern, const char *s);

/*
 * Edit distance (insert, delete, replace and swap of neighbours cost 1 each, letter case nothing),
 * for "did you mean". Strings longer than 63 bytes give a distance of at least the length
 * difference.
 */
unsigned text__distance(const char *a, const char *b);

#endif
