/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `perf test -w NAME`: small built-in programs to be measured. Each spends its time in
 * functions whose names a profile must show, so users can check profiles on their machine
 * without a compiler. Names and arguments are those of newer versions of Linux's perf.
 *
 * Each file of selftest/workloads/ is one program, compiled without optimization and with frame
 * pointers (see the Makefile): its functions stay separate, under their names.
 */
#ifndef PERF_SELFTEST_PROGRAMS_H
#define PERF_SELFTEST_PROGRAMS_H

#include <signal.h>

#include "util/lib/error.h"
#include "util/lib/types.h"

struct program {
	const char *name;
	/*
	 * The function has the program's name, because a profile shows it.
	 * @argv[0] is the first argument after the name. Returns an exit status, or a negative
	 * errno with @err (invalid arguments, or something that it needs is missing).
	 */
	int (*run)(int argc, const char **argv, struct error *err);
	const char *arguments; /* "[sec]" */
};

/* All programs, in the order of the list. */
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

/* Set program_done after @seconds; later where others have the CPU: half of it is our CPU time. */
void program__start_clock(double seconds);

#endif
