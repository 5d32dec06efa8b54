// SPDX-License-Identifier: GPL-2.0-or-later
/* What the word at a shell's cursor is; words are read as options__parse() reads them. */
#include <string.h>

#include "util/options/options.h"

/* Does the word behind this option belong to it? */
static bool takes_next(const struct option *option, const char *next)
{
	if (!option || !option__takes_arg(option))
		return false;
	if (!(option->flags & OPTION_OPTIONAL_ARG))
		return true;
	return (option->flags & OPTION_NEXT_ARG) && next[0] != '-';
}

/* The option of @word whose value is still to come, NULL if there is none. */
static const struct option *awaits_value(const struct option *options, const char *word)
{
	const struct option *option;

	if (word[1] == '-') {
		if (strchr(word, '='))
			return NULL;
		/* --no-opt takes none: no row is called so. */
		option = options__find_long(options, word + 2, strlen(word + 2));
		if (option && option->name && strncmp(option->name, word + 2, strlen(word + 2)))
			return NULL;
		return option;
	}
	for (const char *c = word + 1; *c; c++) {
		option = options__find_short(options, *c);
		if (!option)
			return NULL;
		if (option__takes_arg(option))
			return c[1] ? NULL : option;
	}
	return NULL;
}

/* The last word: a name, "--name=value", or "-xvalue". */
static struct options_position position_in_word(const char *word, const struct option *options)
{
	const char *equal = strchr(word, '=');
	const struct option *option;

	if (word[1] == '-') {
		if (!equal)
			return (struct options_position){ .kind = POSITION_OPTION };
		option = options__find_long(options, word + 2, equal - word - 2);
		return (struct options_position){ POSITION_VALUE, option, equal + 1, 0 };
	}
	for (const char *c = word + 1; *c; c++) {
		option = options__find_short(options, *c);
		if (option && option__takes_arg(option) && c[1])
			return (struct options_position){ POSITION_VALUE, option, c + 1, 0 };
	}
	return (struct options_position){ .kind = POSITION_OPTION };
}

struct options_position options__position(int nr, const char *const *words,
                                          const struct option *options, unsigned flags)
{
	const char *last = words[nr - 1];
	int first = -1;

	for (int i = 0; i < nr - 1; i++) {
		const char *word = words[i];

		if (!strcmp(word, "--")) {
			first = first < 0 ? i + 1 : first;
			return (struct options_position){ POSITION_ARGUMENT, NULL, NULL, first };
		}
		if (word[0] != '-' || !word[1]) {
			first = first < 0 ? i : first;
			if (flags & OPTIONS_PERMUTE)
				continue;
			return (struct options_position){ POSITION_ARGUMENT, NULL, NULL, first };
		}
		const struct option *option = awaits_value(options, word);

		if (!takes_next(option, words[i + 1]))
			continue;
		if (++i == nr - 1)
			return (struct options_position){ POSITION_VALUE, option, last, 0 };
	}
	if (last[0] == '-')
		return position_in_word(last, options);
	return (struct options_position){ POSITION_ARGUMENT, NULL, NULL,
		                          first < 0 ? nr - 1 : first };
}
