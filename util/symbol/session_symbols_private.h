/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What util/symbol/session_symbols*.c share; nobody else includes this. */
#ifndef PERF_UTIL_SYMBOL_SESSION_SYMBOLS_PRIVATE_H
#define PERF_UTIL_SYMBOL_SESSION_SYMBOLS_PRIVATE_H

#include "util/elf/file_trail.h"
#include "util/symbol/session_symbols.h"
#include "util/symindex/object_index.h"
#include "util/symtab/readable_names.h"

struct object { /* what is known of one dso */
	struct symtab table;
	u64 *wanted; /* ascending; NULL: not told */
	u32 nr_wanted;
	const char **names; /* by symbol: printable; NULL: not asked for yet */
	u32 nr_names;
	struct object_index index;      /* what was restored: its texts are used where they lie */
	struct readable_names readable; /* what was demangled since */
	struct debug_info *source;      /* NULL: not asked for yet */
	struct debug_info *bundled_source; /* that came with the recording; or NULL */
	struct file_trail trail;           /* of the table and of where the source is */
	bool loaded;
	/* From an index, so that there is nothing new in them. The source: not before it is asked
	 * for. */
	bool restored, source_restored;
	/*
	 * Of a long table of which nobody has told what is wanted: the table is the part that the
	 * index had, or nothing, and the rest is read when something else is asked for. Symbols of
	 * the whole are counted on behind those of the table.
	 */
	bool partial, whole_loaded;
	struct symtab whole;
	bool *asked;      /* by the whole's symbols */
	u64 *asked_addrs; /* as the table's: one for each that was asked for */
	u32 nr_asked;
	size_t cap_asked;
	u64 *known; /* what an index knew that did not suffice: to be kept, too. The table's
	               addresses */
	u32 nr_known;
};

struct session_symbols {
	const struct dsos *dsos;
	struct symbol_config config;
	struct object *objects; /* by dso id */
	u32 nr;
	struct arena names;
};

void sort_u64(u64 *values, u32 nr);

/* Read the whole table of a partial one; of the kernel and its modules those of all. */
void object__load_whole(struct session_symbols *symbols, u32 id);

/* Once its table has been loaded: is it long, and may be kept in parts? Then it is partial. */
void object__part(struct session_symbols *symbols, u32 id);

/* Look in the rest of a partial table: the symbol's id, or ID_NONE. */
u32 object__find_in_whole(struct session_symbols *symbols, u32 id, u64 vaddr);

/* Add to what is wanted of it. */
void object__want(struct object *object, const u64 *addrs, u32 nr);

/*
 * Take from the object's index what can be used of it. True: the table, too; else it is to be
 * loaded. From several threads for different objects.
 */
bool object__restore(struct session_symbols *symbols, u32 id);

/* The source that the object's index tells of, for object->source; NULL: it tells nothing. */
struct debug_info *object__restore_source(struct session_symbols *symbols, u32 id);

#endif
