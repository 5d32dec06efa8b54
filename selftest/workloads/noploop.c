// SPDX-License-Identifier: GPL-2.0-or-later
/* noploop [sec]: one function, noploop(), that does nothing. All samples are its own. */
#include "selftest/programs.h"
#include "selftest/workloads/workloads.h"

int noploop(int argc, const char **argv, struct error *err)
{
	double seconds = 1;

	if (program__seconds(argc, argv, 1, &seconds, err))
		return err->code;
	program__start_clock(seconds);
	while (!program_done)
		;
	return 0;
}
