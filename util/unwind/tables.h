/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unwind tables of a session's dsos: read on demand, then shared by all threads. An object's
 * .eh_frame comes first; its .debug_frame, and that of its separate debug file, is read when
 * .eh_frame does not cover an address. Only the recorded object counts (util/symtab/object_file.h):
 * another file's tables would give false chains.
 */
#ifndef PERF_UTIL_UNWIND_TABLES_H
#define PERF_UTIL_UNWIND_TABLES_H

#include "util/symbol/session_symbols.h"
#include "util/unwind/cfi.h"

struct unwind_tables; /* private */

/* @dsos is borrowed, as are the texts of @config (as for session_symbols__new()). */
struct unwind_tables *unwind_tables__new(const struct dsos *dsos,
                                         const struct symbol_config *config);
void unwind_tables__delete(struct unwind_tables *tables);

/*
 * The row at the address @addr of a dso (as for session_symbols__find()) whose code is of @machine
 * (EM_*). 0; -ENOENT: no table covers the address, or the object cannot be read; -EBADMSG: the
 * table is invalid. *cfi is the section that the row's expressions lie in. From any thread, while
 * no dsos are added (between calls they may be).
 */
int unwind_tables__row(struct unwind_tables *tables, u32 dso, u64 addr, u16 machine,
                       struct cfi_row *row, const struct cfi **cfi);

/*
 * The address @addr of a dso, whose code is of @machine, in the object's own terms. 0, or -ENOENT
 * where the object's file cannot be read.
 */
int unwind_tables__vaddr(struct unwind_tables *tables, u32 dso, u64 addr, u16 machine, u64 *vaddr);

/* The entry of its .eh_frame for that address; NULL: none. *cfi is the section. */
const struct cfi_entry *unwind_tables__eh_entry(struct unwind_tables *tables, u32 dso, u64 addr,
                                                u16 machine, const struct cfi **cfi);

/* Open the files that the tables of a dso are read from: as object_files__open(). */
struct object_files;
int unwind_tables__open(const struct unwind_tables *tables, u32 dso, bool want_debug,
                        struct object_files *files);

/* Does the dso have code of Go's compiler? False before a row of the dso was asked for. */
bool unwind_tables__has_go(const struct unwind_tables *tables, u32 dso);

/* Bytes of memory that the tables take so far. From any thread. */
u64 unwind_tables__size(const struct unwind_tables *tables);

#endif
