// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -fno-omit-frame-pointer -fno-inline -fno-optimize-sibling-calls */
/*
 * fixed ROUNDS: the same instructions each time it runs, for counters that count exactly: no clock,
 * no output, no memory but the stack. 3 of 4 parts of the work are in fixed_hot, a leaf that keeps
 * no frame of its own where the architecture allows that; 1 of 4 in fixed_warm.
 *
 *	share fixed_hot 75		chain fixed_hot fixed_middle fixed_outer main
 */
#include <stdint.h>
#include <stdlib.h>

volatile uint64_t fixed_sink;

#define BURN(name, step)                                                                           \
	__attribute__((noinline)) uint64_t name(uint64_t x, unsigned turns);                       \
	__attribute__((noinline)) uint64_t name(uint64_t x, unsigned turns)                        \
	{                                                                                          \
		while (turns--) {                                                                  \
			x ^= x << 13;                                                              \
			x ^= x >> 7;                                                               \
			x += step;                                                                 \
		}                                                                                  \
		return x;                                                                          \
	}

BURN(fixed_hot, 3)
BURN(fixed_warm, 5)

__attribute__((noinline)) uint64_t fixed_middle(uint64_t x);
__attribute__((noinline)) uint64_t fixed_middle(uint64_t x)
{
	x = fixed_hot(x, 3000);
	return fixed_warm(x, 1000);
}

__attribute__((noinline)) void fixed_outer(unsigned rounds);
__attribute__((noinline)) void fixed_outer(unsigned rounds)
{
	uint64_t x = 88172645463325252u;

	while (rounds--)
		x = fixed_middle(x);
	fixed_sink = x;
}

int main(int argc, char **argv)
{
	fixed_outer(argc > 1 ? strtoul(argv[1], NULL, 10) : 1000);
	return 0;
}
