// SPDX-License-Identifier: GPL-2.0-or-later
/* some [ROUNDS]: four threads that touch memory and recurse; for the recordings of cli/*-compare.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int rounds = 150;

static int depth(int n, volatile int *sum)
{
	for (int i = 0; i < 3000; i++)
		*sum += i * n;
	return n ? depth(n - 1, sum) + 1 : *sum;
}

static void *work(void *arg)
{
	volatile int sum = 0;

	for (int i = 0; i < rounds; i++) {
		char *p = malloc(1 << 18);

		memset(p, i, 1 << 18);
		depth(20, &sum);
		free(p);
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t threads[4];

	if (argc > 1)
		rounds = atoi(argv[1]);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
