/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system call bpf(2), a function for each command that filters of samples need. */
#ifndef PERF_UTIL_BPF_FILTER_BPF_CALLS_H
#define PERF_UTIL_BPF_FILTER_BPF_CALLS_H

#include <linux/bpf.h>

#include "util/lib/types.h"

/* All return a negative errno, or 0; those that open something, a descriptor (closed on exec). */

/* A hash with room for @max values. @name: letters, digits and _, up to 15. */
int bpf_call__create_hash(const char *name, u32 key_size, u32 value_size, u32 max);

/* A program for perf events. @log: what the kernel's verifier says; NULL: it need not. */
int bpf_call__load(const char *name, const struct bpf_insn *insns, u32 nr, char *log, u32 log_size);

int bpf_call__lookup(int map, const void *key, void *value);
int bpf_call__add(int map, const void *key, const void *value); /* -EEXIST: it is there */
int bpf_call__remove(int map, const void *key);
int bpf_call__next_key(int map, const void *key, void *next); /* @key NULL: the first */

int bpf_call__pin(int fd, const char *path);
int bpf_call__get(const char *path);

/* Of a map or program: struct bpf_map_info, bpf_prog_info. */
int bpf_call__info(int fd, void *info, u32 size);

#endif
