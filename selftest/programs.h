/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small programs to be measured, inside this one: `perf test -w NAME`. Each spends its time in
 * functions whose names a profile must show, so a user can see whether profiles are right on his
 * machine without a compiler. Names and arguments are those of newer Linux's perf.
 *
 * Each file of selftest/workloads/ is one, compiled without optimization and with frame pointers
 * (see the Makefile): its functions stay apart, under their names.
 */
#ifndef PERF_SELFTEST_PROGRAMS_H
#define PERF_SELFTEST_PROGRAMS_H

#include <signal.h>

#include "util/lib/error.h"
#include "util/lib/types.h"

struct program {
	const char *name;
	/*
	 * The function is called like the program, because that is what a profile shows.
	 * @argv[0] is the first argument behind the name. Returns an exit status, or a negative
	 * errno with @err (arguments that make no sense; what it needs is not there).
	 */
	int (*run)(int argc, const char **argv, struct error *err);
	const char *arguments; /* "[sec]" */
};

/* In the order in which they are listed. */
const struct program *programs(u32 *nr);
const struct program *program__find(const char *name); /* NULL: none */

/* ---- for the programs ---- */

/* Set by the alarm of program__start_clock(). */
extern volatile sig_atomic_t program_done;

/*
 * The first argument as seconds, like 1 or 0.5, up to a day; @seconds holds the default. 0 or
 * -EINVAL, also when there are more than @most arguments.
 */
int program__seconds(int argc, const char **argv, int most, double *seconds, struct error *err);

/* Argument @i as a count; @count holds the default. 0 or -EINVAL, likewise. */
int program__count(int argc, const char **argv, int i, int most, u32 *count, struct error *err);

/* Set program_done after so many seconds. */
void program__start_clock(double seconds);

#endif
