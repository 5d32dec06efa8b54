// SPDX-License-Identifier: GPL-2.0-or-later
/* What comes through --control, byte by byte. */
#include "util/counter/control.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"

/* All commands in @bytes, fed @step bytes at a time: their verbs as letters, arguments behind. */
static const char *commands_in(const char *bytes, u32 len, u32 step)
{
	static char seen[4096];
	struct control control = CONTROL_INIT;
	struct control_command command;
	size_t at = 0;

	seen[0] = '\0';
	for (u32 i = 0; i < len;) {
		i += control__feed(&control, bytes + i, step < len - i ? step : len - i);
		while (control__next(&control, &command))
			at += snprintf(seen + at, sizeof(seen) - at, "%c%s%s ",
			               "?edspxl"[command.verb], command.argument ? "=" : "",
			               command.argument ? command.argument : "");
	}
	return seen;
}

#define COMMANDS(text, step) commands_in(text, sizeof(text) - 1, step)

TEST(control_understands_its_commands)
{
	static const char text[] = "enable\ndisable\nsnapshot\nping\nstop\nevlist\nevlist -v\n"
	                           "enable cpu-clock\n  \n\ndisable  a b \r\nstop\0ping\n";

	for (u32 step = 1; step < sizeof(text); step++)
		CHECK_STR(COMMANDS(text, step), "e d s p x l l=-v e=cpu-clock d=a b x p ");
}

TEST(control_takes_whole_words_only)
{
	CHECK_STR(COMMANDS("enableX\nenabl\nping me\nstop now\nENABLE\n", 7), "? ? ?=me ?=now ? ");
}

TEST(control_waits_for_the_end_of_a_line)
{
	CHECK_STR(COMMANDS("ping\nenab", 3), "p ");
}

TEST(control_skips_a_long_line_as_one_command)
{
	char text[3000];

	memset(text, 'x', sizeof(text));
	memcpy(text + 2000, "\nping\n", 6);
	CHECK_STR(commands_in(text, 2006, 100), "? p ");
	memcpy(text, "enable ", 7); /* its beginning alone would mean something */
	const char *seen = commands_in(text, 2006, 256);

	CHECK(!strncmp(seen, "?=x", 3));
	CHECK_STR(seen + strlen(seen) - 4, "x p ");
}

TEST(control_opens_what_is_there_and_answers)
{
	struct control control = CONTROL_INIT;
	struct control_command command;
	struct error err = ERROR_INIT;
	int there[2], back[2];
	char text[64], answer[16] = "";

	CHECK_EQ(pipe(there), 0);
	CHECK_EQ(pipe(back), 0);
	snprintf(text, sizeof(text), "fd:%d,%d", there[0], back[1]);
	CHECK_EQ(control__open(&control, text, &err), 0);
	CHECK_EQ(control__read(&control), 0); /* nothing, and it does not wait */
	CHECK_EQ(write(there[1], "ping\n", 5), 5);
	CHECK_EQ(control__read(&control), 1);
	CHECK(control__next(&control, &command));
	CHECK_EQ(command.verb, CONTROL_PING);
	CHECK_EQ(control__ack(&control), 0);
	CHECK_EQ(read(back[0], answer, sizeof(answer)), 5);
	CHECK(!memcmp(answer, "ack\n", 5));
	close(there[1]);
	CHECK_EQ(control__read(&control), -EPIPE);
	control__exit(&control);
	close(there[0]);
	close(back[0]);
	close(back[1]);
	CHECK_EQ(control__open(&control, "fd:x", &err), -EINVAL);
	CHECK_EQ(control__open(&control, "fd:1x", &err), -EINVAL);
	CHECK_EQ(control__open(&control, "pipe:1", &err), -EINVAL);
	CHECK_EQ(control__open(&control, "fifo:/nowhere", &err), -ENOENT);
	CHECK_EQ(control__open(&control, "fifo:/dev/null", &err), -EINVAL);
}
