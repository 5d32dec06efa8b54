// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/lockstep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

#define PARTS    8
#define ROWS     16   /* that are told apart: the last are all others */
#define TOLD_MIN 0.15 /* of 0 .. 1: how much the number says of a sample's row */
#define GAP_OFF  0.1  /* periods: by so much a hit may be late */

/* A sample as the search sees it. */
struct hit {
	u64 number; /* of the clock's period */
	u8 row;
	u8 part;
};

struct row_count {
	u32 row, count;
};

/* Samples by what their number is modulo the length of the round, and by row. */
struct round {
	u32 length;
	double counts[PARTS][LOCKSTEP_MAX][ROWS];
	double sums[LOCKSTEP_MAX][ROWS]; /* of all parts */
};

/* ---- hits ---- */

static int compare_rows(const void *left, const void *right)
{
	u32 a = *(const u32 *)left, b = *(const u32 *)right;

	return (a > b) - (a < b);
}

static int compare_counts(const void *left, const void *right)
{
	const struct row_count *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* Into @top: the most frequent rows. Returns how many there are, ROWS - 1 at most. */
static u32 find_top(const struct lockstep_sample *samples, size_t nr, u32 top[ROWS - 1])
{
	u32 *rows = xcalloc(nr, sizeof(*rows)), nr_rows = 0;
	struct row_count *counts = xcalloc(nr, sizeof(*counts));

	for (size_t i = 0; i < nr; i++)
		rows[i] = samples[i].row;
	qsort(rows, nr, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < nr; i++) {
		if (!nr_rows || counts[nr_rows - 1].row != rows[i])
			counts[nr_rows++].row = rows[i];
		counts[nr_rows - 1].count++;
	}
	qsort(counts, nr_rows, sizeof(*counts), compare_counts);
	if (nr_rows > ROWS - 1)
		nr_rows = ROWS - 1;
	for (u32 i = 0; i < nr_rows; i++)
		top[i] = counts[i].row;
	free(rows);
	free(counts);
	return nr_rows;
}

static u8 place_of(u32 row, const u32 *top, u32 nr_top)
{
	for (u32 i = 0; i < nr_top; i++)
		if (top[i] == row)
			return i;
	return ROWS - 1;
}

/*
 * A clock that never stops leaves out whole periods, if it was late or the thread did not run. A
 * clock of the thread alone stands still as long as that does not run: its next hit is the next.
 */
static u64 periods_between(u64 from, u64 to, double period)
{
	double gap = (to - from) / period, whole = floor(gap + 0.5);

	return whole >= 1 && fabs(gap - whole) <= GAP_OFF ? (u64)whole : 1;
}

/* One hit for each moment; returns their number. */
static size_t make_hits(const struct lockstep_sample *samples, size_t nr, double period,
                        struct hit *hits)
{
	u32 top[ROWS - 1], nr_top = find_top(samples, nr, top);
	size_t nr_hits = 0;
	u64 number = 0;

	for (size_t i = 0; i < nr; i++) {
		if (i && samples[i].time == samples[i - 1].time)
			continue;
		number += i ? periods_between(samples[i - 1].time, samples[i].time, period) : 0;
		hits[nr_hits++] = (struct hit){
			.number = number,
			.row = place_of(samples[i].row, top, nr_top),
		};
	}
	for (size_t i = 0; i < nr_hits; i++)
		hits[i].part = i * PARTS / nr_hits;
	return nr_hits;
}

/* ---- rounds ---- */

static void count(struct round *round, const struct hit *hits, size_t nr)
{
	memset(round->counts, 0, sizeof(round->counts));
	memset(round->sums, 0, sizeof(round->sums));
	for (size_t i = 0; i < nr; i++) {
		u32 at = hits[i].number % round->length;

		round->counts[hits[i].part][at][hits[i].row]++;
		round->sums[at][hits[i].row]++;
	}
}

/* Into @shares: what rows have at each place of the round, in all parts but one. */
static bool learn(const struct round *round, u32 but, double shares[LOCKSTEP_MAX][ROWS])
{
	for (u32 at = 0; at < round->length; at++) {
		double all = 0;

		for (u32 row = 0; row < ROWS; row++) {
			shares[at][row] = round->sums[at][row] - round->counts[but][at][row];
			all += shares[at][row];
		}
		if (!(all > 0))
			return false;
		for (u32 row = 0; row < ROWS; row++)
			shares[at][row] /= all;
	}
	return true;
}

/*
 * How much better the rows of a part are foreseen by their place in the round than without it, as
 * the mean of what probability they get: 0, where places say nothing; 1 at most.
 */
static double told(const struct round *round, u32 part)
{
	double shares[LOCKSTEP_MAX][ROWS], mean[ROWS] = { 0 }, sum = 0, nr = 0;

	if (!learn(round, part, shares))
		return 0;
	for (u32 at = 0; at < round->length; at++)
		for (u32 row = 0; row < ROWS; row++)
			mean[row] += shares[at][row] / round->length;
	for (u32 at = 0; at < round->length; at++)
		for (u32 row = 0; row < ROWS; row++) {
			double here = round->counts[part][at][row];

			sum += here * (shares[at][row] - mean[row]);
			nr += here;
		}
	return nr > 0 ? sum / nr : 0;
}

static bool tells_all_parts(const struct round *round)
{
	for (u32 part = 0; part < PARTS; part++)
		if (told(round, part) < TOLD_MIN)
			return false;
	return true;
}

u32 lockstep__find(const struct lockstep_sample *samples, size_t nr, double period)
{
	struct round round;
	u32 found = 0;

	if (nr < LOCKSTEP_SAMPLES_MIN || !(period > 0))
		return 0;
	struct hit *hits = xcalloc(nr, sizeof(*hits));
	size_t nr_hits = make_hits(samples, nr, period, hits);

	for (round.length = 2; round.length <= LOCKSTEP_MAX; round.length++) {
		if (nr_hits < (size_t)LOCKSTEP_SAMPLES_MIN / 2 * round.length)
			break;
		count(&round, hits, nr_hits);
		if (!tells_all_parts(&round))
			continue;
		found = round.length;
		break;
	}
	free(hits);
	return found;
}
