/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's description of its own types (BTF, /sys/kernel/btf/vmlinux): where the members of a
 * structure are in the running kernel, and the numbers of functions that BPF programs may call.
 * Format: Documentation/bpf/btf.rst of the kernel.
 */
#ifndef PERF_UTIL_BPF_FILTER_BTF_H
#define PERF_UTIL_BPF_FILTER_BTF_H

#include "util/lib/error.h"
#include "util/lib/types.h"

#define BTF_OF_KERNEL "/sys/kernel/btf/vmlinux"

struct btf {
	char *data; /* owned */
	const char *strings;
	size_t nr_strings; /* bytes, of which the last is NUL */
	u32 *types;        /* offset of the type of each id in data; 0: void, and unused ids */
	u32 nr;
};

/* Where a member is, in bytes from the start of the structure. */
struct btf_member {
	u32 offset, size;
};

/*
 * Read @path. 0 or a negative errno with @err: -ENOENT: there is none; -EINVAL: it is damaged, or
 * of a form that is not known. After an error nothing need be freed.
 */
int btf__read(struct btf *btf, const char *path, struct error *err);
void btf__exit(struct btf *btf);

/*
 * The member @path ("tid_entry.pid") of the structure @name, also inside members without names. 0,
 * or -ENOENT: no such structure or member, or it is a bit field.
 */
int btf__find_member(const struct btf *btf, const char *name, const char *path,
                     struct btf_member *member);

/* The id of the function @name, with the number of its parameters; 0: there is none. */
u32 btf__find_function(const struct btf *btf, const char *name, u32 *nr_params);

#endif
