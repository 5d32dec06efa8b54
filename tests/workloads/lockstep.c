// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -Wall -fno-omit-frame-pointer -fno-inline */
/*
 * lockstep MS ROUND_US PERCENT: runs for MS ms in rounds of ROUND_US of the wall clock. For PERCENT
 * of each round it is in lock_long(), then in lock_short(); a clock that samples its CPU each
 * ROUND_US / 2, whoever runs there, hits always the same two moments of the round. Prints
 *
 *	share lock_long 70	"share" FUNCTION PERCENT
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile uint64_t sink;

static uint64_t wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

#define BURN(name, step)                                                                           \
	static __attribute__((noinline)) void name(uint64_t until)                                 \
	{                                                                                          \
		uint64_t x = sink + 88172645463325252u;                                            \
		do {                                                                               \
			for (int i = 0; i < 2000; i++) {                                           \
				x ^= x << 13;                                                      \
				x ^= x >> 7;                                                       \
				x += step;                                                         \
			}                                                                          \
			sink = x;                                                                  \
		} while (wall_ns() < until);                                                       \
	}

BURN(lock_long, 3)
BURN(lock_short, 5)

int main(int argc, char **argv)
{
	uint64_t end = wall_ns() + (argc > 1 ? strtoull(argv[1], NULL, 10) : 1000) * 1000000;
	uint64_t round = (argc > 2 ? strtoull(argv[2], NULL, 10) : 2000) * 1000;
	unsigned percent = argc > 3 ? atoi(argv[3]) : 70;

	for (uint64_t now = wall_ns(); now < end; now = wall_ns()) {
		uint64_t start = now / round * round, half = start + round * percent / 100;

		if (now < half)
			lock_long(half);
		else
			lock_short(start + round);
	}
	printf("share lock_long %u\n", percent);
	printf("share lock_short %u\n", 100 - percent);
	return 0;
}
