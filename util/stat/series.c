// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/stat/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

#define NR_DRAWS  2000
#define LEAST     8   /* values that fences are made of */
#define EXACT_MAX 100 /* values up to which ranks are counted; then they are normal enough */

void series__add(struct series *series, double value)
{
	array__reserve(&series->values, &series->cap, series->nr + 1, sizeof(*series->values));
	series->values[series->nr++] = value;
}

void series__exit(struct series *series)
{
	free(series->values);
	*series = (struct series){ .values = NULL };
}

u64 random__next(u64 *state)
{
	u64 x = *state += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

u32 random__below(u64 *state, u32 limit)
{
	u64 skip = UINT64_MAX % limit, x;

	do
		x = random__next(state);
	while (x > UINT64_MAX - skip - 1 && skip != limit - 1);
	return x % limit;
}

/* ---- order ---- */

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double *sorted_copy(const double *values, u32 nr)
{
	double *sorted = xmalloc((nr + 1) * sizeof(*sorted));

	for (u32 i = 0; i < nr; i++)
		sorted[i] = values[i];
	qsort(sorted, nr, sizeof(*sorted), compare);
	return sorted;
}

static double quantile(const double *sorted, u32 nr, double share)
{
	double at = share * (nr - 1);
	u32 below = at;

	if (!nr)
		return 0;
	if (below + 1 >= nr)
		return sorted[nr - 1];
	return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
}

double series__quantile(const struct series *series, double share)
{
	double *sorted = sorted_copy(series->values, series->nr);
	double value = quantile(sorted, series->nr, share);

	free(sorted);
	return value;
}

double series__median(const struct series *series)
{
	return series__quantile(series, 0.5);
}

double series__min(const struct series *series)
{
	return series__quantile(series, 0);
}

double series__max(const struct series *series)
{
	return series__quantile(series, 1);
}

/* ---- the bootstrap ---- */

struct interval series__median_interval(const struct series *series)
{
	u32 nr = series->nr;
	struct interval interval;
	double *medians, *draw;
	u64 state = 1;

	if (nr < 2) {
		interval.low = interval.high = series__median(series);
		return interval;
	}
	medians = xmalloc(NR_DRAWS * sizeof(*medians));
	draw = xmalloc(nr * sizeof(*draw));
	for (u32 i = 0; i < NR_DRAWS; i++) {
		for (u32 at = 0; at < nr; at++)
			draw[at] = series->values[random__below(&state, nr)];
		qsort(draw, nr, sizeof(*draw), compare);
		medians[i] = quantile(draw, nr, 0.5);
	}
	qsort(medians, NR_DRAWS, sizeof(*medians), compare);
	interval.low = quantile(medians, NR_DRAWS, 0.025);
	interval.high = quantile(medians, NR_DRAWS, 0.975);
	free(draw);
	free(medians);
	return interval;
}

/* ---- signed ranks ---- */

/*
 * The largest k for which the sum of signed ranks of @nr values is below k with a chance of at most
 * @chance: how many of the sorted means of pairs lie outside at each end. 0: there is none.
 */
static u64 ranks_outside(u32 nr, double chance)
{
	u64 nr_sums = (u64)nr * (nr + 1) / 2 + 1, k = 0;
	double *share = xcalloc(nr_sums, sizeof(*share)), below = 0;

	share[0] = 1; /* each rank is positive or not, with equal chances */
	for (u64 rank = 1, last = 0; rank <= nr; rank++) {
		last += rank;
		for (u64 sum = last + 1; sum-- > 0;)
			share[sum] = 0.5 * (share[sum] + (sum >= rank ? share[sum - rank] : 0));
	}
	while (k < nr_sums && below + share[k] <= chance)
		below += share[k++];
	free(share);
	return k;
}

/* The same from the normal distribution. */
static u64 ranks_outside_of_many(double nr, double chance)
{
	double low = 0, high = 10; /* the quantile: by halving, erfc is all there is */

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (erfc(middle / sqrt(2)) / 2 > chance)
			low = middle;
		else
			high = middle;
	}
	return fmax(0, nr * (nr + 1) / 4 - high * sqrt(nr * (nr + 1) * (2 * nr + 1) / 24));
}

static double *pair_means(const struct series *series, u64 *nr)
{
	double *means;

	*nr = (u64)series->nr * (series->nr + 1) / 2;
	means = xmalloc((*nr + 1) * sizeof(*means));
	for (u64 i = 0, at = 0; i < series->nr; i++)
		for (u64 j = i; j < series->nr; j++)
			means[at++] = (series->values[i] + series->values[j]) / 2;
	qsort(means, *nr, sizeof(*means), compare);
	return means;
}

bool series__centre(const struct series *series, double confidence, double *centre,
                    struct interval *interval)
{
	double chance = (1 - confidence) / 2;
	u64 nr, outside;
	double *means = pair_means(series, &nr);

	outside = series->nr <= EXACT_MAX ? ranks_outside(series->nr, chance)
	                                  : ranks_outside_of_many(series->nr, chance);
	*centre = quantile(means, nr, 0.5);
	if (outside && 2 * outside <= nr)
		*interval = (struct interval){ means[outside - 1], means[nr - outside] };
	free(means);
	return outside && 2 * outside <= nr;
}

/* ---- what does not fit ---- */

static struct interval fences(const double *values, u32 nr, double reach)
{
	double *sorted = sorted_copy(values, nr);
	double low = quantile(sorted, nr, 0.25), high = quantile(sorted, nr, 0.75);

	free(sorted);
	return (struct interval){ low - reach * (high - low), high + reach * (high - low) };
}

u32 series__outliers(const struct series *series, double reach)
{
	struct interval fence;
	u32 nr = 0;

	if (series->nr < LEAST)
		return 0;
	fence = fences(series->values, series->nr, reach);
	for (u32 i = 0; i < series->nr; i++)
		nr += series->values[i] < fence.low || series->values[i] > fence.high;
	return nr;
}

u32 series__warm_up(const struct series *series, double share, u32 max)
{
	u32 nr = 0;

	while (nr < max && series->nr - nr > LEAST) {
		const double *rest = series->values + nr + 1;
		const struct series others = { .values = series->values + nr + 1,
			                       .nr = series->nr - nr - 1 };
		double value = series->values[nr];

		if (value <= fences(rest, others.nr, 3).high ||
		    value <= series__median(&others) * (1 + share))
			break;
		nr++;
	}
	return nr;
}
