/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of one dso: ranges sorted by start, one per start. Built once per dso, on first need,
 * from the best source there is; read-only and shared by all threads afterwards.
 *
 * Addresses of a symtab are what the source has: ELF virtual addresses for files (a location's
 * file offset is translated by the program headers), run-time addresses for kallsyms and
 * perf-PID.map.
 */
#ifndef PERF_UTIL_SYMTAB_SYMTAB_H
#define PERF_UTIL_SYMTAB_SYMTAB_H

#include "util/lib/alloc.h"
#include "util/lib/error.h"
#include "util/lib/types.h"

struct symbol {
	u64 start, end;   /* [start, end); a range may reach over later ones: the innermost wins */
	const char *name; /* as in the file (mangled); owned by the symtab */
	char binding;     /* 'g' global, 'l' local, 'w' weak, 'u' unknown */
	bool data;        /* no code: not for what was executed or called from */
};

/* Translates file offsets to ELF virtual addresses (of PT_LOADs; the first that fits). */
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

/* Where a part of a table is kept: these addresses, as the whole table answered. */
struct symtab_piece {
	u64 start, end;
	u32 symbol; /* ID_NONE: none covers them */
};

struct symtab {
	struct symbol *symbols; /* sorted by start once symtab__fixup() ran */
	u32 nr;
	size_t cap;
	bool demangle; /* set before symtab__fixup(): aliases are compared by their readable names
	                */
	bool overlaps; /* some range reaches over the start of a later one */
	bool picked;   /* only symbols that cover what was asked for are in it */
	struct symtab_piece *pieces; /* sorted; a part of a table. NULL: all of it */
	u32 nr_pieces;
	struct segment *segments;
	u32 nr_segments;
	enum symtab_source source;
	char *path;         /* of the file the symbols came from; NULL if none */
	bool runtime_addr;  /* symbols hold run-time addresses: no translation by segments */
	struct error error; /* why there are none, or what was wrong on the way (code 0: nothing) */
	struct error refused; /* a debug file that was there, but is of another build (code 0: none)
	                       */
	struct arena arena;
};

void symtab__exit(struct symtab *symtab);

/* Index of the symbol that covers @addr (the symtab's own kind of address), or ID_NONE. */
u32 symtab__find(const struct symtab *symtab, u64 addr);

/* Does the table tell what is at @addr? Not always, where it is a part. */
bool symtab__knows(const struct symtab *symtab, u64 addr);

/*
 * Fill @part, an empty table, with what @symtab says of these addresses (sorted). Names are those
 * of @symtab, which must live longer.
 */
void symtab__part(const struct symtab *symtab, const u64 *addrs, u32 nr, struct symtab *part);

/* File offset -> ELF virtual address by the segments; the offset itself where none covers it. */
u64 symtab__vaddr_of_offset(const struct symtab *symtab, u64 offset);

/*
 * For loaders: append a symbol; @name is not copied and must live as long as the symtab (its
 * arena). end == start: size unknown. Then order them, give size-less symbols an end and keep
 * one symbol per address (which one: symtab.c). More may be added then, and put in order again.
 */
void symtab__add(struct symtab *symtab, u64 start, u64 end, const char *name, char binding);
void symtab__fixup(struct symtab *symtab);

#endif
