// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/text.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned text__utf8_length(const char *text)
{
	static const struct {
		u8 first, last; /* of the first byte */
		u8 low, high;   /* of the second: no overlong forms, no surrogates, no end above
		                   10ffff */
		unsigned len;
	} forms[] = {
		{ 0x00, 0x7f, 0, 0, 1 },       { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	const u8 *s = (const u8 *)text;

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		if (*s < forms[i].first || *s > forms[i].last)
			continue;
		if (forms[i].len > 1 && (s[1] < forms[i].low || s[1] > forms[i].high))
			return 0;
		for (unsigned at = 2; at < forms[i].len; at++)
			if ((s[at] & 0xc0) != 0x80)
				return 0;
		return forms[i].len;
	}
	return 0;
}

/* U+202A to U+202E and U+2066 to U+2069, with which a name would be shown in another order. */
static bool turns_text(const char *s)
{
	u8 second = s[1], third = s[2];

	return (second == 0x80 && third >= 0xaa && third <= 0xae) ||
	       (second == 0x81 && third >= 0xa6 && third <= 0xa9);
}

/* How many bytes belong together at @s, and whether they are a control character. */
static unsigned next_character(const char *s, bool *control)
{
	u8 c = *s;
	unsigned len = c < 0x80 ? 1 : text__utf8_length(s);

	*control = c < 0x20 || c == 0x7f || (!len && c < 0xa0) ||
	           (len == 2 && c == 0xc2 && (u8)s[1] < 0xa0) ||
	           (len == 3 && c == 0xe2 && turns_text(s));
	return len ? len : 1;
}

/* A byte that stays below 0x80 with 0x60 added, or reaches it with 1, gets its top bit. */
static bool are_plain(const char *bytes)
{
	const u64 ones = 0x0101010101010101ull, tops = 0x80 * ones;
	u64 word;

	memcpy(&word, bytes, 8);
	u64 low = word & ~tops;

	return !((~(low + 0x60 * ones) | (low + ones) | word) & tops);
}

bool text__is_printable(const char *s, size_t len)
{
	bool control = false, plain = len >= 8;

	for (size_t i = 0; plain && i < len - 8; i += 8)
		plain = are_plain(s + i);
	if (plain && are_plain(s + len - 8))
		return true;
	for (size_t i = 0; i < len && !control;)
		i += next_character(s + i, &control);
	return !control;
}

char *text__printable(char *dst, size_t size, const char *src)
{
	bool control;

	if (!size)
		return dst;
	size_t len = strnlen(src, size - 1);

	for (size_t i = 0; i < len;) {
		size_t end = min_u64(i + next_character(src + i, &control), len);

		for (; i < end; i++)
			dst[i] = control ? '?' : src[i];
	}
	dst[len] = '\0';
	return dst;
}

int text__parse_u64(const char *s, u64 *value)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	unsigned long long v = strtoull(s, &end, 0);

	if (errno)
		return -errno;
	if (*end)
		return -EINVAL;
	*value = v;
	return 0;
}

double text__double(const char *s, const char **end)
{
	locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	double value;
	char *behind;

	if (!c) {
		value = strtod(s, &behind);
	} else {
		value = strtod_l(s, &behind, c);
		freelocale(c);
	}
	*end = behind;
	return value;
}

void text__excerpt(const char *text, const char *at, char *buf, size_t size, size_t *column)
{
	size_t len = strlen(text), offset = at - text, start = 0;

	if (len >= 64 && offset > 40)
		start = offset - 40;
	*column = offset - start;
	if (start) {
		start += 2; /* the place of the two points */
		snprintf(buf, size, "..%.60s%s", text + start, len - start > 60 ? ".." : "");
	} else {
		snprintf(buf, size, "%.64s%s", text, len > 64 ? ".." : "");
	}
}

const char *text__basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Match one [class] at *pattern (behind the '['); moves *pattern behind the ']'. */
static bool match_class(const char **pattern, char c)
{
	const char *p = *pattern;
	bool negate = *p == '!' || *p == '^', hit = false;

	if (negate)
		p++;
	for (const char *first = p; *p && (*p != ']' || p == first); p++) {
		if (p[1] == '-' && p[2] && p[2] != ']') {
			hit |= c >= p[0] && c <= p[2];
			p += 2;
		} else {
			hit |= *p == c;
		}
	}
	*pattern = *p ? p + 1 : p;
	return hit != negate;
}

bool text__glob(const char *pattern, const char *s)
{
	const char *star = NULL, *star_s = NULL;

	while (*s) {
		const char *next = pattern;
		bool match;

		if (*pattern == '*') {
			star = ++pattern;
			star_s = s;
			continue;
		}
		if (*next == '[') {
			next++;
			match = match_class(&next, *s);
		} else {
			match = *next && (*next == '?' || *next == *s);
			next++;
		}
		if (match) {
			pattern = next;
			s++;
		} else if (star) {
			pattern = star;
			s = ++star_s;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

unsigned text__distance(const char *a, const char *b)
{
	enum { MAX = 63 };
	unsigned rows[3][MAX + 1];
	size_t la = strlen(a), lb = strlen(b);

	if (la > MAX || lb > MAX)
		return la > lb ? la - lb + MAX : lb - la + MAX;
	for (size_t j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		unsigned *cur = rows[i % 3], *prev = rows[(i - 1) % 3], *prev2 = rows[(i + 1) % 3];

		cur[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned best = prev[j - 1] + !same_letter(a[i - 1], b[j - 1]);

			if (prev[j] + 1 < best)
				best = prev[j] + 1;
			if (cur[j - 1] + 1 < best)
				best = cur[j - 1] + 1;
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]) && prev2[j - 2] + 1 < best)
				best = prev2[j - 2] + 1;
			cur[j] = best;
		}
	}
	return rows[la % 3][lb];
}
