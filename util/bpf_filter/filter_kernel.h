/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program (program.h) and its map in the kernel: loaded for this process, or shared by all
 * users of the machine because root pinned them (filter_pins.h). Who is to be told which right or
 * which part of the kernel is missing finds it here.
 */
#ifndef PERF_UTIL_BPF_FILTER_FILTER_KERNEL_H
#define PERF_UTIL_BPF_FILTER_FILTER_KERNEL_H

#include "util/lib/error.h"
#include "util/lib/types.h"

/* Of the program and of its map; with another layout (program.h) they get another name. */
#define FILTER_NAME "perf_filter_v1"

struct filter_kernel {
	int program, map; /* descriptors; -1: none */
	bool pinned;      /* others use the map, too */
};

#define FILTER_JIT_ON "sysctl net.core.bpf_jit_enable=1"

#define FILTER_KERNEL_INIT                                                                         \
	{                                                                                          \
		.program = -1, .map = -1                                                           \
	}

/*
 * Load both, for @nr events. 0 or a negative errno with @err: -EPERM, -EACCES: no right to;
 * -ENOSYS, -ENOENT, -EOPNOTSUPP: this kernel has no BPF, no BTF, or is too old; -ENOEXEC: its JIT
 * is off, without which programs call no functions of the kernel.
 */
int filter_kernel__load(struct filter_kernel *kernel, u32 nr, struct error *err);
void filter_kernel__close(struct filter_kernel *kernel);

#endif
