// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/declaration.h"

#include <ctype.h>

#include "util/lib/types.h"

static bool is_word(char c)
{
	return isalnum((u8)c) || c == '_';
}

bool declaration__split(struct declaration *d, const char *start, const char *end)
{
	*d = (struct declaration){ .length = { end, 0 },
		                   .is_array = end > start && end[-1] == ']' };
	while (end > start && end[-1] == ']') {
		const char *close = end - 1;

		while (end > start && end[-1] != '[')
			end--;
		d->length = (struct text_part){ end, close - end };
		end -= end > start;
	}
	while (end > start && !is_word(end[-1]))
		end--;
	const char *name = end;

	while (name > start && is_word(name[-1]))
		name--;
	d->name = (struct text_part){ name, end - name };
	end = name;
	while (end > start && end[-1] == ' ')
		end--;
	d->type = (struct text_part){ start, end - start };
	return d->name.len > 0;
}
