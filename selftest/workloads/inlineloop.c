// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * inlineloop [sec]: leaf(), inlined into middle(), inlined into parent(), which is the only
 * function that the symbol table knows; the other two are in the debug information.
 */
#include "selftest/programs.h"
#include "selftest/workloads/workloads.h"

#define INLINED static inline __attribute__((always_inline))

static volatile int sink;

INLINED void leaf(int value)
{
	while (!program_done)
		sink += value;
}

INLINED void middle(int value)
{
	leaf(value);
}

static void parent(int value)
{
	middle(value);
}

int inlineloop(int argc, const char **argv, struct error *err)
{
	double seconds = 1;

	if (program__seconds(argc, argv, 1, &seconds, err))
		return err->code;
	program__start_clock(seconds);
	parent(1);
	return 0;
}
