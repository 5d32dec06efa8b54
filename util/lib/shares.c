// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

#define NORMAL_975 1.959963984540054

/* Student's t for 95 % on both sides (Cornish-Fisher; better than 0.1 % from 7 degrees on). */
static double student_975(double freedom)
{
	const double z = NORMAL_975, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;

	return z + (z3 + z) / (4 * freedom) +
	       (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom) +
	       (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * freedom * freedom * freedom);
}

void shares__init(struct shares *shares, u32 nr_entries)
{
	*shares = (struct shares){ .nr_entries = nr_entries };
}

void shares__exit(struct shares *shares)
{
	for (u32 i = 0; i < shares->nr_levels; i++) {
		free(shares->levels[i].run_of_slice);
		free(shares->levels[i].weights);
	}
	free(shares->cells);
	free(shares->first_cell);
	free(shares->weights);
	free(shares->slices);
}

void shares__add(struct shares *shares, u32 entry, u64 slice, u64 period, u64 count)
{
	if (!count)
		return;
	array__reserve(&shares->cells, &shares->cap_cells, shares->nr_cells + 1,
	               sizeof(*shares->cells));
	shares->cells[shares->nr_cells++] =
	        (struct share_cell){ .entry = entry, .slice = slice, .weight = period };
	shares->total += period;
	shares->square_sum += (double)period * period / count;
	shares->count += count;
}

/* ---- slices, and runs of them ---- */

static int compare_slices(const void *left, const void *right)
{
	u64 a = ((const struct share_slice *)left)->slice,
	    b = ((const struct share_slice *)right)->slice;

	return (a > b) - (a < b);
}

static void find_slices(struct shares *shares)
{
	u32 nr = 0;

	shares->slices = xcalloc(shares->nr_cells, sizeof(*shares->slices));
	for (size_t i = 0; i < shares->nr_cells; i++)
		shares->slices[i] =
		        (struct share_slice){ shares->cells[i].slice, shares->cells[i].weight };
	qsort(shares->slices, shares->nr_cells, sizeof(*shares->slices), compare_slices);
	for (size_t i = 1; i < shares->nr_cells; i++) {
		if (shares->slices[i].slice == shares->slices[nr].slice)
			shares->slices[nr].weight += shares->slices[i].weight;
		else
			shares->slices[++nr] = shares->slices[i];
	}
	shares->nr_slices = nr + 1;
}

static void make_level(const struct shares *shares, u32 shift, struct share_level *level)
{
	u64 first = shares->slices[0].slice, last = UINT64_MAX;

	*level = (struct share_level){
		.run_of_slice = xcalloc(shares->nr_slices, sizeof(u32)),
		.weights = xcalloc(shares->nr_slices, sizeof(double)),
	};
	for (u32 i = 0; i < shares->nr_slices; i++) {
		u64 run = (shares->slices[i].slice - first) >> shift;

		level->nr += run != last;
		last = run;
		level->run_of_slice[i] = level->nr - 1;
		level->weights[level->nr - 1] += shares->slices[i].weight;
	}
	for (u32 i = 0; i < level->nr; i++)
		level->squares += level->weights[i] * level->weights[i];
}

static void make_levels(struct shares *shares)
{
	struct share_level level;

	while (shares->nr_levels < SHARES_LEVELS) {
		make_level(shares, shares->nr_levels, &level);
		if (level.nr < SHARES_SLICES_MIN) {
			free(level.run_of_slice);
			free(level.weights);
			return;
		}
		shares->levels[shares->nr_levels++] = level;
	}
}

/* ---- cells ---- */

static int compare_cells(const void *left, const void *right)
{
	const struct share_cell *a = left, *b = right;

	if (a->entry != b->entry)
		return a->entry > b->entry ? 1 : -1;
	return (a->slice > b->slice) - (a->slice < b->slice);
}

static void sort_cells(struct shares *shares)
{
	size_t at = 0;

	qsort(shares->cells, shares->nr_cells, sizeof(*shares->cells), compare_cells);
	for (u32 entry = 0; entry < shares->nr_entries; entry++) {
		shares->first_cell[entry] = at;
		for (; at < shares->nr_cells && shares->cells[at].entry == entry; at++) {
			struct share_cell *cell = &shares->cells[at];
			const struct share_slice wanted = { .slice = cell->slice }, *slice;

			slice = bsearch(&wanted, shares->slices, shares->nr_slices,
			                sizeof(*shares->slices), compare_slices);
			cell->at = slice - shares->slices;
			shares->weights[entry] += cell->weight;
		}
	}
	shares->first_cell[shares->nr_entries] = at;
}

