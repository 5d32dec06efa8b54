/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What util/symbol/symbol_index_{read,write}.c share; nobody else includes this. */
#ifndef PERF_UTIL_SYMBOL_SYMBOL_INDEX_PRIVATE_H
#define PERF_UTIL_SYMBOL_SYMBOL_INDEX_PRIVATE_H

#include "util/lib/types.h"

/* "PERFSYM" and the version, where the lowest byte comes first. */
#define SYMBOL_INDEX_MAGIC 0x034d595346524550ull

#define SYMBOL_INDEX_HEADER 24u /* magic, size, checksum */

enum symbol_index_flags {
	INDEX_SYMBOLS = 1u << 0,
	INDEX_SOURCE = 1u << 1,
	INDEX_DEMANGLE = 1u << 2,
	INDEX_OVERLAPS = 1u << 3,
	INDEX_RUNTIME = 1u << 4,
	INDEX_PART = 1u << 5, /* the pieces are all that is known */
	INDEX_READABLE = 1u << 6,
};

#endif
