/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MD5 (RFC 1321), which DWARF 5 has of source files. It tells texts apart that nobody forged, no
 * more.
 */
#ifndef PERF_UTIL_LIB_MD5_H
#define PERF_UTIL_LIB_MD5_H

#include <stddef.h>

#include "util/lib/types.h"

#define MD5_SIZE 16

struct md5 {
	u32 state[4];
	u64 length; /* in bytes */
	u8 block[64];
};

void md5__init(struct md5 *md5);
void md5__add(struct md5 *md5, const void *data, size_t len);

/* The sum of all that was added; @md5 is used up. */
void md5__end(struct md5 *md5, u8 sum[MD5_SIZE]);

#endif
