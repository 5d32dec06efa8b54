// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * datasym [sec]: writes and reads the fields data1 and data2 of the object buf1, which has a
 * cache line or two of its own. For memory events, data symbols and watchpoints.
 */
#include "selftest/programs.h"
#include "selftest/workloads/workloads.h"

struct buf {
	char data1;
	char reserved[55];
	char data2;
} __attribute__((aligned(64)));

static volatile struct buf buf1 = {
	.data1 = 1, /* not zero: it lies in .data, whose place in the file is its own */
};

int datasym(int argc, const char **argv, struct error *err)
{
	double seconds = 1;

	if (program__seconds(argc, argv, 1, &seconds, err))
		return err->code;
	program__start_clock(seconds);
	while (!program_done) {
		buf1.data1++;
		if (buf1.data1 == 123)
			buf1.data1 = 0; /* a branch now and then */
		buf1.data2 += buf1.data1;
	}
	return 0;
}
