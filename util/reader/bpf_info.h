/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BPF programs that were loaded while recording, with their machine code: the header's section
 * BPF_PROG_INFO. A program is the kernel's struct bpf_prog_info, in which addresses have been
 * replaced by offsets into the bytes behind it.
 */
#ifndef PERF_UTIL_READER_BPF_INFO_H
#define PERF_UTIL_READER_BPF_INFO_H

#include <linux/bpf.h>
#include <stddef.h>

#include "util/lib/cursor.h"

struct perf_data;

struct bpf_info {
	const u8 *info, *data;
	u32 info_len, data_len;
	bool swap;
};

/* Where a field of the kernel's structure is, for the functions below. */
#define BPF_INFO(field) offsetof(struct bpf_prog_info, field)

/* Read the program at @c; false, with c->failed set: it is cut off. */
bool bpf_info__next(struct bpf_info *program, struct cursor *c);

/* A field at offset @at; 0 where the recording kernel had none there. */
u32 bpf_info__u32(const struct bpf_info *program, size_t at);

/* Element @i, of @size bytes, of an array that the field at @at points to; NULL: out of it. */
const u8 *bpf_info__element(const struct bpf_info *program, size_t at, u32 i, u32 size);

/*
 * The machine code of the function of a BPF program that is called @name (bpf_prog_TAG_...) and
 * begins at @addr, *size bytes, owned by @data; NULL: the recording has none.
 */
const u8 *bpf_info__code(const struct perf_data *data, const char *name, u64 addr, u32 *size);

#endif
