// SPDX-License-Identifier: GPL-2.0-or-later
/* Sorting with a callback, a frame of variable size, recursion: argument 1 deep (40). */
#include <stdlib.h>
#include <string.h>
volatile unsigned long sink;
__attribute__((noinline)) unsigned long leaf(unsigned long x)
{
	for (int i = 0; i < 3000; i++)
		x = x * 2862933555777941757ul + i;
	return x;
}
__attribute__((noinline)) int compare(const void *a, const void *b)
{
	sink += leaf(*(const int *)a);
	return *(const int *)a - *(const int *)b;
}
__attribute__((noinline)) unsigned long copy(int n)
{
	char text[64 + n % 7]; /* its frame has no fixed size */
	unsigned long sum = 0;

	memset(text, n, sizeof(text));
	for (int i = 0; i < 20; i++)
		sum += leaf(sum + text[i]);
	return sum;
}
__attribute__((noinline)) unsigned long deep(int n)
{
	volatile char pad[40];

	pad[n % 40] = n;
	return (n ? deep(n - 1) : copy(3)) + pad[n % 40];
}
int main(int argc, char **argv)
{
	int numbers[64], rounds = 60, depth = argc > 1 ? atoi(argv[1]) : 40;

	for (int r = 0; r < rounds; r++) {
		for (int i = 0; i < 64; i++)
			numbers[i] = (i * 7919 + r) % 101;
		qsort(numbers, 64, sizeof(numbers[0]), compare);
		for (int i = 0; i < 20; i++)
			sink += deep(r % 3 ? r % 30 : depth);
	}
	return 0;
}
