/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols and source of the sampled objects, carried in the recording itself (record --bundle).
 * With them another machine, which has none of the objects' files, shows the same. They are at the
 * very end of the file, behind everything that the header describes: readers that do not look for
 * them, Linux's perf among them, never see them.
 *
 *	for each object the bytes of its symbol index (object_index.h), of what was hit only
 *	u64 size of these, u32 their number, u32 version (1), u64 checksum of the last 16 bytes,
 *	u64 magic "PERFBNDL"
 */
#ifndef PERF_UTIL_SYMINDEX_SYMBOL_BUNDLE_H
#define PERF_UTIL_SYMINDEX_SYMBOL_BUNDLE_H

#include "util/machine/dsos.h"
#include "util/symindex/code_bundle.h"
#include "util/symindex/object_index.h"

#define SYMBOL_BUNDLE_MAX         (1u << 30) /* bytes */
#define SYMBOL_BUNDLE_OBJECTS_MAX 65536u

struct symbol_bundle {
	struct object_index *objects; /* by name */
	u32 nr;
	/* Private. */
	char *path;
	u64 start; /* its offset in the file: where the code ends */
	struct code_bundle *code;
	bool code_read;
};

/*
 * Read the bundle of the recording @path. NULL with @err->code 0: it has none; else it is damaged,
 * or of another version: the recording can be read without it.
 */
struct symbol_bundle *symbol_bundle__open(const char *path, struct error *err);
void symbol_bundle__delete(struct symbol_bundle *bundle);

/*
 * For a file @path without a bundle: was there one that was cut off? -EBADMSG with @err then, else
 * 0. @behind: the end of everything that the file's header describes.
 */
int symbol_bundle__was_cut(const char *path, u64 behind, struct error *err);

/*
 * The index of the object called @name, or NULL. Owned by @bundle; the caller may take its parts.
 */
struct object_index *symbol_bundle__find(const struct symbol_bundle *bundle, const struct dso *dso,
                                         const char *name);

/*
 * The code in the same recording of the function at @addr, in the terms of the symbol table of
 * @dso, which is called @name; NULL: there is none, with @err set if it is damaged. Owned by
 * @bundle.
 */
const struct code_bundle_function *symbol_bundle__code(struct symbol_bundle *bundle,
                                                       const struct dso *dso, const char *name,
                                                       u64 addr, struct error *err);

/* What tells objects of one name without build-ids apart. */
u64 symbol_bundle__key(const struct dso *dso);

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

/* Append the finished bytes to the recording @path; the file is as it was if that fails. */
int symbol_bundle__append(const char *path, const struct out *bytes, struct error *err);

/* Append the bundle of the recording @from to @to. 1: done; 0: @from has none; or -errno. */
int symbol_bundle__copy(const char *from, const char *to, struct error *err);

#endif
