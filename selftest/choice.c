// SPDX-License-Identifier: GPL-2.0-or-later
#include "selftest/choice.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

static u64 all_cases(const struct selftest_suite *suite)
{
	return ~0ull >> (64 - suite->nr);
}

/* Decimal digits at *@text, which moves behind them. False without any. */
static bool take_number(const char **text, u32 *number)
{
	u64 value = 0;

	if (!isdigit((unsigned char)**text))
		return false;
	for (; isdigit((unsigned char)**text); ++*text)
		value = min_u64(value * 10 + (**text - '0'), UINT32_MAX);
	*number = value;
	return true;
}

static int out_of_range(const struct selftest_choice *choice, const char *word, struct error *err)
{
	error__set(err, -ERANGE, "there is no test", word, "the tests are 1 to %u", choice->nr);
	error__advise(err, "'perf test list' names them");
	return -ERANGE;
}

/* 1: @word is a number and was used; 0: it is none. */
static int choose_number(struct selftest_choice *choice, const char *word, struct error *err)
{
	const char *rest = word;
	u32 suite, one = 0;

	if (!take_number(&rest, &suite))
		return 0;
	if (*rest == '.' || *rest == ':') {
		rest++;
		if (!take_number(&rest, &one))
			return 0;
		if (!one)
			return out_of_range(choice, word, err);
	}
	if (*rest)
		return 0;
	if (!suite || suite > choice->nr || one > choice->suites[suite - 1].nr)
		return out_of_range(choice, word, err);
	choice->cases[suite - 1] |= one ? 1ull << (one - 1) : all_cases(&choice->suites[suite - 1]);
	return 1;
}

static bool choose_name(struct selftest_choice *choice, const char *word)
{
	bool found = false;

	for (u32 i = 0; i < choice->nr; i++) {
		const struct selftest_suite *suite = &choice->suites[i];
		u64 cases = 0;

		for (u32 j = 0; j < suite->nr; j++)
			if (suite->cases[j].about && strcasestr(suite->cases[j].about, word))
				cases |= 1ull << j;
		if (strcasestr(suite->about, word))
			cases = all_cases(suite);
		choice->cases[i] |= cases;
		found |= cases != 0;
	}
	return found;
}

int selftest_choice__init(struct selftest_choice *choice, const struct selftest_suite *suites,
                          u32 nr, int nr_words, const char *const *words, struct error *err)
{
	*choice = (struct selftest_choice){ .suites = suites, .nr = nr };
	choice->cases = xcalloc(nr, sizeof(*choice->cases));
	choice->skipped = xcalloc(nr, sizeof(*choice->skipped));
	for (u32 i = 0; i < nr && !nr_words; i++)
		choice->cases[i] = all_cases(&suites[i]);
	for (int i = 0; i < nr_words; i++) {
		int ret = choose_number(choice, words[i], err);

		if (ret < 0)
			return ret;
		if (ret || choose_name(choice, words[i]))
			continue;
		error__set(err, -ENOENT, "there is no test", words[i], "no name has that in it");
		error__advise(err, "'perf test list' names them");
		return -ENOENT;
	}
	return 0;
}

void selftest_choice__exit(struct selftest_choice *choice)
{
	free(choice->cases);
	free(choice->skipped);
}

int selftest_choice__skip(struct selftest_choice *choice, const char *text, struct error *err)
{
	const char *rest = text;

	for (;;) {
		u32 from, to;

		if (!take_number(&rest, &from))
			break;
		to = from;
		if (*rest == '-') {
			rest++;
			if (!take_number(&rest, &to))
				break;
		}
		if (!from || to > choice->nr || from > to)
			return out_of_range(choice, text, err);
		for (u32 i = from - 1; i < to; i++)
			choice->skipped[i] = true;
		if (!*rest)
			return 0;
		if (*rest++ != ',')
			break;
	}
	error__set(err, -EINVAL, "cannot skip", text, "this is no list of numbers");
	error__advise(err, "like -s 1,3-5");
	return -EINVAL;
}
