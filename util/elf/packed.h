/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is kept packed as a whole: kernel modules (.ko.xz, .ko.zst) and the table of symbols within
 * a stripped program (.gnu_debugdata, xz).
 */
#ifndef PERF_UTIL_ELF_PACKED_H
#define PERF_UTIL_ELF_PACKED_H

#include "util/lib/types.h"

/* Bytes at the start that packed__is() has to see. */
#define PACKED_MAGIC_SIZE 6

/* Does it begin as xz's or zstd's files do? */
bool packed__is(const u8 *data, size_t size);

/*
 * Unpack all of it: malloc'ed, *len its length. NULL when it is damaged, would be longer than @max
 * bytes, or when perf was built without the library.
 */
u8 *packed__unpack(const u8 *data, size_t size, size_t max, size_t *len);

#endif
