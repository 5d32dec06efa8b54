// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of --control: any bytes, in pieces of any size. The first byte is the size of a piece. */
#include "util/counter/control.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

static int left_in(int fd)
{
	int left = 0;

	FUZZ_CHECK(!ioctl(fd, FIONREAD, &left));
	return left;
}

/* The same bytes through a pipe: as many commands, in the same order. */
static void read_pipe(const u8 *data, size_t size)
{
	struct control control = CONTROL_INIT, fed = CONTROL_INIT;
	struct control_command command, expected;
	size_t at = 0;
	char text[32];
	int fds[2];

	size = min_u64(size, PIPE_BUF);
	FUZZ_CHECK(!pipe(fds) && write(fds[1], data, size) == (ssize_t)size);
	snprintf(text, sizeof(text), "fd:%d,%d", fds[0], fds[1]);
	FUZZ_CHECK(!control__open(&control, text, NULL));
	close(fds[1]);
	close(fds[0]);
	while (left_in(control.fd)) {
		FUZZ_CHECK(control__read(&control) == 1);
		while (control__next(&control, &command)) {
			while (!control__next(&fed, &expected)) {
				FUZZ_CHECK(at < size);
				at += control__feed(&fed, (const char *)data + at, 1);
			}
			FUZZ_CHECK(command.verb == expected.verb &&
			           !strcmp(command.text, expected.text));
		}
	}
	FUZZ_CHECK(control__read(&control) == 0 && !control__ack(&control));
	control__exit(&control);
}

/* A text of --control that names no file; what it opens is closed again. */
static void open_text(const u8 *data, size_t size)
{
	char *text = fuzz__text(data, size);
	struct control control = CONTROL_INIT;
	struct error err = ERROR_INIT;

	if (!strchr(text, '/')) {
		int ret = control__open(&control, text, &err);

		FUZZ_CHECK(ret == err.code && (!ret || (*err.what && control.fd < 0)));
		control__exit(&control);
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct control control = CONTROL_INIT;
	struct control_command command;
	u32 step = size ? data[0] + 1 : 1, nr = 0, nr_ends = 0;

	for (size_t at = 1; at < size;) {
		u32 fed =
		        control__feed(&control, (const char *)data + at, min_u64(step, size - at));

		FUZZ_CHECK(fed > 0); /* there is always room once the commands are taken */
		for (u32 i = 0; i < fed; i++)
			nr_ends += data[at + i] == '\n' || !data[at + i];
		at += fed;
		while (control__next(&control, &command)) {
			nr++;
			FUZZ_CHECK(strlen(command.text) < sizeof(command.text));
			FUZZ_CHECK(!command.argument || *command.argument);
			FUZZ_CHECK(command.verb <= CONTROL_EVLIST);
		}
		FUZZ_CHECK(control.len < sizeof(control.buffer));
	}
	FUZZ_CHECK(nr <= nr_ends + 1); /* a line is one command, however long */
	read_pipe(data, size);
	open_text(data, size);
	return 0;
}

/* More than is read at once, with the end of each piece in the middle of a line. */
static void add_many(void (*add)(const void *data, size_t size))
{
	static char text[3 * CONTROL_LINE] = "\x20";

	for (u32 i = 0; i + 8 < sizeof(text) - 1; i += 7)
		strcat(text, i % 2 ? "enable\n" : "ping x\n");
	add(text, strlen(text));
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const seeds[] = { "\x01"
		                             "enable\ndisable cpu-clock\n",
		                             "\x40"
		                             "evlist -v\nping\nstop\n",
		                             "\xff"
		                             "snapshot \r\nenable  x y\n\n",
		                             "fd:0,1",
		                             "fd:x",
		                             "fd:99,5",
		                             "fifo:no-such-fifo,x",
		                             "pipe:1" };

	for (u32 i = 0; i < ARRAY_SIZE(seeds); i++)
		add(seeds[i], strlen(seeds[i]));
	add_many(add);
}
