// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -static */
/*
 * What this machine can do, for tests: never the perf under test is asked. Static, so that it runs
 * in a bare chroot.
 *
 *	able events	the kernel lets us sample our own code (1: it refuses)
 *	able nothing	says nothing, status 0
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int cannot_sample(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0;
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";

	if (!strcmp(what, "events"))
		return cannot_sample();
	if (!strcmp(what, "nothing"))
		return 0;
	fputs("usage: able events | able nothing\n", stderr);
	return 2;
}
