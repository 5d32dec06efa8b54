/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Late naming: what each location of a finished profile is called, found once per location after
 * all samples were reduced. A *sym* is what "the same function" means when entries and chains
 * are grouped: a symbol of a dso, or one address where no symbol covers it. Dsos count as the
 * same when their short names are equal.
 */
#ifndef PERF_UTIL_PROFILE_NAMES_H
#define PERF_UTIL_PROFILE_NAMES_H

#include "util/profile/profile.h"
#include "util/symbol/session_symbols.h"

struct sym {
	u64 addr;     /* of the symbol's start in its table; where unnamed: inside the dso */
	u64 vaddr;    /* where unnamed: in the terms of the dso's symbol table, else addr */
	u32 dso;      /* ID_NONE: nothing was mapped there */
	u32 index;    /* of the symbol in the dso's table, or ID_NONE */
	u32 dso_name; /* index into names->dso_names */
	/*
	 * A function that was inlined into the symbol above (or has another name in the debug
	 * information): a text of names->functions. 0: the symbol itself.
	 */
	u32 function;
	u8 cpumode;
};

struct names {
	struct sym *syms;
	u32 nr_syms;
	u32 *sym_of_loc;
	u32 *dso_names; /* strtab ids of short names; [0] is ID_NONE: the unknown dso */
	u32 nr_dso_names;
	struct strtab functions; /* printable names of sym.function */
	struct naming *naming;   /* private: what adds to the above */
	/* Borrowed. */
	const struct profile *profile;
	const struct session *session;
	struct session_symbols *symbols;
};

enum names_flags {
	NAMES_SYMBOLS = 1u << 0, /* else locations are told apart by dso only */
};

/* Loads the symbol tables of every dso that @profile hit, with @workers threads. */
void names__init(struct names *names, const struct profile *profile, const struct session *session,
                 struct session_symbols *symbols, unsigned flags, unsigned workers);
void names__exit(struct names *names);

static inline bool sym__named(const struct sym *sym)
{
	return sym->index != ID_NONE;
}

static inline bool sym__inlined(const struct sym *sym)
{
	return sym->function;
}

/*
 * The sym of a function inlined into the symbol of @sym, a named one; of @sym itself if it has that
 * name. @function: printable.
 */
u32 names__inlined(struct names *names, u32 sym, const char *function);

/* Give location @loc, the next of the profile's, the sym @sym. */
void names__add_loc(struct names *names, u32 loc, u32 sym);

/*
 * What makes frames of a call graph the same: the sym, but the name alone for inlined functions,
 * which have no address of their own.
 */
u32 names__frame_key(const struct names *names, u32 loc);

/* The symbol's printable name; NULL where there is none (print the address). */
const char *sym__name(const struct names *names, const struct sym *sym);

/*
 * Take the frames without a name out of all chains of @profile: their callees are called by their
 * callers then.
 */
void names__drop_unnamed(const struct names *names, struct profile *profile);

/* How far location @loc lies behind the start of its symbol; 0 without one. */
u64 names__offset(const struct names *names, u32 loc);

/* "libc.so.6", "[kernel.kallsyms]", "[unknown]". */
const char *names__dso(const struct names *names, u32 dso_name);

/*
 * A total order by content: name (the unnamed after the named, by address), then address, dso.
 * Equal only for syms that cannot be told apart in output.
 */
int sym__compare(const struct names *names, const struct sym *a, const struct sym *b);

#endif
