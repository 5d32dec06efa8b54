// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -static */
/*
 * What this machine can do, for tests: never the perf under test is asked. Static, so that it runs
 * in a bare chroot.
 *
 *	able events	the kernel lets us sample our own code (1: it refuses)
 *	able breakpoints	a write to a variable is counted (1: the kernel refuses, or
 *			the debug registers of a virtual machine do nothing)
 *	able event TYPE CONFIG	the kernel lets us sample this event of ours (perf_event_attr)
 *	able branches	the same with branch stacks
 *	able nothing	says nothing, status 0
 */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int cannot_sample(uint32_t type, uint64_t config, uint64_t branches)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = config,
		.sample_type = branches ? PERF_SAMPLE_BRANCH_STACK : 0,
		.branch_sample_type = branches,
		.sample_period = 1000000,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0;
}

static int no_breakpoints(void)
{
	static volatile uint32_t watched;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uintptr_t)&watched,
		.bp_len = HW_BREAKPOINT_LEN_4,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	uint64_t count = 0;

	for (uint32_t i = 0; i < 10; i++)
		watched = i;
	return fd < 0 || read(fd, &count, sizeof(count)) != sizeof(count) || count != 10;
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 || argc == 4 ? argv[1] : "";

	if (!strcmp(what, "events"))
		return cannot_sample(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0);
	if (!strcmp(what, "event") && argc == 4)
		return cannot_sample(strtoul(argv[2], NULL, 0), strtoull(argv[3], NULL, 0), 0);
	if (!strcmp(what, "branches"))
		return cannot_sample(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
		                     PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY);
	if (!strcmp(what, "breakpoints"))
		return no_breakpoints();
	if (!strcmp(what, "nothing"))
		return 0;
	fputs("usage: able events | able event TYPE CONFIG | able branches | able breakpoints | able nothing\n",
	      stderr);
	return 2;
}
