// SPDX-License-Identifier: GPL-2.0-or-later
/* Chains read on top of each other are what they are alone. */
#include "tests/unit/unit.h"

#include "util/format/sample.h"
#include "util/profile/path.h"

#define UNKNOWN_MARKER ((u64)-1000)

static u64 random_state;

static u32 random_below(u32 n)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (random_state >> 33) % n;
}

static struct u64_span span_of(const u64 *words, u64 nr)
{
	return (struct u64_span){ .data = (const u8 *)words, .nr = nr };
}

struct naive {
	struct {
		u64 ip;
		u8 cpumode;
	} leaf_first[64];
	u32 nr, nr_all;
	bool unknown;
};

/* What a chain means, taken apart by itself. */
static void read_naively(struct naive *naive, const u64 *words, u64 nr, u8 cpumode, u32 max)
{
	*naive = (struct naive){ .nr = 0 };
	for (u64 i = 0; i < nr && !naive->unknown; i++) {
		if (words[i] >= PERF_CONTEXT_MAX) {
			naive->unknown = !sample__context(words[i], &cpumode);
			continue;
		}
		naive->leaf_first[naive->nr_all].ip = words[i];
		naive->leaf_first[naive->nr_all++].cpumode = cpumode;
	}
	naive->nr = naive->nr_all < max ? naive->nr_all : max;
}

static u64 random_word(void)
{
	const u64 markers[] = { PERF_CONTEXT_KERNEL, PERF_CONTEXT_USER, PERF_CONTEXT_USER,
		                UNKNOWN_MARKER };

	return random_below(12) ? 0x1000 + random_below(3) : markers[random_below(4)];
}

static void check_path(const struct path *path, const struct naive *naive)
{
	CHECK_EQ(path->nr, naive->nr);
	for (u32 i = 0; i < naive->nr; i++) {
		CHECK_EQ(path->frames[i].ip, naive->leaf_first[naive->nr - 1 - i].ip);
		CHECK_EQ(path->frames[i].cpumode, naive->leaf_first[naive->nr - 1 - i].cpumode);
	}
}

TEST(path_of_any_chain_on_top_of_any_other)
{
	u64 words[40], nr = 0, kept_sum = 0;
	struct read_problems counts = { .nr_broken = 0 };
	struct naive naive;
	u64 cut = 0, unknown = 0;
	struct path path;

	random_state = 7;
	path__init(&path, 20);
	for (unsigned round = 0; round < 100000 && !unit__has_failed(); round++) {
		/* The next chain: some words nearest the leaf are others, more or fewer. */
		u32 drop = random_below(nr + 1) / (1 + random_below(4)), add = random_below(8);

		add = nr - drop + add > 40 ? 0 : add;
		memmove(words + add, words + drop, (nr - drop) * sizeof(*words));
		nr = nr - drop + add;
		for (u32 i = 0; i < add; i++)
			words[i] = random_word();
		u8 cpumode = 1 + random_below(2);
		struct u64_span span = span_of(words, nr);

		/* Frames that are said to be kept must not be written. */
		for (u32 i = 0; i < path.nr; i++)
			path.frames[i].node = i;
		for (u32 i = path.nr; i < 20; i++)
			path.frames[i].node = ID_NONE;
		u32 kept = path__read(&path, &span, false, cpumode, &counts);

		read_naively(&naive, words, nr, cpumode, 20);
		check_path(&path, &naive);
		for (u32 i = 0; i < kept; i++)
			CHECK_EQ(path.frames[i].node, i);
		kept_sum += kept;
		cut += naive.nr_all - naive.nr;
		unknown += naive.unknown;
	}
	CHECK_EQ(counts.nr_cut_frames, cut);
	CHECK_EQ(counts.nr_unknown_context, unknown);
	CHECK(cut && unknown && kept_sum > 100000);
	path__exit(&path);
}

TEST(path_keeps_what_neighbours_have_in_common)
{
	const u64 first[] = { PERF_CONTEXT_KERNEL, 9, PERF_CONTEXT_USER, 3, 2, 1 };
	const u64 second[] = { PERF_CONTEXT_USER, 4, 2, 1 };
	struct read_problems counts = { .nr_broken = 0 };
	struct u64_span a = span_of(first, 6), b = span_of(second, 4);
	struct path path;

	path__init(&path, 127);
	CHECK_EQ(path__read(&path, &a, false, PERF_RECORD_MISC_KERNEL, &counts), 0);
	CHECK_EQ(path.nr, 4);
	CHECK_EQ(path__read(&path, &b, false, PERF_RECORD_MISC_USER, &counts), 2);
	CHECK_EQ(path__read(&path, &a, false, PERF_RECORD_MISC_KERNEL, &counts), 2);
	CHECK_EQ(path__read(&path, &a, false, PERF_RECORD_MISC_KERNEL, &counts), 4);
	CHECK_EQ(path.frames[3].cpumode, PERF_RECORD_MISC_KERNEL);
	path__exit(&path);
}

TEST(path_of_swapped_words)
{
	const u64 words[] = { bswap_64(PERF_CONTEXT_USER), bswap_64(5), bswap_64(6) };
	struct read_problems counts = { .nr_broken = 0 };
	struct u64_span span = span_of(words, 3);
	struct path path;

	path__init(&path, 127);
	path__read(&path, &span, true, PERF_RECORD_MISC_KERNEL, &counts);
	CHECK_EQ(path.nr, 2);
	CHECK_EQ(path.frames[0].ip, 6);
	CHECK_EQ(path.frames[0].cpumode, PERF_RECORD_MISC_USER);
	CHECK_EQ(path__read(&path, &span, true, PERF_RECORD_MISC_KERNEL, &counts), 2);
	path__exit(&path);
}
