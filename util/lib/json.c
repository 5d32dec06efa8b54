// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/json.h"

/* Length of the UTF-8 character at @s (NUL-ended), 0 if it is none (RFC 3629). */
static unsigned utf8_length(const u8 *s)
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

void json__string(struct out *out, const char *s)
{
	if (!s) {
		out__str(out, "null");
		return;
	}
	out__char(out, '"');
	while (*s) {
		unsigned len = utf8_length((const u8 *)s);

		if (*s == '"' || *s == '\\') {
			out__char(out, '\\');
			out__char(out, *s);
		} else if ((u8)*s < 0x20 || *s == 0x7f) {
			out__str(out, "\\u");
			out__hex0(out, (u8)*s, 4);
		} else if (!len) {
			out__str(out, "\\ufffd");
		} else {
			out__mem(out, s, len);
		}
		s += len ? len : 1;
	}
	out__char(out, '"');
}
