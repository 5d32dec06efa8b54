// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of --control: any bytes, in pieces of any size. The first byte is the size of a piece. */
#include "util/counter/control.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

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
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const seeds[] = { "\x01"
		                             "enable\ndisable cpu-clock\n",
		                             "\x40"
		                             "evlist -v\nping\nstop\n",
		                             "\xff"
		                             "snapshot \r\nenable  x y\n\n" };

	for (u32 i = 0; i < ARRAY_SIZE(seeds); i++)
		add(seeds[i], strlen(seeds[i]));
}
