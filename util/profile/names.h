/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Late naming: the name of each location of a profile, found once all samples were reduced.
 *
 * A *sym* is one function when entries and chains are grouped: a symbol of a dso, or one address
 * that no symbol covers. Dsos with equal short names count as the same.
 */
#ifndef PERF_UTIL_PROFILE_NAMES_H
#define PERF_UTIL_PROFILE_NAMES_H

#include <regex.h>

#include "util/lib/out.h"
#include "util/profile/profile.h"
#include "util/symbol/session_symbols.h"

struct sym {
	u64 addr;     /* named: the symbol's start in its table; unnamed: inside the dso */
	u64 vaddr;    /* named: addr; unnamed: the address as the dso's symbol table counts */
	u32 dso;      /* ID_NONE: nothing was mapped there */
	u32 index;    /* of the symbol in the dso's table, or ID_NONE */
	u32 dso_name; /* index into names->dso_names */
	/*
	 * A function that was inlined into this symbol (or the symbol's different name in the debug
	 * information): a text of names->functions. 0: the symbol itself.
	 */
	u32 function;
	u32 first; /* inlined: the first sym of that function */
	u8 cpumode;
};

struct names {
	struct sym *syms;
	u32 nr_syms;
	u32 *sym_of_loc;
	u32 nr_locs;    /* those of the profile, and locations added behind them */
	u32 *like;      /* by number of an added one: the location whose address it has */
	u32 *dso_names; /* strtab ids of their names; [0] is ID_NONE: the unknown dso */
	u32 nr_dso_names;
	struct strtab functions; /* printable names of sym.function */
	unsigned flags;          /* enum names_flags */
	struct naming *naming;   /* private: for adding to the above */
	/* Borrowed. */
	const struct profile *profile;
	const struct session *session;
	struct session_symbols *symbols;
};

enum names_flags {
	NAMES_SYMBOLS = 1u << 0,    /* else locations are distinguished by dso only */
	NAMES_GROW = 1u << 1,       /* names__extend() will be called: whole tables are loaded */
	NAMES_USER = 1u << 2,       /* addresses in the kernel and its modules get no names */
	NAMES_WHOLE_DSOS = 1u << 3, /* dsos have their paths as names, else what is behind them */
};

/* Loads the symbol tables of every dso that @profile hit, with @workers threads. */
void names__init(struct names *names, const struct profile *profile, const struct session *session,
                 struct session_symbols *symbols, unsigned flags, unsigned workers);
void names__exit(struct names *names);

/* The same in two steps: tables are loaded, and names found, while others may use the tables. */
void names__load(struct names *names, const struct profile *profile, const struct session *session,
                 struct session_symbols *symbols, unsigned flags, unsigned workers);
void names__find(struct names *names);

/*
 * The profile was replaced, in its place, by one that has the same locations up to @from_loc, all
 * that it had, and more behind: a later snapshot of one generation (builder.h). Name those, with
 * the tables that are loaded; only objects that were not hit before are read. Numbers of syms stay.
 * Locations that were added are dropped. Made with NAMES_GROW.
 */
void names__extend(struct names *names, u32 from_loc);

static inline bool sym__named(const struct sym *sym)
{
	return sym->index != ID_NONE;
}

static inline bool sym__inlined(const struct sym *sym)
{
	return sym->function;
}

/*
 * The sym of @function, a text of names->functions, inlined into the symbol of @sym, which has a
 * name; @sym itself if that name is @function, or that is 0.
 */
u32 names__inlined(struct names *names, u32 sym, u32 function);

/* A location more, at the place of @like, with the sym @sym. */
u32 names__add_loc(struct names *names, u32 like, u32 sym);

/* Forget the locations that were added. */
void names__drop_locs(struct names *names);

/* The location of the profile that @loc is, or is like. */
static inline u32 names__built_loc(const struct names *names, u32 loc)
{
	u32 nr = names->profile->nr_locs;

	return loc < nr ? loc : names->like[loc - nr];
}

/*
 * Frames of a call graph with equal keys are the same: those of one sym, or inlined functions of
 * one name, which have no address of their own.
 */
static inline u32 names__frame_key(const struct names *names, u32 loc)
{
	u32 sym = names->sym_of_loc[loc];

	return sym__inlined(&names->syms[sym]) ? names->syms[sym].first : sym;
}

/* The symbol's printable name; NULL: it has none (print the address). */
const char *sym__name(const struct names *names, const struct sym *sym);

/* By sym: does its name match @functions? The array is the caller's to free. */
bool *names__match(const struct names *names, const regex_t *functions);

/* How far location @loc lies behind the start of its symbol; 0 without one. */
u64 names__offset(const struct names *names, u32 loc);

/* Follows the names of inlined functions. */
#define INLINED_MARK " (inlined)"

/* A frame of a call chain: the function, with @offset how far into it; else the address. */
void names__print_frame(const struct names *names, struct out *out, u32 loc, bool offset);

/* "libc.so.6", "[kernel.kallsyms]", "[unknown]". */
const char *names__dso(const struct names *names, u32 dso_name);

/*
 * A total order by content: name, dso, address; the unnamed after the named, by address, dso.
 * Equal only for syms that cannot be told apart in output.
 */
int sym__compare(const struct names *names, const struct sym *a, const struct sym *b);

#endif
