/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording's samples need of the objects they fell into, carried in the recording itself
 * (record --bundle): so that another machine, which has none of these files, shows the same. It
 * lies at the very end of the file, behind all that the header tells of: readers that do not look
 * for it, Linux's perf among them, never see it.
 *
 *	for each object the bytes of its symbol index (object_index.h), of what was hit only
 *	u64 size of these, u32 their number, u32 version (1), u64 checksum of the last 16 bytes,
 *	u64 magic "PERFBNDL"
 */
#ifndef PERF_UTIL_SYMINDEX_SYMBOL_BUNDLE_H
#define PERF_UTIL_SYMINDEX_SYMBOL_BUNDLE_H

#include "util/machine/dsos.h"
#include "util/symindex/object_index.h"

#define SYMBOL_BUNDLE_MAX         (1u << 30) /* bytes */
#define SYMBOL_BUNDLE_OBJECTS_MAX 65536u

struct symbol_bundle {
	struct object_index *objects; /* by name */
	u32 nr;
};

/*
 * That of the recording @path. NULL with @err->code 0: it has none; else it is damaged, or of
 * another version: the recording can be read without it.
 */
struct symbol_bundle *symbol_bundle__open(const char *path, struct error *err);
void symbol_bundle__delete(struct symbol_bundle *bundle);

/*
 * Where @path has none: was there one, of which the file lacks the end? @behind: where all that its
 * header tells of ends. -EBADMSG with @err then, else 0.
 */
int symbol_bundle__was_cut(const char *path, u64 behind, struct error *err);

/* What it has of an object called @name, or NULL. Owned by @bundle: parts may be taken over. */
struct object_index *symbol_bundle__find(const struct symbol_bundle *bundle, const struct dso *dso,
                                         const char *name);

/* ---- making one: in memory, then behind the recording */

struct symbol_bundle_writer {
	struct out *out; /* a memory one */
	u32 nr;          /* objects that are in it; those beyond the limits are left out */
	u32 nr_left_out;
};

/* @table and @source as in struct object_index. */
void symbol_bundle__add(struct symbol_bundle_writer *writer, const struct dso *dso,
                        const char *name, struct symtab *table, struct debug_info *source);
void symbol_bundle__end(struct symbol_bundle_writer *writer);

/* Put the finished bytes behind the recording @path; the file is as it was if that fails. */
int symbol_bundle__append(const char *path, const struct out *bytes, struct error *err);

/* Put that of the recording @from, if it has one, behind @to. 1: done; 0: it has none; or -errno.
 */
int symbol_bundle__copy(const char *from, const char *to, struct error *err);

#endif