void shares__settle(struct shares *shares)
{
	shares->first_cell = xcalloc((size_t)shares->nr_entries + 1, sizeof(size_t));
	shares->weights = xcalloc((size_t)shares->nr_entries + 1, sizeof(double));
	if (!shares->nr_cells)
		return;
	find_slices(shares);
	make_levels(shares);
	sort_cells(shares);
}

/* ---- variances ---- */

/* The cells of an entry, run by run. */
struct runs {
	const struct share_cell *cell, *end;
	const struct share_level *level;
};

static struct runs runs_of(const struct shares *shares, u32 entry, const struct share_level *level)
{
	return (struct runs){ shares->cells + shares->first_cell[entry],
		              shares->cells + shares->first_cell[entry + 1], level };
}

static u32 next_run(const struct runs *runs)
{
	return runs->cell == runs->end ? UINT32_MAX : runs->level->run_of_slice[runs->cell->at];
}

static double take_run(struct runs *runs, u32 run)
{
	double sum = 0;

	while (next_run(runs) == run)
		sum += runs->cell++->weight;
	return sum;
}

/*
 * The variance of the share of @a, less that of @b (no entry: ID_NONE), from the runs of a level:
 * sum of (x - p m)^2, of which the runs without the entry are summed up at once.
 */
static double variance_at(const struct shares *shares, u32 a, u32 b, double share,
                          const struct share_level *level)
{
	struct runs of_a = runs_of(shares, a, level), of_b = { NULL, NULL, level };
	double sum = share * share * level->squares;

	if (b != ID_NONE)
		of_b = runs_of(shares, b, level);
	for (;;) {
		u32 run = next_run(&of_a) < next_run(&of_b) ? next_run(&of_a) : next_run(&of_b);

		if (run == UINT32_MAX)
			break;
		double x = take_run(&of_a, run) - take_run(&of_b, run);
		double expected = share * level->weights[run];

		sum += (x - expected) * (x - expected) - expected * expected;
	}
	return sum / (shares->total * shares->total) * level->nr / (level->nr - 1);
}

struct spread {
	double variance, quantile; /* of which level is worst */
};

/* @binomial: the variance of independent samples. */
static struct spread spread_of(const struct shares *shares, u32 a, u32 b, double share,
                               double binomial)
{
	struct spread worst = { binomial, NORMAL_975 };

	for (u32 i = 0; i < shares->nr_levels; i++) {
		double variance = variance_at(shares, a, b, share, &shares->levels[i]);
		double quantile = student_975(shares->levels[i].nr - 1);

		if (variance > binomial && variance * quantile * quantile >
		                                   worst.variance * worst.quantile * worst.quantile)
			worst = (struct spread){ variance, quantile };
	}
	return worst;
}

/* So many samples of equal weight are worth as much. */
static double equal_samples(const struct shares *shares)
{
	return shares->square_sum > 0 ? shares->total * shares->total / shares->square_sum : 0;
}

struct share shares__of(const struct shares *shares, u32 entry)
{
	double nr = equal_samples(shares);

	if (!(nr > 0))
		return (struct share){ .high = 1, .design_effect = 1 };
	double p = shares->weights[entry] / shares->total, binomial = p * (1 - p) / nr;
	struct spread spread = spread_of(shares, entry, ID_NONE, p, binomial);
	double effect = binomial > 0 ? spread.variance / binomial : 1, worth = nr / effect;
	/* Wilson's interval, which stays between 0 and 1. */
	double z2 = spread.quantile * spread.quantile, scale = 1 + z2 / worth;
	double middle = (p + z2 / (2 * worth)) / scale;
	double half =
	        spread.quantile / scale * sqrt(p * (1 - p) / worth + z2 / (4 * worth * worth));

	return (struct share){ .share = p,
		               .low = p > 0 && middle > half ? middle - half : 0,
		               .high = p < 1 && middle + half < 1 ? middle + half : 1,
		               .design_effect = effect };
}

bool shares__differ(const struct shares *shares, u32 a, u32 b, double *needed)
{
	double nr = equal_samples(shares);

	*needed = INFINITY;
	if (!(nr > 0))
		return false;
	double p = shares->weights[a] / shares->total, q = shares->weights[b] / shares->total;
	double difference = p - q, binomial = (p + q - difference * difference) / nr;
	struct spread spread = spread_of(shares, a, b, difference, binomial);
	double least = spread.quantile * sqrt(spread.variance);

	if (difference != 0)
		*needed = shares->count * (least / difference) * (least / difference);
	return fabs(difference) > least;
}
