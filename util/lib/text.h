/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small string helpers: text that comes from files made fit for a terminal, numbers parsed
 * strictly.
 */
#ifndef PERF_UTIL_LIB_TEXT_H
#define PERF_UTIL_LIB_TEXT_H

#include "util/lib/types.h"

/* How many bytes the UTF-8 character at @s has (NUL-ended); 0: it is none (RFC 3629). */
unsigned text__utf8_length(const char *s);

/*
 * Copy @src to @dst of @size bytes (cut if needed, always ended), each byte of a control character
 * a '?': below 0x20, 0x7f, U+0080 to U+009f, with which terminals begin sequences as with ESC [, in
 * UTF-8 or as a single byte, and what turns the direction of text (U+202a to U+202e, U+2066 to
 * U+2069). Other bytes that are no UTF-8 pass. Returns @dst.
 */
char *text__printable(char *dst, size_t size, const char *src);

/*
 * Is none of the @len bytes at @s (NUL-ended there or behind) of a control character (NUL is one)?
 * Plain names are asked eight bytes at a time.
 */
bool text__is_printable(const char *s, size_t len);

/*
 * Parse the whole of @s as an unsigned number (decimal, 0x hex, 0 octal). Returns 0, -EINVAL
 * (empty, sign, trailing bytes) or -ERANGE; *value is written on success only.
 */
int text__parse_u64(const char *s, u64 *value);

/*
 * The number that @s begins with, written with a point, whatever the locale says; *end behind it,
 * or at @s where there is none (then 0).
 */
double text__double(const char *s, const char **end);

/* The part behind the last '/', or all of @path. Never NULL; points into @path. */
const char *text__basename(const char *path);

/* @s starts with @prefix? Here, because most texts differ in their first byte. */
static inline bool text__starts_with(const char *s, const char *prefix)
{
	while (*prefix && *s == *prefix)
		s++, prefix++;
	return !*prefix;
}

/* Shell-style match with * ? [a-z]; the whole of @s must match. No escapes, never recursive. */
bool text__glob(const char *pattern, const char *s);

/*
 * Edit distance (insert, delete, replace, swap of neighbours each cost 1; capitals are as small
 * letters), for "did you mean".
 * Strings longer than 63 bytes give a distance of at least the length difference.
 */
unsigned text__distance(const char *a, const char *b);

#endif
