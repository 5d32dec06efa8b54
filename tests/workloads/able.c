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
 *	able bpf	this user may load a BPF program for perf events, and the kernel has its
 *			types and complete samples for it (1: not, and says why)
 *	able elements MAP	prints the number of elements of a pinned BPF map
 *	able nothing	says nothing, status 0
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
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

static int no_bpf(void)
{
	struct bpf_insn insns[] = { { .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 1 },
		                    { .code = BPF_JMP | BPF_EXIT } };
	struct utsname name;
	union bpf_attr attr;
	int major, minor;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = 2;
	attr.license = (uintptr_t) "GPL";
	if (syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr)) < 0)
		return !!printf("bpf(2) loads no program for perf events: %s\n", strerror(errno));
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return !!printf("this kernel has no BTF\n");
	if (uname(&name) || sscanf(name.release, "%d.%d", &major, &minor) != 2 ||
	    major * 1000 + minor < 6003)
		return !!printf("BPF filters of samples need Linux 6.3\n");
	return 0;
}

static int elements(const char *path)
{
	union bpf_attr attr;
	uint64_t key, next;
	int map, nr = 0;

	memset(&attr, 0, sizeof(attr));
	attr.pathname = (uintptr_t)path;
	map = syscall(SYS_bpf, BPF_OBJ_GET, &attr, sizeof(attr));
	if (map < 0)
		return !!printf("%s: %s\n", path, strerror(errno));
	for (;; nr++, key = next) {
		memset(&attr, 0, sizeof(attr));
		attr.map_fd = map;
		attr.key = nr ? (uintptr_t)&key : 0;
		attr.next_key = (uintptr_t)&next;
		if (syscall(SYS_bpf, BPF_MAP_GET_NEXT_KEY, &attr, sizeof(attr)))
			break;
	}
	printf("%d\n", nr);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc >= 2 && argc <= 4 ? argv[1] : "";

	if (!strcmp(what, "events"))
		return cannot_sample(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0);
	if (!strcmp(what, "event") && argc == 4)
		return cannot_sample(strtoul(argv[2], NULL, 0), strtoull(argv[3], NULL, 0), 0);
	if (!strcmp(what, "branches"))
		return cannot_sample(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
		                     PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY);
	if (!strcmp(what, "breakpoints"))
		return no_breakpoints();
	if (!strcmp(what, "bpf"))
		return no_bpf();
	if (!strcmp(what, "elements") && argc == 3)
		return elements(argv[2]);
	if (!strcmp(what, "nothing"))
		return 0;
	fputs("usage: able events | able event TYPE CONFIG | able branches | able breakpoints | able bpf | able elements MAP | able nothing\n",
	      stderr);
	return 2;
}
