/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands measured in rounds, each command once in a round: which of two needs more, by how much,
 * and how sure that is. What disturbs a machine for a while disturbs all commands of a round, so
 * the figures of a round are compared with each other: the logarithm of their ratio. Its centre and
 * interval come from signed ranks (series.h): for two equal commands in random order that
 * logarithm is symmetric around 0 whatever the machine does, so the interval misses it in 1 % of
 * all cases and no more.
 */
#ifndef PERF_UTIL_STAT_COMPARISON_H
#define PERF_UTIL_STAT_COMPARISON_H

#include "util/stat/series.h"

#define COMPARISON_CONFIDENCE   0.99
#define COMPARISON_LEAST_ROUNDS 8 /* below there is no interval of that confidence */

struct comparison {
	u32 nr_commands, nr_figures, nr_rounds;
	u32 nr_warm_up;        /* rounds that comparison__drop_warm_up() left out */
	u32 next_look;         /* private to comparison__may_stop() */
	struct series *series; /* [command * nr_figures + figure], in the order of the rounds */
};

enum comparison_verdict {
	COMPARISON_NONE,  /* nothing can be said: too few rounds, or nothing was counted */
	COMPARISON_ALIKE, /* no difference was seen; one above @seen would have been */
	COMPARISON_LESS,  /* this command has less than the first */
	COMPARISON_MORE,
};

struct comparison_result {
	double median, reference; /* of this command and of the first */
	bool has_ratio, has_interval;
	double ratio, low, high; /* this one by the first: 1.02 is 2 % more */
	double seen;             /* 0.008: the farther end of the interval from 1 */
	enum comparison_verdict verdict;
	u32 nr_outliers, nr_reference_outliers; /* runs far from the others; they stay in */
};

void comparison__init(struct comparison *comparison, u32 nr_commands, u32 nr_figures);
void comparison__exit(struct comparison *comparison);

/* The figures of @command in the round that runs; NAN: not counted. */
void comparison__add(struct comparison *comparison, u32 command, u32 figure, double value);
void comparison__end_round(struct comparison *comparison);

/*
 * Leave out the rounds at the beginning in which a command needed far more of @figure than in all
 * later ones, three at most. Returns how many this was in all.
 */
u32 comparison__drop_warm_up(struct comparison *comparison, u32 figure);

/* @command (not 0) against command 0. */
struct comparison_result comparison__result(const struct comparison *comparison, u32 command,
                                            u32 figure);

/* Are the intervals of all commands for @figure narrower than +- @precision (0.005)? */
bool comparison__is_precise(const struct comparison *comparison, u32 figure, double precision);

/*
 * Asked after each round: do those so far make @figure as precise as that? It looks after 10
 * rounds, and then each time there is an eighth more. What it looks at is the width of the
 * intervals, never the verdict, so stopping there makes wrong verdicts no more likely (measured:
 * unit/comparison_test.c).
 */
bool comparison__may_stop(struct comparison *comparison, u32 figure, double precision);

#endif
