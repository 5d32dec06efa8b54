// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -fno-omit-frame-pointer -fno-inline -fno-optimize-sibling-calls */
/*
 * planted [SECONDS [REST]]: burns CPU time in four functions whose shares are known, and prints
 * what a true profile must say. The shares are shares of CPU time: each function runs until its
 * part of the process's CPU clock is used up, in many short turns, so that neither the machine's
 * speed nor its other load matters. The work is the program's own: nothing is called but the clock,
 * and that once in a few hundred microseconds. With REST it sleeps REST times as long after each
 * turn, which is shorter then: for who has to see that it works, not how much.
 *
 *	share planted_hot 50	"share" FUNCTION PERCENT (self)
 *	chain planted_hot planted_middle planted_outer main
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define TURNS       20 /* a second: how often the four take turns */
#define SHORT_TURNS 100

static volatile uint64_t sink;

static double cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Each function does its own arithmetic, so that none is mistaken for another. */
#define BURN(name, step)                                                                           \
	__attribute__((noinline)) void name(double until);                                         \
	__attribute__((noinline)) void name(double until)                                          \
	{                                                                                          \
		uint64_t x = sink + 88172645463325252u;                                            \
		do {                                                                               \
			for (int i = 0; i < 50000; i++) {                                          \
				x ^= x << 13;                                                      \
				x ^= x >> 7;                                                       \
				x += step;                                                         \
			}                                                                          \
			sink = x;                                                                  \
		} while (cpu_seconds() < until);                                                   \
	}

BURN(planted_hot, 3)
BURN(planted_warm, 5)
BURN(planted_mild, 7)
BURN(planted_cool, 11)

void planted_middle(double until);
void planted_middle(double until)
{
	planted_hot(until);
	sink++; /* no tail call */
}

void planted_outer(double until);
void planted_outer(double until)
{
	planted_middle(until);
	sink++;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 2, start = cpu_seconds();
	double rest = argc > 2 ? atof(argv[2]) : 0;
	int turns = seconds * (rest > 0 ? SHORT_TURNS : TURNS) + 1;
	double turn = seconds / turns;

	if (!(seconds > 0 && seconds <= 3600 && rest >= 0 && rest <= 100)) {
		fprintf(stderr, "usage: planted [SECONDS [REST]]\n");
		return 2;
	}
	for (int i = 0; i < turns; i++) {
		double at = start + i * turn;

		planted_outer(at + 0.5 * turn);
		planted_warm(at + 0.8 * turn);
		planted_mild(at + 0.95 * turn);
		planted_cool(at + turn);
		if (rest > 0)
			usleep(rest * turn * 1e6);
	}
	puts("share planted_hot 50\nshare planted_warm 30\nshare planted_mild 15\n"
	     "share planted_cool 5\nchain planted_hot planted_middle planted_outer main");
	return 0;
}
