// SPDX-License-Identifier: GPL-2.0-or-later
/* Asks for the time without the kernel. */
#include <time.h>
volatile long sink;
__attribute__((noinline)) long now(void)
{
	struct timespec t;
	long sum = 0;

	for (int i = 0; i < 1000; i++) { /* read without the kernel, whatever its clock */
		clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
		sum += t.tv_nsec;
	}
	return sum;
}
int main(void)
{
	for (int i = 0; i < 40000; i++)
		sink += now();
	return 0;
}
