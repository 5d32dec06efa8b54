/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of one object, as bytes: names of its addresses, and lines and inlined functions of
 * those of its functions that were asked about. In a file of the user's cache (index_cache.h) it
 * stands in for the object's symbol tables and DWARF; in a recording it goes where these do not.
 *
 * Layout, in this machine's byte order (one of the other order has another magic, and is refused);
 * nothing is aligned:
 *
 *	u64 magic "PERFSYM" and the version, size of all, checksum of all that follows
 *	u32 number of texts, u32 their bytes, the texts, each with a final zero. [0] is ""
 *	u32 build-id size and 20 bytes, u32 name (a text, as the others below), u64 key
 *	u32 number of files looked at; each: u32 path, 7 u64 (struct file_stamp)
 *	u32 flags: there are symbols, source; they are demangled, overlap, have run-time addresses;
 *		they are a part; there are readable names
 *	symbols: u32 source, u32 path, u32 numbers of segments, symbols, pieces; then these:
 *		segment: u64 offset, size, address	symbol: u64 start, end, u32 name, binding
 *		piece: u64 start, end, u32 symbol or ID_NONE
 *	source: u32 path of the DWARF (0: there is none, nothing more can be known), u32 numbers of
 *		extents, rows, segments, files, frames; then these:
 *		extent: u64 start, end, u32 first and number of its rows, segments, files
 *		row: u32 offset from its extent's start, u32 place: its extent's file << 20 | line
 *		segment: u32 offset, frame or ID_NONE		file: u32 path
 *		frame: u32 parent (a smaller one) or ID_NONE, function, file, line; ID_NONE: not
 *known readable names: u32 their number, each: u32 name as in the object, u32 for people
 *
 * Any bytes may be read: nothing is believed that does not hold, and the checksum is looked at
 * first. That makes damage impossible to overlook, not forgery: who can write the file can name
 * addresses as they like.
 */
#ifndef PERF_UTIL_SYMBOL_SYMBOL_INDEX_H
#define PERF_UTIL_SYMBOL_SYMBOL_INDEX_H

#include "util/symbol/build_id.h"
#include "util/symbol/debug_info.h"
#include "util/symbol/file_trail.h"
#include "util/symbol/readable_names.h"
#include "util/symbol/symtab.h"

#define SYMBOL_INDEX_MAX (256u << 20) /* bytes; larger ones are refused */

struct symbol_index {
	struct build_id id;
	const char *name; /* of the object, as recorded */
	u64 key;          /* whatever else the answers depend on: compared by who reads; or 0 */
	struct file_trail trail;
	struct symtab *table;            /* NULL: no symbols in it */
	struct debug_info *source;       /* NULL: it tells nothing of source */
	struct readable_names *readable; /* NULL: none */
	struct arena texts;              /* private: name */
};

struct out;

/*
 * Append the bytes to @out. Everything in @index is borrowed. Of the table all symbols (a subset:
 * symtab__subset()), of the source the functions about which was asked.
 */
void symbol_index__write(const struct symbol_index *index, struct out *out);

/* The size of the index that @data begins with; 0: it begins with none that @len bytes hold. */
u64 symbol_index__size(const void *data, size_t len);

/*
 * Read @len bytes. 0, or -EBADMSG: damaged, or of another version; @index is empty then. The table,
 * the source and the readable names belong to @index, until who takes one over sets its pointer to
 * NULL.
 */
int symbol_index__read(struct symbol_index *index, const void *data, size_t len);
void symbol_index__exit(struct symbol_index *index); /* after reading */

#endif
