/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Give arbitrary bytes the checksums of a symbol index, so that the code behind them is reached. */
#ifndef PERF_TESTS_FUZZ_INDEX_BYTES_H
#define PERF_TESTS_FUZZ_INDEX_BYTES_H

#include "util/symindex/object_index_private.h"

/* Sizes of sections that do not fit are kept: the reader must notice. */
static inline void index_bytes__mend(u8 *data, size_t size)
{
	struct index_header header;
	size_t at = sizeof(header);

	if (size < sizeof(header))
		return;
	memcpy(&header, data, sizeof(header));
	header.magic = OBJECT_INDEX_MAGIC;
	header.size = size;
	for (unsigned i = 0; i < INDEX_NR_SECTIONS && header.sections[i].size <= size - at; i++) {
		header.sections[i].checksum = hash__bytes(data + at, header.sections[i].size);
		at += header.sections[i].size;
	}
	header.checksum = index_header__checksum(&header);
	memcpy(data, &header, sizeof(header));
}

#endif
