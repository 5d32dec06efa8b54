/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A series of measured values that is kept, and what can be said about it without believing that
 * it is normally distributed. Documentation/perf-stat.txt, "HOW SURE", has the formulas in words.
 *
 * Sources: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap" (1993), ch. 13 (percentile
 * interval); M. Hollander, D. Wolfe, "Nonparametric Statistical Methods" (1999), ch. 3 (signed
 * ranks: Hodges and Lehmann's estimate, Tukey's interval); J. Tukey, "Exploratory Data Analysis"
 * (1977) (fences).
 */
#ifndef PERF_UTIL_STAT_SERIES_H
#define PERF_UTIL_STAT_SERIES_H

#include "util/lib/types.h"

struct series {         /* zero-initialised is empty */
	double *values; /* in the order in which they came */
	u32 nr;
	size_t cap;
};

void series__add(struct series *series, double value);
void series__exit(struct series *series); /* empty again */

struct interval {
	double low, high;
};

double series__min(const struct series *series); /* of an empty one all are 0 */
double series__max(const struct series *series);
double series__median(const struct series *series);

/* By linear interpolation; @share 0 is the least, 0.5 the median, 1 the largest. */
double series__quantile(const struct series *series, double share);

/*
 * The interval that holds the median of what was measured in 95 % of all cases: percentiles of the
 * medians of 2,000 samples drawn from the series. The same series gives the same interval. Both
 * ends are the median below 2 values.
 */
struct interval series__median_interval(const struct series *series);

/*
 * Hodges and Lehmann's estimate of the centre: the median of the means of all pairs. @interval
 * gets the interval of signed ranks that has the true centre with @confidence (0.99) whatever the
 * distribution is, if it is symmetric. False: too few values for that (8 for 0.99); the estimate
 * is there, the interval is not.
 */
bool series__centre(const struct series *series, double confidence, double *centre,
                    struct interval *interval);

/*
 * How many values lie farther than @reach times the distance of the quartiles outside of them
 * (Tukey's fences: 3 is far out). 0 below 8 values.
 */
u32 series__outliers(const struct series *series, double reach);

/*
 * How many values at the beginning are far above all the rest (3 times the distance of the
 * quartiles, and more than @share of the median): a program that warmed up. At most @max.
 */
u32 series__warm_up(const struct series *series, double share, u32 max);

/* A small generator for drawing and mixing (splitmix64, public domain); never for secrets. */
u64 random__next(u64 *state);
u32 random__below(u64 *state, u32 limit); /* without bias; @limit > 0 */

#endif
