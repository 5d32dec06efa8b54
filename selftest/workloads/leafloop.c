// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * leafloop [sec]: leafloop() calls parent(), which calls leaf(), where the time goes. For call
 * chains: the caller of a function that calls nothing is the one most easily lost.
 */
#include "selftest/programs.h"
#include "selftest/workloads/workloads.h"

static volatile int sink;

static void leaf(int value)
{
	while (!program_done)
		sink += value;
}

static void parent(int value)
{
	leaf(value);
	sink = value; /* keeps the call from being the last thing */
}

int leafloop(int argc, const char **argv, struct error *err)
{
	double seconds = 1;

	if (program__seconds(argc, argv, 1, &seconds, err))
		return err->code;
	program__start_clock(seconds);
	parent(1);
	return 0;
}
