/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Late naming: from dsos and addresses to symbols, for one session. Symbol tables are loaded on
 * first need, several dsos in parallel; demangling happens once per symbol and only when asked.
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

/* What it was made with. */
const struct symbol_config *session_symbols__config(const struct session_symbols *symbols);

/*
 * Tell which addresses (as for session_symbols__find()) of a dso will be asked for, before it is
 * loaded. Of long tables then only the symbols that cover them are kept, or taken from an index:
 * nothing else may be asked of that dso afterwards. Optional; the addresses are copied, in any
 * order. Without it an index gives what it has, and the table is read when that does not suffice:
 * session_symbols__find() is for one thread then.
 */
void session_symbols__want(struct session_symbols *symbols, u32 dso, const u64 *addrs, u32 nr);

/* Load the tables of the given dsos with @workers threads. Loading twice is free. */
void session_symbols__load(struct session_symbols *symbols, const u32 *dsos, u32 nr,
                           unsigned workers);

/*
 * The dso's table (loads it now if needed: then not thread-safe). Never NULL; may be empty, and
 * only a part: what session_symbols__find() finds need not be in it (session_symbols__symbol()).
 */
const struct symtab *session_symbols__table(struct session_symbols *symbols, u32 dso);

/* Was the dso loaded, with no other names than those it exports or calls? */
bool session_symbols__is_stripped(const struct session_symbols *symbols, u32 dso);

/*
 * Name an address of a dso (the machine's dso address: addr - map start + map pgoff for files,
 * the run-time address for kernel, modules, BPF and anonymous memory). Returns the symbol's index
 * in the dso's table or ID_NONE; *vaddr gets the address in the table's own terms.
 */
u32 session_symbols__find(struct session_symbols *symbols, u32 dso, u64 addr, u64 *vaddr);

/* The same of code: what was executed, or called from. Objects of data name none. */
u32 session_symbols__find_code(struct session_symbols *symbols, u32 dso, u64 addr, u64 *vaddr);

/* What session_symbols__find() has found: valid until something else of the dso is looked for. */
const struct symbol *session_symbols__symbol(struct session_symbols *symbols, u32 dso, u32 symbol);

/*
 * The printable name of a symbol: demangled if configured, control characters removed. Owned by
 * @symbols, cached. From one thread at a time.
 */
const char *session_symbols__name(struct session_symbols *symbols, u32 dso, u32 symbol);

/*
 * The source of a dso's code, where its debug information is found; addresses are those of the
 * dso's table. Never NULL, may be empty. The units of the addresses that were asked for before
 * with session_symbols__load_source() are read; others are when they are asked for. Not
 * thread-safe.
 */
struct debug_info *session_symbols__source(struct session_symbols *symbols, u32 dso);

/*
 * Keep what was found out in the indexes, for who asks next: symbols of tables (of long ones those
 * that were wanted), and the source of functions that were asked about. Those of objects without a
 * build-id are not kept, nor what costs little. A negative errno with @err when something could
 * not be written; nothing is lost by that but time.
 */
int session_symbols__keep(struct session_symbols *symbols, struct error *err);

struct source_wish {
	u32 dso;
	u32 nr;
	u64 *addrs; /* owned by who asks */
};

/* Read what these addresses need, several dsos at a time, and close the files. */
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

#endif
