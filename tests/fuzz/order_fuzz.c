// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole perf.data file in the order of time: with the index that the walk made and without, in
 * one go and in parts, each record comes once, and always in the same order. Then the file becomes
 * another one while it is open: records may be lost, and that is all.
 */
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "util/lib/alloc.h"
#include "util/reader/ordered.h"

struct places {
	struct record_place *places;
	size_t nr, cap;
};

static int nothing(void *ctx, const struct data_block *block)
{
	(void)ctx;
	(void)block;
	return 0;
}

static void take_all(struct ordered *ordered, struct places *to)
{
	struct record_place place;
	struct record record;

	while (ordered__next(ordered, &record, &place.time)) {
		place.offset = record.offset;
		fuzz__touch(record.data, record.size);
		array__reserve(&to->places, &to->cap, to->nr + 1, sizeof(*to->places));
		to->places[to->nr++] = place;
	}
}

/* By their time, and by their offset where it is the same. */
static void check_order(const struct places *all)
{
	for (size_t i = 1; i < all->nr; i++)
		FUZZ_CHECK(record_place__is_before(all->places[i - 1], all->places[i]));
}

static void check_same(const struct places *a, const struct places *b)
{
	FUZZ_CHECK(a->nr == b->nr);
	for (size_t i = 0; i < a->nr; i++)
		FUZZ_CHECK(a->places[i].time == b->places[i].time &&
		           a->places[i].offset == b->places[i].offset);
}

/* Parts of @step records. */
static void read_in_parts(const struct ordered *whole, const struct places *all, size_t step)
{
	struct ordered *part = ordered__new_part(whole);
	struct record_place from = { 0, 0 }, until = { UINT64_MAX, UINT64_MAX };
	bool timed = ordered__index(whole)->timed;
	struct places seen = { .nr = 0 };

	for (size_t cut = step; cut < all->nr; cut += step) {
		struct record_place place = all->places[cut];

		place.time = timed ? place.time : 0; /* what records without a time are sorted by */
		ordered__begin_part(part, from, place);
		take_all(part, &seen);
		FUZZ_CHECK(seen.nr == cut);
		from = place;
	}
	ordered__begin_part(part, from, until);
	take_all(part, &seen);
	check_same(all, &seen);
	FUZZ_CHECK(!ordered__stats(part)->nr_lost);
	free(seen.places);
	ordered__delete(part);
}

/* Of a file that was changed since it was walked. */
static void read_changed(const struct perf_data *data, u64 nr_walked)
{
	struct error err = ERROR_INIT;
	struct ordered *ordered = ordered__new(data, &err);
	struct places seen = { .nr = 0 };

	FUZZ_CHECK(ordered || (err.code < 0 && err.what[0]));
	if (!ordered)
		return;
	take_all(ordered, &seen);
	FUZZ_CHECK(seen.nr <= nr_walked + ordered__stats(ordered)->nr_records);
	free(seen.places);
	ordered__delete(ordered);
}

static u8 *changed_bytes(const u8 *bytes, size_t size)
{
	u8 *copy = xmalloc(size + 1);

	memcpy(copy, bytes, size);
	for (size_t at = size / 2; at < size; at += 1 + copy[size / 2])
		copy[at] ^= 0x81;
	return copy;
}

static void read_open(struct perf_data *data, bool indexed, struct places *all)
{
	struct ordered *ordered = ordered__new(data, NULL);

	FUZZ_CHECK(ordered && !perf_data__times(data) == !indexed);
	take_all(ordered, all);
	check_order(all);
	FUZZ_CHECK(all->nr == ordered__stats(ordered)->nr_records);
	FUZZ_CHECK(!ordered__stats(ordered)->nr_lost);
	if (indexed)
		for (size_t step = 1; step < 40; step = 5 * step + 2)
			read_in_parts(ordered, all, step);
	ordered__delete(ordered);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	static const unsigned flags[] = { PERF_DATA_FORCE, PERF_DATA_FORCE | PERF_DATA_TIMES };
	struct places all[2] = { { .nr = 0 }, { .nr = 0 } };

	for (u32 i = 0; i < ARRAY_SIZE(flags); i++) {
		struct perf_data *data = perf_data__open(fuzz__file(bytes, size), flags[i], NULL);

		if (!data)
			return 0;
		if (!perf_data__walk(data, nothing, NULL, NULL)) {
			u8 *changed = changed_bytes(bytes, size);

			read_open(data, i, &all[i]);
			fuzz__file(changed, size);
			read_changed(data, all[i].nr);
			fuzz__file(changed, size / 2);
			read_changed(data, all[i].nr);
			free(changed);
		}
		perf_data__close(data);
	}
	check_same(&all[0], &all[1]);
	free(all[0].places);
	free(all[1].places);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	fuzz__perf_data_seeds(add);
}
