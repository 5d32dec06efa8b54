/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol index of an object: its symbols, and lines and inlined functions asked for, as bytes.
 * In a file of the user's cache (index_cache.h) it replaces the object's symbol tables and DWARF;
 * in a recording (symbol_bundle.h) it goes to machines that lack these.
 *
 * Layout, in this machine's byte order (an index of the other order has another magic, and is
 * refused); sections begin at multiples of 8, and fields in them at multiples of their size:
 *
 *	u64 magic "PERFSYM" and the version, size of all, checksum of the rest of the header
 *	the header's rest: for each section u64 size, checksum. Size 0: it is missing
 *	sections: the object, its symbols, its source. Each begins with its texts:
 *		u32 their number, bytes; by text: u32 offset; by text: u32 the readable form
 *		of that name (a text) or ID_NONE; the bytes, with final zeros. [0] is ""
 *	object: u64 key, u32 build-id size and 20 bytes, u32 name (a text, as the others
 *		below), number of files looked at; each: u32 path, 0, struct file_stamp
 *	symbols: u32 flags (demangled, overlap, run-time addresses, a part), source, path,
 *		numbers of segments, symbols, pieces; then these:
 *		segment: u64 offset, size, address
 *		symbol: u64 start, end, u32 name, binding (| 0x80: of data)
 *		piece: u64 start, end, u32 symbol or ID_NONE, 0
 *	source: u32 path of the DWARF (0: there is none, nothing more can be known), u32
 *		numbers of extents, rows, segments, frames, files; then these:
 *		extent: u64 start, end, u32 first row, segment, file, numbers of these
 *		row: u32 offset from its extent's start, its extent's file << 20 | line
 *		segment: u32 offset, frame or ID_NONE
 *		frame: u32 parent (a smaller one), function, file, line; ID_NONE: not known
 *		file: u32 path
 *
 * Data is used in place where possible. A section is checked when it is first needed: its checksum,
 * and then each entry when it is used. This finds damage, not forgery: whoever can write the file
 * can name addresses as they like.
 */
#ifndef PERF_UTIL_SYMINDEX_OBJECT_INDEX_H
#define PERF_UTIL_SYMINDEX_OBJECT_INDEX_H

#include "util/dwarf/debug_info.h"
#include "util/dwarf/index_texts.h"
#include "util/elf/build_id.h"
#include "util/elf/file_trail.h"
#include "util/symtab/readable_names.h"
#include "util/symtab/symtab.h"

#define OBJECT_INDEX_MAX (256u << 20) /* bytes; larger ones are refused */

enum object_index_section {
	INDEX_OBJECT,
	INDEX_SYMBOLS,
	INDEX_SOURCE,
	INDEX_NR_SECTIONS,
};

struct object_index {
	struct build_id id;
	const char *name; /* of the object, as recorded */
	u64 key;          /* whatever else the answers depend on: compared by the reader; or 0 */
	struct file_trail trail;
	struct symtab *table;            /* NULL: no symbols in it */
	struct debug_info *source;       /* NULL: there is none, or it was not read so far */
	struct readable_names *readable; /* for writing only; NULL: none */

	/* Private, after reading. */
	void *bytes;
	struct index_texts texts[INDEX_NR_SECTIONS];
};

struct out;

/*
 * Append the bytes to @out, a memory one that is empty or holds other indexes. Everything in @index
 * is borrowed. Written are all symbols of the table (a subset: symtab__part()), the functions of
 * the source in which an address was asked for, and readable forms of the names that are written.
 */
void object_index__write(const struct object_index *index, struct out *out);

/*
 * The size of the index at the start of @data; 0: there is none, or it does not fit into @len
 * bytes.
 */
u64 object_index__size(const void *data, size_t len);

/*
 * Read all but the source from @len @bytes, malloc'ed, which @index takes over in any case. 0, or
 * -EBADMSG: damaged, or of another version; @index is empty then. The table belongs to @index,
 * unless a caller takes it over and sets the pointer to NULL; names in it live as long as @index.
 */
int object_index__read(struct object_index *index, void *bytes, size_t len);

/*
 * Fill @index->source, if there is any: 0, or -EBADMSG: that section alone is damaged. It belongs
 * to @index as the table does, and must not outlive it.
 */
int object_index__read_source(struct object_index *index);

/*
 * The readable form of @name, a pointer into @index; NULL: it is not known, or @name is from
 * elsewhere. It has no control characters if perf wrote the index.
 */
const char *object_index__readable(const struct object_index *index, const char *name);

/* Add all readable forms in the sections of @index that were read to @names. */
void object_index__copy_readable(const struct object_index *index, struct readable_names *names);

void object_index__exit(struct object_index *index); /* after reading */

#endif
