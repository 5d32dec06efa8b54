// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -Wall */
/*
 * nap PID MS: sleeps until process PID has used so much more CPU time, or has ended. For what has to
 * see a process run: on a busy machine no sleep is long enough for that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double used(clockid_t clock)
{
	struct timespec now;

	return clock_gettime(clock, &now) ? -1 : now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	clockid_t clock;
	double until, now;

	if (argc != 3 || clock_getcpuclockid(atoi(argv[1]), &clock)) {
		fputs("usage: nap PID MS\n", stderr);
		return 2;
	}
	until = used(clock) + atof(argv[2]);
	while ((now = used(clock)) >= 0 && now < until)
		usleep(10000);
	return 0;
}
