// SPDX-License-Identifier: GPL-2.0-or-later
/* Paths of branches: rounds of loops are one, and nothing else is. */
#include "util/stream/branch_path.h"

#include <stdio.h>

#include "tests/unit/unit.h"

/* "ab" is a branch from 'a' and then, before it, one from 'b'; each takes as many cycles as its
 * number in the list. */
static struct branch_path path_of(const char *letters, u32 max)
{
	u64 words[3 * 256];
	struct u64_span span = { .data = (const u8 *)words };
	struct branch_path path = { .nr = 0 };

	for (; letters[span.nr / 3]; span.nr += 3) {
		words[span.nr] = letters[span.nr / 3];
		words[span.nr + 1] = 1;
		words[span.nr + 2] = BRANCH_PREDICTED | (span.nr / 3 + 1) << 4;
	}
	branch_path__read(&path, &span, false, max);
	return path;
}

static const char *letters_of(const struct branch_path *path)
{
	static char text[1024];
	char *end = text;

	for (u32 i = 0; i < path->nr; i++) {
		*end++ = path->steps[i].from;
		if (path->steps[i].more)
			end += sprintf(end, "%u ", path->steps[i].more);
	}
	*end = '\0';
	return text;
}

TEST(branch_path_rounds_stand_once)
{
	const struct {
		const char *letters, *folded;
	} rows[] = {
		{ "", "" },
		{ "a", "a" },
		{ "abcd", "abcd" },
		{ "aa", "a1 " },
		{ "abab", "ab1 " },
		{ "xababab", "xab2 " },
		{ "xabababy", "xab2 y" },
		{ "xababay", "xab1 ay" },
		{ "abca", "abca" },
		{ "aabaab", "a1 ba1 b" },
		{ "abcabcabdabd", "abc1 abd1 " },
		{ "xxxyyyxxx", "x2 y2 x2 " },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct branch_path path = path_of(rows[i].letters, 127);

		CHECK_STR(letters_of(&path), rows[i].folded);
		branch_path__exit(&path);
	}
}

TEST(branch_path_cycles_are_of_a_round)
{
	struct branch_path path = path_of("xababab", 127);

	CHECK_EQ(path.steps[0].cycles, 1);
	CHECK_EQ(path.steps[1].cycles, 4); /* 2, 4, 6 */
	CHECK_EQ(path.steps[2].cycles, 5);
	CHECK_EQ(path.steps[2].rounds_cycles, 2 + 3 + 4 + 5 + 6 + 7);
	CHECK_EQ(path.steps[1].rounds_cycles, 0);
	branch_path__exit(&path);
}

TEST(branch_path_limit_holds_before_folding)
{
	struct branch_path path = path_of("xabab", 4);

	CHECK_STR(letters_of(&path), "xaba");
	branch_path__exit(&path);
	path = path_of("xabab", 0);
	CHECK_EQ(path.nr, 0);
	branch_path__exit(&path);
}

TEST(branch_path_flags_tell_rounds_apart)
{
	u64 words[] = { 5, 1, BRANCH_PREDICTED | 3 << 4,   5, 1, BRANCH_MISPREDICTED | 3 << 4,
		        5, 1, BRANCH_MISPREDICTED | 9 << 4 };
	struct u64_span span = { .data = (const u8 *)words, .nr = 9 };
	struct branch_path path = { .nr = 0 };

	branch_path__read(&path, &span, false, 127);
	CHECK_STR(letters_of(&path), "\5\5"
	                             "1 ");
	CHECK_EQ(path.steps[1].cycles, 6);
	branch_path__exit(&path);
}

/* What is longer than BRANCH_ROUND_MAX is no round. */
TEST(branch_path_rounds_have_a_limit)
{
	char letters[2 * (BRANCH_ROUND_MAX + 1) + 1];

	for (u32 size = BRANCH_ROUND_MAX; size <= BRANCH_ROUND_MAX + 1; size++) {
		for (u32 i = 0; i < 2 * size; i++)
			letters[i] = '!' + i % size;
		letters[2 * size] = '\0';
		struct branch_path path = path_of(letters, 512);

		CHECK_EQ(path.nr, size == BRANCH_ROUND_MAX ? size : 2 * size);
		branch_path__exit(&path);
	}
}
