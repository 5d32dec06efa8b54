// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -Wall */
/*
 * bpfload: loads a BPF program of two instructions named "planted", prints "ready" and keeps it
 * until it is killed. Prints why and ends with 77 when the kernel does not take it.
 */
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insns = (uint64_t)(uintptr_t)program;
	attr.insn_cnt = 2;
	attr.license = (uint64_t)(uintptr_t) "GPL";
	strcpy(attr.prog_name, "planted");
	if (syscall(__NR_bpf, BPF_PROG_LOAD, &attr, sizeof(attr)) < 0) {
		perror("BPF_PROG_LOAD");
		return 77;
	}
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}
