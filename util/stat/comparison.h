/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compare commands measured in rounds: which needs more, by how much, and how sure that is.
 *
 * Each round runs each command once. A disturbance of the machine affects all commands of a round,
 * so the figures of one round are compared, by the logarithm of their ratio. Its centre and
 * interval come from signed ranks (series.h). For two equal commands in random order that
 * logarithm is symmetric around 0, whatever the machine does, so the interval misses 0 in at most
 * 1 % of all cases.
 */
#ifndef PERF_UTIL_STAT_COMPARISON_H
#define PERF_UTIL_STAT_COMPARISON_H

#include "util/stat/series.h"

#define COMPARISON_CONFIDENCE   0.99
#define COMPARISON_LEAST_ROUNDS 8 /* fewer give no interval of that confidence */

struct comparison {
	u32 nr_commands, nr_figures, nr_rounds;
	u32 nr_warm_up;        /* rounds that comparison__drop_warm_up() left out */
	u32 next_look;         /* private to comparison__may_stop() */
	struct series *series; /* [command * nr_figures + figure], in the order of the rounds */
};

enum comparison_verdict {
	COMPARISON_NONE,  /* unknown: too few rounds, or nothing was counted */
	COMPARISON_ALIKE, /* no difference was seen; one larger than @seen would have been */
	COMPARISON_LESS,  /* this command has less than the first */
	COMPARISON_MORE,
};

struct comparison_result {
	double median, reference; /* of this command and of the first */
	bool has_ratio, has_interval;
	double ratio, low, high; /* this command divided by the first: 1.02 is 2 % more */
	double seen;             /* distance from 1 of the interval's farther end: 0.008 */
	enum comparison_verdict verdict;
	u32 nr_outliers, nr_reference_outliers; /* runs far from the others; they are used, too */
};

void comparison__init(struct comparison *comparison, u32 nr_commands, u32 nr_figures);
void comparison__exit(struct comparison *comparison);

/* Add a figure of @command in the current round; NAN: not counted. */
void comparison__add(struct comparison *comparison, u32 command, u32 figure, double value);
void comparison__end_round(struct comparison *comparison);

/*
 * Leave out the first rounds in which a command needed far more of @figure than in all later ones,
 * three at most. Returns the number of rounds left out so far.
 */
u32 comparison__drop_warm_up(struct comparison *comparison, u32 figure);

/* Compare @command (not 0) with command 0. */
struct comparison_result comparison__result(const struct comparison *comparison, u32 command,
                                            u32 figure);

/* Are the intervals of all commands for @figure narrower than +- @precision (0.005)? */
bool comparison__is_precise(const struct comparison *comparison, u32 figure, double precision);

/*
 * How many times the interval of @figure is narrower than that of @than, for the command where it
 * is least so. 0: unknown, because an interval is missing or has no width.
 */
double comparison__times_narrower(const struct comparison *comparison, u32 figure, u32 than);

/*
 * Call it after each round: is @figure known to @precision? It checks after 10 rounds, and then
 * whenever there is an eighth more. It looks at the width of the intervals, never at the verdict,
 * so stopping does not make wrong verdicts more likely (measured: unit/comparison_test.c).
 */
bool comparison__may_stop(struct comparison *comparison, u32 figure, double precision);

#endif
