// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages on stderr, which a browser holds back and shows. */
#include "ui/term/diag.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"

static char printed[1024]; /* what @say put on stderr */

static const char *stderr_of(void (*say)(void))
{
	FILE *file = tmpfile();
	int old = dup(STDERR_FILENO);

	dup2(fileno(file), STDERR_FILENO);
	say();
	fflush(stderr);
	dup2(old, STDERR_FILENO);
	close(old);
	rewind(file);
	printed[fread(printed, 1, sizeof(printed) - 1, file)] = '\0';
	fclose(file);
	return printed;
}

static void say(void)
{
	diag__say_warning("one\ntwo\033");
	diag__line("plain");
}

static void hold(void)
{
	diag__hold(true);
	say();
}

static void release(void)
{
	diag__hold(false);
	diag__say_error("three");
}

TEST(messages_are_printed_and_kept)
{
	static const char text[] = "Warning: one\n  two?\nplain\n";
	u32 before, nr;
	size_t len = strlen(diag__said(&before));

	CHECK_STR(stderr_of(say), text);
	CHECK_STR(diag__said(&nr) + len, text);
	CHECK_EQ(nr, before + 1);
}

TEST(messages_wait_while_the_screen_is_a_browsers)
{
	u32 before, nr;
	size_t len = strlen(diag__said(&before));

	CHECK_STR(stderr_of(hold), "");
	CHECK_STR(diag__said(&nr) + len, "Warning: one\n  two?\nplain\n");
	CHECK_EQ(nr, before + 1);
	CHECK_STR(stderr_of(release), "Warning: one\n  two?\nplain\nError: three\n");
	CHECK_EQ((diag__said(&nr), nr), before + 2);
}
