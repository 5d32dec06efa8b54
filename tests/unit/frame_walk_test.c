// SPDX-License-Identifier: GPL-2.0-or-later
/* The frames of chains with markers of all kinds, in both byte orders. */
#include "util/stream/frame_walk.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/unit.h"

static char text[256];

/* "IP/CPUMODE " for each frame, with a 'r' behind return addresses, '!' for an unknown marker. */
static const char *walk_words(u8 cpumode, const u64 *words, u64 nr, bool swap)
{
	u64 file[16];
	struct sample sample = { .cpumode = cpumode, .chain = { (const u8 *)file, nr } };
	struct frame frame;

	for (u64 i = 0; i < nr; i++)
		file[i] = swap ? bswap_64(words[i]) : words[i];
	struct frame_walk walk = frame_walk__begin(&sample, swap);

	text[0] = '\0';
	while (frame_walk__next(&walk, &frame))
		sprintf(text + strlen(text), "%llx/%u%s ", (unsigned long long)frame.ip,
		        frame.cpumode, frame.returned ? "r" : "");
	if (walk.unknown)
		strcat(text, "!");
	CHECK(!frame_walk__next(&walk, &frame));
	return text;
}

static void check_walk(u8 cpumode, const u64 *words, u64 nr, const char *expected)
{
	CHECK_STR(walk_words(cpumode, words, nr, false), expected);
	CHECK_STR(walk_words(cpumode, words, nr, true), expected);
}

#define CHECK_WALK(cpumode, expected, ...)                                                         \
	check_walk(cpumode, (const u64[]){ __VA_ARGS__ }, sizeof((u64[]){ __VA_ARGS__ }) / 8,      \
	           expected)

#define USER   PERF_RECORD_MISC_USER
#define KERNEL PERF_RECORD_MISC_KERNEL

TEST(frames_belong_to_the_context_in_front_of_them)
{
	CHECK_WALK(USER, "5/1 6/1r ", PERF_CONTEXT_KERNEL, 5, 6);
	CHECK_WALK(KERNEL, "5/2 6/2r ", PERF_CONTEXT_USER, 5, 6);
	CHECK_WALK(USER, "5/3 ", PERF_CONTEXT_HV, 5);
	CHECK_WALK(USER, "5/4 ", PERF_CONTEXT_GUEST_KERNEL, 5);
	CHECK_WALK(USER, "5/5 ", PERF_CONTEXT_GUEST_USER, 5);
	CHECK_WALK(USER, "5/5 ", PERF_CONTEXT_GUEST, 5);
}

TEST(frames_without_a_context_belong_to_that_of_the_sample)
{
	CHECK_WALK(USER, "5/2 6/2r ", 5, 6);
	CHECK_WALK(KERNEL, "5/1 6/1r 7/2 ", 5, 6, PERF_CONTEXT_USER, 7);
	check_walk(USER, NULL, 0, "");
}

TEST(first_frames_of_contexts_are_no_return_addresses)
{
	CHECK_WALK(KERNEL, "1/1 2/1r 3/2 4/2r ", PERF_CONTEXT_KERNEL, 1, 2, PERF_CONTEXT_USER, 3,
	           4);
	CHECK_WALK(KERNEL, "3/2 ", PERF_CONTEXT_KERNEL, PERF_CONTEXT_USER, 3);
}

TEST(frames_behind_unknown_markers_are_left_out)
{
	CHECK_WALK(USER, "5/2 !", PERF_CONTEXT_USER, 5, (u64)-7, 6, PERF_CONTEXT_KERNEL, 7);
	/* PERF_CONTEXT_USER_DEFERRED of newer kernels: a cookie follows, no address. */
	CHECK_WALK(USER, "5/1 !", PERF_CONTEXT_KERNEL, 5, (u64)-640, 77);
	CHECK_WALK(USER, "5/2 !", PERF_CONTEXT_USER, 5, PERF_CONTEXT_MAX);
	/* One below them all is an address. */
	CHECK_WALK(USER, "5/2 fffffffffffff000/2r ", PERF_CONTEXT_USER, 5, PERF_CONTEXT_MAX - 1);
}
