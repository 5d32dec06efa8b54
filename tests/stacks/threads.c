// SPDX-License-Identifier: GPL-2.0-or-later
/* Four threads in the mathematical library, qsort() and malloc(). */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static volatile double sink;
static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}
static void *run(void *arg)
{
	unsigned x = (unsigned long)arg;
	double v[2000];
	for (int k = 0; k < 150; k++) {
		for (int i = 0; i < 2000; i++) {
			x = x * 1103515245 + 12345;
			v[i] = sin(x % 1000) + pow(x % 77, 1.5);
		}
		qsort(v, 2000, sizeof(v[0]), compare);
		char *p = malloc(5000 + x % 5000);
		memset(p, x, 5000);
		sink += v[7] + p[3];
		free(p);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[4];
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, run, (void *)(i + 1));
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
