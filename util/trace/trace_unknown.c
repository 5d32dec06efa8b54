// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/trace/trace_unknown.h"

#include <ctype.h>
#include <string.h>

#include "util/trace/trace_format.h"

static bool is_word(char c)
{
	return isalnum((u8)c) || c == '_';
}

static bool is_known(const char *word, size_t len)
{
	static const char *const known[] = {
		"__print_flags",
		"__print_symbolic",
		"__print_hex",
		"__print_hex_str",
		"__print_array",
		"__get_str",
		"__get_rel_str",
		"__get_bitmask",
		"__get_rel_bitmask",
		"__get_cpumask",
		"__get_rel_cpumask",
		"__get_dynamic_array",
		"__get_rel_dynamic_array",
		"__get_dynamic_array_len",
		"__get_rel_dynamic_array_len",
		"__builtin_expect",
		"sizeof",
	};

	for (unsigned i = 0; i < ARRAY_SIZE(known); i++)
		if (len == strlen(known[i]) && !memcmp(word, known[i], len))
			return true;
	return false;
}

/* Behind the text in quotes that begins at @at. */
static const char *skip_text(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		at += *at == '\\';
	return at < end ? at + 1 : end;
}

void trace_unknown__function(const struct trace_event *event, char *name, size_t size)
{
	static const char start[] = "print fmt:";
	const char *end = event->text + event->text_size;
	const char *at = memmem(event->text, event->text_size, start, strlen(start));

	*name = '\0';
	for (at = at ? at + strlen(start) : end; at < end;) {
		const char *word = at;

		if (*at == '"') {
			at = skip_text(at, end);
			continue;
		}
		while (at < end && is_word(*at))
			at++;
		size_t len = at - word;

		if (len && at < end && *at == '(' && len < size && !isdigit((u8)*word) &&
		    !is_known(word, len)) {
			memcpy(name, word, len);
			name[len] = '\0';
			return;
		}
		at += !len;
	}
}
