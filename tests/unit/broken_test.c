// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/builder.h"
#include "tests/unit/unit.h"
#include "util/format/broken.h"

/* A record of words: does its body fit? */
static bool fits(u32 type, bool swap, const u64 *words, u32 nr)
{
	struct builder b = { .swap = swap };
	size_t at = builder__begin(&b, type, 0);

	for (u32 i = 0; i < nr; i++)
		builder__u64(&b, words[i]);
	builder__end(&b, at);
	const struct record r = { .data = b.data, .type = type, .size = b.len };
	bool result = record__body_fits(&r, swap);

	builder__exit(&b);
	return result;
}

TEST(broken_a_body_that_is_too_short_is_none)
{
	const u64 words[32] = { 0 };

	for (u32 type = 0; type < RECORD_TYPE_MAX; type++)
		for (u32 nr = 0; nr < 32; nr++)
			CHECK_EQ(fits(type, false, words, nr),
			         8 + nr * 8 >= record__min_size(type));
	CHECK(fits(63, false, NULL, 0)); /* nobody knows what it should be */
	CHECK(!fits(PERF_RECORD_MMAP2, false, words, 8));
	CHECK(!fits(PERF_RECORD_EXIT, false, words, 2));
}

/* Lists: how many entries they say, and how many have room. */
TEST(broken_lists_that_do_not_fit)
{
	static const struct {
		u32 type, before, words;
	} lists[] = { { PERF_RECORD_NAMESPACES, 1, 2 },
		      { RECORD_ID_INDEX, 0, 4 },
		      { RECORD_THREAD_MAP, 0, 3 },
		      { RECORD_STAT_CONFIG, 0, 2 } };

	for (u32 i = 0; i < 2 * ARRAY_SIZE(lists); i++) {
		bool swap = i & 1;
		u32 type = lists[i / 2].type, at = lists[i / 2].before;
		u32 size = at + 1 + 3 * lists[i / 2].words;
		u64 words[32] = { 0 };

		words[at] = 3;
		CHECK(fits(type, swap, words, size));
		CHECK(fits(type, swap, words, size + 2)); /* a trailer */
		CHECK(!fits(type, swap, words, size - 1));
		words[at] = UINT64_MAX / 8;
		CHECK(!fits(type, swap, words, size));
	}
}

TEST(broken_names_and_code_that_do_not_fit)
{
	const u64 ends[] = { 1, 0x00636261 }, no_end[] = { 1, 0x6161616161616161 };
	/* 3 bytes of old code, 5 of new */
	const u64 poke[] = { 0x1000, 3 | 5 << 16 | 0x9090ull << 32, 0 };

	CHECK(fits(PERF_RECORD_CGROUP, false, ends, 2));
	CHECK(!fits(PERF_RECORD_CGROUP, false, no_end, 2));
	CHECK(fits(PERF_RECORD_TEXT_POKE, false, poke, 3));
	CHECK(!fits(PERF_RECORD_TEXT_POKE, false, poke, 2));
}

TEST(broken_records_are_all_counted_and_the_first_ones_kept)
{
	struct broken_records broken = { 0 };

	for (u32 i = 0; i < BROKEN_RECORDS_KEPT + 5; i++) {
		const struct record r = { .type = PERF_RECORD_COMM, .size = 40, .offset = i * 40 };

		broken_records__add(&broken, &r);
	}
	CHECK_EQ(broken.nr, BROKEN_RECORDS_KEPT + 5);
	CHECK_EQ(broken.nr_kept, BROKEN_RECORDS_KEPT);
	CHECK_EQ(broken.kept[7].offset, 280);
	broken_records__exit(&broken);
	CHECK_EQ(broken.nr, 0);
}
