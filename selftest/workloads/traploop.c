// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * traploop [n]: n times (10) trap_bench() executes an instruction that traps, and the signal
 * handler jumps back behind it. For what exceptions do to branch records and to call chains.
 */
#include <setjmp.h>
#include <string.h>

#include "selftest/programs.h"
#include "selftest/workloads/workloads.h"

static sigjmp_buf behind;
static volatile u32 nr_traps;

static void trap_handler(int signal)
{
	(void)signal;
	nr_traps++;
	siglongjmp(behind, 1);
}

static void trap_bench(void)
{
	if (!sigsetjmp(behind, 1))
		__builtin_trap();
}

int traploop(int argc, const char **argv, struct error *err)
{
	static const int trapping[] = { SIGILL, SIGTRAP, SIGABRT }; /* by architecture */
	struct sigaction action = { .sa_handler = trap_handler };
	u32 rounds = 10;

	if (program__count(argc, argv, 0, 1, &rounds, err))
		return err->code;
	for (size_t i = 0; i < ARRAY_SIZE(trapping); i++)
		sigaction(trapping[i], &action, NULL);
	for (u32 i = 0; i < rounds; i++)
		trap_bench();
	return nr_traps != rounds;
}
