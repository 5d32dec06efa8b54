// SPDX-License-Identifier: GPL-2.0-or-later
/* Intervals of shares: they hold the true share as often as they say, also where samples come in
 * bursts. */
#include "util/lib/shares.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

#define RUNS  300
#define WORTH 3

static const double truth[WORTH] = { 0.5, 0.3, 0.2 };

static u64 state;

static double uniform(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 11) / 9007199254740992.0;
}

static u32 draw(void)
{
	double x = uniform();

	return x < 0.5 ? 0 : x < 0.8 ? 1 : 2;
}

/* @nr samples, ten in a slice; each choice lasts for @burst of them. */
static void sample(struct shares *shares, u32 nr, u32 burst)
{
	u32 entry = 0;

	shares__init(shares, WORTH);
	for (u32 i = 0; i < nr; i++) {
		if (i % burst == 0)
			entry = draw();
		shares__add(shares, entry, i / 10, 1000, 1);
	}
	shares__settle(shares);
}

/* How often the interval holds the true share; and that of independent samples would. */
static void cover(u32 burst, double *ours, double *naive, double *wider)
{
	u32 held = 0, naive_held = 0, nr = 0;

	*wider = 0;
	state = burst;
	for (u32 run = 0; run < RUNS; run++) {
		struct shares shares;

		sample(&shares, 1000, burst);
		for (u32 i = 0; i < WORTH; i++) {
			struct share share = shares__of(&shares, i);
			double half = 1.96 * sqrt(share.share * (1 - share.share) / 1000);

			held += share.low <= truth[i] && truth[i] <= share.high;
			naive_held += fabs(share.share - truth[i]) <= half;
			*wider += (share.high - share.low) / (2 * half);
			nr++;
		}
		shares__exit(&shares);
	}
	*ours = (double)held / nr;
	*naive = (double)naive_held / nr;
	*wider /= nr;
}

TEST(intervals_hold_the_share_of_independent_samples)
{
	double ours, naive, wider;

	cover(1, &ours, &naive, &wider);
	CHECK(ours >= 0.94);
	CHECK(naive >= 0.92);
	CHECK(wider < 1.6);
}

TEST(intervals_hold_the_share_of_bursts_where_binomial_ones_do_not)
{
	static const u32 bursts[] = { 5, 10, 20, 40 };

	for (u32 i = 0; i < ARRAY_SIZE(bursts); i++) {
		double ours, naive, wider;

		cover(bursts[i], &ours, &naive, &wider);
		CHECK(ours >= 0.93);
		CHECK(naive < 0.75);
	}
}

TEST(design_effect_is_the_length_of_bursts)
{
	struct shares shares;

	state = 3;
	sample(&shares, 20000, 10);
	struct share share = shares__of(&shares, 0);

	CHECK(share.design_effect > 7 && share.design_effect < 20);
	shares__exit(&shares);
}

TEST(shares_differ_when_enough_samples_say_so)
{
	struct shares shares;
	double needed;

	state = 5;
	sample(&shares, 1000, 1);
	CHECK(shares__differ(&shares, 0, 1, &needed));
	CHECK(needed < 1000);
	shares__exit(&shares);
	state = 5;
	sample(&shares, 100, 10);
	CHECK(!shares__differ(&shares, 1, 2, &needed));
	CHECK(needed > 100);
	shares__exit(&shares);
}

TEST(shares_of_nothing_of_all_and_of_equals)
{
	struct shares shares;
	double needed;

	shares__init(&shares, 2);
	shares__settle(&shares);
	struct share share = shares__of(&shares, 1);

	CHECK(share.low == 0 && share.high == 1);
	CHECK(!shares__differ(&shares, 0, 1, &needed) && isinf(needed));
	shares__exit(&shares);

	shares__init(&shares, 2);
	for (u32 i = 0; i < 100; i++)
		shares__add(&shares, 0, i, 7, 1);
	shares__settle(&shares);
	share = shares__of(&shares, 0);
	CHECK(share.share == 1 && share.high == 1 && share.low > 0.9);
	share = shares__of(&shares, 1);
	CHECK(share.share == 0 && share.low == 0 && share.high < 0.1);
	CHECK(shares__differ(&shares, 0, 1, &needed));
	shares__exit(&shares);

	shares__init(&shares, 2);
	for (u32 i = 0; i < 100; i++)
		shares__add(&shares, i & 1, i, 7, 1);
	shares__settle(&shares);
	CHECK(!shares__differ(&shares, 0, 1, &needed) && isinf(needed));
	shares__exit(&shares);
}
