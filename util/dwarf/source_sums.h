/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The MD5 of source files that DWARF 5 may have in the line table's header (clang writes it). libdw
 * reads past it.
 */
#ifndef PERF_UTIL_DWARF_SOURCE_SUMS_H
#define PERF_UTIL_DWARF_SOURCE_SUMS_H

#include "util/lib/md5.h"

/*
 * In the line table @table of @size bytes, the header of a unit: the sum of the file with the
 * number @index. False: it has none, is of another version, or damaged.
 */
bool source_sums__find(const void *table, size_t size, bool swap, u64 index, u8 sum[MD5_SIZE]);

#endif
