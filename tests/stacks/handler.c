// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A signal handler that burns time in the middle of what burns time, too. By a clock of CPU time:
 * on a busy machine the next signal of another clock would come before the program goes on.
 */
#include <signal.h>
#include <string.h>
#include <sys/time.h>
volatile unsigned long sink;
__attribute__((noinline)) void spin(int n)
{
	for (int i = 0; i < n; i++)
		sink = sink * 2862933555777941757ul + i;
}
__attribute__((noinline)) void handler(int signal)
{
	spin(1000000 + signal);
	sink++; /* no tail call */
}
__attribute__((noinline)) void outer(void)
{
	for (int i = 0; i < 800; i++)
		spin(100000);
}
/* With an argument, the handler has a stack of its own. */
int main(int argc, char **argv)
{
	static char area[1 << 20];
	stack_t own = { .ss_sp = area, .ss_size = sizeof(area) };
	struct sigaction action = { .sa_handler = handler, .sa_flags = argv[1] ? SA_ONSTACK : 0 };
	struct itimerval every = { { 0, 1000 }, { 0, 1000 } };

	if (argc > 1)
		sigaltstack(&own, 0);
	sigaction(SIGPROF, &action, 0);
	setitimer(ITIMER_PROF, &every, 0);
	outer();
	memset(&every, 0, sizeof(every));
	setitimer(ITIMER_PROF, &every, 0);
	return 0;
}
