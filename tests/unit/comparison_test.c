// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands that never ran: their figures are drawn from distributions that are known. */
#include "util/stat/comparison.h"

#include <math.h>

#include "tests/unit/unit.h"

/*
 * A machine that is busy at times: each round up to 20 % slower, each run up to 2 %, one run in
 * thirty takes half as long again.
 */
static double run_time(u64 *state, double seconds, double round)
{
	double own = random__below(state, 1000) / 1000.0;

	return seconds * (1 + 0.2 * round) * (1 + 0.02 * own) *
	       (random__below(state, 30) ? 1 : 1.5);
}

static enum comparison_verdict trial(u64 *state, double factor, u32 nr_rounds)
{
	struct comparison c;
	struct comparison_result result;

	comparison__init(&c, 2, 1);
	for (u32 i = 0; i < nr_rounds; i++) {
		double round = random__below(state, 1000) / 1000.0;

		comparison__add(&c, 0, 0, run_time(state, 0.5, round));
		comparison__add(&c, 1, 0, run_time(state, 0.5 * factor, round));
		comparison__end_round(&c);
	}
	result = comparison__result(&c, 1, 0);
	CHECK(result.has_interval);
	CHECK(result.low <= result.ratio && result.ratio <= result.high);
	comparison__exit(&c);
	return result.verdict;
}

TEST(comparison_finds_what_is_there_and_nothing_else)
{
	u32 more = 0, less = 0, wrong = 0;
	u64 state = 5;

	for (u32 i = 0; i < 100; i++) {
		more += trial(&state, 1.05, 40) == COMPARISON_MORE;
		less += trial(&state, 1 / 1.05, 40) == COMPARISON_LESS;
	}
	for (u32 i = 0; i < 400; i++)
		wrong += trial(&state, 1, 20) != COMPARISON_ALIKE;
	CHECK(more >= 97 && less >= 97);
	CHECK(wrong <= 12); /* 4 expected, standard deviation 2 */
}

/* Near enough: the sum of twelve even ones (Irwin, Hall). */
static double normal(u64 *state)
{
	double sum = -6;

	for (u32 i = 0; i < 12; i++)
		sum += (random__below(state, 1u << 30) + 0.5) / (1u << 30);
	return sum;
}

/* Runs that vary by 2 % around a level that wanders: the machine has other work. */
static enum comparison_verdict stopped_trial(u64 *state, double log_factor, double precision,
                                             u32 *nr_rounds)
{
	struct comparison c;
	struct comparison_result result;
	double level = 0;

	comparison__init(&c, 2, 1);
	do {
		level = 0.9 * level + 0.01 * normal(state);
		comparison__add(&c, 0, 0, exp(level + 0.02 * normal(state)));
		comparison__add(&c, 1, 0, exp(level + log_factor + 0.02 * normal(state)));
		comparison__end_round(&c);
	} while (!comparison__may_stop(&c, 0, precision));
	result = comparison__result(&c, 1, 0);
	CHECK(c.nr_rounds >= 10 && result.has_interval);
	CHECK((result.high - result.low) / 2 <= precision);
	*nr_rounds += c.nr_rounds;
	comparison__exit(&c);
	return result.verdict;
}

TEST(comparison_stops_when_it_knows_and_errs_no_more_for_it)
{
	u32 found = 0, wrong = 0, wrong_early = 0, nr_found = 0, nr_wrong = 0, nr_early = 0;
	u64 state = 9;

	for (u32 i = 0; i < 100; i++)
		found += stopped_trial(&state, 0.02, 0.01, &nr_found) == COMPARISON_MORE;
	for (u32 i = 0; i < 200; i++)
		wrong += stopped_trial(&state, 0, 0.01, &nr_wrong) != COMPARISON_ALIKE;
	for (u32 i = 0; i < 1000; i++) /* most at one of the first looks */
		wrong_early += stopped_trial(&state, 0, 0.02, &nr_early) != COMPARISON_ALIKE;
	CHECK(found >= 98);
	CHECK(wrong <= 7);        /* 2 expected, standard deviation 1.4 */
	CHECK(wrong_early <= 25); /* 10 expected, standard deviation 3.1 */
	CHECK(nr_found > 100 * 40 && nr_found < 100 * 90);
	CHECK(nr_wrong > 200 * 40 && nr_wrong < 200 * 90);
	CHECK(nr_early > 1000 * 12 && nr_early < 1000 * 25);
}

