/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names the addresses of a session's dsos, as late as possible. Symbol tables are loaded on first
 * need, several dsos in parallel; demangling happens once per symbol and only when asked.
 */
#ifndef PERF_UTIL_SYMBOL_SESSION_SYMBOLS_H
#define PERF_UTIL_SYMBOL_SESSION_SYMBOLS_H

#include "util/dwarf/debug_info.h"
#include "util/machine/dsos.h"
#include "util/symtab/symbol_config.h"
#include "util/symtab/symtab.h"

struct session_symbols; /* private */

struct session_symbols *session_symbols__new(const struct dsos *dsos,
                                             const struct symbol_config *config);
void session_symbols__delete(struct session_symbols *symbols);

/*
 * For sessions without an end: give back what is known of programs and libraries that are not
 * @used, by dso. All that was given out about them is gone; asked for again, they are loaded again.
 */
void session_symbols__forget(struct session_symbols *symbols, const u8 *used);

/* The configuration in use. */
const struct symbol_config *session_symbols__config(const struct session_symbols *symbols);

/*
 * Announce which addresses (as for session_symbols__find()) of a dso will be asked for, before it
 * is loaded. Optional; the addresses are copied, in any order. Long tables then keep only the
 * symbols that cover them, or take these from an index: no other address of that dso may be asked
 * for. Without this call, an index gives what it has, and the table is read when that does not
 * suffice.
 */
void session_symbols__want(struct session_symbols *symbols, u32 dso, const u64 *addrs, u32 nr);

/* Load the tables of the given dsos with @workers threads. Loading twice is free. */
void session_symbols__load(struct session_symbols *symbols, const u32 *dsos, u32 nr,
                           unsigned workers);

/*
 * The dso's table (loads it now if needed: then not thread-safe). Never NULL; may be empty, or a
 * part: a symbol found by session_symbols__find() need not be in it (use
 * session_symbols__symbol()).
 */
const struct symtab *session_symbols__table(struct session_symbols *symbols, u32 dso);

/* Is the dso loaded, and has no names but those it exports or imports? */
bool session_symbols__is_stripped(const struct session_symbols *symbols, u32 dso);

/*
 * Name an address of a dso (the machine's dso address: addr - map start + map pgoff for files, the
 * run-time address for kernel, modules, BPF and anonymous memory). Returns the symbol's id for
 * session_symbols__symbol(), or ID_NONE; *vaddr gets the address in the table's own terms. For
 * several threads, once the dso is loaded.
 */
u32 session_symbols__find(struct session_symbols *symbols, u32 dso, u64 addr, u64 *vaddr);

/* The same for code (executed, or called from): ID_NONE for symbols of data. */
u32 session_symbols__find_code(struct session_symbols *symbols, u32 dso, u64 addr, u64 *vaddr);

/*
 * Name an address of the running code of the kernel, in whichever module it is; *offset is its
 * distance from the symbol's start. NULL: none. The name is that of session_symbols__name().
 */
const char *session_symbols__kernel_name(struct session_symbols *symbols, u64 addr, u64 *offset);

/* The symbol that session_symbols__find() found. */
const struct symbol *session_symbols__symbol(struct session_symbols *symbols, u32 dso, u32 symbol);

/*
 * The printable name of a symbol: demangled if configured, control characters removed. Owned by
 * @symbols, cached. For several threads, once the dso is loaded.
 */
const char *session_symbols__name(struct session_symbols *symbols, u32 dso, u32 symbol);

/*
 * The source of a dso's code; addresses are those of the dso's table. Never NULL; empty without
 * debug information. Units of addresses given to session_symbols__load_source() are read already,
 * others on demand. Not thread-safe.
 */
struct debug_info *session_symbols__source(struct session_symbols *symbols, u32 dso);

/*
 * Keep in the indexes, for later runs, what was found out: symbols of tables (of long ones those
 * that were wanted), and the source of functions that were asked for. Not kept are the kernel and
 * modules without a build-id, and what is cheap to find again. A negative errno with @err when
 * something could not be written; that costs nothing but time.
 */
int session_symbols__keep(struct session_symbols *symbols, struct error *err);

struct source_wish {
	u32 dso;
	u32 nr;
	u64 *addrs; /* owned by the caller */
};

/* Read the source of these addresses, several dsos at a time, and close the files. */
void session_symbols__load_source(struct session_symbols *symbols, const struct source_wish *wishes,
                                  u32 nr, unsigned workers);

/* The printable form of a function's name @raw in @dso's debug information; owned by @symbols. */
const char *session_symbols__readable(struct session_symbols *symbols, u32 dso, const char *raw);

/*
 * Problems worth one line each to the user ("no symbols found in ..., maybe install a debug
 * package?", build-id mismatch ...): calls @fn for each dso that was asked for and has one.
 */
void session_symbols__problems(struct session_symbols *symbols,
                               void (*fn)(void *ctx, const struct dso *dso,
                                          const struct error *error),
                               void *ctx);

/* Calls @fn for each dso whose split debug information was asked for and cannot be read. */
void session_symbols__unread(const struct session_symbols *symbols,
                             void (*fn)(void *ctx, const struct error *error), void *ctx);

#endif
