/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The texts of one section of a symbol index (object_index.h), used in place. Only the last byte is
 * known to be zero, so an offset is checked when its text is asked for, not before.
 *
 * For any thread.
 */
#ifndef PERF_UTIL_DWARF_INDEX_TEXTS_H
#define PERF_UTIL_DWARF_INDEX_TEXTS_H

#include "util/lib/types.h"

struct index_texts {         /* all 0: none. Everything is borrowed */
	const u32 *offsets;  /* by id: into bytes; ascending */
	const u32 *readable; /* by id: the id of the readable form of that name, or ID_NONE */
	const char *bytes;
	u32 nr, size;
};

/* "" for an unknown id. */
static inline const char *index_texts__get(const struct index_texts *texts, u32 id)
{
	return id < texts->nr && texts->offsets[id] < texts->size
	               ? texts->bytes + texts->offsets[id]
	               : "";
}

/* The id of a text by its pointer, or ID_NONE. */
static inline u32 index_texts__id(const struct index_texts *texts, const char *text)
{
	u32 from = 0, to = texts->nr;

	if (text < texts->bytes || text >= texts->bytes + texts->size)
		return ID_NONE;
	while (from < to) { /* the first that lies there or behind */
		u32 middle = from + (to - from) / 2;

		if (texts->offsets[middle] < (u32)(text - texts->bytes))
			from = middle + 1;
		else
			to = middle;
	}
	return from < texts->nr && texts->offsets[from] == (u32)(text - texts->bytes) ? from
	                                                                              : ID_NONE;
}

#endif