TEST(comparison_needs_rounds)
{
	struct comparison c;
	struct comparison_result result;

	comparison__init(&c, 2, 1);
	for (u32 i = 0; i < COMPARISON_LEAST_ROUNDS; i++) {
		CHECK(!comparison__is_precise(&c, 0, 1));
		result = comparison__result(&c, 1, 0);
		CHECK(!result.has_interval && result.verdict == COMPARISON_NONE);
		CHECK(result.has_ratio == (i > 0));
		comparison__add(&c, 0, 0, 100 + i);
		comparison__add(&c, 1, 0, 200 + 2 * i);
		comparison__end_round(&c);
	}
	result = comparison__result(&c, 1, 0);
	CHECK(result.has_interval && result.verdict == COMPARISON_MORE);
	CHECK(fabs(result.ratio - 2) < 1e-9 && fabs(result.seen - 1) < 1e-9);
	CHECK(result.reference == 103.5 && result.median == 207);
	CHECK(comparison__is_precise(&c, 0, 0.001));
	comparison__add(&c, 0, 0, 1e9); /* a round that was cut short */
	CHECK(comparison__result(&c, 1, 0).reference == 103.5);
	comparison__exit(&c);
}

TEST(comparison_leaves_out_what_was_not_counted)
{
	struct comparison c;
	struct comparison_result result;

	comparison__init(&c, 2, 2);
	for (u32 i = 0; i < 20; i++) {
		comparison__add(&c, 0, 0, i % 2 ? 10 : NAN);
		comparison__add(&c, 1, 0, 5);
		comparison__add(&c, 0, 1, 0); /* a count of 0 has no ratio */
		comparison__add(&c, 1, 1, 7);
		comparison__end_round(&c);
	}
	result = comparison__result(&c, 1, 0);
	CHECK(result.verdict == COMPARISON_LESS && result.reference == 10);
	CHECK(fabs(result.ratio - 0.5) < 1e-9);
	result = comparison__result(&c, 1, 1);
	CHECK(!result.has_ratio && result.verdict == COMPARISON_NONE);
	CHECK(result.reference == 0 && result.median == 7);
	comparison__exit(&c);
}

TEST(comparison_tells_the_narrower_figure)
{
	struct comparison c;
	double times;

	comparison__init(&c, 3, 2);
	CHECK(comparison__times_narrower(&c, 1, 0) == 0);
	for (u32 i = 0; i < 30; i++) {
		for (u32 command = 0; command < 3; command++) {
			double off = (int)(i * 7 % 11) - 5; /* even around 0, in another order */

			if (command == 0)
				off = 0;
			comparison__add(&c, command, 0, 1000 + 40 * off);
			comparison__add(&c, command, 1, 1000 + (command == 1 ? 4 : 10) * off);
		}
		comparison__end_round(&c);
	}
	times = comparison__times_narrower(&c, 1, 0);
	CHECK(times > 3.8 && times < 4.2); /* the second command's, not the first's 10 */
	times = comparison__times_narrower(&c, 0, 1);
	CHECK(times > 0.09 && times < 0.11);
	CHECK(comparison__times_narrower(&c, 1, 1) == 1);
	comparison__exit(&c);
}

TEST(comparison_tells_warm_up_and_outliers)
{
	struct comparison c;
	struct comparison_result result;

	comparison__init(&c, 2, 1);
	for (u32 i = 0; i < 20; i++) {
		comparison__add(&c, 0, 0, 100 + i % 3);
		comparison__add(&c, 1, 0, i < 2 ? 150 - 10 * i : i == 9 ? 300 : 100 + i % 3);
		comparison__end_round(&c);
	}
	CHECK_EQ(comparison__drop_warm_up(&c, 0), 2);
	CHECK_EQ(c.nr_rounds, 18);
	CHECK_EQ(comparison__drop_warm_up(&c, 0), 2); /* once */
	result = comparison__result(&c, 1, 0);
	CHECK_EQ(result.nr_outliers, 1);
	CHECK_EQ(result.nr_reference_outliers, 0);
	CHECK(result.verdict == COMPARISON_ALIKE);
	comparison__exit(&c);
}
