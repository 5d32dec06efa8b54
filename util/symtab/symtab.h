/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol table of one dso: address ranges sorted by start, one per start. It is built once, on
 * first need, from the best source there is; read-only and shared by all threads afterwards.
 *
 * Addresses are those of the source: ELF virtual addresses for files (a location's file offset is
 * translated by the program headers), run-time addresses for kallsyms and perf-PID.map.
 */
#ifndef PERF_UTIL_SYMTAB_SYMTAB_H
#define PERF_UTIL_SYMTAB_SYMTAB_H

#include "util/lib/alloc.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

struct symbol {
	u64 start, end;   /* [start, end); where ranges overlap the innermost wins */
	const char *name; /* as in the file (mangled); owned by the symtab */
	char binding;     /* 'g' global, 'l' local, 'w' weak, 'u' unknown */
	bool data;        /* a data object: never names executed code */
};

/* Translates file offsets to ELF virtual addresses (of PT_LOADs; the first that matches). */
struct segment {
	u64 offset, size, vaddr;
};

/* Best first. */
enum symtab_source {
	SYMTAB_NONE,
	SYMTAB_DEBUG_FILE, /* separate debug file by build-id or debuglink */
	SYMTAB_ELF,        /* .symtab of the file itself */
	SYMTAB_MINIDEBUG,  /* .gnu_debugdata (xz) */
	SYMTAB_DYNSYM,
	SYMTAB_KALLSYMS,
	SYMTAB_VMLINUX,
	SYMTAB_PERF_MAP,
};

/* For a part of a table: a range of addresses, and what the whole table answered for it. */
struct symtab_piece {
	u64 start, end;
	u32 symbol; /* ID_NONE: none covers them */
};

struct symtab {
	struct symbol *symbols; /* sorted by start once symtab__fixup() ran */
	u32 nr;
	size_t cap;
	bool demangle; /* set before symtab__fixup(), which then compares readable names */
	bool overlaps; /* some range reaches over the start of a later one */
	bool picked;   /* it has only symbols that cover wanted addresses */
	struct symtab_piece *pieces; /* sorted, if this is a part of a table; NULL: it is whole */
	u32 nr_pieces;
	struct segment *segments;
	u32 nr_segments;
	enum symtab_source source;
	char *path;           /* of the file the symbols came from; NULL if none */
	bool runtime_addr;    /* symbols hold run-time addresses: no translation by segments */
	struct error error;   /* why there are no symbols, or an earlier failure (code 0: none) */
	struct error refused; /* a debug file was found, but of another build (code 0: none) */
	struct arena arena;
};

void symtab__exit(struct symtab *symtab);

/* Index of the symbol that covers @addr (the symtab's own kind of address), or ID_NONE. */
u32 symtab__find(const struct symtab *symtab, u64 addr);

/* Does the table have the answer for @addr? A part of a table may not. */
bool symtab__knows(const struct symtab *symtab, u64 addr);

/*
 * Fill @part, an empty table, with the answers of @symtab for these addresses (sorted). Names are
 * those of @symtab, which must live longer.
 */
void symtab__part(const struct symtab *symtab, const u64 *addrs, u32 nr, struct symtab *part);

/* File offset -> ELF virtual address by the segments; the offset itself where none covers it. */
u64 symtab__vaddr_of_offset(const struct symtab *symtab, u64 offset);

/*
 * For loaders. symtab__add() appends a symbol; @name is not copied and must live as long as the
 * symtab (its arena). end == start: size unknown. symtab__fixup() then sorts the symbols, gives
 * size-less ones an end and keeps one per address (which one: symtab.c). More may be added
 * afterwards, and fixed up again.
 */
void symtab__add(struct symtab *symtab, u64 start, u64 end, const char *name, char binding);
void symtab__fixup(struct symtab *symtab);

#endif
