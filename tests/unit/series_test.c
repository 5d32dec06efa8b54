// SPDX-License-Identifier: GPL-2.0-or-later
/* Statistics against distributions whose truth is known. */
#include "util/stat/series.h"

#include <math.h>

#include "tests/unit/unit.h"

static void fill(struct series *series, const double *values, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		series__add(series, values[i]);
}

#define FILL(series, ...)                                                                          \
	fill(series, (const double[]){ __VA_ARGS__ },                                              \
	     sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))

static bool near(double got, double want)
{
	return fabs(got - want) <= 1e-9 * (1 + fabs(want));
}

/* Between 0 and 1, neither of them. */
static double uniform(u64 *state)
{
	return ((random__next(state) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(u64 *state) /* Box and Muller */
{
	double length = sqrt(-2 * log(uniform(state)));

	return length * cos(2 * 3.14159265358979323846 * uniform(state));
}

TEST(series_order)
{
	struct series series = { .nr = 0 };

	CHECK(series__median(&series) == 0 && series__min(&series) == 0);
	FILL(&series, 5);
	CHECK(series__median(&series) == 5 && series__max(&series) == 5);
	FILL(&series, 1, 3, 2);
	CHECK(near(series__median(&series), 2.5));
	CHECK(near(series__quantile(&series, 0.25), 1.75));
	CHECK(series__min(&series) == 1 && series__max(&series) == 5);
	CHECK(series.values[0] == 5); /* in the order in which they came */
	series__exit(&series);
}

TEST(random_is_even_and_repeats)
{
	u32 counts[6] = { 0 };
	u64 state = 7, again = 7;

	for (u32 i = 0; i < 60000; i++) {
		u32 x = random__below(&state, 6);

		CHECK(x < 6 && x == random__below(&again, 6));
		counts[x % 6]++;
	}
	for (u32 i = 0; i < 6; i++) /* 10,000 each, standard deviation 91 */
		CHECK(counts[i] > 9500 && counts[i] < 10500);
	for (u32 i = 0; i < 100; i++)
		CHECK_EQ(random__below(&state, 1), 0);
}

/* Of 1000 samples with a known median the interval must have it in about 95 %. */
static u32 bootstrap_hits(double (*draw)(u64 *state), double median, u32 nr)
{
	u64 state = 11;
	u32 hits = 0;

	for (u32 trial = 0; trial < 200; trial++) {
		struct series series = { .nr = 0 };
		struct interval interval;

		for (u32 i = 0; i < nr; i++)
			series__add(&series, draw(&state));
		interval = series__median_interval(&series);
		hits += interval.low <= median && median <= interval.high;
		series__exit(&series);
	}
	return hits;
}

static double exponential(u64 *state)
{
	return -log(uniform(state));
}

TEST(series_median_interval_covers)
{
	struct series series = { .nr = 0 };
	struct interval interval, again;
	u32 hits = bootstrap_hits(normal, 0, 30);

	CHECK(hits >= 180 && hits <= 199); /* 190 expected, standard deviation 3 */
	hits = bootstrap_hits(exponential, log(2), 30);
	CHECK(hits >= 180 && hits <= 199);
	FILL(&series, 4);
	interval = series__median_interval(&series);
	CHECK(interval.low == 4 && interval.high == 4);
	FILL(&series, 1, 7, 3, 9);
	interval = series__median_interval(&series);
	again = series__median_interval(&series);
	CHECK(interval.low == again.low && interval.high == again.high);
	CHECK(interval.low >= 1 && interval.low < 4 && interval.high > 4 && interval.high <= 9);
	series__exit(&series);
}

/* Hollander and Wolfe, table A.4: of 10 values T+ <= 8 has a chance of 0.024, T+ <= 3 of 0.005. */
TEST(series_centre_of_known_tables)
{
	struct series series = { .nr = 0 };
	struct interval interval;
	double centre;

	FILL(&series, 1, 2, 3, 4, 5, 6, 7);
	CHECK(series__centre(&series, 0.98, &centre, &interval)); /* 2 x 1/128: the ends */
	CHECK(near(interval.low, 1) && near(interval.high, 7) && near(centre, 4));
	CHECK(!series__centre(&series, 0.99, &centre, &interval));
	CHECK(near(centre, 4));
	FILL(&series, 8, 9, 10);
	/* 0.95: the 9th of 55 means from each end: 1, 1.5, 2, 2, 2.5, 2.5, 3, 3, 3, ... */
	CHECK(series__centre(&series, 0.95, &centre, &interval));
	CHECK(near(interval.low, 3) && near(interval.high, 8) && near(centre, 5.5));
	/* 0.99: the 4th */
	CHECK(series__centre(&series, 0.99, &centre, &interval));
	CHECK(near(interval.low, 2) && near(interval.high, 9));
	series__exit(&series);
}

TEST(series_centre_covers)
{
	static const u32 sizes[] = { 10, 20, 120 };

	for (u32 s = 0; s < ARRAY_SIZE(sizes); s++) {
		u32 hits = 0, nr_trials = sizes[s] > 100 ? 300 : 2000;
		u64 state = 3 + s;

		for (u32 trial = 0; trial < nr_trials; trial++) {
			struct series series = { .nr = 0 };
			struct interval interval;
			double centre;

			/* Every tenth is far out: a busy machine. */
			for (u32 i = 0; i < sizes[s]; i++)
				series__add(&series,
				            (random__below(&state, 10) ? 1 : 20) * normal(&state));
			CHECK(series__centre(&series, 0.95, &centre, &interval));
			hits += interval.low <= 0 && 0 <= interval.high;
			series__exit(&series);
		}
		/* At least 95 %, and not always; three standard deviations of the count. */
		CHECK(hits + 3 * sqrt(0.05 * 0.95 * nr_trials) >= 0.95 * nr_trials);
		CHECK(hits < 0.99 * nr_trials);
	}
}

TEST(series_tells_what_does_not_fit)
{
	struct series series = { .nr = 0 };

	FILL(&series, 10, 11, 10, 12, 11, 10, 11);
	CHECK_EQ(series__outliers(&series, 3), 0); /* too few to tell */
	FILL(&series, 12, 10, 30, 11, 1);
	CHECK_EQ(series__outliers(&series, 3), 2);
	CHECK_EQ(series__warm_up(&series, 0.05, 3), 0);
	series__exit(&series);
	FILL(&series, 20, 16, 10, 11, 10, 12, 11, 10, 11, 12, 10, 11);
	CHECK_EQ(series__warm_up(&series, 0.05, 3), 2);
	CHECK_EQ(series__warm_up(&series, 0.05, 1), 1);
	CHECK_EQ(series__warm_up(&series, 0.9, 3), 0); /* not that much above */
	series__exit(&series);
	FILL(&series, 20, 10, 11, 10, 12, 11, 10, 11);
	CHECK_EQ(series__warm_up(&series, 0.05, 3), 0); /* the others are too few */
	series__exit(&series);
	/* All alike but the first, by next to nothing. */
	FILL(&series, 1000.1, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000);
	CHECK_EQ(series__warm_up(&series, 0.05, 3), 0);
	series__exit(&series);
}
