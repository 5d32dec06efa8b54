// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -Wall */
/*
 * overload N: a process on each CPU that it may run on calls getsid N times, as fast as it can.
 * Prints "calls N CPUS". For recordings that cannot keep up: what is in them and what they say is
 * lost must be N on each CPU.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void call(int cpu, long n)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		_exit(1);
	for (long i = 0; i < n; i++)
		syscall(SYS_getsid, 0);
	_exit(0);
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 100000;
	int nr = 0, status, bad = 0;
	cpu_set_t all;

	if (sched_getaffinity(0, sizeof(all), &all))
		return 1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		nr++;
		if (!fork())
			call(cpu, n);
	}
	while (wait(&status) > 0)
		bad |= status;
	printf("calls %ld %d\n", n, nr);
	return bad != 0;
}
