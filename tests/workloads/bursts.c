// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -Wall -fno-omit-frame-pointer -fno-inline */
/*
 * bursts TURNS MS SEED: burns CPU time in three functions. Each turn lasts for MS ms of CPU time
 *and is that of a function drawn at random: whatever TURNS and SEED are, the expected shares are
 *
 *	share burst_half 50	"share" FUNCTION PERCENT
 *
 * and what the turns really were, by which one run differs from another, is
 *
 *	had burst_half 43.3
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile uint64_t sink;

static double cpu_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

#define BURN(name, step)                                                                           \
	static __attribute__((noinline)) void name(double until)                                   \
	{                                                                                          \
		uint64_t x = sink + 88172645463325252u;                                            \
		do {                                                                               \
			for (int i = 0; i < 20000; i++) {                                          \
				x ^= x << 13;                                                      \
				x ^= x >> 7;                                                       \
				x += step;                                                         \
			}                                                                          \
			sink = x;                                                                  \
		} while (cpu_ms() < until);                                                        \
	}

BURN(burst_half, 3)
BURN(burst_third, 5)
BURN(burst_fifth, 7)

static uint64_t state;

static unsigned draw(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	unsigned x = (state >> 33) % 100;

	return x < 50 ? 0 : x < 80 ? 1 : 2;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "burst_half", "burst_third", "burst_fifth" };
	static const int shares[] = { 50, 30, 20 };
	static void (*const functions[])(double) = { burst_half, burst_third, burst_fifth };
	long turns = argc > 1 ? atol(argv[1]) : 60, had[3] = { 0 };
	double length = argc > 2 ? atof(argv[2]) : 50, until = cpu_ms();

	state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	for (long i = 0; i < turns; i++) {
		unsigned which = draw();

		had[which]++;
		until += length;
		functions[which](until);
	}
	for (int i = 0; i < 3; i++) {
		printf("share %s %d\n", names[i], shares[i]);
		printf("had %s %.1f\n", names[i], 100.0 * had[i] / turns);
	}
	return 0;
}
