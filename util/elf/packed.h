/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unpacks kernel modules (.ko.xz, .ko.zst) and the symbols inside stripped programs
 * (.gnu_debugdata, xz).
 */
#ifndef PERF_UTIL_ELF_PACKED_H
#define PERF_UTIL_ELF_PACKED_H

#include "util/lib/types.h"

/* Bytes at the start that packed__is() needs. */
#define PACKED_MAGIC_SIZE 6

/* Does it begin with the magic number of xz or zstd? */
bool packed__is(const u8 *data, size_t size);

/*
 * Unpack everything: malloc'ed, *len its length. NULL when the data is damaged, would be longer
 * than @max bytes, or when perf was built without the library.
 */
u8 *packed__unpack(const u8 *data, size_t size, size_t max, size_t *len);

#endif
