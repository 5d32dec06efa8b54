// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/sort.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"

#define SHORT_RUN   16
#define MANY_RUNS   64 /* as many merge passes as that (6) cost what the digits of a key cost */
#define DIGIT_BITS  11
#define DIGIT_RANGE (1u << DIGIT_BITS)

/* The end of the ascending run that begins at @from; runs are made at least SHORT_RUN long. */
static size_t run_end(struct keyed *items, size_t from, size_t nr)
{
	size_t end = from + 1;

	while (end < nr && items[end - 1].key <= items[end].key)
		end++;
	for (; end < nr && end - from < SHORT_RUN; end++) {
		struct keyed item = items[end];
		size_t at = end;

		for (; at > from && items[at - 1].key > item.key; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
	return end;
}

static void merge(struct keyed *to, const struct keyed *a, const struct keyed *a_end,
                  const struct keyed *b, const struct keyed *b_end)
{
	while (a < a_end && b < b_end)
		*to++ = a->key <= b->key ? *a++ : *b++;
	memcpy(to, a, (a_end - a) * sizeof(*a));
	memcpy(to + (a_end - a), b, (b_end - b) * sizeof(*b));
}

/* One pass: neighbouring runs of @from become one run each in @to. Returns the number of runs. */
static size_t merge_pairs(struct keyed *to, const struct keyed *from, size_t *ends, size_t nr_runs)
{
	size_t nr = 0;

	for (size_t i = 0; i < nr_runs; i += 2) {
		size_t start = i ? ends[i - 1] : 0, middle = ends[i];
		size_t end = i + 1 < nr_runs ? ends[i + 1] : middle;

		merge(to + start, from + start, from + middle, from + middle, from + end);
		nr++;
	}
	for (size_t i = 0; i < nr; i++)
		ends[i] = ends[2 * i + 1 < nr_runs ? 2 * i + 1 : 2 * i];
	return nr;
}

/* Moves @from to @to in the order of one digit. */
static void sort_by_digit(struct keyed *to, const struct keyed *from, size_t nr, unsigned shift)
{
	size_t next[DIGIT_RANGE] = { 0 }, total = 0;

	for (size_t i = 0; i < nr; i++)
		next[from[i].key >> shift & (DIGIT_RANGE - 1)]++;
	for (unsigned digit = 0; digit < DIGIT_RANGE; digit++) {
		size_t count = next[digit];

		next[digit] = total;
		total += count;
	}
	for (size_t i = 0; i < nr; i++)
		to[next[from[i].key >> shift & (DIGIT_RANGE - 1)]++] = from[i];
}

/* For keys in no order at all: by digits, the lowest first, leaving out those that never differ. */
static void sort_digits(struct keyed *items, struct keyed *spare, size_t nr)
{
	struct keyed *from = items, *to = spare;
	u64 differ = 0;

	for (size_t i = 1; i < nr; i++)
		differ |= items[i].key ^ items[0].key;
	for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
		if (!(differ >> shift & (DIGIT_RANGE - 1)))
			continue;
		sort_by_digit(to, from, nr, shift);
		struct keyed *swap = from;

		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, nr * sizeof(*items));
}

static void merge_runs(struct keyed *items, struct keyed *spare, size_t nr, size_t *ends,
                       size_t nr_runs)
{
	struct keyed *from = items, *to = spare;

	while (nr_runs > 1) {
		nr_runs = merge_pairs(to, from, ends, nr_runs);
		struct keyed *swap = from;

		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, nr * sizeof(*items));
}

void keyed__sort(struct keyed *items, size_t nr)
{
	size_t *ends = NULL, nr_runs = 0, cap = 0;

	for (size_t end = 0; end < nr;) {
		end = run_end(items, end, nr);
		array__reserve(&ends, &cap, nr_runs + 1, sizeof(*ends));
		ends[nr_runs++] = end;
	}
	if (nr_runs > 1) {
		struct keyed *spare = xmalloc(nr * sizeof(*spare));

		if (nr_runs > MANY_RUNS && nr >= DIGIT_RANGE)
			sort_digits(items, spare, nr);
		else
			merge_runs(items, spare, nr, ends, nr_runs);
		free(spare);
	}
	free(ends);
}
