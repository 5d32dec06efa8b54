/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What util/symbol/session_symbols*.c share; nobody else includes this. */
#ifndef PERF_UTIL_SYMBOL_SESSION_SYMBOLS_PRIVATE_H
#define PERF_UTIL_SYMBOL_SESSION_SYMBOLS_PRIVATE_H

#include <pthread.h>

#include "util/elf/file_trail.h"
#include "util/symbol/session_symbols.h"
#include "util/symindex/object_index.h"
#include "util/symtab/readable_names.h"

struct object { /* what is known of one dso */
	struct symtab table;
	u64 *wanted; /* ascending; NULL: not announced */
	u32 nr_wanted;
	/* Printable, by symbol of `table`, and of `whole`; NULL: not asked for yet. */
	const char **names, **names_of_whole;
	struct object_index index;         /* what was restored: its texts are used in place */
	struct readable_names readable;    /* what was demangled since */
	struct debug_info *source;         /* NULL: not asked for yet */
	struct debug_info *bundled_source; /* from the recording; or NULL */
	struct file_trail trail;           /* of the table and of where the source is */
	bool loaded;
	/*
	 * Did the table (the source, once it is asked for) come from an index? Nothing in it is new
	 * then.
	 */
	bool restored, source_restored;
	/*
	 * partial: the table is long, and no addresses were announced. `table` is the part that the
	 * index had, or empty; `whole` is read when another address is asked for. Ids of its
	 * symbols go on behind those of `table`.
	 */
	bool partial, whole_loaded;
	struct symtab whole;
	bool *asked;      /* by symbol of whole */
	u64 *asked_addrs; /* in the table's terms: one for each of these symbols */
	u32 nr_asked;
	size_t cap_asked;
	u64 *known; /* from an index that did not suffice, to be kept, too; in the table's
	               terms */
	u32 nr_known;
};

struct session_symbols {
	const struct dsos *dsos;
	struct symbol_config config;
	struct object **objects; /* by dso id; NULL: nothing is known of it */
	u32 nr;
	struct arena names;
	pthread_mutex_t of_names; /* held while a printable name is made */
	pthread_mutex_t of_whole; /* held while the rest of a partial table is read or looked at */
};

void sort_u64(u64 *values, u32 nr);

/* Read the whole of a partial table; for the kernel or a module, those of all of them. */
void object__load_whole(struct session_symbols *symbols, u32 id);

/* Make a loaded table partial, if it is long and its object may have an index. */
void object__part(struct session_symbols *symbols, u32 id);

/* Look in the rest of a partial table: the symbol's id, or ID_NONE. */
u32 object__find_in_whole(struct session_symbols *symbols, u32 id, u64 vaddr);

/* Add to the wanted addresses. */
void object__want(struct object *object, const u64 *addrs, u32 nr);

/*
 * Restore what is usable from the object's index. True: the table, too; else it must be loaded.
 * From several threads for different objects.
 */
bool object__restore(struct session_symbols *symbols, u32 id);

/* The source in the object's index, for object->source; NULL: there is none. */
struct debug_info *object__restore_source(struct session_symbols *symbols, u32 id);

#endif
