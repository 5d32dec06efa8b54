// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/options/options.h"

#include <string.h>

#include "tests/unit/unit.h"

static bool flag;
static unsigned number;
static const char *text, *other;

static const struct option options[] = {
	OPT_BOOL('a', "all-cpus", &flag, NULL),
	OPT_UINT('F', "freq", &number, NULL, NULL),
	OPT_STRING('c', "cpu", &text, NULL, NULL),
	OPT_STRING(0, "comm", &other, NULL, NULL),
	OPT_STRING('I', "intr-regs", &text, NULL, NULL, .flags = OPTION_OPTIONAL_ARG),
	OPT_STRING('g', "graph", &text, NULL, NULL, .flags = OPTION_OPTIONAL_ARG | OPTION_NEXT_ARG),
	{ OPTION_END },
};

/* The last word of @line (words between single blanks; one at its end: an empty word). */
static struct options_position position(const char *line, unsigned flags)
{
	static char copy[200];
	static const char *words[20];
	int nr = 0;
	char *at = copy;

	snprintf(copy, sizeof(copy), "%s", line);
	while (at)
		words[nr++] = strsep(&at, " ");
	return options__position(nr, words, options, flags);
}

static void check_value(const char *line, char of, const char *typed)
{
	struct options_position got = position(line, 0);

	CHECK_EQ(got.kind, POSITION_VALUE);
	CHECK(got.option && got.option->short_name == of);
	CHECK_STR(got.kind == POSITION_VALUE ? got.value : "", typed);
}

static void check_argument(const char *line, unsigned flags, int first)
{
	struct options_position got = position(line, flags);

	CHECK_EQ(got.kind, POSITION_ARGUMENT);
	CHECK_EQ(got.first_arg, first);
}

TEST(position_of_option_names)
{
	CHECK_EQ(position("-", 0).kind, POSITION_OPTION);
	CHECK_EQ(position("-a", 0).kind, POSITION_OPTION);
	CHECK_EQ(position("-aF", 0).kind, POSITION_OPTION);
	CHECK_EQ(position("-Z", 0).kind, POSITION_OPTION);
	CHECK_EQ(position("--", 0).kind, POSITION_OPTION);
	CHECK_EQ(position("-F 99 --fr", 0).kind, POSITION_OPTION);
	CHECK_EQ(position("file --fr", OPTIONS_PERMUTE).kind, POSITION_OPTION);
	CHECK_EQ(position("-I --fr", 0).kind, POSITION_OPTION);
	CHECK_EQ(position("-g --fr", 0).kind, POSITION_OPTION);
	CHECK_EQ(position("--no-cpu --fr", 0).kind, POSITION_OPTION);
	CHECK_EQ(position("--nosuch --fr", 0).kind, POSITION_OPTION);
}

TEST(position_of_values)
{
	check_value("-F ", 'F', "");
	check_value("-F 9", 'F', "9");
	check_value("-F9", 'F', "9");
	check_value("-aF9", 'F', "9");
	check_value("-aF 9", 'F', "9");
	check_value("--freq 9", 'F', "9");
	check_value("--freq=9", 'F', "9");
	check_value("--fr=9", 'F', "9");
	check_value("--fr 9", 'F', "9");
	check_value("-a -c -F", 'c', "-F"); /* a value may look like an option */
	check_value("-I9", 'I', "9");
	check_value("--intr-regs=9", 'I', "9");
	check_value("-g 9", 'g', "9");
	check_value("-F 99 -c 1 -g9", 'g', "9");
	check_value("--co 9", 0, "9");
}

TEST(position_of_arguments)
{
	check_argument("", 0, 0);
	check_argument("ls -F", 0, 0);
	check_argument("-a -F 99 ls -l", 0, 3);
	check_argument("-a -- --fr", 0, 2);
	check_argument("-I 9", 0, 1);
	check_argument("--no-cpu 9", 0, 1);
	check_argument("--c 9", 0, 1); /* two options begin so */
	check_argument("one two", OPTIONS_PERMUTE, 0);
	check_argument("one -a two", OPTIONS_PERMUTE, 0);
	check_argument("one -- --fr", OPTIONS_PERMUTE, 0);
	check_argument("- x", 0, 0);
}
