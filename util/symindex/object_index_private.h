/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What util/symindex/object_index_{read,write}.c share; nobody else includes this. */
#ifndef PERF_UTIL_SYMINDEX_OBJECT_INDEX_PRIVATE_H
#define PERF_UTIL_SYMINDEX_OBJECT_INDEX_PRIVATE_H

#include "util/dwarf/source_tables.h"
#include "util/lib/hash.h"
#include "util/symindex/object_index.h"

/* "PERFSYM" and the version, where the lowest byte comes first. */
#define OBJECT_INDEX_MAGIC 0x034d595346524550ull

struct index_header {
	u64 magic, size;
	u64 checksum; /* of the sections' sizes and checksums */
	struct {
		u64 size, checksum;
	} sections[INDEX_NR_SECTIONS];
};

struct index_object {
	u64 key;
	u32 id_size;
	u8 id[20];
	u32 name, nr_files;
};

struct index_file {
	u32 path, zero;
	struct file_stamp stamp;
};

#define INDEX_DATA 0x80u /* in the binding of a symbol */

enum index_symbols_flags {
	INDEX_DEMANGLE = 1u << 0,
	INDEX_OVERLAPS = 1u << 1,
	INDEX_RUNTIME = 1u << 2,
	INDEX_PART = 1u << 3, /* the pieces are all that is known */
};

struct index_symbols {
	u32 flags, source, path, nr_segments, nr, nr_pieces;
};

struct index_symbol {
	u64 start, end;
	u32 name, binding;
};

struct index_source {
	u32 path, nr_extents, nr_rows, nr_segments, nr_frames, nr_files;
};

/* These are stored as they are. */
_Static_assert(sizeof(struct segment) == 24 && sizeof(struct symtab_piece) == 24 &&
                       sizeof(struct source_extent) == 40 && sizeof(struct line_row) == 8 &&
                       sizeof(struct inline_segment) == 8 && sizeof(struct inline_frame) == 16,
               "the layout of an index");

static inline u64 index_header__checksum(const struct index_header *header)
{
	return hash__bytes(header->sections, sizeof(header->sections));
}

#endif
