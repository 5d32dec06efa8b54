/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How sure shares are: 95 % intervals of what entries have of all samples, and whether two of them
 * differ.
 *
 * Samples are no independent draws: a program does one thing for a while, then another. So the
 * variance of a share is taken from slices of time, by how much it differs between them (a ratio
 * estimate from clusters), for slices of 100 ms and for runs of 2, 4, 8 ... of them, as long as
 * there are SHARES_SLICES_MIN runs; the largest counts, and the binomial one where that is larger
 * still. The design effect is how many times larger than the binomial it is.
 *
 *	shares__init(&shares, nr); shares__add(...) as often as wanted; shares__settle(&shares);
 */
#ifndef PERF_UTIL_LIB_SHARES_H
#define PERF_UTIL_LIB_SHARES_H

#include <stdbool.h>
#include <stddef.h>

#include "util/lib/types.h"

#define SHARES_SLICE      100000000 /* ns */
#define SHARES_SLICES_MIN 8
#define SHARES_LEVELS     24

struct share_cell {
	u32 entry, at; /* at: of slices */
	u64 slice;
	double weight;
};

struct share_slice {
	u64 slice;
	double weight;
};

/* Runs of 2^n slices. */
struct share_level {
	u32 *run_of_slice;
	double *weights; /* by run */
	u32 nr;
	double squares; /* of weights */
};

struct shares {
	u32 nr_entries;
	struct share_cell *cells; /* by entry, then by slice */
	size_t nr_cells, cap_cells;
	size_t *first_cell; /* by entry, and one more */
	double *weights;    /* by entry */
	struct share_slice *slices;
	u32 nr_slices;
	struct share_level levels[SHARES_LEVELS];
	u32 nr_levels; /* 0: too few slices to see bursts */
	double total, square_sum;
	u64 count;
};

struct share {
	double share, low, high; /* 0 .. 1 */
	double design_effect;    /* at least 1 */
};

void shares__init(struct shares *shares, u32 nr_entries);
void shares__exit(struct shares *shares);

/* @count samples of @entry in the slice number @slice, with that sum of periods. */
void shares__add(struct shares *shares, u32 entry, u64 slice, u64 period, u64 count);
void shares__settle(struct shares *shares); /* once; then ask */

struct share shares__of(const struct shares *shares, u32 entry);

/*
 * Do the shares of @a and @b differ (95 %)? *needed: the number of samples that would show it, if
 * they are what they seem; infinite where they are equal.
 */
bool shares__differ(const struct shares *shares, u32 a, u32 b, double *needed);

#endif
