// SPDX-License-Identifier: GPL-2.0-or-later
/* Lockstep of a clock with the work is found where it is, and nowhere else: no false alarm in many
 * thousands of programs of every kind that has none. */
#include "util/lib/lockstep.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

#define PERIOD  1000000.0 /* ns */
#define SAMPLES 4096

static u64 state;

static double uniform(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 11) / 9007199254740992.0;
}

static struct lockstep_sample samples[SAMPLES];

/* What runs at a time (ns): a round of @length ns, of which row 0 has the first part. */
static u32 work_at(double time, double length, double part)
{
	return fmod(time, length) >= part * length;
}

/* The clock hits at @offset of each period, at most 0.02 of them late; some hits are left out. */
static void sample_rounds(double length, double part, double offset, double lost)
{
	double time = offset;

	for (u32 i = 0; i < SAMPLES; i++) {
		time += uniform() < lost ? 2 * PERIOD : PERIOD;
		double hit = time + 0.02 * PERIOD * uniform();

		samples[i] = (struct lockstep_sample){ 1e12 + hit, work_at(hit, length, part) };
	}
}

TEST(lockstep_of_rounds_of_some_periods_is_found)
{
	state = 1;
	for (u32 length = 2; length <= LOCKSTEP_MAX; length++)
		for (double lost = 0; lost < 0.3; lost += 0.1) {
			sample_rounds(length * PERIOD, 0.5, 0.3 * PERIOD, lost);
			CHECK_EQ(lockstep__find(samples, SAMPLES, PERIOD), length);
		}
	/* Not half of the time, though each second sample says so. */
	sample_rounds(2 * PERIOD, 0.7, 0.6 * PERIOD, 0);
	CHECK_EQ(lockstep__find(samples, SAMPLES, PERIOD), 2);
	CHECK_EQ(lockstep__find(samples, LOCKSTEP_SAMPLES_MIN, PERIOD), 2);
	CHECK_EQ(lockstep__find(samples, LOCKSTEP_SAMPLES_MIN - 1, PERIOD), 0);
}

TEST(lockstep_of_a_clock_that_stands_still_between_is_found)
{
	double cpu = 0.3 * PERIOD, wall = 0;

	state = 2;
	for (u32 i = 0; i < SAMPLES; i++) {
		cpu += PERIOD;
		wall += PERIOD * (uniform() < 0.3 ? 1.15 + 0.7 * uniform() : 1);
		samples[i] = (struct lockstep_sample){ 1e12 + wall, work_at(cpu, 2 * PERIOD, 0.5) };
	}
	CHECK_EQ(lockstep__find(samples, SAMPLES, PERIOD), 2);
}

TEST(lockstep_is_not_seen_in_rounds_that_drift)
{
	state = 3;
	for (u32 i = 0; i < 2000; i++) {
		double length = (1.5 + 10 * uniform()) * PERIOD;
		double near = floor(length / PERIOD + 0.5) * PERIOD;

		/* Over all samples it must drift by a round at least. */
		if (fabs(near - length) * SAMPLES * PERIOD / length < length)
			continue;
		sample_rounds(length, 0.5, uniform() * PERIOD, 0);
		u32 found = lockstep__find(samples, SAMPLES, PERIOD);
		/* Or it may come round in two lengths, three ... of which one is whole periods. */
		double rest = found ? fmod(found * PERIOD / length + 1e-3, 1) : 0;

		CHECK(!found || rest < 2e-3);
	}
}

/* Bursts of @mean samples of one of @nr_rows rows; each of @least samples at least. */
static void sample_bursts(u32 nr_rows, double mean, u32 least)
{
	u32 row = 0, left = 0;

	for (u32 i = 0; i < SAMPLES; i++) {
		if (!left) {
			double more = -log(1 - uniform()) * (mean - least);

			row = uniform() * uniform() * nr_rows;
			left = least + (u32)more;
		}
		left -= left > 0;
		samples[i] = (struct lockstep_sample){ 1e12 + i * PERIOD, row };
	}
}

TEST(lockstep_is_not_seen_in_bursts_and_chance)
{
	static const double means[] = { 1, 1.5, 2, 3, 5, 10, 50, 400 };

	state = 4;
	for (u32 i = 0; i < ARRAY_SIZE(means); i++)
		for (u32 run = 0; run < 300; run++) {
			u32 nr = run % 2 ? SAMPLES : LOCKSTEP_SAMPLES_MIN + run;

			sample_bursts(2 + run % 40, means[i], 1 + run % 2 * (means[i] >= 2));
			CHECK_EQ(lockstep__find(samples, nr, PERIOD), 0);
		}
}

TEST(lockstep_is_not_seen_in_one_row_or_one_moment)
{
	for (u32 i = 0; i < SAMPLES; i++)
		samples[i] = (struct lockstep_sample){ 1e12 + i * PERIOD, 7 };
	CHECK_EQ(lockstep__find(samples, SAMPLES, PERIOD), 0);
	for (u32 i = 0; i < SAMPLES; i++)
		samples[i] = (struct lockstep_sample){ 1e12, i % 2 };
	CHECK_EQ(lockstep__find(samples, SAMPLES, PERIOD), 0);
	CHECK_EQ(lockstep__find(samples, SAMPLES, 0), 0);
	CHECK_EQ(lockstep__find(NULL, 0, PERIOD), 0);
}
