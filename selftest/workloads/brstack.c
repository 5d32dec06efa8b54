// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * brstack [n]: n rounds (999999) of brstack_bench(), in which every kind of branch is taken:
 * jumps, calls of brstack_foo() and brstack_bar(), returns, and calls through a pointer. For
 * branch stacks (-b).
 */
#include "selftest/programs.h"
#include "selftest/workloads/workloads.h"

static volatile unsigned counter;

static void brstack_bar(void)
{
	counter++;
}

static void brstack_foo(void)
{
	brstack_bar();
	counter++;
}

static void brstack_bench(void)
{
	void (*volatile through)(void) = brstack_foo;

	if (counter % 4 < 2)
		brstack_bar();
	else
		brstack_foo();
	through();
}

int brstack(int argc, const char **argv, struct error *err)
{
	u32 rounds = 999999;

	if (program__count(argc, argv, 0, 1, &rounds, err))
		return err->code;
	for (u32 i = 0; i < rounds; i++)
		brstack_bench();
	return 0;
}
