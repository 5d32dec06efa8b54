// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/json.h"

#include "util/lib/text.h"

void json__string(struct out *out, const char *s)
{
	if (!s) {
		out__str(out, "null");
		return;
	}
	out__char(out, '"');
	while (*s) {
		unsigned len = text__utf8_length(s);

		if (*s == '"' || *s == '\\') {
			out__char(out, '\\');
			out__char(out, *s);
		} else if ((u8)*s < 0x20 || *s == 0x7f) {
			out__str(out, "\\u");
			out__hex0(out, (u8)*s, 4);
		} else if (!len) {
			out__str(out, "\\ufffd");
		} else if (len > 1 && !text__is_printable(s, len)) {
			u8 high = (u8)*s & (len == 2 ? 0x1f : 0x0f), low = s[len - 1] & 0x3f;

			out__str(out, "\\u");
			out__hex0(out,
			          len == 2 ? high << 6 | low
			                   : high << 12 | (s[1] & 0x3f) << 6 | low,
			          4);
		} else {
			out__mem(out, s, len);
		}
		s += len ? len : 1;
	}
	out__char(out, '"');
}
