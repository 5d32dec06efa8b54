// SPDX-License-Identifier: GPL-2.0-or-later
/* Loops of a function, found by where its jumps lead. */
#include "ui/tui/code_loops.h"

#include <stdio.h>

#include "tests/unit/unit.h"

static u32 ends; /* a bit for each line that what follows does not come behind */

/* "0..9@0 2..4@1": lines and depths; valid until the next call. */
static const char *loops_of(const u64 (*jumps)[2], u32 nr)
{
	static char text[256];
	struct annotate_mark list[16] = { { .at = 0 } };
	struct annotate_marks marks = { .list = list, .nr = ARRAY_SIZE(list) };
	u32 line_of[ARRAY_SIZE(list)];
	struct code_loops loops;
	int len = 0;

	for (u32 i = 0; i < ARRAY_SIZE(list); i++) {
		list[i].addr = 0x100 + i;
		list[i].ends = ends >> i & 1;
		line_of[i] = i;
	}
	for (u32 i = 0; i < nr; i++)
		list[jumps[i][0]].target = jumps[i][1] ? 0xff + jumps[i][1] : 1;
	code_loops__init(&loops, &marks, line_of);
	text[0] = '\0';
	for (u32 i = 0; i < loops.nr; i++)
		len += snprintf(text + len, sizeof(text) - len, "%s%u..%u@%u", i ? " " : "",
		                loops.list[i].first, loops.list[i].last, loops.list[i].depth);
	snprintf(text + len, sizeof(text) - len, " (%u)", loops.depth);
	code_loops__exit(&loops);
	return text;
}

#define LOOPS(...)                                                                                 \
	loops_of((const u64[][2]){ __VA_ARGS__ },                                                  \
	         sizeof((const u64[][2]){ __VA_ARGS__ }) / (2 * sizeof(u64)))

/* Jumps { from line, to line + 1 }. */
TEST(code_has_loops_in_loops)
{
	CHECK_STR(LOOPS({ 9, 1 }, { 4, 3 }), "0..9@0 2..4@1 (2)");
	CHECK_STR(LOOPS({ 4, 3 }, { 8, 7 }), "2..4@0 6..8@0 (1)");
	CHECK_STR(LOOPS({ 4, 3 }, { 8, 6 }, { 14, 1 }), "0..14@0 2..4@1 5..8@1 (2)");
	CHECK_STR(LOOPS({ 4, 3 }, { 6, 3 }), "2..6@0 (1)");             /* two jumps back */
	CHECK_STR(LOOPS({ 9, 1 }, { 9, 1 }, { 12, 5 }), "0..12@0 (1)"); /* overlapping */
	CHECK_STR(LOOPS({ 3, 8 }), " (0)");                             /* forwards */
	CHECK_STR(LOOPS({ 3, 0 }), " (0)");                             /* out of it */
	CHECK_STR(LOOPS({ 15, 1 }, { 14, 2 }, { 13, 3 }, { 12, 4 }, { 11, 5 }, { 10, 6 }, { 9, 7 },
	                { 8, 8 }),
	          "0..15@0 1..14@1 2..13@2 3..12@3 4..11@4 5..10@5 6..9@6 7..8@7 (8)");
}

/* An exit stands before what jumps to it; loops that cross, and what they cross in turn. */
TEST(code_has_loops_only_where_it_comes_again)
{
	ends = 1u << 3; /* 2: mov; 3: ret */
	CHECK_STR(LOOPS({ 9, 3 }, { 11, 6 }), "5..11@0 (1)");
	CHECK_STR(LOOPS({ 9, 3 }), " (0)");
	ends = 1u << 3 | 1u << 12;
	CHECK_STR(LOOPS({ 0, 5 }, { 9, 3 }, { 8, 7 }, { 12, 5 }), "4..12@0 6..8@1 (2)");
	ends = 0;
	CHECK_STR(LOOPS({ 9, 3 }), "2..9@0 (1)");
	CHECK_STR(LOOPS({ 6, 1 }, { 4, 3 }, { 5, 4 }, { 12, 7 }), "0..12@0 2..5@1 (2)");
	CHECK_STR(LOOPS({ 8, 1 }, { 7, 3 }, { 12, 5 }), "0..12@0 (1)");
	CHECK_STR(LOOPS({ 14, 1 }, { 7, 3 }, { 12, 5 }), "0..14@0 2..12@1 (2)");
}
