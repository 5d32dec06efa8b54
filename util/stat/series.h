/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics of a stored series of measured values that do not assume a normal distribution.
 * Documentation/perf-stat.txt, "HOW SURE", has the formulas in words.
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
	double *values; /* in the order of arrival */
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

/* By linear interpolation; @share 0 is the smallest value, 0.5 the median, 1 the largest. */
double series__quantile(const struct series *series, double share);

/*
 * The 95 % confidence interval of the median: percentiles of the medians of 2,000 samples drawn
 * from the series. The same series gives the same interval. With fewer than 2 values both ends are
 * the median.
 */
struct interval series__median_interval(const struct series *series);

/*
 * Hodges and Lehmann's estimate of the centre: the median of the means of all pairs. @interval
 * gets the signed-rank interval, which holds the true centre with @confidence (0.99) for any
 * symmetric distribution. False: too few values (0.99 needs 8); then only the estimate is set.
 */
bool series__centre(const struct series *series, double confidence, double *centre,
                    struct interval *interval);

/*
 * The number of values that lie more than @reach interquartile ranges outside the quartiles
 * (Tukey's fences: 3 is far out). 0 for fewer than 8 values.
 */
u32 series__outliers(const struct series *series, double reach);

/*
 * The number of first values that are far above the rest (3 interquartile ranges above the upper
 * quartile, and more than @share above the median): the program warmed up. At most @max.
 */
u32 series__warm_up(const struct series *series, double share, u32 max);

/* A random generator for drawing and shuffling (splitmix64, public domain); not for secrets. */
u64 random__next(u64 *state);
u32 random__below(u64 *state, u32 limit); /* without bias; @limit > 0 */

#endif
